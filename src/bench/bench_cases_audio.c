/* A call of every operation that is for sound: a channel of floats. */
#include "bench/bench_cases.h"
#include "bench/bench_params.h"

#include <stdlib.h>

#define RATE 48000

static void set_recur(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    (void)c;
    m->params->recur.sections = 1;
    m->params->recur.section[0] = (struct gf_recur_section) { 0.25, 0.5, 0.25, -0.5, 0.25 };
    m->carry_bytes = (size_t)gf_recur_carry_bytes(&m->params->recur, m->src.channels);
}

static void set_resample(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    struct gf_resample *r = &m->params->resample;
    float *rows;

    (void)c;
    *r = (struct gf_resample) { .times = 160, .per = 147, .table = m->table_count };      /* 48 to 44.1 kHz */
    gf_resample_choose(r);
    rows = gf_bench_call_tables(m, gf_resample_rows(r) * r->taps);
    if (rows != NULL)
        gf_resample_fill(r, rows);
    m->dst_bytes = gf_bench_block_shape(&m->dst, 1, gf_ceil_div(m->src_units * r->per, r->times));
}

static void set_loudness(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    struct gf_loudness *l = &m->params->loudness;
    float *ring;

    (void)c;
    gf_loudness_make(l, RATE, m->src.channels);
    l->ring = m->table_count;
    ring = gf_bench_call_tables(m, GF_LOUDNESS_RING(l));
    if (ring != NULL)
        gf_loudness_ring(l, ring);
    m->dst_bytes = (size_t)(gf_ceil_div(m->src_units, l->block_units) * m->src.channels)
                 * sizeof(struct gf_loudness_record);
}

/* Two channels become one another. */
static void set_select(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    (void)c;
    m->src.channels = m->dst.channels = 2;
    m->src_units = m->src_units / 2 > 0 ? m->src_units / 2 : 1;
    m->src_bytes = gf_bench_block_shape(&m->src, 1, m->src_units);
    m->dst_bytes = gf_bench_block_shape(&m->dst, 1, m->src_units);
    m->params->select.from[0] = 1;
}

static void set_shift(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    (void)c;
    m->params->shift = (struct gf_shift) { .first = m->src_units - 1, .backwards = true };
}

static void set_echo(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    (void)c;
    m->params->echo = (struct gf_echo) { .count = 1, .delay = { RATE / 10 }, .decay = { 0.5f } };
}

static void set_fade(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    (void)c;
    m->params->fade = (struct gf_fade) { .in = RATE, .out = RATE, .shape = GF_FADE_HALF };
}

static void set_limit(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    (void)c;
    m->params->limit = (struct gf_limit) { .threshold = 0.5f, .reach = 240, .first = 120, .second = 120 };
}

static void set_fftconv(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    struct gf_fftconv *f = &m->params->fftconv;
    const int64_t taps = 2 * GF_FFTCONV_DIRECT_TAPS;
    float *h, *spectra;

    (void)c;
    gf_fftconv_shape(f, taps, 0);
    f->mask_channels = 1;
    h = gf_bench_call_masks(m, taps);
    for (int64_t i = 0; h != NULL && i < taps; i++)
        h[i] = 1.0f / (float)taps;
    f->spectra_at = m->mask_count;
    spectra = gf_bench_call_masks(m, gf_fftconv_spectra_samples(f));
    m->failed = m->failed || spectra == NULL || gf_fftconv_fill(f, m->masks, spectra) != 0;
}

static void set_spectrum(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    struct gf_spectrum *s = &m->params->spectrum;
    float *table;

    (void)c;
    *s = (struct gf_spectrum) { .stretch = 1024, .size = 2048, .windows = 1 };
    s->table = m->table_count;
    table = gf_bench_call_tables(m, gf_spectrum_entries(s->size));
    if (table != NULL)
        gf_spectrum_fill(s, table);
    m->dst_bytes = gf_bench_block_shape(&m->dst, s->size / 2 + 1, gf_ceil_div(m->src_units, s->stretch));
}

#define SOUND .fill = GF_BENCH_FLOATS, .sound = true

const struct gf_bench_case gf_bench_audio_cases[] = {
    { .name = "recur", .what = "a recursive section, floats", .op = &gf_op_recur, SOUND, .set = set_recur },
    { .name = "resample", .what = "48 to 44.1 kHz, floats", .op = &gf_op_resample, SOUND, .set = set_resample },
    { .name = "loudness", .what = "what is heard of floats", .op = &gf_op_loudness, SOUND, .measures = true, .set = set_loudness },
    { .name = "select", .what = "two channels change places, floats", .op = &gf_op_select, SOUND, .set = set_select },
    { .name = "place", .what = "floats backwards", .op = &gf_op_shift, SOUND, .set = set_shift },
    { .name = "echo", .what = "one echo, floats", .op = &gf_op_echo, SOUND, .set = set_echo },
    { .name = "fade", .what = "a fade at both ends, floats", .op = &gf_op_fade, SOUND, .set = set_fade },
    { .name = "limit", .what = "a limiter 5 ms ahead, floats", .op = &gf_op_limit, SOUND, .set = set_limit },
    { .name = "fftconv", .what = "a filter of 16384 taps, floats", .op = &gf_op_fftconv, SOUND, .set = set_fftconv },
    { .name = "spectrum", .what = "transforms of 2048 frames, half over each other", .op = &gf_op_spectrum, SOUND, .set = set_spectrum },
    { .name = NULL },
};
