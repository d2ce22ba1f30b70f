/* Cases of pieces of edges that hang together. */
#include "bench/bench_call.h"
#include "bench/cases/hysteresis.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "kernels/neighbourhood/hysteresis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NOTHING, WEAK, STRONG };

/* Nothing, weak and strong pixels at random, some of them in long lines; bytes, or a plane of floats. */
static void fill_pieces(const struct gf_block *b, size_t bytes)
{
    const uint32_t dense = 100 + gf_any(600), strong = gf_any(2) ? 3 : 50;

    memset(gf_src_bytes, 0, bytes);
    for (int64_t y = 0; y < gf_span_units(b->span); y++)
        for (int64_t x = 0; x < b->width; x++) {
            const bool line = dense > 500 && (x % 4 == 1 || (x % 4 == 3 && y % 60 == 31));
            const int what = line || gf_any(1000) < dense / (dense > 500 ? 5 : 1) ? gf_any(1000) < strong ? STRONG : WEAK : NOTHING;
            const int64_t i = y * b->pitch_samples + x;

            if (b->planar)
                ((float *)b->data)[i] = what == STRONG ? 1.0f : what == WEAK ? 0.5f : gf_any(9) ? 0.0f : (float)-NAN;
            else
                ((uint8_t *)b->data)[i] = (uint8_t)(what == STRONG ? 255 : what == WEAK ? 1 + gf_any(254) : 0);
        }
}

static int what_is(const struct gf_io *io, int64_t x, int64_t y)
{
    const double v = gf_get(&io->src, 0, x, y);

    return v >= 1 ? STRONG : v > 0 ? WEAK : NOTHING;
}

/* Spreads what stands at each pixel, the larger one winning, over its piece, again and again until nothing changes. */
static void spread(const struct gf_io *io, int64_t first, int64_t end, uint32_t *value, bool least)
{
    const int64_t w = io->src.width;

    for (bool changed = true; changed;) {
        changed = false;
        for (int64_t k = 0; k < (end - first) * w * 9; k++) {
            const int64_t i = k / 9, x = i % w + k % 3 - 1, y = i / w + k / 3 % 3 - 1, j = y * w + x;

            if (x < 0 || x >= w || y < 0 || y >= end - first || !what_is(io, i % w, first + i / w) || !what_is(io, x, first + y))
                continue;
            if (least ? value[j] < value[i] : value[j] > value[i])
                value[i] = value[j], changed = true;
        }
    }
}

static uint32_t values[3][1 << 14];      /* of the pixels of a band */

/* Finds for the band that begins at unit `u` whether each pixel's piece is strong. */
static void find_strong(const struct gf_io *io, int64_t u, int64_t end, const float *table)
{
    const int64_t w = io->src.width, words = gf_hysteresis_words(w);

    for (int64_t i = 0; i < (end - u) * w; i++) {
        const int64_t x = i % w, y = u + i / w;

        values[0][i] = what_is(io, x, y) == STRONG;
        for (int last = 0; table != NULL && last < 2 && what_is(io, x, y); last++) {
            uint32_t bits;

            memcpy(&bits, &table[u / GF_HYSTERESIS_ROWS * 2 * words + last * words + x / 32], sizeof bits);
            if (y == (last ? end - 1 : u) && (bits >> x % 32 & 1u))
                values[0][i] = 1;
        }
    }
    spread(io, u, end, values[0], false);
}

static int64_t band_end(int64_t u, int64_t units)
{
    return u + GF_HYSTERESIS_ROWS < units ? u + GF_HYSTERESIS_ROWS : units;
}

static void check_connected(const struct gf_trial *t, const struct gf_hysteresis *c)
{
    const struct gf_span out = t->io.dst.span;

    for (int64_t u = out.start / GF_HYSTERESIS_ROWS * GF_HYSTERESIS_ROWS; u < out.end; u += GF_HYSTERESIS_ROWS) {
        find_strong(&t->io, u, band_end(u, t->units), gf_tables + c->table);
        for (int64_t y = u; y < band_end(u, t->units); y++)
            for (int64_t x = 0; x < t->width; x++) {
                const double wanted = values[0][(y - u) * t->width + x];

                if (y >= out.start && y < out.end && !(fabs(gf_get(&t->io.dst, 0, x, y) - wanted) < 1e-9))
                    gf_complain("pieces", &gf_op_hysteresis, &t->io, 0, x, y, gf_get(&t->io.dst, 0, x, y), wanted);
            }
    }
}

/* Words of each band: of a piece they tell its first place, and of no other one. */
static void check_seams(const struct gf_trial *t, const uint32_t *word)
{
    const int64_t w = t->width, start = t->io.dst.span.start;

    for (int64_t u = start; u < t->io.dst.span.end; u += GF_HYSTERESIS_ROWS, word += 2 * w) {
        const int64_t end = band_end(u, t->io.dst.span.end);

        find_strong(&t->io, u, end, NULL);
        for (int64_t i = 0; i < (end - u) * w; i++)
            values[1][i] = i < w ? (uint32_t)i : i / w == end - u - 1 ? (uint32_t)(w + i % w) : UINT32_MAX;
        spread(&t->io, u, end, values[1], true);
        for (int64_t k = 0; k < 2 * w; k++) {
            const int64_t y = k < w ? u : end - 1, i = (y - u) * w + k % w;
            const uint32_t wanted = what_is(&t->io, k % w, y) ? 2 * (1 + values[1][i]) + values[0][i] : 0;

            if (word[k] != wanted)
                gf_complain("seams", &gf_op_seams, &t->io, 0, k % w, y, word[k], wanted);
        }
    }
}

