/* spectrogram: draw frequencies over time. */
#include "base/elementary.h"
#include "chain/stage.h"
#include "filters/channel_names.h"
#include "filters/drawing_options.h"
#include "kernels/sound/spectrum.h"
#include "kernels/statistics/collect.h"
#include "table/table.h"

#include <math.h>

struct spectrogram {
    int64_t columns, size;
    double range, most;
    int axis;
    struct gf_drawing_options drawn;
};

enum axis { LINEAR, LOG };

static const char *const axes[] = { "linear", "log", NULL };

/* State for report(), which runs after the spectra are computed. */
struct report_context {
    struct gf_format in;
    struct gf_spectrum spectrum;
    int64_t pieces;                      /* rows of powers that were added up in a column */
    struct spectrogram options;
};

/* Frames of a piece, at most. A column is made of pieces, because a piece has to fit in memory. */
#define PIECE (INT64_C(64) << 10)

static const struct gf_option options[] = {
    { .name = "columns", .type = GF_OPTION_INT, .offset = offsetof(struct spectrogram, columns),
      .by_default = 1024, .least = 1, .most = 100000,
      .text = "number of columns; each shows the spectrum of a span of time" },
    { .name = "size", .type = GF_OPTION_INT, .offset = offsetof(struct spectrogram, size), .by_default = 2048,
      .least = GF_SPECTRUM_LEAST, .most = GF_SPECTRUM_MOST, .unit = "frames",
      .text = "window length, a power of two; long windows separate frequencies better, short ones "
              "separate moments better" },
    { .name = "range", .type = GF_OPTION_NUMBER, .offset = offsetof(struct spectrogram, range),
      .by_default = 100, .least = 1, .most = 300, .key_only = true,
      .text = "dB to draw, from max downwards" },
    { .name = "max", .type = GF_OPTION_DECIBEL, .offset = offsetof(struct spectrogram, most), .least = -200,
      .most = 100, .key_only = true, .unit = "dB",
      .text = "level that is drawn white; 0 is a sine of full scale" },
    { .name = "axis", .type = GF_OPTION_CHOICE, .offset = offsetof(struct spectrogram, axis), .choices = axes,
      .by_default = LINEAR, .key_only = true,
      .text = "frequency axis; log gives each octave the same height, from 20 Hz on" },
    GF_DRAWING_OPTIONS(struct spectrogram),
    { .name = NULL }
};

static int report(const void *config, const struct gf_measured *m, struct gf_build *build, struct gf_table *table,
                  struct gf_error *err)
{
    const struct report_context *b = config;
    const int64_t cells = b->spectrum.size / 2 + 1, count = m->blocks * m->channels * cells;
    const char *const *names = gf_channel_names(&b->in, build);
    float *course = m->records;          /* powers become decibels in place */

    if (names == NULL)
        return gf_fail_memory(err, "spectrogram");
    for (int64_t i = 0; i < count; i++) {
        const bool end = i % cells == 0
                         || i % cells == cells - 1; /* these bins have no counterpart at negative frequencies */
        const float power = course[i] / (float)b->pieces;

        /* NaN counts as silence */
        course[i] = power > 1e-30f ? (float)(10 * gf_log10((double)power / (end ? 4 : 1))) : -300;
    }
    *table = (struct gf_table) { .numbers = GF_TABLE_TIMELINE, .channels = m->channels,
                                 .channel_names = names, .high = b->in.rate / 2.0,
                                 .samples = b->in.units, .columns = m->blocks, .cells = (int)cells,
                                 .timeline = course, .window = b->spectrum.size,
                                 .floor_db = b->options.most - b->options.range, .top_db = b->options.most,
                                 .by_octaves = b->options.axis == LOG,
                                 .seconds = (double)(m->blocks * b->pieces * b->spectrum.stretch) / b->in.rate };
    gf_drawing_options_apply(&b->options.drawn, table);
    return 0;
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct spectrogram *s = config;
    struct report_context *b = gf_build_alloc(build, sizeof *b);
    struct gf_format out = *in;
    struct gf_collect collect = { .channels = in->channels, .width = s->size / 2 + 1 };
    struct gf_need need;
    int64_t stretch;
    float *table;

    if (b == NULL)
        return gf_fail_memory(err, "spectrogram");
    if ((s->size & (s->size - 1)) != 0)
        return gf_fail(err, GF_MISUSED, "spectrogram: size=%lld: must be a power of two; 1024 or 2048 for example",
                       (long long)s->size);
    if (in->units <= 0)
        return gf_fail(err, GF_FAILED, "spectrogram: the input has no audio frames to draw");
    b->in = *in;
    b->options = *s;
    stretch = (in->units + s->columns - 1) / s->columns;
    collect.joined = b->pieces = (stretch + PIECE - 1) / PIECE;
    b->spectrum = (struct gf_spectrum) { .stretch = (stretch + b->pieces - 1) / b->pieces, .size = (int)s->size };
    b->spectrum.windows = (int)((2 * b->spectrum.stretch + s->size - 1) / s->size);
    b->spectrum.table = gf_build_alloc_table(build, gf_spectrum_entries(&b->spectrum), &table);
    if (table != NULL)
        gf_spectrum_fill(&b->spectrum, table);
    out.kind = GF_IMAGE;
    out.rate = 0;
    out.width = collect.width;
    out.units = (in->units + b->spectrum.stretch - 1) / b->spectrum.stretch;
    need = (struct gf_need) { .times = b->spectrum.stretch, .per = 1, .before = s->size / 2, .after = s->size / 2 };
    if (gf_build_op(build, &gf_op_spectrum, &b->spectrum, need, &out, err) != 0)
        return -1;
    return gf_build_drawing(build, &gf_op_collect, &collect, report, b, err);
}

static const char *const examples[] = {
    "gpufilter -i sound.wav spectrogram -o spectra.png",
    "gpufilter -i sound.wav mono spectrogram:200,512,range=80 -o spectra.svg",
    "gpufilter -i sound.wav mono spectrogram:1600,8192,axis=log,max=-20,range=90,width=1788,height=900 -o large.png",
    "gpufilter -i sound.wav mono spectrogram:640,bare,width=640,height=256 -o strip.png",
    NULL
};

const struct gf_stage gf_stage_spectrogram = {
    .name = "spectrogram",
    .kind = GF_AUDIO,
    .group = GF_GROUP_MEASURE,
    .ends = GF_ENDS_DRAWING,
    .summary = "draw frequencies over time",
    .text = "spectrogram ends the chain. The audio is divided into columns. Each column is the mean power "
            "of Hann windows that overlap by half or more, so no part is left out, however long the audio "
            "is. 0 dB is a sine of full scale.\n\n"
            "The output is a drawing as PNG (the default) or SVG, with axes for time and frequency and a "
            "color scale. As TSV, CSV or JSON the output is the numbers, in dB. Audio from a pipe is read "
            "to its end first.\n\n"
            "axis=log gives low frequencies more space, closer to how we hear. A larger size, such as "
            "8192, separates them better. max= and range= choose the levels that the colors stand for.\n\n"
            "A drawing is 1212 pixels wide unless width= and height= say otherwise. bare draws no axes, "
            "and puts the channels below each other; if width= equals the number of columns, each column "
            "is one pixel wide. The numbers do not depend on these options.",
    .examples = examples,
    .picture = "voice.wav spectrogram",
    .options = options,
    .config_bytes = sizeof(struct spectrogram),
    .wants_length = true,
    .bind = bind,
};
