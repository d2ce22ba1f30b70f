/* Cases of connected pieces of edges. */
#include "bench/bench_call.h"
#include "bench/cases/hysteresis.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "kernels/neighbourhood/hysteresis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NOTHING, WEAK, STRONG };

/*
 * Fills the source with empty, weak and strong pixels, some of them in long lines, as bytes or as a
 * plane of floats.
 */
static void fill_pieces(struct gf_check *check, const struct gf_block *b, size_t bytes)
{
    const uint32_t dense = 100 + gf_draw(check, 600), strong = gf_draw(check, 2) ? 3 : 50;

    memset(check->src, 0, bytes);
    for (int64_t y = 0; y < gf_span_units(b->span); y++)
        for (int64_t x = 0; x < b->width; x++) {
            const bool line = dense > 500 && (x % 4 == 1 || (x % 4 == 3 && y % 60 == 31));
            const int what = line || gf_draw(check, 1000) < dense / (dense > 500 ? 5 : 1)
                ? gf_draw(check, 1000) < strong ? STRONG : WEAK : NOTHING;
            const int64_t i = y * b->pitch_samples + x;

            if (b->planar)
                ((float *)b->data)[i] = what == STRONG ? 1.0f : what == WEAK ? 0.5f : gf_draw(check, 9) ? 0.0f
                    : (float)-NAN;
            else
                ((uint8_t *)b->data)[i] = (uint8_t)(what == STRONG ? 255 : what == WEAK ? 1 + gf_draw(check, 254) : 0);
        }
}

static int classify(const struct gf_io *io, int64_t x, int64_t y)
{
    const double v = gf_slow_sample(&io->src, 0, x, y);

    return v >= 1 ? STRONG : v > 0 ? WEAK : NOTHING;
}

/* Spreads the largest value of each piece over the piece, or the least, until nothing changes. */
static void spread(const struct gf_io *io, int64_t first, int64_t end, uint32_t *value, bool least)
{
    const int64_t w = io->src.width;

    for (bool changed = true; changed;) {
        changed = false;
        for (int64_t k = 0; k < (end - first) * w * 9; k++) {
            const int64_t i = k / 9, x = i % w + k % 3 - 1, y = i / w + k / 3 % 3 - 1, j = y * w + x;

            if (x < 0 || x >= w || y < 0 || y >= end - first || !classify(io, i % w, first + i / w)
                || !classify(io, x, first + y))
                continue;
            if (least ? value[j] < value[i] : value[j] > value[i])
                value[i] = value[j], changed = true;
        }
    }
}

static uint32_t values[3][1 << 14];      /* values of the pixels of a band */

