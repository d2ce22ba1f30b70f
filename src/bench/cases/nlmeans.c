/* Cases of non-local means. */
#include "bench/bench_call.h"
#include "bench/cases/window.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "kernels/neighbourhood/nlmeans.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Squared differences of the channels of a group, in integers. */
struct slow_pixel {
    int64_t u[GF_NLMEANS_CHANNELS];
};

/* Loads a pixel of an image of the window, or of the source if `image` is that of now. */
static struct slow_pixel load_integers(const struct gf_check *check, const struct gf_io *io, const struct gf_nlmeans *m,
                                       int first, float steps, int64_t x, int64_t y, int image)
{
    struct gf_io from = *io;
    double v[GF_SLOW_CHANNELS];
    struct slow_pixel p;

    if (image != io->frame_now)
        from.src = io->frame[image];
    gf_slow_load(check, &from, gf_border_index(m->border, x, io->src.width),
                 gf_border_index(m->border, y, io->src_units), v);
    for (int c = 0; c < m->together; c++) {
        const float at = ((float)v[first + c] - 0.5f) * steps;

        p.u[c] = isnan(at) || at < -GF_NLMEANS_LARGEST ? -GF_NLMEANS_LARGEST : at > GF_NLMEANS_LARGEST
                     ? GF_NLMEANS_LARGEST : (int64_t)nearbyintf(at);
    }
    return p;
}

static int64_t slow_difference(int64_t from, int64_t to, int bits)
{
    const int64_t most = 32767 >> bits, d = to - from;

    return (d < -most ? -most : d > most ? most : d) * (1 << bits);
}

/* An offset to a pixel of an image. */
struct slow_offset {
    int x, y, image;
};

/* Returns S of the contract for the pixel (x, y) and that at an offset. */
static int64_t slow_distance(const struct gf_check *check, const struct gf_io *io, const struct gf_nlmeans *m,
                             int first, const struct gf_nlmeans_scale *scale, int64_t x, int64_t y,
                             struct slow_offset o)
{
    int64_t sum = 0;

    for (int b = -m->patch; b <= m->patch; b++)
        for (int a = -m->patch; a <= m->patch; a++) {
            const struct slow_pixel p = load_integers(check, io, m, first, scale->steps, x + a, y + b, io->frame_now);
            const struct slow_pixel q = load_integers(check, io, m, first, scale->steps, x + a + o.x, y + b + o.y,
                                                      o.image);

            for (int c = 0; c < m->together; c++) {
                const int64_t e = slow_difference(p.u[c], q.u[c], (int)scale->bits);

                sum += e * e / 65536 * (m->patch > 1 && abs(a) <= 1 && abs(b) <= 1 ? 1 + GF_NLMEANS_INNER : 1);
            }
        }
    return sum;
}

static int64_t slow_weight(int64_t left, int64_t fall)
{
    int64_t w = (left < 0 ? 0 : left < fall ? left : fall) * (65535 / fall);

    for (int i = 0; i < 3; i++)
        w = w * w / 65536;
    return w / 32;
}

/* Adds the pixel at an offset to the sums of a group of channels. */
static void slow_add(const struct gf_check *check, const struct gf_io *io, const struct gf_nlmeans *m, int first,
                     const struct gf_nlmeans_scale *scale, int64_t x, int64_t y, struct slow_offset o,
                     int64_t sum[GF_NLMEANS_CHANNELS + 1])
{
    const struct slow_pixel p = load_integers(check, io, m, first, scale->steps, x, y, io->frame_now);
    const struct slow_pixel q = load_integers(check, io, m, first, scale->steps, x + o.x, y + o.y, o.image);
    const int sign = o.image != io->frame_now || o.y > 0 || (o.y == 0 && o.x > 0) ? 1 : -1;
    const int64_t distance = slow_distance(check, io, m, first, scale, x, y, o);
    const int64_t w = slow_weight(GF_NLMEANS_END - distance, (int64_t)scale->fall);

    sum[GF_NLMEANS_CHANNELS] += w;
    for (int c = 0; c < m->together; c++) {
        const double part = (double)(w * slow_difference(p.u[c], q.u[c], (int)scale->bits)) / 32768;

        sum[c] += sign * (int64_t)floor(sign * part + 0.5);
    }
}

/* Computes a group of channels of the result at (x, y). */
static void slow_group(const struct gf_check *check, const struct gf_io *io, const struct gf_nlmeans *m, int first,
                       const struct gf_nlmeans_scale *scale, int64_t x, int64_t y, double *out)
{
    const int64_t fall = (int64_t)scale->fall;
    int64_t sum[GF_NLMEANS_CHANNELS + 1] = { [GF_NLMEANS_CHANNELS] = slow_weight(fall, fall) };

    for (int image = 0; image < (io->frames > 0 ? io->frames : 1); image++)
        for (int j = -m->search; j <= m->search; j++)
            for (int i = -m->search; i <= m->search; i++)
                if (image != io->frame_now || i != 0 || j != 0)
                    slow_add(check, io, m, first, scale, x, y, (struct slow_offset) { i, j, image }, sum);
    for (int c = 0; c < m->together; c++)
        out[first + c] += (double)sum[c] / (double)sum[GF_NLMEANS_CHANNELS] * (double)scale->value;
}

