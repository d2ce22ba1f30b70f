/* Detectors and gains of compress, gate, deess and level. */
#include "filters/dynamics.h"

#include "kernels/sound/ride.h"

#include <math.h>

int32_t gf_dynamics_octaves(double decibels)
{
    return (int32_t)rint(decibels / GF_DYNAMICS_OCTAVE * GF_OCTAVE);
}

static int64_t frames_of(const struct gf_time *t, double by_default, const struct gf_format *in)
{
    const struct gf_time usual = { .count = by_default };

    return gf_time_frames(t->given ? t : &usual, in->rate);
}

void gf_dynamics_set_fall(struct gf_follow *f, const struct gf_time *release, double by_default,
                          const struct gf_format *in)
{
    const int64_t frames = frames_of(release, by_default, in);
    const double all = 10 / GF_DYNAMICS_OCTAVE * GF_OCTAVE * 65536;

    f->fall = frames > 0 ? (int64_t)(all / (double)frames) : INT64_C(1) << 46;
}

int gf_dynamics_detect(const char *stage, struct gf_follow *f, const struct gf_time *rms, int side,
                       struct gf_build *build, struct gf_error *err)
{
    struct gf_format out = *gf_build_format(build);
    struct gf_need need = { .carry_bytes = GF_FOLLOW_CARRY_BYTES };
    const int64_t window = rms != NULL && rms->given ? gf_time_frames(rms, out.rate) : 0;

    if (window > GF_FOLLOW_WINDOW)
        return gf_fail(err, GF_FAILED, "%s: rms=: must be at most %d frames; this audio has %d Hz", stage,
                       GF_FOLLOW_WINDOW, (int)out.rate);
    f->window = (int)window;
    need.before = window > 0 ? window - 1 : 0;
    out.channels = f->kept + 1;
    if (out.channels > GF_MAX_CHANNELS)
        return gf_fail(err, GF_FAILED, "%s: too many channels", stage);
    if (gf_build_op(build, &gf_op_follow, f, need, &out, err) != 0)
        return -1;
    if (side >= 0)
        gf_build_use_side(build, side, 0);
    return 0;
}

int gf_dynamics_apply(const char *stage, bool band, const struct gf_time *attack, double by_default, int64_t ahead,
                      struct gf_build *build, struct gf_error *err)
{
    struct gf_format out = *gf_build_format(build);
    const int64_t window = frames_of(attack, by_default, &out);
    struct gf_ride r = { .band = band };

    out.channels = r.channels = (out.channels - 1) / (band ? 2 : 1);
    if (window > GF_RIDE_WINDOW)
        return gf_fail(err, GF_FAILED, "%s: attack=: must be at most %d frames; this audio has %d Hz", stage,
                       GF_RIDE_WINDOW, (int)out.rate);
    if (ahead > window)
        return gf_fail(err, GF_MISUSED, "%s: ahead=: must be at most %g s, the time over which the gain is "
                       "smoothed", stage, (double)window / out.rate);
    r.window = window > 1 ? (int)window : 1;
    r.ahead = (int)(ahead < r.window - 1 ? ahead : r.window - 1);
    return gf_build_op(build, &gf_op_ride, &r, (struct gf_need) { .before = gf_ride_before(&r), .after = r.ahead },
                       &out, err);
}
