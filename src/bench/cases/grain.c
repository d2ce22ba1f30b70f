/* Cases of grain, which noise is estimated from. */
#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "kernels/statistics/grain.h"

#include <math.h>

/* Returns how many of the limits 2^first·(1 + i / parts), with i from `from` on, are not above v; at most `most`. */
static int slow_step(double v, int first, int from, int parts, int most)
{
    int n = 0;

    while (n < most && v >= exp2(first + (from + n) / parts) * (1 + (from + n) % parts / (double)parts))
        n++;
    return n;
}

/* Returns the weighted sum of three values; those of weight 0 may be infinite. */
static float weigh(const int *weight, float first, float middle, float last)
{
    const float outer = (float)weight[0] * first + (float)weight[2] * last;

    return weight[1] != 0 ? outer + (float)weight[1] * middle : outer;
}

/* Returns the sum of nine pixels with weights that are a product of those of columns and of rows. */
static float slow_sum(float (*pixel)[3], const int *across, const int *down)
{
    float part[3];

    for (int i = 0; i < 3; i++)
        part[i] = weigh(down, pixel[i][0], pixel[i][1], pixel[i][2]);
    return weigh(across, part[0], part[1], part[2]);
}

static const int all[] = { 1, 1, 1 }, slope[] = { -1, 0, 1 }, bend[] = { 1, -2, 1 };

static float slow_rough(float (*pixel)[3])
{
    const float x = slow_sum(pixel, slope, all), y = slow_sum(pixel, all, slope), xx = slow_sum(pixel, bend, all);
    const float yy = slow_sum(pixel, all, bend), xy = slow_sum(pixel, slope, slope);
    const float xxy = slow_sum(pixel, bend, slope), xyy = slow_sum(pixel, slope, bend);

    return ((6 * (x * x + y * y) + 2 * (xx * xx + yy * yy)) + 9 * (xy * xy)) + 3 * (xxy * xxy + xyy * xyy);
}

/* Returns the bin for the pixels around one; GF_GRAIN_BINS if they do not count. */
static int slow_bin(float (*pixel)[3], float rough)
{
    const float sum = slow_sum(pixel, all, all), room = fminf(fabsf(sum), fabsf(9 - sum));
    const float deviation = fabsf(slow_sum(pixel, bend, bend) * (1 / 6.0f));
    const int level = (sum >= 2.25f) + (sum >= 4.5f) + (sum >= 6.75f);
    const int degree = slow_step(rough * (1 / 756.0f), 2 * GF_GRAIN_LEAST, 0, 1, GF_GRAIN_DEGREES - 1);
    const int half = degree + 1, first = GF_GRAIN_LEAST + GF_GRAIN_LOWEST + half / 2 - 1;
    const int ratio = slow_step(deviation, first, half % 2 * GF_GRAIN_OCTAVE / 2, GF_GRAIN_OCTAVE, GF_GRAIN_RATIOS);

    if (!(room * room - 0.15f * rough >= 0))
        return GF_GRAIN_BINS;
    return (level * GF_GRAIN_DEGREES + degree) * GF_GRAIN_RATIOS + (ratio > 0 ? ratio - 1 : 0);
}

static void slow_pixels(const struct gf_check *check, const struct gf_io *io, int c, int64_t x, int64_t y,
                        float (*pixel)[3])
{
    double v[GF_SLOW_CHANNELS];

    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            gf_slow_load(check, io, x + i - 1, y + j - 1, v);
            pixel[i][j] = (float)v[c];
        }
}

static int slow_pixel(const struct gf_check *check, const struct gf_io *io, int c, int64_t x, int64_t y)
{
    const int64_t left = x - GF_GRAIN_APART, right = x + GF_GRAIN_APART, last = io->src.width - 2;
    float pixel[3][3], rough;

    slow_pixels(check, io, c, left > 1 ? left : 1, y, pixel);
    rough = slow_rough(pixel);
    slow_pixels(check, io, c, right < last ? right : last, y, pixel);
    rough += slow_rough(pixel);
    slow_pixels(check, io, c, x, y, pixel);
    return slow_bin(pixel, rough + slow_rough(pixel));
}

static void compare_grain(struct gf_check *check, const struct gf_io *io, const void *params, double slack)
{
    const struct gf_grain *g = params;
    const uint64_t *got = io->dst.data;

    if (slack < 0)
        return;
    for (int64_t u = io->dst.span.start; u < io->dst.span.end; u += GF_GRAIN_ROWS)
        for (int c = 0; c < g->channels; c++, got += GF_GRAIN_BINS) {
            const int64_t end = u + GF_GRAIN_ROWS < io->dst.span.end ? u + GF_GRAIN_ROWS : io->dst.span.end;
            uint64_t wanted[GF_GRAIN_BINS + 1] = { 0 };

            for (int64_t y = u + 1; y < end - 1; y++)
                for (int64_t x = 1; x < io->src.width - 1; x++)
                    wanted[slow_pixel(check, io, c, x, y)]++;
            for (int i = 0; i < GF_GRAIN_BINS; i++) {
                check->compared++;
                if (got[i] != wanted[i])
                    gf_check_report(check, "grain", &gf_op_grain, io, c, i, u, (double)got[i], (double)wanted[i]);
            }
        }
}

static void try_grain(struct gf_check *check, const struct gf_form *f)
{
    struct gf_grain g;
    struct gf_trial t;
    struct gf_span out;
    int64_t bands;
    size_t src_size;

    gf_draw_trial(check, &t, f, f->channels <= 4);
    t.io.store = NULL;
    if (gf_draw(check, 2)) {
        t.width = 1 + gf_draw(check, 300);
        t.units = t.io.src_units = 1 + gf_draw(check, 200);
    }
    g.channels = t.load.out > 4 ? 4 : t.load.out;
    bands = gf_ceil_div(t.units, GF_GRAIN_ROWS);
    out.start = gf_draw(check, (uint32_t)bands) * GF_GRAIN_ROWS;
    out.end = gf_draw(check, 2) || out.start + GF_GRAIN_ROWS > t.units ? t.units : out.start + GF_GRAIN_ROWS;
    t.io.src = gf_draw_block(check, t.form, t.form->channels, check->src, t.width, out);
    t.io.dst = t.io.src;
    t.io.dst.data = check->cpu;
    src_size = gf_check_block_bytes(&t.io.src);
    gf_draw_samples(check, &t.io.src, src_size, t.fill);
    bands = gf_ceil_div(gf_span_units(out), GF_GRAIN_ROWS);
    gf_check_call(check, &gf_op_grain, &t.io, &g, src_size,
                  (size_t)(bands * g.channels) * GF_GRAIN_BINS * sizeof(uint64_t),
                  t.load.count == 0 ? 0 : -1);
}

static void set_grain(struct gf_bench_call *m)
{
    *(struct gf_grain *)m->params = (struct gf_grain) { .channels = m->src.channels };
    m->dst_bytes = (size_t)(gf_ceil_div(m->src_units, GF_GRAIN_ROWS) * m->src.channels) * GF_GRAIN_BINS
                 * sizeof(uint64_t);
}

static const struct gf_bench_case cases[] = {
    { .name = "grain", .what = "grain of an image, bytes", .forms = "u8, u8 rgb, f32", .set = set_grain },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_grain = { .name = "grain", .op = &gf_op_grain, .cases = cases,
                                                     .compare = compare_grain, .try = try_grain };
