/* Warnings about values on the scale of another program: 128 or 50 for half, 20 or 20% for a fifth more. */
#include "chain/unlikely_values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define KIND_BYTES 200

/* Returns the format that word i reads: that of its first link, or of the input if it has none. */
static const struct gf_format *format_before(const struct gf_binding *binding, int i)
{
    for (int k = 0; k < binding->links; k++)
        if (binding->link[k].stage == binding->chain->word[i].text)
            return &binding->link[k].in;
    return &binding->in;
}

static bool has_lost_scale(const struct gf_binding *binding, int words)
{
    for (int i = 0; i < words; i++)
        if (binding->chain->word[i].stage[binding->in.kind]->range == GF_RANGE_LOST)
            return true;
    return false;
}

/* Returns the number that an option has, 0 if it has none. */
static double value_of(const struct gf_option *row, const void *config)
{
    const void *at = (const char *)config + row->offset;

    if (row->type == GF_OPTION_NUMBER)
        return *(const double *)at;
    return row->type == GF_OPTION_EITHER && ((const struct gf_either *)at)->choice < 0
        ? ((const struct gf_either *)at)->number : 0;
}

/* Warns about a value far outside the range of samples. */
static void warn_level(const struct gf_stage *stage, const struct gf_option *row, double v, const char *kind,
                       const char *name,
                       struct gf_notices *n)
{
    const bool sound = stage->kind == GF_AUDIO;
    const double levels = sound ? 32768 : fabs(v) > 255 ? 65535 : 255, part = v / levels;
    char share[60] = "", level[60] = "";

    if (v > 1 && v <= 2 && row->least < 0 && row->type == GF_OPTION_NUMBER)
        snprintf(share, sizeof share, "; %g%% more is %g", 100 * (v - 1), v - 1);
    if (fabs(v) > 2 && fabs(v) <= 100)
        snprintf(share, sizeof share, "; %g%% is %g", v, row->squared ? v * v / 10000 : v / 100);
    if (fabs(v) > 2)
        snprintf(level, sizeof level, "; %g of %g is %.2g%s", v, levels, row->squared ? part * part : part,
                 row->squared ? ", squared" : "");
    gf_warn(n, kind, name, "%s: %s=%g is far out of range; samples are %s%s%s", stage->name, row->name, v,
            sound ? "-1 to 1" : "0 to 1", level, share);
}

/* Warns about a factor that looks like a change in percent. */
static void warn_multiple(const struct gf_stage *stage, const struct gf_option *row, double v, const char *text,
                          const char *kind,
                          const char *name, struct gf_notices *n)
{
    const char *more = v < 0 ? "less" : "more";

    if (fabs(v) > row->times && row->factor)
        gf_warn(n, kind, name, "%s: %s=%g multiplies by %g; %g%% %s is %g", stage->name, row->name, v, v, fabs(v), more,
                1 + v / 100);
    else if (fabs(v) > row->times)
        gf_warn(n, kind, name, "%s: %s=%g multiplies by %g; %g%% is %g", stage->name, row->name, v, v, v, v / 100);
    else if (row->factor && v > 0 && v < 0.5 && strchr(text, '%') != NULL)
        gf_warn(n, kind, name, "%s: %s=%g%% reduces to %g%%; for %g%% more write %g, and to avoid this "
                               "warning write %g", stage->name,
                row->name, 100 * v,
                100 * v, 100 * v, 1 + v, v);
}

/* Notes a peak that is a usual loudness if the stage can also set that. */
static void note_loudness(const struct gf_stage *stage, const void *config, const char *name, struct gf_notices *n)
{
    const struct gf_option *first = stage->options, *row = first;
    const double peak = first != NULL && first->type == GF_OPTION_DECIBEL
        ? *(const double *)((const char *)config + first->offset) : NAN;

    while (row != NULL && row->name != NULL && (row->unit == NULL || strcmp(row->unit, "LUFS") != 0))
        row++;
    if (row != NULL && row->name != NULL && peak <= -14 && peak >= -24)
        gf_note(n, "peak", name, "%s:%g sets the peak; for a loudness of %g LUFS use %s:%s=%g", stage->name, peak, peak,
                stage->name, row->name, peak);
}

void gf_unlikely_values_warn(const struct gf_binding *binding, const char *name, struct gf_notices *n)
{
    for (int i = 0; i < binding->words; i++) {
        const struct gf_chain_word *word = &binding->chain->word[i];
        const struct gf_stage *stage = word->stage[binding->in.kind];
        const bool scaled = !gf_type_is_float(format_before(binding, i)->type) && !has_lost_scale(binding, i);

        note_loudness(stage, word->config[binding->in.kind], name, n);
        for (const struct gf_option *row = stage->options; row != NULL && row->name != NULL; row++) {
            const double v = value_of(row, word->config[binding->in.kind]);
            char kind[KIND_BYTES];               /* each option of each stage is a kind of its own */

            snprintf(kind, sizeof kind, "scale %s %.160s", row->name, word->text);
            if (scaled && row->levels > 0 && fabs(v) > row->levels)
                warn_level(stage, row, v, kind, name, n);
            if (row->times > 0)
                warn_multiple(stage, row, v, word->text, kind, name, n);
        }
    }
}
