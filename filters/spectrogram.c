/* spectrogram: which frequencies sound when, as a drawing. */
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

/* What the report needs to know. */
struct report_context {
    struct gf_format in;
    struct gf_spectrum spectrum;
    int64_t pieces;                      /* of a column: rows of powers that were added up */
    struct spectrogram options;
};

/* A column is put together of pieces of at most so many frames, for they have to be in memory. */
#define PIECE (INT64_C(64) << 10)

static const struct gf_option options[] = {
    { .name = "columns", .type = GF_OPTION_INT, .offset = offsetof(struct spectrogram, columns), .by_default = 1024, .least = 1, .most = 100000,
      .text = "stretches of time, each with a spectrum of its own" },
    { .name = "size", .type = GF_OPTION_INT, .offset = offsetof(struct spectrogram, size), .by_default = 2048, .least = GF_SPECTRUM_LEAST,
      .most = GF_SPECTRUM_MOST, .unit = "frames", .text = "of a window, a power of two: more part frequencies better, fewer part times better" },
    { .name = "range", .type = GF_OPTION_NUMBER, .offset = offsetof(struct spectrogram, range), .by_default = 100, .least = 1, .most = 300,
      .key_only = true, .text = "dB that are drawn, from max downwards" },
    { .name = "max", .type = GF_OPTION_DECIBEL, .offset = offsetof(struct spectrogram, most), .least = -200, .most = 100, .key_only = true,
      .unit = "dB", .text = "the level that is white, and all above; 0 is a sine of full scale" },
    { .name = "axis", .type = GF_OPTION_CHOICE, .offset = offsetof(struct spectrogram, axis), .choices = axes, .by_default = LINEAR,
      .key_only = true, .text = "of frequencies; log: octaves are equally high, from 20 Hz on" },
    GF_DRAWING_OPTIONS(struct spectrogram),
    { .name = NULL }
};

static int report(const void *config, const struct gf_measured *m, struct gf_build *build, struct gf_table *table, struct gf_error *err)
{
    const struct report_context *b = config;
    const int64_t cells = b->spectrum.size / 2 + 1, count = m->blocks * m->channels * cells;
    const char *const *names = gf_channel_names(&b->in, build);
    float *course = m->records;          /* powers become decibels where they stand */

    if (names == NULL)
        return gf_fail(err, GF_FAILED, "spectrogram: not enough memory");
    for (int64_t i = 0; i < count; i++) {
        const bool end = i % cells == 0 || i % cells == cells - 1;           /* these have no twin at the other side of 0 Hz */
        const float power = course[i] / (float)b->pieces;

        course[i] = power > 1e-30f ? 10 * log10f(power / (end ? 4 : 1)) : -300;              /* NaN is silence, too */
    }
    *table = (struct gf_table) { .channels = m->channels, .channel_names = names, .high = b->in.rate / 2.0, .samples = b->in.units,
                                 .columns = m->blocks, .cells = (int)cells, .timeline = course, .window = b->spectrum.size,
                                 .floor_db = b->options.most - b->options.range, .top_db = b->options.most,
                                 .by_octaves = b->options.axis == LOG, .seconds = (double)(m->blocks * b->pieces * b->spectrum.stretch) / b->in.rate };
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
        return gf_fail(err, GF_FAILED, "spectrogram: not enough memory");
    if ((s->size & (s->size - 1)) != 0)
        return gf_fail(err, GF_MISUSED, "spectrogram: size is %lld, but takes a power of two, 1024 or 2048 for example", (long long)s->size);
    if (in->units <= 0)
        return gf_fail(err, GF_FAILED, "spectrogram: there is nothing to draw, for no sound comes in");
    b->in = *in;
    b->options = *s;
    stretch = (in->units + s->columns - 1) / s->columns;
    collect.joined = b->pieces = (stretch + PIECE - 1) / PIECE;
    b->spectrum = (struct gf_spectrum) { .stretch = (stretch + b->pieces - 1) / b->pieces, .size = (int)s->size };
    b->spectrum.windows = (int)((2 * b->spectrum.stretch + s->size - 1) / s->size);
    b->spectrum.table = gf_build_alloc_table(build, gf_spectrum_entries(b->spectrum.size), &table);
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
    .ends = GF_ENDS_DRAWING,
    .summary = "which frequencies sound when, as a drawing",
    .text = "Ends the chain. The sound is cut into columns; each is the mean power of Hann windows that overlap by half or more, so nothing is "
            "left out, however long the recording. 0 dB is a sine of full scale. Drawn as PNG (also where nothing tells what is wanted) "
            "or SVG, with time, frequency and a scale of colours; as TSV, CSV or JSON the numbers, in dB. What comes "
            "on a pipe is read to its end first.\n\n"
            "With axis=log low frequencies have more room, as they have to the ear; larger windows part them: size 8192. max= and range= "
            "say which levels the colours stand for. A drawing is 1212 pixels wide, or width= and height= tell; with bare it is that alone, "
            "one channel below the other, a pixel a column where width= is the number of columns. The numbers are the same whatever the "
            "drawing is like.",
    .examples = examples,
    .picture = "voice.wav spectrogram",
    .options = options,
    .config_bytes = sizeof(struct spectrogram),
    .wants_length = true,
    .bind = bind,
};
