/* The table of other programs' words: what they are here, or which program and command can do it. See foreign.h. */
#include "chain/foreign.h"

#include "io/video_recipes.h"

#define I GF_FOR(GF_IMAGE)
#define A GF_FOR(GF_AUDIO)
#define FI (GF_FFMPEG | I)
#define FA (GF_FFMPEG | A)
#define SA (GF_SOX | A)
#define MI (GF_MAGICK | I)
#define VI (GF_VIPS | I)
#define ANYONE (GF_FFMPEG | GF_MAGICK | GF_SOX | GF_VIPS | GF_PEOPLE)

/* A hint of what people call a stage or look for, and a stage of ours for the other kind of signal. */
#define HINT(kinds, words, gives) { GF_PEOPLE | kinds, words, NULL, gives, NULL, NULL }
#define OURS(kind, words, gives) { GF_OURS | kind, words, NULL, gives, NULL, NULL }

/* Parts of patterns. */
#define FLAGS " .flags:bicubic>f:cubic|bilinear>f:linear|fast_bilinear>f:linear|lanczos>f:lanczos|" \
              "neighbor>f:nearest|area>f:area?"
#define SHAPE "t>s:linear|q>s:quarter|h>s:half|l>s:log|p>s:parabola?l "
#define SLOPE "tanpi((c/100+1)/4)"               /* ImageMagick's slope for a contrast of c percent */
/* Columns and rows less at each side, whatever the size is. */
#define SHAVE(w, h) "crop:100%x100%+" w "+" h ",clip crop:100%x100%+" w "+" h ",at=southeast,clip"
/* The slope of a shelf of g dB whose Q is 0.5; the factor makes g/40 decades a power of 2. */
#define Q_HALF "1/(1+2/(exp2(g*0.0830482)+exp2(-g*0.0830482)))"

/* Commands of other programs. Names in capitals are the user's files. */
#define SOX       "sox IN.wav -t wav - "
#define TO_US     " | gpufilter ..."
#define MAGICK    "convert IN.png "
#define PNM       " pnm:-" TO_US
#define AF        "ffmpeg -i IN.wav -af "
#define WAV       " -f wav -" TO_US
#define STILL     "ffmpeg -i IN.png -vf "
#define PNG       " -f image2pipe -c:v png -" TO_US
#define VF        "ffmpeg -i VIDEO -vf "
#define Y4M       " -f yuv4mpegpipe -" TO_US " -t y4m | " GF_RECIPE_ENCODE("VIDEO") "OUT.mp4"
#define BY_SOX(effect) SOX effect TO_US
#define BY_MAGICK(operation) MAGICK operation PNM
#define BY_AF(filter) AF filter WAV
#define BY_STILL(filter) STILL filter PNG
#define BY_VF(filter) VF filter Y4M
#define NO_VIDEO(format, output) "there is no " format " output; use gpufilter ... -t y4m | " \
                                 GF_RECIPE_ENCODE("VIDEO") output ", with the audio of VIDEO"
#define QUALITY "use --quality 1 to 100 for the size of a lossy file"
#define RATE    "use the stage resample:44100 for the sample rate"
#define SQUARE  "use resize:800x800,fit=outside crop:800x800,at=center, which makes a square of any image"
#define LOG     "there is no logarithm, but gamma changes tones, and dog and laplacian find edges"
#define DRAFT   "use resize:320x320,fit=inside; with draft, small copies of JPEGs take half of the CPU time"
#define FASTER  "use resize:SIZE,draft for small copies of JPEGs, resample:HZ,quality=fast for audio, or " \
                "--compression 1 for the output"
#define DRAWING "there is no drawing of text or shapes, but over:FILE puts an image of them over the input; "
#define TEMPO   "there is no change of tempo or pitch; "
#define SLOWER " # the curve is the same; attack and release are explained in --help compress"
#define STEEPER " # lowpass, highpass, bandpass and bandstop are steeper here, and their phase is linear"

const struct gf_foreign_command gf_foreign_commands[] = {
    { FA, AF, WAV }, { FI, STILL, PNG }, { FI, VF, Y4M }, { SA, SOX, TO_US }, { MI, MAGICK, PNM }, { 0, NULL, NULL }
};