static void slow_nlmeans(const struct gf_check *check, const struct gf_io *io, const void *params, int64_t x, int64_t y,
                         double *out)
{
    const struct gf_nlmeans *m = params;
    const struct gf_nlmeans_scale *scale = (const void *)(check->tables + m->scales_at);

    gf_slow_load(check, io, x, y, out);
    for (int c = 0; c < m->channels; c += m->together)
        slow_group(check, io, m, c, scale + c / m->together, x, y, out);
}

#define SIGMAS 4
#define MOST_GROUPS 4

/* Returns the place of scales in the tables of random calls. */
static int64_t scales_at(int patch, int together, int sigma)
{
    const int which = (patch * GF_NLMEANS_CHANNELS + together - 1) * SIGMAS + sigma;

    return GF_CHECK_TABLES - GF_CHECK_SCALES + which * MOST_GROUPS * GF_NLMEANS_SCALES;
}

static void make_scales(struct gf_check *check)
{
    static const double sigmas[SIGMAS] = { 0.002, 0.02, 0.1, 0.4 };

    for (int patch = 0; patch <= GF_NLMEANS_MAX_PATCH; patch++)
        for (int together = 1; together <= GF_NLMEANS_CHANNELS; together++)
            for (int s = 0; s < SIGMAS; s++)
                for (int group = 0; group < MOST_GROUPS; group++) {
                    struct gf_nlmeans m = { .patch = patch, .together = together };
                    const double sigma = sigmas[(s + group) % SIGMAS];

                    ((struct gf_nlmeans_scale *)(void *)(check->tables + scales_at(patch, together, s)))[group]
                        = gf_nlmeans_scale(&m, sigma);
                }
}

static void try_nlmeans(struct gf_check *check, const struct gf_form *f)
{
    static const int searches[] = { 1, 1, 2, 3, 4, 7 };
    struct gf_nlmeans m = { .patch = (int)gf_draw(check, GF_NLMEANS_MAX_PATCH + 1),
                            .search = searches[gf_draw(check, 6)], .border = (enum gf_border)gf_draw(check, 5) };
    const int frames = gf_draw(check, 3) == 0 ? 1 + (int)gf_draw(check, 4) : 0;
    struct gf_block blocks[GF_MOST_FRAMES];
    struct gf_trial t;
    struct gf_span out, in;
    int64_t work, around;

    if (f->channels > 4)
        f = &gf_forms[1];
    gf_draw_trial(check, &t, f, frames == 0);
    while (t.load.out > 4)
        gf_draw_trial(check, &t, f, false);
    t.smooth = t.smooth && t.load.count == 0;
    m.channels = t.load.out - (t.load.out > 1 && gf_draw(check, 2));
    m.together = gf_draw(check, 3) > 0 ? m.channels : 1;
    out = gf_draw_span(check, t.units);
    work = t.width * m.channels * (1 + frames) * (2 * m.patch + 1) * (2 * m.patch + 1);
    while (m.search > 1 && work * (2 * m.search + 1) * (2 * m.search + 1) > 1000000)
        m.search--;
    if (work * gf_span_units(out) * (2 * m.search + 1) * (2 * m.search + 1) > 2000000)
        out.end = out.start + 1;
    m.scales_at = scales_at(m.patch, m.together, (int)gf_draw(check, SIGMAS));
    around = m.search + m.patch;
    in = m.border == GF_WRAP ? (struct gf_span) { 0, t.units } : gf_check_grow(out, around, around, t.units);
    if (frames > 0)
        gf_window_draw(check, &t, frames, in, blocks);
    gf_check_trial(check, &t, &gf_op_nlmeans, &m, in, out, t.width, gf_draw_form(check, f), 3e-6);
    gf_window_forget(check, &t);
}

static void set_nlmeans(struct gf_bench_call *m)
{
    struct gf_nlmeans *n = m->params;
    float *scales = gf_bench_call_tables(m, GF_NLMEANS_SCALES);

    *n = (struct gf_nlmeans) { .patch = m->number / 100, .search = m->number % 100, .channels = m->src.channels,
                               .together = m->src.channels, .border = GF_CLAMP };
    if (scales != NULL)
        *(struct gf_nlmeans_scale *)(void *)scales = gf_nlmeans_scale(n, 0.1);
}

static const struct gf_bench_case cases[] = {
    { .name = "nlmeans 7x7 in 21x21", .what = "non-local means, patches of 7x7 in 21x21, bytes",
      .forms = "u8, u8 rgb, f32", .set = set_nlmeans, .number = 310, .part = 8, .stages = "nlmeans:0.1,patch=3",
      .opencv = "cv2.fastNlMeansDenoising(a, b, 25, 7, 21)" },
    { .name = "nlmeans 5x5 in 15x15", .forms = "u8, u8 rgb", .set = set_nlmeans, .number = 207, .part = 8,
      .stages = "nlmeans:0.1,search=7", .opencv = "cv2.fastNlMeansDenoising(a, b, 25, 5, 15)" },
    { .name = "nlmeans 3x3 in 11x11", .forms = "u8, u16", .set = set_nlmeans, .number = 105, .part = 8 },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_nlmeans = { .name = "nlmeans", .cancels = true, .op = &gf_op_nlmeans,
                                                       .cases = cases, .slow = slow_nlmeans, .make_pools = make_scales,
                                                       .try = try_nlmeans };
