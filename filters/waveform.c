/* waveform: draw the level over time. */
#include "chain/stage.h"
#include "filters/channel_names.h"
#include "filters/drawing_options.h"
#include "filters/peaks.h"
#include "kernels/statistics/reduce.h"
#include "table/table.h"

#include <math.h>

enum { LEAST, MOST, RMS, CLIPPED, CELLS };

struct waveform {
    int64_t columns;
    struct gf_drawing_options drawn;
};

/* State for report(), which runs after the samples are measured. */
struct report_context {
    struct gf_format in;
    int64_t stretch;
    struct gf_drawing_options drawn;
};

/* Frames of a block, at most. A column is made of blocks, because a block has to fit in memory. */
#define BLOCK (INT64_C(64) << 10)

static const struct gf_option options[] = {
    { .name = "columns", .type = GF_OPTION_INT, .offset = offsetof(struct waveform, columns),
      .by_default = 1024, .least = 1, .most = 100000,
      .text = "number of columns; each shows minimum, maximum and RMS of a span of time" },
    GF_DRAWING_OPTIONS(struct waveform),
    { .name = NULL }
};

static int report(const void *config, const struct gf_measured *m, struct gf_build *build, struct gf_table *table,
                  struct gf_error *err)
{
    const struct report_context *b = config;
    const int64_t count = m->blocks * m->channels;
    const char *const *names = gf_channel_names(&b->in, build);
    const struct gf_reduced *found = m->records;
    float *course = gf_build_alloc(build, (size_t)(count * CELLS) * sizeof *course);
    double high = 1;

    if (names == NULL || course == NULL)
        return gf_fail_memory(err, "waveform");
    for (int64_t i = 0; i < count; i++) {
        const struct gf_reduced *r = &found[i];

        if (r->finite == 0)
            continue;
        course[i * CELLS + LEAST] = (float)r->min;
        course[i * CELLS + MOST] = (float)r->max;
        course[i * CELLS + RMS] = (float)sqrt(r->squares / r->finite);
        course[i * CELLS + CLIPPED] = (float)r->clipped;
        high = fmax(high, fmax(-r->min, r->max));
    }
    *table = (struct gf_table) { .numbers = GF_TABLE_TIMELINE, .channels = m->channels,
                                 .channel_names = names, .low = -high, .high = high,
                                 .samples = b->in.units, .columns = m->blocks, .cells = CELLS, .timeline = course,
                                 .seconds = (double)(m->blocks * b->stretch) / b->in.rate };
    gf_drawing_options_apply(&b->drawn, table);
    return 0;
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct waveform *w = config;
    struct report_context *b = gf_build_alloc(build, sizeof *b);
    struct gf_reduce reduce = { .channels = in->channels, .keep = true, .full = gf_peaks_full_scale(in, build) };

    if (b == NULL)
        return gf_fail_memory(err, "waveform");
    if (in->units <= 0)
        return gf_fail(err, GF_FAILED, "waveform: the input has no audio frames to draw");
    b->in = *in;
    b->drawn = w->drawn;
    b->stretch = (in->units + w->columns - 1) / w->columns;
    reduce.joined = (b->stretch + BLOCK - 1) / BLOCK;
    reduce.block_units = (b->stretch + reduce.joined - 1) / reduce.joined;
    b->stretch = reduce.block_units * reduce.joined;
    return gf_build_drawing(build, &gf_op_reduce, &reduce, report, b, err);
}

static const char *const examples[] = {
    "gpufilter -i sound.wav waveform -o wave.png",
    "gpufilter -i sound.wav gain:-6 waveform:400 -o wave.svg",
    "gpufilter -i sound.wav mono waveform:600,bare,width=600,height=80 -o thumb.png",
    NULL
};

const struct gf_stage gf_stage_waveform = {
    .name = "waveform",
    .kind = GF_AUDIO,
    .group = GF_GROUP_MEASURE,
    .ends = GF_ENDS_DRAWING,
    .summary = "draw the level over time",
    .text = "waveform ends the chain. The audio is divided into columns. Each shows, for every channel, "
            "the range from the lowest to the highest sample, and the RMS in a darker color. The scale is "
            "-1 to 1, or more if there are larger samples. Clipped samples, as stats counts them, are "
            "marked in red.\n\n"
            "The output is a drawing as PNG (the default) or SVG. As TSV, CSV or JSON the output is the "
            "numbers, including the clipped samples. width=, height= and bare only affect the drawing. "
            "Audio from a pipe is read to its end first.",
    .examples = examples,
    .picture = "sound.wav waveform",
    .options = options,
    .config_bytes = sizeof(struct waveform),
    .wants_length = true,
    .bind = bind,
};