/* Finds out which pixels of the band at unit `u` belong to a strong piece. */
static void find_strong(const struct gf_io *io, int64_t u, int64_t end, const float *table)
{
    const int64_t w = io->src.width, words = gf_hysteresis_words(w);

    for (int64_t i = 0; i < (end - u) * w; i++) {
        const int64_t x = i % w, y = u + i / w;

        values[0][i] = classify(io, x, y) == STRONG;
        for (int last = 0; table != NULL && last < 2 && classify(io, x, y); last++) {
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

static void compare_connected(struct gf_check *check, const struct gf_io *io, const void *params, double slack)
{
    const struct gf_hysteresis *h = params;
    const struct gf_span out = io->dst.span;

    for (int64_t u = out.start / GF_HYSTERESIS_ROWS * GF_HYSTERESIS_ROWS; u < out.end; u += GF_HYSTERESIS_ROWS) {
        find_strong(io, u, band_end(u, io->src_units), check->tables + h->table);
        for (int64_t y = u; y < band_end(u, io->src_units); y++)
            for (int64_t x = 0; x < io->dst.width && y >= out.start && y < out.end; x++) {
                const double wanted = values[0][(y - u) * io->dst.width + x], got = gf_slow_sample(&io->dst, 0, x, y);

                check->compared++;
                if (!(fabs(got - wanted) <= slack))
                    gf_check_report(check, "pieces", &gf_op_hysteresis, io, 0, x, y, got, wanted);
            }
    }
}

/* Compares the words of each band: the first place of each piece, and whether it is strong. */
static void compare_seams(struct gf_check *check, const struct gf_io *io, const void *params, double slack)
{
    const int64_t w = io->src.width, start = io->dst.span.start;
    const uint32_t *word = io->dst.data;

    (void)params;
    (void)slack;

    for (int64_t u = start; u < io->dst.span.end; u += GF_HYSTERESIS_ROWS, word += 2 * w) {
        const int64_t end = band_end(u, io->dst.span.end);

        find_strong(io, u, end, NULL);
        for (int64_t i = 0; i < (end - u) * w; i++)
            values[1][i] = i < w ? (uint32_t)i : i / w == end - u - 1 ? (uint32_t)(w + i % w) : UINT32_MAX;
        spread(io, u, end, values[1], true);
        for (int64_t k = 0; k < 2 * w; k++) {
            const int64_t y = k < w ? u : end - 1, i = (y - u) * w + k % w;
            const uint32_t wanted = classify(io, k % w, y) ? 2 * (1 + values[1][i]) + values[0][i] : 0;

            check->compared++;
            if (word[k] != wanted)
                gf_check_report(check, "seams", &gf_op_seams, io, 0, k % w, y, word[k], wanted);
        }
    }
}

static void draw_pieces(struct gf_check *check, struct gf_trial *t, const struct gf_form *f)
{
    f = f->planar || gf_draw(check, 2) ? &gf_forms[12] : &gf_forms[0];
    gf_draw_trial(check, t, f, false);
    t->load.count = t->store.count = 0;
    t->io.load = t->io.store = NULL;
    if (gf_draw(check, 2)) {
        t->width = 1 + gf_draw(check, gf_draw(check, 3) ? 100 : 250);
        t->units = t->io.src_units = 1 + gf_draw(check, 200);
    }
}

static void try_hysteresis(struct gf_check *check, const struct gf_form *f)
{
    struct gf_trial t;
    struct gf_span out, in;
    struct gf_hysteresis c;
    size_t src_size, dst_size;

    draw_pieces(check, &t, f);
    c = (struct gf_hysteresis) { .width = t.width, .table = gf_draw(check, 1000) };
    out = gf_draw_span(check, t.units);
    in.start = out.start / GF_HYSTERESIS_ROWS * GF_HYSTERESIS_ROWS;
    in.end = gf_hysteresis_bands(out.end) * GF_HYSTERESIS_ROWS < t.units
        ? gf_hysteresis_bands(out.end) * GF_HYSTERESIS_ROWS : t.units;
    t.io.src = gf_draw_block(check, t.form, 1, check->src, t.width, in);
    t.io.dst = gf_draw_block(check, gf_draw(check, 2) ? &gf_forms[0] : &gf_forms[12], 1, check->cpu, t.width, out);
    src_size = gf_check_block_bytes(&t.io.src), dst_size = gf_check_block_bytes(&t.io.dst);
    fill_pieces(check, &t.io.src, src_size);
    gf_check_call(check, &gf_op_hysteresis, &t.io, &c, src_size, dst_size, 1e-9);
}

static void try_seams(struct gf_check *check, const struct gf_form *f)
{
    struct gf_trial t;
    struct gf_hysteresis c;
    int64_t first, end;
    size_t src_size;

    draw_pieces(check, &t, f);
    c = (struct gf_hysteresis) { .width = t.width };
    first = gf_draw(check, (uint32_t)gf_hysteresis_bands(t.units)) * GF_HYSTERESIS_ROWS;
    end = gf_draw(check, 2) ? t.units : band_end(first, t.units);
    t.io.src = gf_draw_block(check, t.form, 1, check->src, t.width, (struct gf_span) { first, end });
    src_size = gf_check_block_bytes(&t.io.src);
    fill_pieces(check, &t.io.src, src_size);
    t.io.dst = t.io.src;
    t.io.dst.data = check->cpu;
    gf_check_call(check, &gf_op_seams, &t.io, &c, src_size,
                  (size_t)(gf_hysteresis_bands(end - first) * 2 * t.width) * sizeof(uint32_t), 0);
}

static void set_seams(struct gf_bench_call *m)
{
    gf_bench_block_type(&m->src, GF_F32, 1, true);
    gf_bench_call_gray(m);
    *(struct gf_hysteresis *)m->params = (struct gf_hysteresis) { .width = m->src.width };
    m->dst_bytes = (size_t)(gf_hysteresis_bands(m->src_units) * 2 * m->src.width) * sizeof(uint32_t);
}

/* Sets an empty table, so that no piece reaches another band. */
static void set_hysteresis(struct gf_bench_call *m)
{
    gf_bench_call_gray(m);
    *(struct gf_hysteresis *)m->params = (struct gf_hysteresis) { .width = m->src.width, .table = m->table_count };
    (void)gf_bench_call_tables(m, gf_hysteresis_bands(m->src_units) * gf_hysteresis_entries(m->src.width));
}

const struct gf_bench_case gf_hysteresis_seams = { .name = "seams of thin edges", .forms = "plane", .set = set_seams };
const struct gf_bench_case gf_hysteresis_joined = { .name = "joined", .forms = "plane", .set = set_hysteresis };

static const struct gf_bench_case seams_cases[] = {
    { .name = "seams", .what = "connected pieces in bands of 64 rows, floats", .forms = "plane", .set = set_seams },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_seams = { .name = "seams", .op = &gf_op_seams, .cases = seams_cases,
                                                     .compare = compare_seams, .try = try_seams };

static const struct gf_bench_case cases[] = {
    { .name = "connect", .what = "edges connected to strong ones, bytes", .forms = "u8", .set = set_hysteresis },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_hysteresis = { .name = "connect", .op = &gf_op_hysteresis, .cases = cases,
                                                          .compare = compare_connected,
                                                          .try = try_hysteresis };
