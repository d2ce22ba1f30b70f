/* remix: make each output channel of input channels. */
#include "chain/option_mask.h"
#include "chain/stage.h"
#include "kernels/geometry/select.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct remix {
    char *outputs;
};

static const struct gf_option options[] = {
    { .name = "outputs", .type = GF_OPTION_REST, .offset = offsetof(struct remix, outputs), .required = true,
      .unit = "outputs separated by commas, each a sum of channels like 2, 1+2 or .5*1-.5*2, or a matrix",
      .text = "input channels of each output, counted from 1; 0 is silence" },
    { .name = NULL }
};

/* The weight of each input in each output. */
struct mixture {
    int inputs, outputs;
    float weight[GF_MAX_CHANNELS][GF_MAX_CHANNELS];
};

static int refuse(const char *at, struct gf_error *err)
{
    return gf_fail(err, GF_MISUSED,
                   "remix: '%.80s' is not a sum of channels; write for example 2, 1+2 or .5*1-.5*2", at);
}

/* Reads a term like "2" or ".5*2" and moves *at after it. */
static int read_term(const char **at, double sign, struct mixture *m, struct gf_error *err)
{
    const char *start = *at;
    double factor = 1, channel;
    char *end;

    if (!isdigit((unsigned char)*start) && *start != '.')
        return refuse(start, err);
    channel = strtod(start, &end);
    if (*end == '*') {
        const char *factor_end = end + 1;

        factor = channel;
        channel = isdigit((unsigned char)*factor_end) ? strtod(factor_end, &end) : -1;
    }
    if (end == start || !(channel >= 0) || channel > 1e9 || channel != (double)(int64_t)channel)
        return refuse(start, err);
    if (channel > m->inputs)
        return gf_fail(err, GF_FAILED, "remix: there is no channel %.0f; the input has %d %s", channel, m->inputs,
                       m->inputs == 1 ? "channel" : "channels");
    if (channel > 0)
        m->weight[m->outputs][(int)channel - 1] += (float)(sign * factor);
    *at = end;
    return 0;
}

static int read_sums(const char *text, struct mixture *m, struct gf_error *err)
{
    for (;; text++) {
        double sign;

        text += strspn(text, " ");               /* a blank may follow a comma, in quotes */
        sign = *text == '-' ? -1 : 1;
        if (m->outputs == GF_MAX_CHANNELS)
            return gf_fail(err, GF_MISUSED, "remix: too many outputs; must be 1 to %d", GF_MAX_CHANNELS);
        text += *text == '-' || *text == '+';
        for (;;) {
            if (read_term(&text, sign, m, err) != 0)
                return -1;
            if (*text != '+' && *text != '-')
                break;
            sign = *text++ == '-' ? -1 : 1;
        }
        m->outputs++;
        if (*text == '\0')
            return 0;
        if (*text != ',')
            return refuse(text, err);
    }
}

static int read_matrix(const char *text, struct mixture *m, struct gf_error *err)
{
    static const struct gf_option matrix = { .name = "matrix", .type = GF_OPTION_MASK };
    struct gf_mask mask = { 0 };

    if (gf_option_mask_parse("remix", &matrix, text, &mask, err) != 0)
        return -1;
    m->outputs = mask.rows;
    if (mask.columns != m->inputs || mask.rows > GF_MAX_CHANNELS) {
        free(mask.weights);
        return gf_fail(err, GF_FAILED,
                       "remix: the matrix has %d columns and %d rows; must have one column for each of %d "
                       "channels, and at most %d rows",
                       mask.columns, mask.rows, m->inputs, GF_MAX_CHANNELS);
    }
    for (int i = 0; i < mask.rows * mask.columns; i++)
        m->weight[i / mask.columns][i % mask.columns] = (float)mask.weights[i];
    free(mask.weights);
    return 0;
}

