/* Which stage does to the other kind of signal what one does to its own: only said, where the kinds do not fit. */
#include "chain/stage.h"

#include <stddef.h>

const struct gf_counterpart gf_counterparts[] = {
    { "gray", "mono" },       { "crop", "trim" },       { "resize", "resample" },   { "flop", "reverse" },      { "brightness", "gain" },
    { "contrast", "gain" },   { "blur", "lowpass" },    { "conv", "fir" },          { "conv1d", "fir" },        { "autolevel", "normalize" },
    { "sharpen", "treble" },  { "posterize", "dither" }, { "pad", "delay" },        { "histogram", "waveform" },
    { NULL, NULL }
};
