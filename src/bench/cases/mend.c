/* Cases of clicks that are mended. */
#include "bench/bench_call.h"
#include "bench/cases/audio.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "kernels/sound/mend.h"

#include <math.h>

static double sample(const struct gf_io *io, int c, int64_t n)
{
    return gf_slow_sample(&io->src, c, 0, n);
}

static double bend(const struct gf_io *io, int c, int64_t n)
{
    const float both = n >= 1 && n < io->src_units - 1 ? (float)sample(io, c, n - 1) + (float)sample(io, c, n + 1) : 0;

    return n >= 1 && n < io->src_units - 1 ? floor(fmin(256, fabsf((float)sample(io, c, n) - 0.5f * both)) * 0x1p30)
           : 0;
}

static bool is_sharp(const struct gf_io *io, const struct gf_mend *m, int c, int64_t n)
{
    double sum = 0;

    for (int64_t k = n - m->around; k <= n + m->around; k++)
        sum += bend(io, c, k);
    return bend(io, c, n) * (2 * m->around + 1) > (double)m->times * sum;
}

static bool is_bad(const struct gf_io *io, const struct gf_mend *m, int c, int64_t n)
{
    for (int64_t k = n - m->grow; k <= n + m->grow; k++)
        if (is_sharp(io, m, c, k))
            return true;
    return false;
}

/* Returns frame n of the curve that replaces frames [start, end). */
static double curve(const struct gf_io *io, int c, int64_t start, int64_t end, int64_t n)
{
    const double a = sample(io, c, start - 1), b = sample(io, c, end), length = (double)(end - start + 1);
    const double t = (double)(n - start + 1) / length;
    const double p = (a - sample(io, c, start - 1 - GF_MEND_SLOPE)) / GF_MEND_SLOPE * length;
    const double q = (sample(io, c, end + GF_MEND_SLOPE) - b) / GF_MEND_SLOPE * length;

    return a + p * t + (3 * (b - a) - 2 * p - q) * t * t + (2 * (a - b) + p + q) * t * t * t;
}

static void slow_mend(const struct gf_check *check, const struct gf_io *io, const void *params, int64_t x, int64_t n,
                      double *out)
{
    const struct gf_mend *m = params;

    (void)check, (void)x;
    for (int c = 0; c < io->src.channels; c++) {
        int64_t start = n, end = n;

        out[c] = sample(io, c, n);
        if (!is_bad(io, m, c, n))
            continue;
        while (n - start <= m->longest && is_bad(io, m, c, start - 1))
            start--;
        while (end - n <= m->longest && is_bad(io, m, c, end))
            end++;
        if (end - start <= m->longest && start - 1 - GF_MEND_SLOPE >= 0 && end + GF_MEND_SLOPE < io->src_units)
            out[c] = curve(io, c, start, end, n);
    }
}

static void try_mend(struct gf_check *check, const struct gf_form *form)
{
    struct gf_mend m = { .around = 1 + (int)gf_draw(check, 30), .grow = (int)gf_draw(check, 4),
                         .longest = 1 + (int)gf_draw(check, 20), .times = 1 + 3 * (float)gf_draw_unit(check) };
    struct gf_trial t;
    struct gf_span out;

    (void)form;
    gf_audio_draw_planes(check, &t, 0);
    t.fill = t.fill == GF_FILL_WILD ? GF_FILL_NOISE : t.fill;
    t.units = t.io.src_units = 1 + gf_draw(check, 200);
    out = gf_draw_span(check, t.units);
    gf_check_trial(check, &t, &gf_op_mend, &m, gf_check_grow(out, gf_mend_halo(&m), gf_mend_halo(&m), t.units), out, 1,
                   t.form, 1e-5);
}

static void set_mend(struct gf_bench_call *m)
{
    *(struct gf_mend *)m->params = (struct gf_mend) { .around = 480, .grow = 5, .longest = 48, .times = 14 };
}

static const struct gf_bench_case cases[] = {
    { .name = "mend", .what = "clicks of up to 1 ms, floats", .forms = "plane, planes", .one_form = true, .set = set_mend },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_mend = { .name = "mend", .op = &gf_op_mend, .cases = cases, .sound = true,
    .slow = slow_mend, .try = try_mend };
