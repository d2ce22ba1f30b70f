/* Hints for the names that stages have in other programs. */
#include "chain/stage.h"

#include "io/io.h"
#include "io/video_recipes.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Hints of several words. */
#define DEPTH         "use the option --depth 16"
#define DRAFT         "use resize:320x320,fit=inside; with draft, small copies of JPEGs take half of the CPU time"
#define FRAME_RATE    "there is no stage that drops or repeats frames; use ffmpeg -i FILE -vf fps=25 -f " \
                      "yuv4mpegpipe - | gpufilter ..., or the option --rate 25, which changes the speed"
#define NO_COMPANDER  "there is no compander, but limit keeps peaks below a level"
#define NO_COMPRESSOR "there is no compressor, but limit keeps peaks below a level"
#define NO_CURVE      "there is no tone curve, but gamma, levels and contrast change tones"
#define NO_DECLICK    "there is no click remover; use SoX or FFmpeg before or after gpufilter in a pipe"
#define NO_DEESSER    "there is no de-esser, but eq:7k,2,-6 lowers a band"
#define NO_DESKEW     "there is no automatic deskewing, but rotate:-1.5 turns by a known angle"
#define NO_DRAWING    "there is no drawing of text or shapes, but over:FILE puts an image of them over " \
                      "the input"
#define NO_EDGES      "there is no automatic cropping, but crop:WIDTHxHEIGHT+X+Y cuts out a known area"
#define NO_EFFECT     "there is no modulation effect; use SoX before or after gpufilter in a pipe"
#define NO_FACTS      "use gpufilter -i FILE --explain for the format, or the stage stats for the content"
#define NO_FORMAT     "use -o NAME.png or --to png to choose the format"
#define NO_GATE       "there is no noise gate; use SoX before or after gpufilter in a pipe"
#define NO_JOINT      "there is no stage for joining; sox A B -t wav - | gpufilter ... joins audio, and " \
                      "cat A B | gpufilter ... joins images"
#define NO_LEVELLER   "there is no automatic gain control, but normalize:lufs=-16 sets the overall loudness"
#define NO_LOOP       "there is no loop; cat A A | gpufilter ... repeats images, and sox A -t wav - " \
                      "repeat | gpufilter ... repeats audio"
#define NO_MAP        "there is no color map, but gray 'matrix:[3 0; 3 -1; 3 -2]' maps gray to black, " \
                      "red, yellow and white"
#define NO_MONTAGE    "there is no montage; with ImageMagick, convert A B +append pnm:- | gpufilter ... puts " \
                      "images side by side"
#define NO_PROFILE    "use the option --icc convert to convert colors to sRGB"
#define NO_SILENCE    "there is no detection of silence, but trim cuts at known times, and pad adds silence"
#define NO_SPACE      "there is no conversion to other color spaces; gray, channel, matrix, saturate and " \
                      "hue work on red, green and blue"
#define NO_TEMPO      "there is no change of tempo or pitch; use SoX before or after gpufilter in a pipe"
#define NO_TIME       "there is no stage that compares frames; use FFmpeg before or after gpufilter in a pipe"
#define NO_TRANSFORM  "there is no Fourier transform stage; spectrogram draws the spectrum of audio, and " \
                      "fir applies long filters"
#define NO_VIDEO(format, output) \
                      "there is no " format " output; use gpufilter ... -t y4m | " GF_RECIPE_ENCODE("VIDEO") output \
                      ", with the audio of VIDEO"
#define NO_WARP       "there is no distortion; resize, rotate and crop change the geometry"
#define COMMAND       "use gpufilter -i INPUT STAGE... -o OUTPUT; gpufilter --list shows the stages"
#define SQUARE        "use resize:800x800,fit=outside crop:800x800,at=center, which makes a square of any image"
#define TWO_TONES     "use gray, or threshold for black and white only"
#define UPRIGHT       "there is no need for it: images are turned upright by their EXIF orientation when they are read"
#define DENOISE       "use bilateral or median; for audio highpass, lowpass or bandstop"
#define LOUDNESS      "use normalize:lufs=-23 to set it, stats to measure it"

/*
 * A word in small letters, and its hint: stages to write instead, or a clause that begins with "use" or "there is no".
 * Names that are accepted are in stage_aliases.c only. The table ends with a row without a word.
 */
