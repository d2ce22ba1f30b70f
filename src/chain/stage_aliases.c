/* Names of other programs that mean a stage exactly, values included; they are accepted with a note. */
#include "chain/stage.h"

#include <string.h>

/* A name is here only if every value of it means the same for the stage. */
static const struct alias {
    const char *name, *stage;
} aliases[] = {
    { "areverse", "reverse" },       { "aresample", "resample" },     { "equalise", "equalize" },
    { "gblur", "blur" },             { "grayscale", "gray" },         { "greyscale", "gray" },
    { "grey", "gray" },              { "hflip", "flop" },             { "negate", "invert" },
    { "normalise", "normalize" },    { "posterise", "posterize" },    { "vflip", "flip" },
};

const char *gf_stage_alias(const char *name, const char **alias)
{
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (strcmp(aliases[i].name, name) == 0) {
            if (alias != NULL)
                *alias = aliases[i].name;
            return aliases[i].stage;
        }
    return NULL;
}
