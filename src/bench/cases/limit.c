/* Cases of the limiter. */
#include "bench/bench_call.h"
#include "bench/cases/audio.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "kernels/sound/limit.h"

#include <math.h>
#include <string.h>

/* Returns the gain that frame y needs; 1 outside the signal. */
static double needed_gain(const struct gf_io *io, const struct gf_limit *l, int64_t y)
{
    const int channels = io->load ? io->load->out : io->src.channels;
    double v[GF_MAX_CHANNELS + 4], peak = 0;

    if (y < 0 || y >= io->src_units)
        return 1;
    gf_loaded(io, 0, y, v);
    for (int c = 0; c < channels; c++)
        peak = fabs(v[c]) > peak ? fabs(v[c]) : peak;
    return peak > (double)l->threshold ? (double)l->threshold / peak : 1;
}

static double limited_gain(const struct gf_io *io, const struct gf_limit *l, int64_t y)
{
    double sum = 0;

    for (int64_t a = y - l->second; a <= y + l->second; a++)
        for (int64_t b = a - l->first; b <= a + l->first; b++) {
            double least = 1;

            for (int64_t k = b - l->reach; k <= b + l->reach; k++) {
                const double g = needed_gain(io, l, k);

                least = g < least ? g : least;
            }
            sum += least;
        }
    return sum / ((2.0 * l->first + 1) * (2.0 * l->second + 1));
}

static void slow_limit(const struct gf_io *io, const void *params, int64_t x, int64_t y, double *out)
{
    const int channels = gf_audio_frame(io, x, y, out);
    const double gain = limited_gain(io, params, y);

    for (int c = 0; c < channels; c++)
        out[c] *= gain;
}

static void try_limit(const struct gf_form *f, bool on_gpu)
{
    struct gf_limit l = { .reach = (int)gf_any(gf_any(8) ? 6 : 12), .threshold = 0.02f + 0.8f * (float)gf_unit_random() };
    struct gf_span out;
    struct gf_trial t;

    gf_audio_start(&t, f, true);
    l.first = (int)gf_any((uint32_t)l.reach + 1), l.second = (int)gf_any((uint32_t)(l.reach - l.first) + 1);
    out = gf_part_of(t.units < 400 ? t.units : 400);
    if (on_gpu && gf_any(4) == 0)                           /* longer ones by their bits alone: slow is very slow here */
        l.reach = 240, l.first = l.second = 120;
    gf_audio_finish(&t, on_gpu, &gf_op_limit, &l, gf_grown(out, gf_limit_halo(&l), gf_limit_halo(&l), t.units), out, t.store.out,
                 gf_other_form(f), 3e-6);
}

static void set_limit(struct gf_bench_call *m)
{
    *(struct gf_limit *)m->params = (struct gf_limit) { .threshold = 0.5f, .reach = 240, .first = 120, .second = 120 };
}

static const struct gf_bench_case cases[] = {
    { .name = "limit", .what = "a limiter 5 ms ahead, floats", .forms = "f32, f32 stereo", .set = set_limit },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_limit = { .name = "limit", .op = &gf_op_limit, .cases = cases, .sound = true, .slow = slow_limit, .try = try_limit, .slack = -1 };