static const struct synonym {
    const char *word, *hint;
} synonyms[] = {
    { "16bit", DEPTH }, { "8bit", "use the option --depth 8" }, { "acompressor", NO_COMPRESSOR },
    { "acrossfade", NO_JOINT }, { "add", "blend:FILE,add" }, { "adeclick", NO_DECLICK }, { "adelay", "delay" },
    { "aecho", "echo" }, { "afade", "fade" }, { "affine", NO_WARP },
    { "afftdn", "use highpass, lowpass or bandstop" }, { "afir", "fir" }, { "agate", NO_GATE },
    { "alimiter", "limit" }, { "allpass", "biquad" }, { "alphamerge", "mask" }, { "amplify", "gain" },
    { "anequalizer", "eq" }, { "annotate", NO_DRAWING }, { "apad", "pad" }, { "append", NO_MONTAGE },
    { "astats", "stats" }, { "atadenoise", NO_TIME },
    { "atempo", NO_TEMPO }, { "atrim", "trim" }, { "attenuate", "gain" }, { "autocontrast", "autolevel" },
    { "autocrop", NO_EDGES }, { "autolevels", "autolevel" }, { "autoorient", UPRIGHT }, { "autorot", UPRIGHT },
    { "autorotate", UPRIGHT }, { "autowb", "autolevel:0.5%,rgb" },
    { "average", "use gray:average to average the channels, box:2 the pixels around each pixel, or "
      "resize:1x1,filter=area all pixels" },
    { "avg", "stats" }, { "avi", NO_VIDEO("AVI", "out.avi") },
    { "background", "alpha:off,bg=white" }, { "backwards", "reverse" }, { "band", "bandpass" },
    { "bandreject", "bandstop" }, { "barrel", NO_WARP }, { "bend", NO_TEMPO }, { "beside", NO_MONTAGE },
    { "bgr", NO_SPACE }, { "binarize", "threshold:otsu" }, { "bitdepth", "dither" }, { "bits", DEPTH },
    { "blackandwhite", TWO_TONES }, { "blackwhite", TWO_TONES }, { "border", "pad" }, { "boxblur", "box" },
    { "bw", TWO_TONES }, { "caption", NO_DRAWING }, { "cat", NO_JOINT }, { "channelmap", "remix" },
    { "channels", "use mono for one channel, remix or channel to choose channels" }, { "chorus", NO_EFFECT },
    { "clip", "use clamp, or limit for audio without distortion" }, { "closing", "close" }, { "clut", NO_MAP },
    { "cmyk", NO_SPACE }, { "collage", NO_MONTAGE }, { "colorize", "tint" }, { "colormap", NO_MAP },
    { "colormatrix", "matrix" }, { "colorspace", NO_PROFILE }, { "colourmap", NO_MAP }, { "colourspace", NO_PROFILE },
    { "compand", NO_COMPANDER }, { "composite", "use over:FILE or blend:FILE,MODE" }, { "compress", NO_COMPRESSOR },
    { "compression", "use the option --compression 9" }, { "compressor", NO_COMPRESSOR }, { "concat", NO_JOINT },
    { "concatenate", NO_JOINT }, { "contact", NO_MONTAGE }, { "contactsheet", NO_MONTAGE },
    { "contain", "resize:WxH,fit=inside" }, { "contraststretch", "autolevel" }, { "convert", NO_FORMAT },
    { "convolution", "use conv, for audio fir" }, { "convolve", "use conv, for audio fir" }, { "convolver", "fir" },
    { "copyopacity", "mask" }, { "count", "use histogram to count values, stats for the number of samples" },
    { "cover", "resize:WxH,fit=outside" }, { "crackle", NO_DECLICK }, { "cropdetect", NO_EDGES },
    { "crossfade", NO_JOINT }, { "crossfeed", "remix" }, { "curve", NO_CURVE }, { "curves", NO_CURVE },
    { "cut", "use crop, for audio trim:FROM,TO, which keeps that part" }, { "darken", "brightness" },
    { "dbfs", "use normalize:-1 to set it, stats to measure it" }, { "dcblock", "highpass:20" },
    { "dcoffset", "dcshift" }, { "dcremove", "highpass:20" }, { "dct", NO_TRANSFORM }, { "declick", NO_DECLICK },
    { "decrackle", NO_DECLICK }, { "deemph", "treble" }, { "deess", NO_DEESSER }, { "deesser", NO_DEESSER },
    { "deflicker", NO_TIME }, { "dehaze", "use clahe or autolevel" }, { "dehum", "bandstop:45,55" },
    { "deinterlace", NO_TIME }, { "denoise", DENOISE }, { "denoise3d", "use bilateral or median" },
    { "depth", DEPTH }, { "desaturate", "gray" }, { "deshake", NO_TIME }, { "deskew", NO_DESKEW },
    { "despeckle", "median" }, { "difference", "diff" }, { "differenceofgaussians", "dog" }, { "dilation", "dilate" },
    { "distort", NO_WARP }, { "divide", "use blend:FILE,dodge with an inverted FILE" }, { "downmix", "mono" },
    { "downsample", "resample" }, { "downscale", "resize" }, { "draw", NO_DRAWING }, { "drawbox", NO_DRAWING },
    { "drawtext", NO_DRAWING }, { "draft", DRAFT }, { "dssim", "compare" },
    { "duotone", NO_MAP }, { "dynaudnorm", NO_LEVELLER },
    { "earwax", "remix" }, { "ebur128", "stats" }, { "echos", "echo" }, { "edge", "sobel" },
    { "edgedetect", "canny" }, { "edges", "canny" },
    { "embed", "use pad:size=800x600,at=center" }, { "equalizer", "eq" },
    { "erosion", "erode" }, { "exif", UPRIGHT }, { "exiftranspose", UPRIGHT }, { "exposure", "brightness" },
    { "extend", "pad" }, { "extent", "pad:size=WxH,at=center" },
    { "extract", "channel" }, { "fadein", "fade:1" }, { "fadeout", "fade:0,1" }, { "falsecolor", NO_MAP },
    { "fastnlmeans", "use bilateral or median" }, { "ffmpeg", COMMAND }, { "ffprobe", NO_FACTS },
    { "fast", "use resize:SIZE,draft for small copies of JPEGs, resample:HZ,quality=fast for audio, or "
      "--compression 1 for the output" },
    { "faster", "use resize:SIZE,draft for small copies of JPEGs, resample:HZ,quality=fast for audio, or "
      "--compression 1 for the output" },
    { "fft", NO_TRANSFORM }, { "filter2d", "conv" },
    { "firfit", "fir" }, { "firwin", "lowpass" }, { "fit", "resize:WxH,fit=inside" }, { "flanger", NO_EFFECT },
    { "flatten", "alpha:off,bg=white" }, { "fliphorizontal", "flop" }, { "flipvertical", "flip" },
    { "font", NO_DRAWING }, { "format", NO_FORMAT }, { "fourier", NO_TRANSFORM }, { "fps", FRAME_RATE },
    { "frame", "pad" }, { "framerate", FRAME_RATE }, { "gate", NO_GATE }, { "gauss", "blur" }, { "gaussian", "blur" },
    { "gaussianblur", "blur" }, { "gaussiannoise", "noise" },
    { "gif", "there is no GIF output; use gpufilter ... -t y4m | ffmpeg -i - out.gif" },
    { "gradientmap", NO_MAP }, { "grain", "noise" },
    { "gravity", "use crop, pad or over with at=center, at=southeast or another corner" },
    { "grid", NO_MONTAGE }, { "haldclut", NO_MAP }, { "heatmap", NO_MAP },
    { "highcut", "lowpass" }, { "highshelf", "treble" }, { "hilbert", "fir" },
    { "hiss", "lowpass" }, { "histeq", "equalize" }, { "histequal", "equalize" }, { "hpf", "highpass" },
    { "hqdn3d", "use bilateral or median" }, { "hsl", NO_SPACE }, { "hstack", NO_MONTAGE }, { "hsv", NO_SPACE },
    { "huerotate", "hue" }, { "huerotation", "hue" }, { "hum", "bandstop:45,55" }, { "icc", NO_PROFILE },
    { "icctransform", NO_PROFILE }, { "identify", NO_FACTS }, { "ifft", NO_TRANSFORM }, { "iir", "biquad" },
    { "impulse", "fir" }, { "info", NO_FACTS }, { "interpolate", NO_TIME }, { "inverse", "invert" },
    { "join", NO_JOINT }, { "karaoke", "remix:1-2" }, { "kernel", "conv" }, { "lab", NO_SPACE },
    { "label", NO_DRAWING }, { "left", "channel:1" }, { "lenscorrection", NO_WARP },
    { "letterbox", "pad:size=WxH,at=center" }, { "level", "use levels, for audio gain" }, { "lighten", "brightness" },
    { "limiter", "limit" }, { "line", NO_DRAWING },
    { "log", "there is no logarithm, but gamma changes tones, and dog and laplacian find edges" },
    { "logarithm", "there is no logarithm, but gamma changes tones, and dog and laplacian find edges" },
    { "loop", NO_LOOP }, { "loudness", LOUDNESS }, { "loudnorm", "use normalize:lufs=-16 limit:-1,true" },
    { "lowcut", "highpass" }, { "lowshelf", "bass" }, { "lpf", "lowpass" }, { "lufs", LOUDNESS },
    { "luminance", "gray" }, { "lut", NO_MAP }, { "lut3d", NO_MAP },
    { "magick", COMMAND },
    { "max", "use stats to measure it, dilate for the maximum around each pixel, or blend:FILE,lighten "
      "for that of two images" },
    { "maximum", "dilate" }, { "mcompand", NO_COMPANDER }, { "mean", "box" }, { "merge", NO_JOINT },
    { "metric", "use gpufilter -i A compare:B, which prints PSNR and SSIM" },
    { "min", "use stats to measure it, erode for the minimum around each pixel, or blend:FILE,darken for "
      "that of two images" },
    { "minimum", "erode" }, { "minterpolate", NO_TIME }, { "mirror", "flop" },
    { "mix", "use remix for the channels of a recording, over or blend for images; sox -m A B -t wav - | "
             "gpufilter ... mixes files" },
    { "mixdown", "mono" },
    { "mkv", NO_VIDEO("MKV", "out.mkv") },
    { "modulate", "saturate" }, { "mogrify", COMMAND }, { "monochrome", TWO_TONES }, { "montage", NO_MONTAGE },
    { "mosaic", NO_MONTAGE },
    { "mov", NO_VIDEO("MOV", "out.mov") },
    { "mp4", NO_VIDEO("MP4", "out.mp4") },
    { "mse", "compare" }, { "multiply", "blend:FILE,multiply" }, { "mute", "gain:-300" },
    { "negative", "invert" }, { "nlmeans", "use bilateral or median" }, { "noisegate", NO_GATE },
    { "noisered", DENOISE }, { "noisereduce", DENOISE }, { "norm", "normalize" },
    { "notch", "bandstop" }, { "oops", "remix:1-2" }, { "opening", "open" }, { "orient", UPRIGHT },
    { "orientation", UPRIGHT }, { "oscillogram", "waveform" },
    { "otsu", "threshold:otsu" }, { "overdrive", NO_EFFECT }, { "overlay", "use over:FILE, or blend:FILE,overlay" },
    { "palette", NO_MAP }, { "pan", "remix" }, { "paste", "over" },
    { "peak", "use normalize to set it, stats to measure it" }, { "peaking", "eq" }, { "perspective", NO_WARP },
    { "phase", "invert" }, { "phaser", NO_EFFECT }, { "pitch", NO_TEMPO },
    { "pixelate", "use resize:10%,filter=area resize:1000%,filter=nearest" },
    { "pixelize", "use resize:10%,filter=area resize:1000%,filter=nearest" },
    { "pixellate", "use resize:10%,filter=area resize:1000%,filter=nearest" }, { "polarity", "invert" },
    { "prewitt", "conv:prewitt-x" }, { "progressive", "use the option --progressive" }, { "pseudocolor", NO_MAP },
    { "psnr", "compare" }, { "putalpha", "mask" }, { "quality", "use the option --quality 80" },
    { "quantise", "posterize" }, { "quantize", "posterize" }, { "rate", "resample" }, { "rectangle", NO_DRAWING },
    { "repeat", NO_LOOP }, { "replaygain", "normalize:lufs=-18" }, { "rev", "reverse" }, { "riaa", "biquad" },
    { "right", "channel:2" }, { "rms", "use normalize:rms=-20 to set it, stats to measure it" },
    { "rot180", "rotate:180" }, { "rot270", "rotate:270" }, { "rot90", "rotate:90" }, { "rotation", "rotate" },
    { "rubberband", NO_TEMPO }, { "samplerate", "resample" }, { "saturation", "saturate" }, { "scale", "resize" },
    { "scharr", "conv:scharr-x" }, { "screen", "blend:FILE,screen" }, { "sharpness", "sharpen" },
    { "shear", NO_WARP }, { "sheet", NO_MONTAGE }, { "showspectrum", "spectrogram" },
    { "showspectrumpic", "spectrogram" }, { "showwaves", "waveform" }, { "showwavespic", "waveform" },
    { "shrink", "resize" }, { "silence", NO_SILENCE }, { "silenceremove", NO_SILENCE },
    { "sinc", "use lowpass, highpass, bandpass or bandstop" }, { "slice", "trim" }, { "smartcrop", SQUARE },
    { "smooth", "blur" },
    { "sonogram", "spectrogram" }, { "sox", COMMAND }, { "soxi", NO_FACTS }, { "spectrum", "spectrogram" },
    { "speechnorm", NO_LEVELLER },
    { "speed", NO_TEMPO }, { "splice", NO_JOINT }, { "split", "channel" }, { "square", SQUARE }, { "ssim", "compare" },
    { "stabilise", NO_TIME }, { "stabilize", NO_TIME }, { "stack", NO_MONTAGE }, { "stat", "stats" },
    { "statistics", "stats" }, { "stereo", "remix:1,1" }, { "stft", NO_TRANSFORM }, { "straighten", NO_DESKEW },
    { "stretch", "autolevel" }, { "strip", "use the option --strip" },
    { "subsampling", "use the option --subsampling 444" }, { "subtract", "use blend:FILE,subtract, or diff:FILE" },
    { "swap", "remix:2,1" }, { "temperature", "use tint or matrix" }, { "tempo", NO_TEMPO }, { "temporal", NO_TIME },
    { "text", NO_DRAWING }, { "thumb", DRAFT }, { "thumbnail", DRAFT }, { "thumbnails", DRAFT }, { "tile", NO_MONTAGE },
    { "title", NO_DRAWING }, { "tmedian", NO_TIME }, { "tmix", NO_TIME },
    { "tonemap", "there is no tone mapping; gamma, levels and clahe change tones" }, { "tremolo", NO_EFFECT },
    { "trimborder", NO_EDGES }, { "truepeak", "use stats:true to measure it, limit:-1,true to limit it" },
    { "turn", "rotate" }, { "undistort", NO_WARP }, { "unsharpmask", "unsharp" }, { "upsample", "resample" },
    { "upscale", "resize" }, { "usm", "unsharp" }, { "vad", "trim" }, { "vibrato", NO_EFFECT },
    { "vidstab", NO_TIME }, { "vips", COMMAND }, { "vipsheader", NO_FACTS }, { "vipsthumbnail", DRAFT },
    { "vmaf", "compare" }, { "vol", "use gain, in decibels or as in gain:50%" },
    { "volume", "gain" }, { "volumedetect", "stats" }, { "vstack", NO_MONTAGE }, { "warp", NO_WARP },
    { "watermark", "over" }, { "wave", "waveform" }, { "wb", "autolevel:0.5%,rgb" },
    { "webm", NO_VIDEO("WebM", "out.webm") },
    { "whitebalance", "autolevel:0.5%,rgb" }, { "yadif", NO_TIME }, { "ycbcr", NO_SPACE }, { "yuv", NO_SPACE },
    { "zoom", "resize" },
    { NULL, NULL }
};

