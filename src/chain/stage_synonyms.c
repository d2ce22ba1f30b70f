/* What stages are called elsewhere, and what to write here: only said, never understood. */
#include "chain/stage.h"

#include "io/io.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* What is said of several words. */
#define DEPTH          "none does that; it is an option: --depth 16"
#define FRAME_RATE     "none does that; it is an option: --rate 25"
#define NO_COMPANDER   "none compands; limit holds peaks down"
#define NO_COMPRESSOR  "none compresses; limit holds peaks down"
#define NO_CURVE       "none takes a curve; gamma, levels and contrast bend the tones"
#define NO_DECLICK     "none looks for clicks; sox and ffmpeg do, on a pipe"
#define NO_DEESSER     "none lowers what is loud alone; eq:7k,2,-6 lowers a band all the time"
#define NO_DESKEW      "none looks for an angle; rotate:-1.5 turns by one that is known"
#define NO_DRAWING     "none writes or draws; over:FILE lays a picture of it over this one"
#define NO_EDGES       "none looks for borders; crop:WIDTHxHEIGHT+X+Y cuts at a place"
#define NO_EFFECT      "none is an effect of that kind; sox has them, on a pipe"
#define NO_FACTS       "none tells of files; -i FILE --explain shows what it is, stats what is in it"
#define NO_FORMAT      "none changes the format; the output's name does, or --to FORMAT"
#define NO_GATE        "none closes where it is soft; sox does, on a pipe"
#define NO_JOINT       "none joins files; sox A B -t wav - | gpufilter ... does for sound, cat A B | gpufilter ... for pictures"
#define NO_LEVELLER    "none evens loudness out as it goes; normalize:lufs=-16 sets that of the whole, limit holds peaks down"
#define NO_LOOP        "none repeats; cat A A | gpufilter ... does for pictures, sox A -t wav - repeat | gpufilter ... for sound"
#define NO_MAP         "none looks colours up; gray and 'matrix:[3 0; 3 -1; 3 -2]' go from black over red and yellow to white"
#define NO_MONTAGE     "none puts pictures beside each other; ImageMagick's montage arranges those of a folder (gpufilter-workflows(7) shows how)"
#define NO_PROFILE     "none changes profiles; --icc convert makes sRGB of the colours as they are read"
#define NO_SILENCE     "none looks for silence; pad adds some, trim cuts at a time"
#define NO_SPACE       "none changes the kind of colours; gray, channel, matrix, saturate and hue work on red, green and blue"
#define NO_TEMPO       "none changes tempo or pitch; sox does, on a pipe"
#define NO_TIME        "none looks at the frames beside one; ffmpeg does, on either side of a pipe"
#define NO_TRANSFORM   "none leaves a transform; spectrogram draws one of sound, fir and reverb work by one"
#define NO_WARP        "none bends a picture; resize, rotate and crop are what there is"

