/* Writes options and stages as one line of text, for help, manuals and web pages. */
#include "cli/describe.h"

#include "base/words.h"
#include "chain/option.h"

#include <math.h>
#include <stdio.h>

void gf_describe_stage(const struct gf_stage *stage, char *text, size_t bytes)
{
    size_t used = (size_t)snprintf(text, bytes, "%s", stage->name);
    int open = 0;
    const struct gf_option *row;

    for (row = stage->options; row != NULL && row->name != NULL && !row->key_only && used < bytes; row++) {
        const char *between = row == stage->options ? ":" : ",";
        char word[40];

        gf_capital_word(row->name, word, sizeof word);
        open += !row->required;
        used += (size_t)snprintf(text + used, bytes - used, "%s%s%s", row->required ? "" : "[", between, word);
    }
    if (row != NULL && row->name != NULL && used < bytes)
        used += (size_t)snprintf(text + used, bytes - used, open > 0 || stage->options->required ? "[,KEY=VALUE]"
                                                                                              : "[:KEY=VALUE]");
    for (; open > 0 && used < bytes; open--)
        used += (size_t)snprintf(text + used, bytes - used, "]");
}

void gf_describe_default(const struct gf_option *row, char *text, size_t bytes)
{
    text[0] = '\0';
    if (row->required)
        return;
    switch (row->type) {
    case GF_OPTION_CHOICE:
    case GF_OPTION_EITHER:
        if (row->by_default >= 0)
            snprintf(text, bytes, "%s", row->choices[(int)row->by_default]);
        break;
    case GF_OPTION_FLAG:
        snprintf(text, bytes, "%s", row->by_default != 0 ? "on" : "off");
        break;
    case GF_OPTION_INT:
    case GF_OPTION_NUMBER:
    case GF_OPTION_DECIBEL:
        /* A default outside the range means that the option is not given. */
        if (!isnan(row->by_default) && row->by_default >= row->least && row->by_default <= row->most)
            snprintf(text, bytes, "%g", row->by_default);
        break;
    default:
        break;
    }
}

const char *gf_describe_group(enum gf_group group)
{
    static const char *const titles[GF_GROUPS] = {
        [GF_GROUP_COLOR] = "Color and tone",
        [GF_GROUP_CHANNELS] = "Channels and transparency",
        [GF_GROUP_BLUR] = "Blur and sharpen",
        [GF_GROUP_EDGES] = "Edges",
        [GF_GROUP_DENOISE] = "Denoise and morphology",
        [GF_GROUP_GEOMETRY] = "Geometry",
        [GF_GROUP_COMBINE] = "Combine",
        [GF_GROUP_LEVEL] = "Level and dynamics",
        [GF_GROUP_FILTER] = "Filters and equalizers",
        [GF_GROUP_TIME] = "Time, echo and room",
        [GF_GROUP_REMIX] = "Channels, rate and bit depth",
        [GF_GROUP_MEASURE] = "Measure, plot and save",
    };

    return titles[group];
}