/* Compares a word with a name; capitals, dashes and underscores of the word do not count. */
static bool is_called(const char *word, const char *name)
{
    for (; *word != '\0'; word++) {
        if (*word == '-' || *word == '_')
            continue;
        if (tolower((unsigned char)*word) != *name++)
            return false;
    }
    return *name == '\0';
}

/* Finds a name of stage_aliases.c that has other capitals, dashes or underscores. Returns its stage, or NULL. */
static const char *find_alias(const char *word)
{
    char plain[32];
    size_t used = 0;

    for (; *word != '\0' && used + 1 < sizeof plain; word++)
        if (*word != '-' && *word != '_')
            plain[used++] = (char)tolower((unsigned char)*word);
    plain[used] = '\0';
    return *word == '\0' ? gf_stage_alias(plain, NULL) : NULL;
}

const char *gf_stage_hint(const char *word)
{
    static _Thread_local char text[120];

    for (int i = 0; i < gf_stage_count; i++)
        if (is_called(word, gf_stages[i]->name))
            return gf_stages[i]->name;
    if (find_alias(word) != NULL)
        return find_alias(word);
    for (const struct synonym *s = synonyms; s->word != NULL; s++)
        if (is_called(word, s->word))
            return s->hint;
    for (const char *const *format = gf_writer_names(); *format != NULL; format++)
        if (is_called(word, *format)) {
            snprintf(text, sizeof text, "use -o NAME.%s or --to %s to choose the format",
                     *format, *format);
            return text;
        }
    return NULL;
}

bool gf_stage_hint_is_clause(const char *hint)
{
    return strncmp(hint, "use ", 4) == 0 || strncmp(hint, "there is no ", 12) == 0;
}