/* A word in small letters alone, and what to write instead, or "none ..." where there is nothing; ended by a row without a word. */
static const struct synonym {
    const char *word, *hint;
} synonyms[] = {
    { "16bit", DEPTH },                     { "8bit", "none does that; it is an option: --depth 8" },
    { "acompressor", NO_COMPRESSOR },       { "acrossfade", NO_JOINT },             { "add", "blend:FILE,add" },
    { "adeclick", NO_DECLICK },             { "adelay", "delay" },                  { "aecho", "echo" },
    { "afade", "fade" },                    { "affine", NO_WARP },
    { "afftdn", "highpass, lowpass or bandstop" },                                  { "afir", "fir" },
    { "agate", NO_GATE },
    { "alimiter", "limit" },                { "allpass", "biquad" },                { "alphamerge", "mask" },
    { "amplify", "gain" },                  { "anequalizer", "eq" },                { "annotate", NO_DRAWING },
    { "apad", "pad" },                      { "append", NO_JOINT },                 { "aresample", "resample" },
    { "areverse", "reverse" },              { "astats", "stats" },                  { "atadenoise", NO_TIME },
    { "atempo", NO_TEMPO },                 { "atrim", "trim" },                    { "attenuate", "gain" },
    { "autocontrast", "autolevel" },        { "autocrop", NO_EDGES },               { "autolevels", "autolevel" },
    { "autowb", "autolevel:0.5%,rgb" },     { "average", "box" },
    { "avi", "none makes films; -t y4m | ffmpeg -i - out.avi does" },
    { "background", "alpha:off,bg=white" }, { "backwards", "reverse" },             { "band", "bandpass" },
    { "bandreject", "bandstop" },           { "barrel", NO_WARP },                  { "bend", NO_TEMPO },
    { "beside", NO_MONTAGE },               { "bgr", NO_SPACE },                    { "binarize", "threshold:otsu" },
    { "bitdepth", "dither" },               { "bits", DEPTH },
    { "blackandwhite", "gray, or threshold for black and white alone" },
    { "blackwhite", "gray, or threshold for black and white alone" },
    { "border", "pad" },                    { "boxblur", "box" },
    { "bw", "gray, or threshold for black and white alone" },                       { "caption", NO_DRAWING },
    { "cat", NO_JOINT },                    { "channelmap", "remix" },
    { "channels", "remix, mono or channel" },                                       { "chorus", NO_EFFECT },
    { "clip", "clamp, or limit for sound that is not to distort" },                 { "closing", "close" },
    { "clut", NO_MAP },                     { "cmyk", NO_SPACE },                   { "collage", NO_MONTAGE },
    { "colorize", "tint" },                 { "colormap", NO_MAP },                 { "colormatrix", "matrix" },
    { "colorspace", NO_PROFILE },           { "colourmap", NO_MAP },                { "colourspace", NO_PROFILE },
    { "compand", NO_COMPANDER },            { "composite", "over or blend" },       { "compress", NO_COMPRESSOR },
    { "compression", "none does that; it is an option: --compression 9" },          { "compressor", NO_COMPRESSOR },
    { "concat", NO_JOINT },                 { "concatenate", NO_JOINT },            { "contact", NO_MONTAGE },
    { "contactsheet", NO_MONTAGE },         { "contain", "resize:WxH,fit=inside" }, { "contraststretch", "autolevel" },
    { "convert", NO_FORMAT },               { "convolution", "conv, for sound fir" },
    { "convolve", "conv, for sound fir" },  { "convolver", "fir" },                 { "copyopacity", "mask" },
    { "cover", "resize:WxH,fit=outside" },  { "crackle", NO_DECLICK },              { "cropdetect", NO_EDGES },
    { "crossfade", NO_JOINT },              { "crossfeed", "remix" },               { "curve", NO_CURVE },
    { "curves", NO_CURVE },                 { "cut", "crop, for sound trim:FROM,TO, which keeps that part" },
    { "darken", "brightness" },             { "dbfs", "normalize:-1 to set it, stats to see it" },
    { "dcblock", "highpass:20" },           { "dcoffset", "dcshift" },              { "dcremove", "highpass:20" },
    { "dct", NO_TRANSFORM },                { "declick", NO_DECLICK },              { "decrackle", NO_DECLICK },
    { "deemph", "treble" },                 { "deess", NO_DEESSER },                { "deesser", NO_DEESSER },
    { "deflicker", NO_TIME },               { "dehaze", "clahe or autolevel" },     { "dehum", "bandstop:45,55" },
    { "deinterlace", NO_TIME },
    { "denoise", "bilateral or median for pictures; for sound highpass, lowpass or bandstop" },
    { "denoise3d", "bilateral or median" }, { "depth", DEPTH },                     { "desaturate", "gray" },
    { "deshake", NO_TIME },                 { "deskew", NO_DESKEW },                { "despeckle", "median" },
    { "difference", "diff" },               { "differenceofgaussians", "dog" },     { "dilation", "dilate" },
    { "distort", NO_WARP },                 { "divide", "blend:FILE,dodge, where FILE is inverted" },
    { "downmix", "mono" },                  { "downsample", "resample" },           { "downscale", "resize" },
    { "draw", NO_DRAWING },                 { "drawbox", NO_DRAWING },              { "drawtext", NO_DRAWING },
    { "dssim", "compare" },                 { "duotone", NO_MAP },                  { "dynaudnorm", NO_LEVELLER },
    { "earwax", "remix" },                  { "ebur128", "stats" },                 { "echos", "echo" },
    { "edge", "sobel" },                    { "edgedetect", "canny" },              { "edges", "canny" },
    { "equalise", "equalize" },             { "equalizer", "eq" },                  { "erosion", "erode" },
    { "exposure", "brightness" },           { "extend", "pad" },                    { "extent", "pad:size=WxH,at=center" },
    { "extract", "channel" },               { "fadein", "fade:1" },                 { "fadeout", "fade:0,1" },
    { "falsecolor", NO_MAP },               { "fastnlmeans", "bilateral or median" },
    { "fft", NO_TRANSFORM },                { "filter2d", "conv" },                 { "firfit", "fir" },
    { "firwin", "lowpass" },                { "fit", "resize:WxH,fit=inside" },
    { "flanger", NO_EFFECT },               { "flatten", "alpha:off,bg=white" },    { "fliphorizontal", "flop" },
    { "flipvertical", "flip" },             { "font", NO_DRAWING },                 { "format", NO_FORMAT },
    { "fourier", NO_TRANSFORM },            { "fps", FRAME_RATE },                  { "frame", "pad" },
    { "framerate", FRAME_RATE },            { "gate", NO_GATE },                    { "gauss", "blur" },
    { "gaussian", "blur" },                 { "gaussianblur", "blur" },             { "gaussiannoise", "noise" },
    { "gblur", "blur" },
    { "gif", "none writes GIF; gpufilter ... -t y4m | ffmpeg -i - NAME.gif does" },
    { "gradientmap", NO_MAP },              { "grain", "noise" },                   { "grayscale", "gray" },
    { "grey", "gray" },                     { "greyscale", "gray" },                { "grid", NO_MONTAGE },
    { "haldclut", NO_MAP },                 { "heatmap", NO_MAP },                  { "hflip", "flop" },
    { "highcut", "lowpass" },               { "highshelf", "treble" },              { "hilbert", "fir" },
    { "hiss", "lowpass" },                  { "histeq", "equalize" },               { "histequal", "equalize" },
    { "hpf", "highpass" },                  { "hqdn3d", "bilateral or median" },    { "hsl", NO_SPACE },
    { "hstack", NO_MONTAGE },               { "hsv", NO_SPACE },                    { "huerotate", "hue" },
    { "huerotation", "hue" },               { "hum", "bandstop:45,55" },            { "icc", NO_PROFILE },
    { "icctransform", NO_PROFILE },         { "identify", NO_FACTS },               { "ifft", NO_TRANSFORM },
    { "iir", "biquad" },                    { "impulse", "fir" },                   { "info", NO_FACTS },
    { "interpolate", NO_TIME },             { "inverse", "invert" },                { "join", NO_JOINT },
    { "karaoke", "remix:1-2" },             { "kernel", "conv" },                   { "lab", NO_SPACE },
    { "label", NO_DRAWING },                { "left", "channel:1" },                { "lenscorrection", NO_WARP },
    { "letterbox", "pad:size=WxH,at=center" },
    { "level", "levels, for sound gain" },  { "lighten", "brightness" },            { "limiter", "limit" },
    { "line", NO_DRAWING },                 { "loop", NO_LOOP },
    { "loudness", "normalize:lufs=-23 to set it, stats to see it" },                { "loudnorm", "normalize:lufs=-16 limit:-1,true" },
    { "lowcut", "highpass" },               { "lowshelf", "bass" },                 { "lpf", "lowpass" },
    { "lufs", "normalize:lufs=-23 to set it, stats to see it" },                    { "luminance", "gray" },
    { "lut", NO_MAP },                      { "lut3d", NO_MAP },
    { "max", "stats to see it, dilate for the greatest around, or blend:FILE,lighten" },
    { "maximum", "dilate" },                { "mcompand", NO_COMPANDER },           { "mean", "box" },
    { "merge", NO_JOINT },                  { "metric", "compare" },
    { "min", "stats to see it, erode for the least around, or blend:FILE,darken" },
    { "minimum", "erode" },                 { "minterpolate", NO_TIME },            { "mirror", "flop" },
    { "mix", "remix for the channels of one recording, over or blend for two pictures; sox -m A B -t wav - | gpufilter ... mixes files" },
    { "mixdown", "mono" },                  { "mkv", "none makes films; -t y4m | ffmpeg -i - out.mkv does" },
    { "modulate", "saturate" },             { "monochrome", "gray, or threshold for black and white alone" },
    { "montage", NO_MONTAGE },              { "mosaic", NO_MONTAGE },
    { "mov", "none makes films; -t y4m | ffmpeg -i - out.mov does" },
    { "mp4", "none makes films; -t y4m | ffmpeg -i - out.mp4 does" },               { "mse", "compare" },
    { "multiply", "blend:FILE,multiply" },  { "mute", "gain:-300" },                { "negate", "invert" },
    { "negative", "invert" },               { "nlmeans", "bilateral or median" },   { "noisegate", NO_GATE },
    { "noisered", "median for pictures; for sound highpass, lowpass or bandstop" },
    { "noisereduce", "bilateral or median for pictures; for sound highpass, lowpass or bandstop" },
    { "norm", "normalize" },                { "normalise", "normalize" },           { "notch", "bandstop" },
    { "oops", "remix:1-2" },                { "opening", "open" },
    { "oscillogram", "waveform" },          { "otsu", "threshold:otsu" },           { "overdrive", NO_EFFECT },
    { "overlay", "over, or blend:FILE,overlay" },                                   { "palette", NO_MAP },
    { "pan", "remix" },                     { "paste", "over" },
    { "peak", "normalize to set it, stats to see it" },                             { "peaking", "eq" },
    { "perspective", NO_WARP },             { "phase", "invert" },                  { "phaser", NO_EFFECT },
    { "pitch", NO_TEMPO },
    { "polarity", "invert" },               { "prewitt", "conv:prewitt-x" },
    { "progressive", "none does that; it is an option: --progressive" },            { "pseudocolor", NO_MAP },
    { "psnr", "compare" },                  { "putalpha", "mask" },
    { "quality", "none does that; it is an option: --quality 80" },                 { "quantise", "posterize" },
    { "quantize", "posterize" },            { "rate", "resample" },                 { "rectangle", NO_DRAWING },
    { "repeat", NO_LOOP },                  { "replaygain", "normalize:lufs=-18" }, { "rev", "reverse" },
    { "riaa", "biquad" },                   { "right", "channel:2" },
    { "rms", "normalize:rms=-20 to set it, stats to see it" },                      { "rot180", "rotate:180" },
    { "rot270", "rotate:270" },             { "rot90", "rotate:90" },               { "rotation", "rotate" },
    { "rubberband", NO_TEMPO },             { "samplerate", "resample" },           { "saturation", "saturate" },
    { "scale", "resize" },                  { "scharr", "conv:scharr-x" },          { "screen", "blend:FILE,screen" },
    { "sharpness", "sharpen" },             { "shear", NO_WARP },                   { "sheet", NO_MONTAGE },
    { "showspectrum", "spectrogram" },      { "showspectrumpic", "spectrogram" },   { "showwaves", "waveform" },
    { "showwavespic", "waveform" },         { "shrink", "resize" },                 { "silence", NO_SILENCE },
    { "silenceremove", NO_SILENCE },        { "sinc", "lowpass, highpass, bandpass or bandstop" },
    { "slice", "trim" },                    { "smooth", "blur" },                   { "sonogram", "spectrogram" },
    { "soxi", NO_FACTS },                   { "spectrum", "spectrogram" },          { "speechnorm", NO_LEVELLER },
    { "speed", NO_TEMPO },                  { "splice", NO_JOINT },                 { "split", "channel" },
    { "ssim", "compare" },                  { "stabilise", NO_TIME },               { "stabilize", NO_TIME },
    { "stack", NO_MONTAGE },                { "stat", "stats" },                    { "statistics", "stats" },
    { "stereo", "remix:1,1" },              { "stft", NO_TRANSFORM },               { "straighten", NO_DESKEW },
    { "stretch", "autolevel" },             { "strip", "none does that; it is an option: --strip" },
    { "subsampling", "none does that; it is an option: --subsampling 444" },
    { "subtract", "blend:FILE,subtract, or diff:FILE" },                            { "swap", "remix:2,1" },
    { "temperature", "tint or matrix" },    { "tempo", NO_TEMPO },                  { "temporal", NO_TIME },
    { "text", NO_DRAWING },                 { "thumbnail", "resize:SIZE,fit=inside" },
    { "tile", NO_MONTAGE },                 { "title", NO_DRAWING },                { "tmedian", NO_TIME },
    { "tmix", NO_TIME },                    { "tonemap", "none maps tones; gamma, levels and clahe are near it" },
    { "tremolo", NO_EFFECT },               { "trimborder", NO_EDGES },
    { "truepeak", "stats:true to see it, limit:-1,true to hold it" },               { "turn", "rotate" },
    { "undistort", NO_WARP },               { "unsharpmask", "unsharp" },           { "upsample", "resample" },
    { "upscale", "resize" },                { "usm", "unsharp" },                   { "vad", "trim" },
    { "vflip", "flip" },                    { "vibrato", NO_EFFECT },               { "vidstab", NO_TIME },
    { "vmaf", "compare" },                  { "vol", "gain, in dB or as in gain:50%" },
    { "volume", "gain" },                   { "volumedetect", "stats" },            { "vstack", NO_MONTAGE },
    { "warp", NO_WARP },                    { "watermark", "over" },
    { "wave", "waveform" },                 { "wb", "autolevel:0.5%,rgb" },
    { "webm", "none makes films; -t y4m | ffmpeg -i - out.webm does" },
    { "whitebalance", "autolevel:0.5%,rgb" },                                       { "yadif", NO_TIME },
    { "ycbcr", NO_SPACE },                  { "yuv", NO_SPACE },                    { "zoom", "resize" },
    { NULL, NULL }
};

/* Whether they are the same but for capitals, dashes and underscores in `word`. */
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

const char *gf_stage_hint(const char *word)
{
    static _Thread_local char text[120];

    for (int i = 0; i < gf_stage_count; i++)
        if (is_called(word, gf_stages[i]->name))
            return gf_stages[i]->name;
    for (const struct synonym *s = synonyms; s->word != NULL; s++)
        if (is_called(word, s->word))
            return s->hint;
    for (const char *const *format = gf_writer_names(); *format != NULL; format++)
        if (is_called(word, *format)) {
            snprintf(text, sizeof text, "none changes the format; the output's name does, as in -o NAME.%s, or --to %s",
                     *format, *format);
            return text;
        }
    return NULL;
}