const struct gf_foreign_row gf_foreign_rows[] = {
    /* ---- FFmpeg: images ---- */
    { FI, "scale", "w|width:#w h|height:-1|-2|-4|-8" FLAGS, "{!w}resize:{w}[,filter={f}]", "320:-2", "size 320x240" },
    { FI, "scale", "w|width:-1|-2 h|height:#h" FLAGS, "{!h}resize:x{h}[,filter={f}]", "-1:240", "size 320x240" },
    { FI, "scale", "w|width:#w h|height:#h .force_original_aspect_ratio:decrease>r:inside|increase>r:outside|disable?"
         FLAGS, "{!w}{!h}resize:{w}x{h}[,fit={r}][,filter={f}]", "200:200", "size 200x200" },
    { FI, "scale", "w|width:iw/#a h|height:ih/#a|-1|-2" FLAGS, "resize:{100/a}%[,filter={f}]", "iw/2:-1", "size "
         "320x240" },
    { FI, "scale", "w|width:iw\\*#a h|height:ih\\*#a|-1|-2" FLAGS, "resize:{100*a}%[,filter={f}]", "iw*0.5:-1",
         "size 320x240" },
    { FI, "scale", "s|size:#wx#h" FLAGS, "resize:{w}x{h}[,filter={f}]", "200x100", "size 200x100" },
    { FI, "crop", "w|out_w:#w h|out_h:#h x:#x y:#y", "crop:{w}x{h}+{x}+{y}", "200:150:100:50", "size 200x150, "
         "identical" },
    { FI, "crop", "w|out_w:#w h|out_h:#h x:(iw-ow)/2? y:(ih-oh)/2?", "{!w-32}crop:{w}x{h},at=center", "200:150",
         "size 200x150, identical" },
    { FI, "crop", "w|out_w:iw/#a h|out_h:ih/#b", "crop:{100/a}%x{100/b}%,at=center", "iw/2:ih/4", "size 320x120, "
         "identical" },
    { FI, "crop", "w|out_w:iw\\*#a h|out_h:ih\\*#b", "crop:{100*a}%x{100*b}%,at=center", "iw*0.5:ih*0.5", "size "
         "320x240" },
    { FI, "pad", "w|width:#w h|height:#h x:(ow-iw)/2|-1 y:(oh-ih)/2|-1 color:*c?",
         "pad:size={w}x{h},at=center[,bg={c}]", "700:500:-1:-1:red", "size 700x500, identical" },
    { FI, "pad", "w|width:#w h|height:#h x:0? y:0? color:*c?", "pad:size={w}x{h}[,bg={c}]", "700:500", "size 700x500" },
    { FI, "rotate", "a|angle:PI/#b", "rotate:{180/b},fit=keep", "PI/4", "size 640x480" },
    { FI, "rotate", "a|angle:-PI/#b", "rotate:{-180/b},fit=keep", "-PI/4", "size 640x480" },
    { FI, "rotate", "a|angle:#a\\*PI/#b", "rotate:{a*180/b},fit=keep", "45*PI/180", "size 640x480" },
    { FI, "rotate", "a|angle:#a", "{!2*pi-a}{!2*pi+a}rotate:{a*180/pi},fit=keep", "0.5", "size 640x480" },
    { FI, "transpose", "dir:0|cclock_flip?0", "transpose", "0", "size 480x640, identical" },
    { FI, "transpose", "dir:1|clock", "rotate:90", "clock", "size 480x640, identical" },
    { FI, "transpose", "dir:2|cclock", "rotate:270", "2", "size 480x640, identical" },
    { FI, "transpose", "dir:3|clock_flip", "rotate:90 flip", "3", "size 480x640, identical" },
    { FI, "hue", "h:#h? s:#s?", "[hue:{h} ][saturate:{s}]", "s=1.5", "differs" },
    /* brightness is a share of 255 steps of luma, of which white has 219; contrast changes luma alone */
    { FI, "eq", ".contrast:#c? .brightness:#b? .gamma:#g? .saturation:#s?", "[contrast:{c} ][saturate:{1/c} ]"
         "[brightness:{b*255/219} ][gamma:{g} ][saturate:{s}]", "brightness=0.1:contrast=1.2", "brighter, 40 dB PSNR" },
    { FI, "unsharp", "lx|luma_msize_x:#w?5 ly|luma_msize_y:#w?5 la|luma_amount:#a?1 cx|chroma_msize_x:#_? "
         "cy|chroma_msize_y:#_? ca|chroma_amount:#_?", "{!w-2}sharpen:{a},{sqrt(w-1)/2}", "5:5:1", "differs" },
    { FI, "boxblur", "lr|luma_radius:#r?2 lp|luma_power:1", "box:{r}", "3:1", "differs" },
    { FI, "boxblur", "lr|luma_radius:#r?2 lp|luma_power:2?2", "box:{r} box:{r}", "3", "differs" },
    { FI, "bilateral", "sigmaS:#s?0.1 sigmaR:#r?0.1", "bilateral:{s},{r}", "2:0.1", "differs" },
    { FI, "format", "pix_fmts:gray|gray8|gray16le", "gray", "gray", "channels 1" },
    { FI, "gblur", "sigma:#s?0.5", "blur:{s}", "sigma=3", "40 dB PSNR" },
    { FI, "avgblur", "sizeX:#r?1", "box:{r}", "3", "differs" },
    { FI, "median", "radius:#r?1", "median:{r}", "2", "differs" },
    { FI, "negate|negative", "", "invert", NULL, "differs" },
    { FI | GF_PEOPLE, "edgedetect|edges", "", "canny", NULL, "darker" },
    { FI | GF_PEOPLE, "histeq|histequal", "", "equalize", NULL, "differs" },
    { FI, "normalize", "", "autolevel", NULL, "differs" },
    { FI, "overlay", "x:(W-w)/2|(main_w-overlay_w)/2 y:(H-h)/2|(main_h-overlay_h)/2", "over:{F},at=center",
         "(W-w)/2:(H-h)/2", "40 dB PSNR" },
    { FI, "overlay", "x:W-w-#x>h:east|main_w-overlay_w-#x>h:east|W-w>h:east|0>h:west|#x>h:west|(W-w)/2>h:?0 "
         "y:H-h-#y>v:south|main_h-overlay_h-#y>v:south|H-h>v:south|0>v:north|#y>v:north|(H-h)/2>v:?0",
         "over:{F}[,x={x}][,y={y}],at={v}{h}", "W-w-20:H-h-10", "40 dB PSNR" },
    { FI, "blend", ".all_mode:*m", "blend:{F},{m}", "all_mode=multiply", NULL },
    { FI, "psnr|ssim", "", "compare:{F}", NULL, NULL },
    /* ---- FFmpeg, SoX: audio ---- */
    { FA | SA | GF_PEOPLE, "volume|vol|amplify", "volume:#vdB", "gain:{v}", "-6dB", "gain -6" },
    { FA | SA | GF_PEOPLE, "volume|vol|amplify", "volume:#v", "{!v}gain:{db(v)}", "0.5", "gain -6.02, -90 dB" },
    { FA | SA | GF_PEOPLE, "volume|vol|amplify", "volume:#v%", "{!v}gain:{v}%", "50%", "gain -6.02" },
    { FA | SA | GF_PEOPLE, "volume|vol|amplify", "volume:0", "gain:-300", "0", "silent" },
    { FA | SA, "volume|vol", "volume:-1", "invert", "-1", "gain 0" },
    { GF_PEOPLE | A, "attenuate|quieter", "#vdB", "gain:{-v}", "6dB", "gain -6" },
    { GF_PEOPLE | A, "louder", "#vdB|#v", "gain:{v}", "3dB", "gain 3" },
    { GF_PEOPLE | A, "quieter", "#v", "gain:{-v}", "6", "gain -6" },
    { GF_PEOPLE | A, "attenuate", "#v", "{!1-v}gain:{db(v)}", "0.5", "gain -6.02" },
    { GF_PEOPLE | A, "attenuate", "#v", "gain:{-v}", "6", "gain -6" },
    { FA, "loudnorm", "I|i:#i?-24 LRA|lra:#l? TP|tp:#t?-2", "normalize:lufs={i} limit:{t},true", "I=-16", "quieter" },
    { FA, "alimiter", ".limit:#l .level:0|false|disabled", "limit:{db(l)}", "limit=0.5:level=0", "peak -6.02" },
    { FA, "alimiter", ".limit:#l", "limit:{db(l)} gain:{-db(l)}", "limit=0.5", "peak 0" },
    { FA, "acompressor", ".threshold:#t?0.125 .ratio:#r?2 .attack:#a?20 .release:#e? .makeup:#m?1 .knee:#k?2.82843 "
      ".detection:peak", "compress:{db(t)},{r},attack={a}ms,knee={db(k)},makeup={db(m)}" SLOWER,
      "threshold=0.1:ratio=4:detection=peak", "quieter" },
    { FA, "acompressor", ".threshold:#t?0.125 .ratio:#r?2 .attack:#a?20 .release:#e? .makeup:#m?1 .knee:#k?2.82843 "
      ".detection:rms?", "compress:{db(t)},{r},attack={a}ms,knee={db(k)},makeup={db(m)},rms=10ms" SLOWER,
      "threshold=0.1:ratio=4", "quieter" },
    { FA, "agate", ".threshold:#t?0.125 .ratio:#r?2 .range:#g?0.06125 .attack:#a?20 .release:#e? .knee:#k?2.82843 "
      ".detection:peak", "gate:{db(t)},{r},most={-db(g)},attack={a}ms,knee={db(k)}" SLOWER,
      "threshold=0.5:detection=peak", "quieter" },
    { FA, "agate", ".threshold:#t?0.125 .ratio:#r?2 .range:#g?0.06125 .attack:#a?20 .release:#e? .knee:#k?2.82843 "
      ".detection:rms?", "gate:{db(t)},{2*r-1},most={-db(g)},attack={a}ms,knee={db(k)/2},rms=10ms" SLOWER,
      "threshold=0.5", "quieter" },
    { FA, "highpass", "f|frequency:#f?3000", "highpass:{f}" STEEPER, "200", "quieter" },
    { FA, "lowpass", "f|frequency:#f?500", "lowpass:{f}" STEEPER, "500", "quieter" },
    { FA, "bandpass", "f|frequency:#f .t|width_type:q? .w|width:#w", "{!w-0.5}bandpass:{f-f/w/2},{f+f/w/2}" STEEPER,
         "1000:w=2", "quieter" },
    { FA, "bandpass", "f|frequency:#f .t|width_type:h .w|width:#w", "bandpass:{f-w/2},{f+w/2}" STEEPER,
         "1000:t=h:w=500", "quieter" },
    { FA, "bandreject", "f|frequency:#f .t|width_type:q? .w|width:#w", "{!w-0.5}bandstop:{f-f/w/2},{f+f/w/2}" STEEPER,
         "1000:w=2", "differs" },
    { FA, "bandreject", "f|frequency:#f .t|width_type:h .w|width:#w", "bandstop:{f-w/2},{f+w/2}" STEEPER,
         "1000:t=h:w=500", "differs" },
    { FA, "equalizer", "f|frequency:#f .t|width_type:q? .w|width:#w?1 .g|gain:#g", "eq:{f},{w},{g}",
         "f=1000:t=q:w=1:g=6", "louder, -90 dB" },
    { FA, "equalizer", "f|frequency:#f .t|width_type:h .w|width:#w .g|gain:#g", "eq:{f},{f/w},{g}",
         "f=1000:t=h:w=500:g=6", "louder, -90 dB" },
    { FA, "equalizer", "f|frequency:#f .t|width_type:o .w|width:#w .g|gain:#g", "eq:{f},{oct(w)},{g}",
         "f=1000:t=o:w=1:g=6", "louder, -70 dB" },
    { FA, "bass", "g|gain:#g f|frequency:#f?100", "bass:{g},{f}", "g=6", "louder, -90 dB" },
    { FA, "treble", "g|gain:#g f|frequency:#f?3000", "treble:{g},{f}", "g=6", "louder, -90 dB" },
    { FA, "lowshelf", "g|gain:#g f|frequency:#f?100", "bass:{g},{f},slope={" Q_HALF "}", "g=6", "louder, -80 dB" },
    { FA, "highshelf", "g|gain:#g f|frequency:#f?3000", "treble:{g},{f},slope={" Q_HALF "}", "g=6", "louder, -80 dB" },
    { FA, "afade", "t|type:in?in .st|start_time:0? .ss|start_sample:0? .d|duration:*d",
         "fade:{d}", "d=0.5", "quieter, -90 dB" },
    { FA, "afade", "t|type:out .st|start_time:#s .d|duration:#d", "trim:0,{s+d} fade:0,{d} # the audio ends with "
         "the fade", "out:st=1.5:d=0.5", "quieter, -90 dB" },
    { FA, "afade", "t|type:out .d|duration:*d", "fade:0,{d} # the fade ends where the audio ends", "out:d=0.5",
         "quieter" },
    { FA, "atrim", "start:*s?0 end:*e? .duration:*d?", "trim:{s}[,{e}][,+{d}]", "0.5:1.5", "seconds 1, identical" },
    { FA, "aecho", "in_gain:#i?0.6 out_gain:#o?0.3 delays:#d decays:#k", "echo:{d}ms,{k/i} gain:{db(i*o)}",
         "0.8:0.9:60:0.4", "differs" },
    { FA, "aecho", "in_gain:#i?0.6 out_gain:#o?0.3 delays:#d\\|#e decays:#k\\|#l", "echo:{d}ms,{k/i},{e}ms,{l/i} "
         "gain:{db(i*o)}", "0.8:0.9:60|90:0.4|0.3", "differs" },
    { FA, "adelay", "delays:#d|#d\\|#d .all:1?", "delay:{d}ms", "500|500", "seconds 2.5, identical" },
    { FA, "apad", ".pad_dur:#d", "pad:0,{d}", "pad_dur=1", "seconds 3, identical" },
    { FA, "aresample", "sample_rate|osr|out_sample_rate:#r", "resample:{r}", "osr=22050", "rate 22050" },
    { FA, "pan", "mono\\|c0=c#a", "remix:{a+1}", "mono|c0=c1", "channels 1, identical" },
    { FA, "pan", "mono\\|c0=0.5\\*c0+0.5\\*c1|mono\\|c0=.5\\*c0+.5\\*c1", "mono", "mono|c0=0.5*c0+0.5*c1",
         "channels 1, -80 dB" },
    { FA, "pan", "stereo\\|c0=c#a\\|c1=c#b", "remix:{a+1},{b+1}", "stereo|c0=c1|c1=c0", "channels 2, identical" },
    { FA | SA | GF_PEOPLE, "astats|ebur128|volumedetect|stat|stats|statistics", "", "stats", NULL, NULL },
    /* ---- names that mean a stage exactly ---- */
    { ANYONE | A, "areverse", "==", "reverse", NULL, "differs" },
    { ANYONE | A, "aresample", "==", "resample", "22050", "rate 22050" },
    { ANYONE, "equalise", "==", "equalize", NULL, "differs" },
    { ANYONE | I, "gblur", "==", "blur", "3", "differs" },
    { ANYONE | I, "grayscale", "==", "gray", NULL, "channels 1" },
    { ANYONE | I, "greyscale", "==", "gray", NULL, "channels 1" },
    { ANYONE | I, "grey", "==", "gray", NULL, "channels 1" },
    { ANYONE | I, "hflip", "==", "flop", NULL, "differs" },
    { ANYONE, "negate", "==", "invert", NULL, "differs" },
    { ANYONE, "normalise", "==", "normalize", NULL, "differs" },
    { ANYONE | I, "posterise", "==", "posterize", "4", "differs" },
    { ANYONE | I, "vflip", "==", "flip", NULL, "differs" },
    /* ---- SoX ---- */
    { SA, "gain", "-n: #v?0", "normalize:{v}", "-n -1", "peak -1, -90 dB" },
    { SA, "gain", "#v", "gain:{v}", "-3", "gain -3, -90 dB" },
    { SA | GF_PEOPLE, "norm", "#v?0", "normalize:{v}", "-1", "peak -1, -90 dB" },
    { SA, "trim", "*s =*e", "trim:{s},{e}", "0.5 =1.5", "seconds 1, identical" },
    { SA, "trim", "*s -*e", "trim:{s},-{e}", "0.5 -0.5", "seconds 1, identical" },
    { SA, "trim", "*s +*l|*l", "trim:{s},+{l}", "0.5 1", "seconds 1, identical" },
    { SA, "trim", "*s", "trim:{s}", "0.5", "seconds 1.5, identical" },
    { SA, "fade", SHAPE "*i 0|-0 *o", "fade:{i},{o},shape={s}", "t 0.1 -0 0.2", "quieter, -90 dB" },
    { SA, "fade", SHAPE "*i 0|-0", "fade:{i},{i},shape={s}", "q 0.5 -0", "quieter, -90 dB" },
    { SA, "fade", SHAPE "*i", "fade:{i},shape={s}", "0.5", "quieter, -90 dB" },
    { SA, "rate", "-q:? -l:? -m:? -h:? -v:? #r", "resample:{r}", "-v 22050", "rate 22050, -90 dB" },
    { SA, "channels", "1", "mono", "1", "channels 1, -90 dB" },
    { SA, "remix", "-|1,2", "mono", "-", "channels 1, -90 dB" },
    { SA, "remix", "#a #b?", "remix:{a}[,{b}]", "2 1", "channels 2, identical" },
    { SA, "highpass", "-1:? -2:? #f *_?", "highpass:{f}" STEEPER, "200", "quieter" },
    { SA, "lowpass", "-1:? -2:? #f *_?", "lowpass:{f}" STEEPER, "500", "quieter" },
    { SA, "sinc", "-a:*_? -t:#t? #l-#h", "bandpass:{l},{h}[,width={t}]", "300-3k", "quieter" },
    { SA, "sinc", "-a:*_? -t:#t? -#h", "lowpass:{h}[,width={t}]", "-a 74 -t 300 -3k", "quieter, -55 dB" },
    { SA, "sinc", "-a:*_? -t:#t? #l", "highpass:{l}[,width={t}]", "200", "quieter" },
    { SA, "bass", "#g #f?100", "bass:{g},{f},slope=0.5", "6", "louder, -90 dB" },
    { SA, "treble", "#g #f?3k", "treble:{g},{f},slope=0.5", "6", "louder, -90 dB" },
    { SA | GF_PEOPLE, "equalizer", "#f #w|#wq #g", "eq:{f},{w},{g}", "1k 1q 6", "louder, -90 dB" },
    { SA, "equalizer", "#f #wo #g", "eq:{f},{oct(w)},{g}", "1k 1o 6", "louder, -70 dB" },
    { SA, "equalizer", "#f #wh #g", "eq:{f},{f/w},{g}", "1k 500h 6", "louder, -90 dB" },
    { SA, "pad", "*a *b?", "pad:{a}[,{b}]", "0.5 1", "seconds 3.5, identical" },
    { SA, "echo", "#i #o #d #k", "echo:{d}ms,{k/i} gain:{db(i*o)}", "0.8 0.9 60 0.4", "differs" },
    { SA, "echo", "#i #o #d #k #e #l", "echo:{d}ms,{k/i},{e}ms,{l/i} gain:{db(i*o)}", "0.8 0.9 60 0.4 90 0.3",
         "differs" },
    { SA, "bandpass", "#c #w", "{!c-w/2}bandpass:{c-w/2},{c+w/2}" STEEPER, "1000 200", "differs" },
    { SA | GF_PEOPLE, "rev|backwards", "", "reverse", NULL, "gain 0, identical" },
    { SA | GF_PEOPLE, "swap", "", "remix:2,1", NULL, "channels 2, identical" },
    { SA | GF_PEOPLE, "oops|karaoke", "", "remix:1-2", NULL, "channels 1" },
    /* ---- ImageMagick ---- */
    { GF_PEOPLE | I, "thumbnail|thumb", "#wx#h|#w #h?", "resize:{w}x{h},fit=inside,only=shrink", "900x900",
         "size 640x480" },
    { MI, "resize|geometry|thumbnail", "#w%|#w%x#w%", "resize:{w}%", "50%", "size 320x240, 45 dB PSNR" },
    { MI, "resize|geometry|thumbnail", "#wx#h^>V:1", "resize:{w}x{h},fit=outside", "200x200^", "size 267x200" },
    { MI, "resize|geometry|thumbnail", "#wx#h!", "resize:{w}x{h}", "200x200!", "size 200x200" },
    { MI, "resize|geometry|thumbnail", "#wx#h", "resize:{w}x{h},fit=inside", "200x200", "size 200x150, 45 dB PSNR" },
    { MI, "resize|geometry|thumbnail", "#wx#h\\>>m:shrink|#wx#h\\<>m:enlarge",
         "resize:{w}x{h},fit=inside,only={m}", "900x900>", "size 640x480" },
    { MI, "resize|thumbnail", "#w|#wx|#w\\>>m:shrink|#wx\\>>m:shrink|#w\\<>m:enlarge",
         "resize:{w}[,only={m}]", "320", "size 320x240, 45 dB PSNR" },
    { MI, "resize|geometry|thumbnail", "x#h|x#h\\>>m:shrink", "resize:x{h}[,only={m}]", "x240",
         "size 320x240, 45 dB PSNR" },
    { MI, "adaptive-resize", "#w%", "resize:{w}%", "50%", "size 320x240, 35 dB PSNR" },
    { MI, "adaptive-resize", "#wx#h", "resize:{w}x{h},fit=inside", "200x200", "size 200x150, 35 dB PSNR" },
    { MI, "sample", "#w%", "resize:{w}%,filter=nearest", "50%", "size 320x240" },
    { MI, "sample", "#wx#h", "resize:{w}x{h},fit=inside,filter=nearest", "200x200", "size 200x150" },
    { MI, "scale", "#w%", "resize:{w}%,filter=area", "50%", "size 320x240, 1 step" },
    { MI, "scale", "#wx#h", "resize:{w}x{h},fit=inside,filter=area", "200x200", "size 200x150" },
    { MI, "evaluate-sequence", "*v", "stack:{v}", "mean", "same" },
    { MI, "crop", "*v", "crop:{v}[,at={G}]", "320x240+160+120", "size 320x240, identical" },
    { MI, "shave", "#wx#h", SHAVE("{w}", "{h}"), "10x20", "size 620x440, identical" },
    { MI, "shave", "#w", SHAVE("{w}", "{w}"), "10", "size 620x460, identical" },
    { MI, "extent", "*v", "{!V}crop:{v}[,at={G}]", NULL, NULL },
    { MI, "extent", "*v", "pad:size={v}[,at={G}],bg={B}", NULL, NULL },
    { MI, "extent", "*v", "pad:size={v}[,at={G}],bg=white", "700x500", "size 700x500, identical" },
    { MI, "border", "#wx#h", "pad:{w},{h},bg={B}", NULL, NULL },
    { MI, "border", "#w", "pad:{w},bg={B}", NULL, NULL },
    { MI, "border", "#wx#h|#w", "pad:{w}[,{h}],bg=#dfdfdf", "10x20", "size 660x520, identical" },
    { MI, "gravity", "*G", "", NULL, NULL },
    { MI, "background|bordercolor", "*B", "", NULL, NULL },
    { MI, "geometry", "#X#Y", "", NULL, NULL },
    { MI, "compose", "over", "", NULL, NULL },
    { MI, "compose", "*M", "", NULL, NULL },
    { MI, "composite", "", "blend:{F},{M}", NULL, NULL },
    { MI, "composite", "", "over:{F}[,{X},{Y}][,at={G}]", NULL, "1 step" },
    { MI, "blur|gaussian-blur", "0x#s|#s", "blur:{s}", "0x8", "2 steps" },
    { MI, "blur|gaussian-blur", "#rx#s", "blur:{s},radius={r}", "3x2", "differs" },
    { MI, "sharpen", "0x#s", "sharpen:{1/(1+1/(2*pi*s*s))},{s}", "0x1", "2 steps" },
    { MI, "unsharp", "*v", "unsharp:{v}", "0x1.5+1+0.02", "4 steps" },
    { MI, "median", "#r", "median:{r}", "2", "differs" },
    { MI | GF_PEOPLE, "despeckle", "", "median:1", NULL, "differs" },
    { MI, "canny", "0x#s|0x#s+*_", "canny:{s}", "0x1+10%+30%", "darker" },
    { MI, "level", "#a%,#b%|#a%x#b%", "levels:{a}%,{b}%", "10%,90%", "1 step" },
    { MI, "level", "#a%,#b%,#g|#a%x#b%,#g", "levels:{a}%,{b}%,{g}", "0%,90%,1.2", "brighter, 1 step" },
    { MI, "modulate", "100,#s", "saturate:{s/100}", "100,150", "differs" },
    { MI, "modulate", "100,#s,#h", "saturate:{s/100} hue:{(h-100)*1.8}", "100,100,150", "differs" },
    { GF_PEOPLE | I, "brightness-contrast", "#b #c", "contrast:{" SLOPE "} brightness:{b/100-(1-" SLOPE ")*b/200} # "
         "the scale is that of ImageMagick", "20,30", "brighter" },
    { MI, "brightness-contrast", "#b|#b%", "brightness:{b/100}", "10", "brighter, 1 step" },
    { MI, "brightness-contrast", "#bx#c|#b,#c|#bx#c%|#b%x#c%",
         "contrast:{" SLOPE "} brightness:{b/100-(1-" SLOPE ")*b/200}", "10x20", "brighter, 1 step" },
    { MI, "colorspace", "gray|grayscale", "gray:rec709", "Gray", "channels 1, 1 step" },
    { MI, "type", "grayscale", "gray:rec709", "Grayscale", "channels 1" },
    { MI, "colorspace", "sRGB", "--icc convert", "sRGB", "same" },
    { MI, "grayscale", "Rec601Luma>m:rec601|Rec709Luma>m:rec709|Average>m:average", "gray:{m}", "Rec601Luma",
         "channels 1, 1 step" },
    { MI, "alpha", "off>m:off|on>m:on", "alpha:{m}", "off", "same" },
    { MI, "alpha", "remove", "alpha:off,bg={B}", NULL, NULL },
    { MI, "alpha", "remove", "alpha:off,bg=white", "remove", "same" },
    { MI, "flatten", "", "alpha:off,bg={B}", NULL, NULL },
    { MI | GF_PEOPLE, "flatten", "", "alpha:off,bg=white", NULL, "same" },
    { MI | GF_PEOPLE, "contrast-stretch", "#a%|#a%x#a%|#a%,#a%", "autolevel:{a}%", "1%", "differs" },
    { MI | GF_PEOPLE, "auto-level|autolevels|autocontrast", "", "autolevel", NULL, "differs" },
    { GF_PEOPLE | I, "autocontrast", "cutoff:#c|#c%", "autolevel:{c}%,rgb", "cutoff=2", "differs" },
    { MI, "normalize", "", "autolevel:1%", NULL, "differs" },
    { MI, "auto-orient", "", "", NULL, NULL },
    { MI, "evaluate", "add #v%", "brightness:{v/100}", "add 10%", "brighter, 1 step" },
    { MI, "evaluate", "subtract #v%", "brightness:{-v/100}", "subtract 10%", "darker, 1 step" },
    { MI, "evaluate", "multiply #v", "{!v}levels:0,{1/v}", "multiply 0.5", "darker, 1 step" },
    { MI, "evaluate", "divide #v", "{!v}levels:0,{v}", "divide 2", "darker, 1 step" },
    { MI, "evaluate", "pow #v", "{!v}gamma:{1/v}", "pow 0.5", "brighter, 1 step" },
    { MI, "morphology", "open>o:open|close>o:close|dilate>o:dilate|erode>o:erode square|square\\:1", "{o}:1",
         "dilate square", "identical" },
    { MI, "morphology", "open>o:open|close>o:close|dilate>o:dilate|erode>o:erode square\\:#r", "{o}:{r}",
         "dilate square:2", "identical" },
    { MI, "negate", "", "invert", NULL, "identical" },
    { MI, "gamma", "#g", "gamma:{g}", "1.5", "brighter, 1 step" },
    { MI, "posterize", "#n", "posterize:{n}", "4", "differs" },
    { MI, "rotate", "#a", "rotate:{a},bg={B}", NULL, NULL },
    { MI, "rotate", "#a", "rotate:{a}", "90", "size 480x640, identical" },
    { MI, "threshold", "*t", "threshold:{t}", "50%", "differs" },
    { MI, "transverse", "", "rotate:90 flip", NULL, "size 480x640, identical" },
    { MI, "interlace", "none", "", NULL, NULL },
    { MI, "interlace", "*_", "--progressive", "Plane", NULL },
    { MI, "sampling-factor", "4\\:4\\:4>s:444|1x1>s:444|4\\:2\\:2>s:422|2x1>s:422|4\\:2\\:0>s:420|2x2>s:420",
         "--subsampling {s}", "4:2:0", NULL },
    { MI, "depth", "#d", "--depth {d}", "16", "same" },
    { MI, "quality", "#q", "--quality {q}", "80", NULL },
    { MI, "strip", "", "--strip", NULL, "same" },
    { MI, "path", "*P", "", NULL, NULL },
    { MI, "format", "*f", "--to {f}", "png", "same" },
    /* ---- vips ---- */
    { VI, "resize", "#s", "resize:{100*s}%", "0.5", "size 320x240, 45 dB PSNR" },
    { VI, "thumbnail", "--height:#h --crop:centre #w", "resize:{w}x{h},fit=outside crop:{w}x{h},at=center", "200 "
         "--height 100 --crop centre", "size 200x100" },
    { VI, "thumbnail", "--height:#h #w", "resize:{w}x{h},fit=inside", "200 --height 100", "size 133x100, 45 dB PSNR" },
    { GF_VIPS, "-s|--size", "#w|#wx#h|#wx#h\\>>m:shrink", "resize:{w}x{h},fit=inside[,only={m}]", "200x100", "size "
         "133x100" },
    { GF_VIPS, "-s|--size", "#w|#w\\>>m:shrink", "resize:{w}x{w},fit=inside[,only={m}]", "200", "size 200x150" },
    { GF_VIPS, "-s|--size", "#wx|x#h", "resize:[{w}][x{h}]", "200x", "size 200x150" },
    { VI, "thumbnail", "#w", "resize:{w}x{w},fit=inside", "200", "size 200x150, 45 dB PSNR" },
    { VI | GF_PEOPLE, "gaussblur|gaussian|gauss|gaussianblur|smooth", "radius|sigma:#s", "blur:{s}", "2",
         "45 dB PSNR" },
    /* what people call vips rank; the program itself has no median to compare with */
    { VI, "median", "#s", "median:{(s-1)/2}", "5", "differs" },
    { VI, "rot", "d#a", "rotate:{a}", "d90", "size 480x640, identical" },
    { VI | GF_PEOPLE, "rot90", "", "rotate:90", NULL, "size 480x640, identical" },
    { VI | GF_PEOPLE, "rot180", "", "rotate:180", NULL, "size 640x480, identical" },
    { VI | GF_PEOPLE, "rot270", "", "rotate:270", NULL, "size 480x640, identical" },
    { VI, "flip", "horizontal", "flop", "horizontal", "identical" },
    { VI, "flip", "vertical", "flip", "vertical", "identical" },
    { VI, "crop|extract_area", "#x #y #w #h", "crop:{w}x{h}+{x}+{y}", "100 50 200 150", "size 200x150, identical" },
    { VI, "colourspace", "b-w|grey16", "gray:rec709,light=linear", "b-w", "channels 1, 4 steps" },
    { VI, "linear", "#a #b", "{!a}levels:{-b/255/a},{(1-b/255)/a}", "1.5 20", "1 step" },
    { VI, "zoom", "#a #a", "resize:{100*a}%,filter=nearest", "2 2", "size 1280x960, identical" },
    { VI, "shrink", "#a #a", "resize:{100/a}%,filter=area", "2 2", "size 320x240, 1 step" },
    { VI, "extract_band", "0>c:r|1>c:g|2>c:b", "channel:{c}", "1", "channels 1, identical" },
    { VI, "composite2", "--x:#x?0 --y:#y?0 over", "over:{F},{x},{y}", "over --x 20 --y 10", "1 step" },
    { VI, "hist_equal", "", "equalize:rgb", NULL, "1 step" },
    { VI, "bandmean", "", "gray:average", NULL, "channels 1" },
    { VI, "hist_find", "", "histogram", NULL, NULL },
    { VI, "autorot|copy", "", "", NULL, NULL },
    /* ---- options of commands ---- */
    { GF_FFMPEG | GF_SOX, "-y|-vn|-an|-hide_banner|-nostdin|+repage|-repage", "", "", NULL, NULL },
    { GF_FFMPEG, "-c:a|-codec:a|-acodec", "pcm_s16le>d:16|pcm_s24le>d:24|pcm_s32le>d:32|pcm_f32le>d:f32",
         "--depth {d}", "pcm_s24le", NULL },
    { GF_FFMPEG, "-frames:v|-vframes", "#n", "--images {n}", "1", NULL },
    { GF_FFMPEG, "-f", "null", "", NULL, NULL },
    { GF_FFMPEG, "-ss", "@S", "", NULL, NULL },
    { GF_FFMPEG, "-to", "@T", "", NULL, NULL },
    { GF_FFMPEG, "-t", "@L", "", NULL, NULL },
    { FA, "-ar", "#r", "resample:{r}", "22050", "rate 22050" },
    { FA | SA, "-ac|-c", "1", "mono", "1", "channels 1" },
    { GF_FFMPEG, "-c|-c:a|-c:v|-codec|-codec:a|-codec:v|-acodec|-vcodec|-loglevel|-threads|-preset|-map|-crf|-b:a|-b:v|"
         "-q:a|-q:v|-qscale:v|-pix_fmt|-movflags", "*_", "-", NULL, NULL },
    { GF_FFMPEG, "-s", "#wx#h", "resize:{w}x{h}", "320x240", "size 320x240" },
    { GF_FFMPEG, "-map_metadata", "-1", "--strip", "-1", "same" },
    { SA, "-b", "#b", "{!b-7}--depth {b}", "24", "gain 0" },
    { GF_SOX, "-r", "#R", "{!R-999}", NULL, NULL },
    /* ---- what people call it ---- */
    { GF_PEOPLE | I, "exposure|ev", "#v", "{!17-v}{!17+v}linear levels:0,{exp2(-v)} srgb", "+1", "brighter" },
    { GF_PEOPLE | I, "darken|darker|dim", "#v%", "{!v}brightness:-{v}%", "20%", "darker" },
    { GF_PEOPLE | I, "darken|darker|dim", "#v", "{!v}{!1-v}brightness:-{v}", "0.2", "darker" },
    { GF_PEOPLE | I, "darken|darker|dim", "#v", "{!v}brightness:-{v}%", "20", "darker" },
    { GF_PEOPLE | I, "lighten|brighten|lighter|brighter", "#v%", "{!v}brightness:{v}%", "20%", "brighter" },
    { GF_PEOPLE | I, "lighten|brighten|lighter|brighter", "#v", "{!v}{!1-v}brightness:{v}", "0.2", "brighter" },
    { GF_PEOPLE | I, "lighten|brighten|lighter|brighter", "#v", "{!v}brightness:{v}%", "20", "brighter" },
    { GF_PEOPLE | I, "zoom|enlarge|magnify|upscale|shrink|downscale|reduce|scale", "#v%", "resize:{v}%", "50%",
         "size 320x240" },
    { GF_PEOPLE | I, "zoom|enlarge|magnify|upscale|scale|rescale", "#v", "{!v}{!17-v}resize:{100*v}%", "2",
         "size 1280x960" },
    { GF_PEOPLE | I, "shrink|downscale|reduce", "#v", "{!v-1}{!33-v}resize:{100/v}%", "2", "size 320x240" },
    { GF_PEOPLE | I, "zoom|enlarge|magnify|upscale|shrink|downscale|reduce|scale", "*v", "resize:{v}", "320", "size "
         "320x240" },
    { GF_PEOPLE | I, "gaussianblur", "#k #s", "{!s}blur:{s},radius={(k-1)/2}", "5,1.5", "differs" },
    { GF_PEOPLE | I, "medianblur", "#k", "median:{(k-1)/2}", "5", "differs" },
    { GF_PEOPLE | I, "resize", "#w #h", "{!w-1}{!h-1}resize:{w}x{h}", "320,240", "size 320x240" },
    /* Photoshop's order: black, gamma, white */
    { GF_PEOPLE | I, "levels", "#a #g #b", "{!b-1}{!10-g}levels:{a/2.55}%,{b/2.55}%,{g}", "10,1.2,245", "differs" },
    { GF_PEOPLE | I, "canny", "#a #b L2gradient:true|1", "{!a-1}canny:0,{a/255},{b/255}", "100,200,L2gradient=True",
         "darker" },
    { GF_PEOPLE | I, "canny", "#a #b", "{!a-1}canny:0,{a/255/sqrt(2)},{b/255/sqrt(2)} # some edges differ, because "
         "OpenCV adds the gradients of both directions, unless L2gradient=True", "100,200", "darker" },
    { GF_PEOPLE | I, "adaptivethreshold", "#_ adaptive_thresh_gaussian_c thresh_binary #k #c",
         "gray dog:0,{0.15*k+0.35},offset=0.5 threshold:{0.5-(c-0.5)/255}",
         "255,ADAPTIVE_THRESH_GAUSSIAN_C,THRESH_BINARY,11,2", "channels 1" },
    { GF_PEOPLE | I, "adaptivethreshold", "#k #c", "gray dog:0,{0.15*k+0.35},offset=0.5 threshold:{0.5-(c-0.5)/255}",
         "11,2", "channels 1" },
    /* Pillow turns counterclockwise */
    { GF_PEOPLE | I, "transpose", "flip_left_right>s:flop|flip_top_bottom>s:flip|rotate_90>s:rotate:270|"
         "rotate_180>s:rotate:180|rotate_270>s:rotate:90|transpose>s:transpose", "{s}", "ROTATE_90",
         "size 480x640" },
    { GF_PEOPLE | I, "transpose", "transverse", "rotate:90 flip", "TRANSVERSE", "size 480x640" },
    { GF_PEOPLE | I, "rotate", "rotate_90_clockwise>a:90|rotate_90_counterclockwise>a:270|rotate_180>a:180",
         "rotate:{a}", "ROTATE_90_CLOCKWISE", "size 480x640" },
    { GF_PEOPLE | I, "morphologyex", "morph_open>o:open|morph_close>o:close|morph_dilate>o:dilate|morph_erode>o:erode "
         "#k", "{o}:{(k-1)/2}", "MORPH_OPEN,5", "darker" },
    { GF_PEOPLE | I, "unsharpmask|usm|unsharp", "amount|percent:#a% radius:#r threshold:#t?", "sharpen:{a/100},{r}["
         ",threshold={t/255}]", "amount=150%,radius=1,threshold=4", "differs" },
    { GF_PEOPLE | I, "unsharpmask|usm", "radius:#r percent:#a threshold:#t?", "{!a-10}sharpen:{a/100},{r}["
         ",threshold={t/255}]", "2,150,3", "differs" },
    { GF_PEOPLE | I, "unsharpmask", "radius:#r amount:#a?1", "sharpen:{a},{r}", "1.5,2", "differs" },
    { GF_PEOPLE | I, "canvassize|canvas", "#wx#h center?", "pad:size={w}x{h},at=center", "700x500", "size 700x500" },
    { GF_PEOPLE | I, "cvtcolor", "*c", "gray", "COLOR_BGR2GRAY", "channels 1" },
    { GF_PEOPLE | I, "equalizehist", "", "equalize", NULL, "differs" },
    { GF_PEOPLE | I, "equalizeadapthist", "", "clahe", NULL, "differs" },
    { GF_PEOPLE | I, "equalizeadapthist", "clip_limit:#c", "clahe:8,{256*c} # on colors the result differs, because "
         "scikit-image changes the value of HSV", "clip_limit=0.03", "differs" },
    { GF_PEOPLE | A, "setchannels", "1", "mono", "1", "channels 1" },
    { GF_PEOPLE | A, "setframerate", "=", "resample", "22050", "rate 22050" },
    { GF_PEOPLE | A, "applygain", "=", "gain", "-6", "gain -6" },
    { GF_PEOPLE | A, "lowpassfilter", "=", "lowpass" STEEPER, "500", "quieter" },
    { GF_PEOPLE | A, "highpassfilter", "=", "highpass" STEEPER, "200", "quieter" },
    { GF_PEOPLE | A, "fadein", "#v", "{!v-99}fade:{v/1000}", "500", "quieter" },
    { GF_PEOPLE | A, "fadeout", "#v", "{!v-99}fade:0,{v/1000}", "500", "quieter" },
    { GF_PEOPLE | A, "lowshelf", "#f #g", "{!f-19}bass:{g},{f}", "100,3", "louder" },
    { GF_PEOPLE | A, "highshelf", "#f #g", "{!f-19}treble:{g},{f}", "3000,3", "louder" },
    { GF_PEOPLE | A, "pan|balance", "left", "mono remix:1,0", "left", "channels 2" },
    { GF_PEOPLE | A, "pan|balance", "right", "mono remix:0,1", "right", "channels 2" },
    { GF_PEOPLE | A, "samplerate|rate|downsample|upsample", "=", "resample", "22050", "rate 22050" },
    { GF_PEOPLE | A, "lpf|highcut|hiss", "=", "lowpass", "500", "quieter" },
    { GF_PEOPLE | A, "hpf|lowcut", "=", "highpass", "200", "quieter" },
    { GF_PEOPLE | A, "dcblock|dcremove", "", "highpass:20", NULL, "differs" },
    { GF_PEOPLE | A, "dcoffset", "=", "dcshift", "0.01", "differs" },
    { GF_PEOPLE | A, "hum|humremoval|buzz", "", "dehum:50", NULL, "differs" },
    { GF_PEOPLE | A, "band", "=", "bandpass", "300,3k", "quieter" },
    { GF_PEOPLE | A, "bandreject|notch", "=", "bandstop", "900,1100", "differs" },
    { GF_PEOPLE | A, "peaking|anequalizer", "=", "eq", "1k,1,6", "louder" },
    { GF_PEOPLE | A, "adelay", "=", "delay", "0.5", "seconds 2.5" },
    { GF_PEOPLE | A, "afade", "=", "fade", "0.5", "quieter" },
    { GF_PEOPLE | A, "fadein", "#v?1", "fade:{v}", "0.5", "quieter" },
    { GF_PEOPLE | A, "fadeout", "#v?1", "fade:0,{v}", "0.5", "quieter" },
    { GF_PEOPLE | A, "atrim|slice", "=", "trim", "0.5,1.5", "seconds 1" },
    { GF_PEOPLE | A, "apad", "=", "pad", "0,1", "seconds 3" },
    { GF_PEOPLE | A, "aecho|echos", "=", "echo", "300ms,0.5", "differs" },
    { GF_PEOPLE | A, "downmix|mixdown", "", "mono", NULL, "channels 1" },
    { GF_PEOPLE | A, "stereo", "", "remix:1,1", NULL, "channels 2" },
    { GF_PEOPLE | A, "left", "", "channel:1", NULL, "channels 1" },
    { GF_PEOPLE | A, "right", "", "channel:2", NULL, "channels 1" },
    { GF_PEOPLE | A, "mute", "", "gain:-300", NULL, "silent" },
    { GF_PEOPLE | A, "replaygain", "", "normalize:lufs=-18", NULL, "differs" },
    { GF_PEOPLE | A, "phase|polarity", "", "invert", NULL, "gain 0" },
    { GF_PEOPLE | A, "compressor|drc", "=", "compress", "-30,4", "quieter" },
    { GF_PEOPLE | A, "noisegate|expander|downwardexpander", "=", "gate", "-6,4", "quieter" },
    { GF_PEOPLE | A, "deesser", "=", "deess", "1k,db=-60", "quieter" },
    { GF_PEOPLE | A, "leveler|leveller|autogain", "=", "level", "-40", "quieter" },
    { GF_PEOPLE | A, "limiter|alimiter", "=", "limit", "-6", "peak -6" },
    HINT(A, "impulse|convolver|afir|firfit|hilbert", "fir"),
    HINT(A, "iir|allpass|riaa|lfilter|sosfilt|filtfilt", "biquad"),
    HINT(A, "firwin", "lowpass"),
    HINT(A, "deemph", "treble"),
    HINT(A, "channelmap|crossfeed|earwax|pan|balance", "remix"),
    HINT(A, "bitdepth", "dither"),
    { GF_PEOPLE | A, "spectrum|sonogram|showspectrum|showspectrumpic", "", "spectrogram", NULL, NULL },
    { GF_PEOPLE | A, "oscillogram|wave|showwaves|showwavespic", "", "waveform", NULL, NULL },
    { GF_PEOPLE | I, "desaturate|luminance|rgb2gray|bgr2gray|tograyscale", "", "gray", NULL, "channels 1" },
    { GF_PEOPLE | I, "desaturate", "lightness>m:lightness|average>m:average|luminosity>m:rec709|luma>m:rec709|"
         "luminance>m:rec709,light=linear|value>m:max", "gray:{m}", "luminosity", "channels 1" },
    { GF_PEOPLE | I, "saturation", "=", "saturate", "1.5", "differs" },
    { GF_PEOPLE | I, "huerotate|huerotation", "=", "hue", "90", "differs" },
    { GF_PEOPLE | I, "inverse|negative", "", "invert", NULL, "differs" },
    { GF_PEOPLE | I, "quantize|quantise", "=", "posterize", "4", "differs" },
    { GF_PEOPLE | I, "binarize|otsu|thresholdotsu", "", "gray threshold:otsu", NULL, "channels 1" },
    { GF_PEOPLE | I, "whitebalance|wb|autowb", "", "autolevel:0.5%,rgb", NULL, "differs" },
    HINT(I, "stretch", "autolevel"),
    { GF_PEOPLE | I, "colorize", "=", "tint", "red", "differs" },
    HINT(I, "colormatrix", "matrix"),
    { GF_PEOPLE | I, "grain|gaussiannoise", "=", "noise", "0.1", "differs" },
    { GF_PEOPLE | I, "sharpness", "=", "sharpen", "1", "differs" },
    { GF_PEOPLE | I, "usm|unsharpmask", "=", "unsharp", "0x1", "differs" },
    { GF_PEOPLE | I, "boxblur|mean", "=", "box", "3", "differs" },
    { GF_PEOPLE | I, "filter2d|kernel", "=", "conv", "sobel-x", "differs" },
    { GF_PEOPLE | I, "prewitt", "", "conv:prewitt-x", NULL, "darker" },
    { GF_PEOPLE | I, "scharr", "", "conv:scharr-x", NULL, "darker" },
    { GF_PEOPLE | I, "edge", "", "sobel", NULL, "darker" },
    { GF_PEOPLE | I, "differenceofgaussians", "=", "dog", "2", "darker" },
    { GF_PEOPLE | I, "dilation|maximum", "=", "dilate", "2", "brighter" },
    { GF_PEOPLE | I, "erosion|minimum", "=", "erode", "2", "darker" },
    { GF_PEOPLE | I, "opening", "=", "open", "2", "darker" },
    { GF_PEOPLE | I, "closing", "=", "close", "2", "brighter" },
    { GF_PEOPLE | I, "mirror|fliphorizontal|fliplr", "", "flop", NULL, "differs" },
    { GF_PEOPLE | I, "flipvertical|flipud", "", "flip", NULL, "differs" },
    { GF_PEOPLE | I, "turn|rotation", "=", "rotate", "90", "size 480x640" },
    { GF_PEOPLE | I, "border|frame|extend", "=", "pad", "10", "size 660x500" },
    { GF_PEOPLE | I, "fit|contain", "#wx#h", "resize:{w}x{h},fit=inside", "200x200", "size 200x150" },
    { GF_PEOPLE | I, "cover", "#wx#h", "resize:{w}x{h},fit=outside", "200x200", "size 267x200" },
    { GF_PEOPLE | I, "letterbox|embed", "#wx#h", "resize:{w}x{h},fit=inside pad:size={w}x{h},at=center",
         "200x200", "size 200x200" },
    { GF_PEOPLE | I, "extract", "=", "channel", "g", "channels 1" },
    { GF_PEOPLE | I, "background", "*c", "alpha:off,bg={c}", "white", "same" },
    HINT(I, "multiply", "blend:FILE,multiply"),
    HINT(I, "screen", "blend:FILE,screen"),
    HINT(I, "add", "blend:FILE,add"),
    { GF_PEOPLE | I, "difference", "=", "diff", NULL, NULL },
    HINT(I, "dssim|metric|mse|psnr|ssim|vmaf", "use gpufilter -i A compare:B, which prints PSNR and SSIM"),
    HINT(I, "flatfield", "divide"),
    HINT(I, "vibrance", "saturate"),
    HINT(I, "huesaturation", "use hue:20 for degrees, saturate:1.3 for 30% more, and brightness"),
    { GF_PEOPLE | I, "huesaturation", "0|#h 0|#s 0?", "[hue:{h} ][saturate:{1+s/100}] # colors differ, because other "
         "programs change HSL", "0,30,0", "differs" },
    { GF_PEOPLE | I, "highpass|hipass", "radius:#r?10", "dog:0,{r},offset=0.5", "10", "darker" },
    HINT(0, "-ss|-to", "use the stage trim:FROM,TO for audio; cut video before, with ffmpeg -ss FROM -i VIDEO"),
    HINT(I, "evaluate", "use levels, brightness, contrast or gamma to change values"),
    HINT(I, "morphology", "use dilate:1, erode:1, open:1 or close:1, whose neighborhood is a square"),
    HINT(I, "sepiatone", "there is no stage with this tone, but sepia has another brown and keeps the contrast; "
         BY_MAGICK("-sepia-tone 80%")),
    HINT(I, "alphamerge|copyopacity|putalpha", "mask"),
    { GF_PEOPLE | I, "watermark|paste", "=", "over", NULL, NULL },
    HINT(0, "avg", "stats"),
    /* ---- options of ours, and stages with a choice ---- */
    HINT(0, "-ar|--sample-rate|--samplerate", RATE),
    HINT(0, "-b|--bits|--bit-depth", "use --depth 16 for the bits of a sample"),
    HINT(0, "-c|-ac", "use the stage mono, or remix:1,1 for two channels; for images gray, alpha:on or alpha:off"),
    HINT(0, "-m|-M", "use sox -m A.wav B.wav -t wav - | gpufilter ... to mix recordings"),
    HINT(0, "-C|--bitrate|-b:a|-b:v|-q:a|-q:v|-crf", QUALITY),
    HINT(0, "-y|--force|--overwrite", "outputs are overwritten anyway, unless --no-clobber is given"),
    HINT(0, "--rates|--kernels|--peers|--check", "that is an option of gpufilter-bench"),
    HINT(0, "--frames|--first", "use --images 1 for the first image of an input"),
    HINT(0, "-s|--size", "use the stage resize:800x600"),
    HINT(0, "16bit|depth|bits", "use the option --depth 16"),
    HINT(0, "8bit", "use the option --depth 8"),
    HINT(0, "quality", "use the option --quality 80"),
    HINT(0, "compression", "use the option --compression 9"),
    HINT(0, "progressive|interlace", "use the option --progressive"),
    HINT(0, "strip", "use the option --strip"),
    HINT(0, "subsampling", "use the option --subsampling 444"),
    HINT(0, "colorspace|colourspace|icc|icctransform", "use the option --icc convert to convert colors to sRGB"),
    HINT(I, "convert|format", "use -o NAME.png or --to png to choose the format"),
    HINT(A, "convert|format", "use -o NAME.wav or --to wav to choose the format"),
    HINT(0, "ffmpeg|magick|mogrify|sox|vips", "use gpufilter -i INPUT STAGE... -o OUTPUT; gpufilter --list shows "
         "the stages"),
    HINT(0, "ffprobe|identify|info|soxi|vipsheader", "use gpufilter --info FILE for format, size, length and "
         "metadata, or the stage stats for the content"),
    HINT(I, "getpoint|getpixel|pixels|txt|values", "use crop:10x10 or line:0,0,9,9 with -t csv, which writes the "
         "values of pixels as numbers"),
    HINT(A, "dat|samples|txt|values", "use -t csv, which writes the values of samples as numbers"),
    HINT(0, "autoorient|autorot|autorotate|exif|exiftranspose|orient|orientation", "there is no need for it: images "
         "are turned upright by their EXIF orientation when they are read"),
    HINT(0, "draft|thumb|thumbnail|thumbnails|vipsthumbnail", DRAFT),
    HINT(0, "fast|faster", FASTER),
    HINT(0, "square|smartcrop", SQUARE),
    HINT(0, "gravity", "use crop, pad or over with at=center, at=southeast or another corner"),
    HINT(0, "bw|blackandwhite|blackwhite|monochrome", "use gray, or threshold for black and white only"),
    HINT(0, "average", "use gray:average to average the channels, box:2 the pixels around each pixel, or "
         "resize:1x1,filter=area all pixels"),
    HINT(A, "channels", "use mono for one channel, remix or channel to choose channels"),
    HINT(A, "clip", "use limit:-1 to keep peaks below a level, or clamp:-0.5,0.5 to cut them off"),
    { GF_PEOPLE | I, "clip", "=", "clamp", "0.1,0.9", "differs" },
    HINT(A, "cut", "use trim:FROM,TO, which keeps that part"),
    HINT(I, "cut", "crop"),
    HINT(0, "composite|overlay", "use over:FILE or blend:FILE,MODE"),
    HINT(0, "convolution|convolve", "use conv, for audio fir"),
    HINT(0, "count", "use histogram to count values, stats for the number of samples"),
    HINT(A, "dbfs|peak", "use normalize:-1 to set it, stats to measure it"),
    HINT(A, "rms", "use normalize:rms=-20 to set it, stats to measure it"),
    HINT(A, "loudness|lufs", "use normalize:lufs=-23 to set it, stats to measure it"),
    HINT(A, "truepeak", "use stats:true to measure it, limit:-1,true to limit it"),
    HINT(A, "sinc|butter|butterworth|cheby1", "use lowpass, highpass, bandpass or bandstop"),
    HINT(I, "max", "use stats to measure it, dilate for the maximum around each pixel, or blend:FILE,lighten for "
         "that of two images"),
    HINT(I, "min", "use stats to measure it, erode for the minimum around each pixel, or blend:FILE,darken for that "
         "of two images"),
    HINT(0, "subtract", "use blend:FILE,subtract, or diff:FILE"),
    HINT(I, "temperature", "use tint or matrix"),
    HINT(I, "dehaze", "use clahe or autolevel"),
    { GF_PEOPLE | I, "pixelate|pixelize|pixellate", "", "resize:10%,filter=area resize:1000%,filter=nearest", NULL,
         "size 640x480" },
    HINT(I, "denoise3d|nlmeans|fastnlmeans|fastnlmeansdenoising|fastnlmeansdenoisingcolored|"
         "denoisenlmeans|hqdn3d", "use bilateral or median"),
    /* ---- what only other programs have ---- */
    { GF_PEOPLE | A, "noisereduce|noisereduction|dehiss|rnnoise", "", "denoise", NULL, "differs" },
    HINT(A, "noisered|afftdn|anlmdn|arnndn", "denoise"),
    HINT(A, "compand|mcompand", "compress"),
    HINT(A, "adeclick|crackle|decrackle|click|clickremoval", "declick"),
    HINT(A, "dynaudnorm|speechnorm|agc", "level"),
    HINT(A, "chorus|flanger|phaser|tremolo|vibrato", "there is no modulation effect; " BY_SOX("tremolo 5 40")),
    HINT(A, "mel|melspectrogram|mfcc", "there is no mel scale; spectrogram has a linear one"),
    HINT(A, "overdrive", "there is no overdrive; " BY_SOX("overdrive 10")),
    HINT(A, "tempo|timestretch|speedup", TEMPO BY_SOX("tempo -s 1.2")),
    HINT(A, "atempo|rubberband", TEMPO BY_AF("atempo=1.2")),
    HINT(A, "asetrate", TEMPO BY_AF("asetrate=48000")),
    HINT(A, "pitch|bend", TEMPO BY_SOX("pitch 200")),
    /* librosa's steps are semitones */
    { GF_PEOPLE | A, "pitchshift", "n_steps|semitones:#v", TEMPO BY_SOX("pitch {100*v}"), "2", NULL },
    HINT(A, "speed", TEMPO BY_SOX("speed 1.2")),
    HINT(A, "silence|silenceremove|vad", "there is no detection of silence, but trim cuts at known times; "
         BY_SOX("silence 1 0.1 1%")),
    HINT(A, "loop|repeat", "there is no loop; " BY_SOX("repeat 1")),
    HINT(A, "crossfade|acrossfade", "there is no crossfade; ffmpeg -i A.wav -i B.wav -filter_complex acrossfade=d=1 "
         "-f wav - | gpufilter ..."),
    HINT(A, "append|concat|concatenate|join|splice|cat", "there is no stage for joining; sox A.wav B.wav -t wav - | "
         "gpufilter ... joins audio"),
    HINT(A, "split", "there is no stage with several outputs; trim:FROM,TO keeps one part, channel:1 one channel; "
         "sox IN.wav OUT.wav trim 0 1 : newfile : restart makes pieces of one second"),
    HINT(A, "mix|merge|amix|amerge", "there is no stage that mixes recordings, but remix mixes channels; sox -m "
         "A.wav B.wav -t wav - | gpufilter ..."),
    HINT(I, "collage|beside|contact|contactsheet|grid|hstack|mosaic|sheet|vstack|arrayjoin", "use montage:4 for "
         "images in rows of 4, append:x for images beside each other, append:y for images below each other"),
    HINT(I, "concat|concatenate|join|cat", "use --join for all images in one output, append:x for one image that has "
         "them beside each other, or append:y below each other"),
    HINT(I, "evaluate-sequence|exposures|superpose", "use stack:mean, stack:median or another value of stack for one "
         "image of many exposures"),
    HINT(I, "split", "there is no stage with several outputs; crop keeps one part, channel one channel, and "
         "tile:512x512 -o '{y}-{x}.png' cuts into tiles"),
    HINT(I, "mix|merge", "use over or blend for two images"),
    HINT(I, "lut|clut|lut3d|haldclut", "there is no lookup table of colors; " BY_STILL("lut3d=TABLE.cube") ", or "
         BY_MAGICK("TABLE.png -clut")),
    HINT(I, "colormap|colourmap|falsecolor|heatmap|gradientmap|pseudocolor|duotone|palette", "there is no color "
         "map, but gray 'matrix:[3 0; 3 -1; 3 -2]' maps gray to black, red, yellow and white; convert IN.png "
         "TABLE.png -clut pnm:- | gpufilter ... has any map"),
    HINT(I, "curve|curves", "there is no tone curve, but gamma, levels and contrast change tones; "
         BY_STILL("curves=all='0/0 0.5/0.6 1/1'")),
    HINT(I, "deskew|straighten", "there is no automatic deskewing, but rotate:-1.5 turns by a known angle; "
         BY_MAGICK("-deskew 40%")),
    HINT(I, "annotate|caption|draw|font|label|line|rectangle|text|title", DRAWING BY_MAGICK("-annotate +10+20 TEXT")),
    HINT(I, "drawtext", DRAWING BY_STILL("drawtext=text=TEXT")),
    HINT(I, "drawbox", DRAWING BY_STILL("drawbox=10:10:50:50")),
    HINT(I, "autocrop|cropdetect|trimborder|trim", "there is no automatic cropping, but crop:WIDTHxHEIGHT+X+Y cuts "
         "out a known area; " BY_MAGICK("-fuzz 5% -trim +repage")),
    HINT(I, "affine|barrel|distort|lenscorrection|perspective|shear|undistort|warp", "there is no distortion; "
         "resize, rotate and crop change the geometry; " BY_MAGICK("-distort Barrel '0 0 -0.1'")),
    HINT(I, "bgr|cmyk|hsl|hsv|lab|ycbcr|yuv", "there is no conversion to other color spaces; gray, channel, matrix, "
         "saturate and hue work on red, green and blue"),
    HINT(0, "dct|fft|fourier|ifft|stft", "there is no Fourier transform stage; spectrogram draws the spectrum of "
         "audio, and fir applies long filters"),
    HINT(0, "log|logarithm", LOG),
    HINT(I, "modulate", "there is no lightness of HSL, but saturate and hue change colors; "
         BY_MAGICK("-modulate 110,130,100")),
    HINT(I, "contrast-stretch", "there is no stretch with different shares of black and white, but autolevel:1% cuts "
         "off equal ones; " BY_MAGICK("-contrast-stretch 2%x1%")),
    HINT(I, "sigmoidal-contrast", "there is no S-shaped curve; contrast makes a straight line; "
         BY_MAGICK("-sigmoidal-contrast 5x50%")),
    HINT(I, "denoisetvchambolle|denoisetvbregman|denoisetv|totalvariation", "there is no denoising by total variation, "
         "but bilateral:3,0.1 keeps edges, too; skimage.restoration of scikit-image has it"),
    HINT(I, "tonemap", "there is no tone mapping; gamma, levels and clahe change tones"),
    HINT(I, "fps|framerate", "there is no stage that drops or repeats frames; " BY_VF("fps=10") "; --rate changes "
         "the speed instead"),
    HINT(I, "deinterlace|yadif", "there is no deinterlacer; " BY_VF("yadif")),
    HINT(I, "stabilise|stabilize|vidstab|deshake", "there is no stabilizer; " BY_VF("deshake")),
    HINT(I, "interpolate|minterpolate", "there is no frame interpolation; " BY_VF("minterpolate=fps=50")),
    HINT(I, "deflicker", "there is no deflickering; " BY_VF("deflicker")),
    HINT(I, "atadenoise|temporal|tmedian|tmix", "there is no stage that compares frames; " BY_VF("tmix=frames=3")),
    HINT(I, "loop|repeat", "there is no loop; cat A A | gpufilter ... repeats images"),
    HINT(I, "gif", "there is no GIF output; use gpufilter ... -t y4m | ffmpeg -i - out.gif"),
    HINT(0, "mp4", NO_VIDEO("MP4", "out.mp4")),
    HINT(0, "mkv", NO_VIDEO("MKV", "out.mkv")),
    HINT(0, "mov", NO_VIDEO("MOV", "out.mov")),
    HINT(0, "avi", NO_VIDEO("AVI", "out.avi")),
    HINT(0, "webm", NO_VIDEO("WebM", "out.webm")),
    /* ---- our stages for the other kind of signal ---- */
    OURS(A, "gray", "mono"), OURS(A, "crop", "trim"), OURS(A, "resize", "resample"), OURS(A, "flop", "reverse"),
    OURS(A, "brightness|contrast", "gain"), OURS(A, "blur", "lowpass"), OURS(A, "conv|conv1d", "fir"),
    OURS(A, "autolevel", "normalize"), OURS(I, "level", "levels"), OURS(I, "denoise", "use bilateral or median"),
    OURS(I, "gate", "threshold"),
    OURS(I, "compress", "use --quality 1 to 100 for the size of a file, or gamma to bring tones closer together"),
    OURS(A, "sharpen", "treble"), OURS(A, "posterize", "dither"),
    OURS(A, "compare", "use cmp on the samples of both, which -t raw writes"), OURS(I, "mono", "gray"),
    OURS(I, "trim", "crop"), OURS(I, "resample", "resize"), OURS(I, "reverse", "flop"), OURS(I, "gain", "brightness"),
    OURS(I, "lowpass", "blur"), OURS(I, "highpass", "sharpen"), OURS(I, "fir", "conv"), OURS(I, "treble", "sharpen"),
    OURS(I, "dither", "posterize"), OURS(I, "delay", "pad"), OURS(I, "waveform", "histogram"),
    { 0, NULL, NULL, NULL, NULL, NULL }
};