/* Returns true if each output is one input as it is, or silence. */
static bool is_selection(const struct mixture *m, struct gf_select *select)
{
    for (int o = 0; o < m->outputs; o++) {
        select->from[o] = -1;
        for (int k = 0; k < m->inputs; k++) {
            if (m->weight[o][k] == 0.0f)
                continue;
            if (m->weight[o][k] != 1.0f || select->from[o] >= 0)
                return false;
            select->from[o] = (signed char)k;
        }
    }
    return true;
}

static bool changes_nothing(const struct mixture *m, const struct gf_select *select)
{
    for (int o = 0; o < m->outputs; o++)
        if (select->from[o] != o)
            return false;
    return m->outputs == m->inputs;
}

/*
 * Adds the mix. For few channels it is a matrix in the point program, which merges with its
 * neighbors.
 */
static int add_mixture(const struct mixture *m, const struct gf_format *out, struct gf_build *build,
                       struct gf_error *err)
{
    struct gf_point_step step = { .kind = GF_POINT_MATRIX, .channels = m->inputs, .outs = m->outputs };
    float *table = NULL;

    if (m->inputs > GF_POINT_MATRIX_MAX || m->outputs > GF_POINT_MATRIX_MAX) {
        step.kind = GF_POINT_MIX;
        step.table = gf_build_alloc_table(build, (int64_t)m->inputs * m->outputs, &table);
    }
    for (int o = 0; o < m->outputs; o++)
        for (int k = 0; k < m->inputs; k++)
            if (step.kind == GF_POINT_MATRIX)
                step.m[o][k] = m->weight[o][k];
            else if (table != NULL)
                table[o * m->inputs + k] = m->weight[o][k];
    return gf_build_point(build, &step, out, err);
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const char *text = ((const struct remix *)config)->outputs;
    struct mixture *m = gf_build_alloc(build, sizeof *m);
    struct gf_select select = { { 0 } };
    struct gf_format out = *in;

    if (m == NULL)
        return gf_fail_memory(err, NULL);
    m->inputs = in->channels;
    if ((text[0] == '[' ? read_matrix(text, m, err) : read_sums(text, m, err)) != 0)
        return -1;
    out.channels = m->outputs;
    if (!is_selection(m, &select))
        return add_mixture(m, &out, build, err);
    return changes_nothing(m, &select)
               ? 0
               : gf_build_op(build, &gf_op_select, &select, (struct gf_need) { 0 }, &out, err);
}

static const char *const examples[] = {
    "gpufilter -i sound.wav remix:2,1 -o swapped.wav",
    "gpufilter -i sound.wav remix:.5*1-.5*2 -o sides.wav",
    "gpufilter -i sound.wav 'remix:[.5 .5; .5 -.5]' -o mid-side.wav",
    "gpufilter -i sound.wav mono remix:1,1 -o both.wav",
    NULL
};

const struct gf_stage gf_stage_remix = {
    .name = "remix",
    .kind = GF_AUDIO,
    .group = GF_GROUP_REMIX,
    .summary = "swap, copy and mix channels",
    .text = "The outputs are separated by commas. Each is a sum of input channels, counted from 1, with "
            "optional factors. 0 is silence.\n\n"
            "    remix:2,1          swap left and right\n"
            "    remix:1+2          add both\n"
            "    remix:.5*1+.5*2    their mean, as mono\n"
            "    remix:1-2          remove what both have in common\n"
            "    remix:1,0          silence the second channel\n\n"
            "A matrix in brackets has a row for each output and a column for each input. Blanks after "
            "commas need quotes: 'remix:1, 2'. If channels are only selected, samples are copied without "
            "change. Sums are not divided, so they can exceed full scale.",
    .examples = examples,
    .picture = "sound.wav remix:2,1 | waveform:600",
    .options = options,
    .config_bytes = sizeof(struct remix),
    .keeps_times = true,
    .remixes = true,
    .bind = bind,
};