static void start_pieces(struct gf_trial *t, const struct gf_form *f)
{
    f = f->planar || gf_any(2) ? &gf_forms[12] : &gf_forms[0];
    gf_start_trial(t, f, false);
    t->load.count = t->store.count = 0;
    t->io.load = t->io.store = NULL;
    if (gf_any(2))
        t->width = 1 + gf_any(gf_any(3) ? 100 : 250), t->units = t->io.src_units = 1 + gf_any(200);
}

static void try_hysteresis(const struct gf_form *f, bool on_gpu)
{
    struct gf_trial t;
    struct gf_span out, in;
    struct gf_hysteresis c;
    size_t src_size, dst_size;

    start_pieces(&t, f);
    c = (struct gf_hysteresis) { .width = t.width, .table = gf_any(1000) };
    out = gf_part_of(t.units);
    in.start = out.start / GF_HYSTERESIS_ROWS * GF_HYSTERESIS_ROWS;
    in.end = gf_hysteresis_bands(out.end) * GF_HYSTERESIS_ROWS < t.units ? gf_hysteresis_bands(out.end) * GF_HYSTERESIS_ROWS : t.units;
    t.io.src = gf_block_of(t.form, 1, gf_src_bytes, t.width, in);
    t.io.dst = gf_block_of(gf_any(2) ? &gf_forms[0] : &gf_forms[12], 1, gf_cpu_bytes, t.width, out);
    src_size = gf_block_bytes(&t.io.src), dst_size = gf_block_bytes(&t.io.dst);
    fill_pieces(&t.io.src, src_size);
    gf_try_call(on_gpu, &gf_op_hysteresis, &t.io, &c, src_size, dst_size, -1);
    if (!on_gpu && gf_trouble[0] == '\0')
        check_connected(&t, &c);
}

static void try_seams(const struct gf_form *f, bool on_gpu)
{
    struct gf_trial t;
    struct gf_hysteresis c;
    int64_t first, end;
    size_t src_size;

    start_pieces(&t, f);
    c = (struct gf_hysteresis) { .width = t.width };
    first = gf_any((uint32_t)gf_hysteresis_bands(t.units)) * GF_HYSTERESIS_ROWS;
    end = gf_any(2) ? t.units : band_end(first, t.units);
    t.io.src = gf_block_of(t.form, 1, gf_src_bytes, t.width, (struct gf_span) { first, end });
    src_size = gf_block_bytes(&t.io.src);
    fill_pieces(&t.io.src, src_size);
    t.io.dst = t.io.src;
    t.io.dst.data = gf_cpu_bytes;
    gf_try_call(on_gpu, &gf_op_seams, &t.io, &c, src_size, (size_t)(gf_hysteresis_bands(end - first) * 2 * t.width) * sizeof(uint32_t), -1);
    if (!on_gpu && gf_trouble[0] == '\0')
        check_seams(&t, (const uint32_t *)(const void *)gf_cpu_bytes);
}

static void set_seams(struct gf_bench_call *m)
{
    gf_bench_block_type(&m->src, GF_F32, 1, true);
    gf_bench_call_gray(m);
    *(struct gf_hysteresis *)m->params = (struct gf_hysteresis) { .width = m->src.width };
    m->dst_bytes = (size_t)(gf_hysteresis_bands(m->src_units) * 2 * m->src.width) * sizeof(uint32_t);
}

/* Nothing reaches another band. */
static void set_hysteresis(struct gf_bench_call *m)
{
    gf_bench_call_gray(m);
    *(struct gf_hysteresis *)m->params = (struct gf_hysteresis) { .width = m->src.width, .table = m->table_count };
    (void)gf_bench_call_tables(m, gf_hysteresis_bands(m->src_units) * gf_hysteresis_entries(m->src.width));
}

static const struct gf_bench_case joined[] = {
    { .name = "joined", .forms = "plane", .set = set_hysteresis },
};

const struct gf_bench_case gf_hysteresis_after_nonmax = { .name = "seams of thin edges", .forms = "plane", .set = set_seams, .aside = true,
                                                          .then = joined, .then_group = &gf_bench_group_hysteresis };

static const struct gf_bench_case seams_cases[] = {
    { .name = "seams", .what = "connected pieces in bands of 64 rows, floats", .forms = "plane", .set = set_seams },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_seams = { .name = "seams", .op = &gf_op_seams, .cases = seams_cases, .try = try_seams };

static const struct gf_bench_case cases[] = {
    { .name = "connect", .what = "those of them that are strong, bytes", .forms = "u8", .set = set_hysteresis },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_hysteresis = { .name = "connect", .op = &gf_op_hysteresis, .cases = cases, .slack = -1,
                                                          .try = try_hysteresis };
