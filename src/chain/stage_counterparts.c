/* Pairs of stages for images and audio, suggested if a stage does not fit the kind of input. */
#include "chain/stage.h"

#include <string.h>

/*
 * The name of a stage, or a clause that begins with "use" if there is none for the other kind. The table ends with
 * a row without names.
 */
static const struct counterpart {
    const char *picture, *sound;
} counterparts[] = {
    { "gray", "mono" },       { "crop", "trim" },         { "resize", "resample" }, { "flop", "reverse" },
    { "brightness", "gain" }, { "contrast", "gain" },     { "blur", "lowpass" },    { "conv", "fir" },
    { "conv1d", "fir" },      { "autolevel", "normalize" }, { "sharpen", "treble" }, { "posterize", "dither" },
    { "pad", "delay" },       { "histogram", "waveform" },
    { "compare", "use cmp on the samples of both, which -t raw writes" }, { NULL, NULL }
};

const char *gf_stage_counterpart(const char *stage, enum gf_kind kind)
{
    for (const struct counterpart *c = counterparts; c->picture != NULL; c++)
        if (strcmp(kind == GF_IMAGE ? c->sound : c->picture, stage) == 0)
            return kind == GF_IMAGE ? c->picture : c->sound;
    return NULL;
}
