/* Full scale, and true peaks by the filter of resampling. */
#include "filters/peaks.h"

#include "kernels/sound/peaks.h"
#include "kernels/sound/resample.h"

#include <math.h>

float gf_peaks_full_scale(const struct gf_format *in, const struct gf_build *build)
{
    return gf_type_is_float(in->type) || !gf_build_is_stored(build) ? 1 : (float)(1 - ldexp(1, 1 - in->bits));
}

/* Adds the resampling operation and its table. */
static int add_resample(struct gf_build *build, struct gf_resample *r,
                        void (*fill)(const struct gf_resample *r, float *rows), const struct gf_format *out,
                        struct gf_error *err)
{
    const struct gf_need need = { .times = r->times, .per = r->per, .before = r->taps / 2 - 1, .after = r->taps / 2 };
    float *rows;

    r->table = gf_build_alloc_table(build, gf_resample_rows(r) * r->taps, &rows);
    if (rows != NULL)
        fill(r, rows);
    return gf_build_op(build, &gf_op_resample, r, need, out, err);
}

int gf_peaks_oversample(struct gf_build *build, struct gf_error *err)
{
    struct gf_resample r;
    struct gf_format out;

    if (gf_build_make_finite(build, err) != 0)
        return -1;
    gf_resample_choose_between(&r, GF_PEAKS_TIMES);
    out = *gf_build_format(build);
    if (out.rate > INT32_MAX / GF_PEAKS_TIMES)
        return gf_fail(err, GF_FAILED, "true peaks need a sample rate of at most %d Hz; this audio has %d Hz",
                       INT32_MAX / GF_PEAKS_TIMES, (int)out.rate);
    out.rate *= GF_PEAKS_TIMES;
    if (out.units != GF_UNKNOWN)
        out.units *= GF_PEAKS_TIMES;
    return add_resample(build, &r, gf_resample_fill_between, &out, err);
}

int gf_peaks_beside(struct gf_build *build, struct gf_error *err)
{
    struct gf_format out = *gf_build_format(build);
    struct gf_peaks p = { .channels = out.channels, .per = GF_PEAKS_TIMES };
    struct gf_resample r;
    float *rows;

    if (2 * out.channels > GF_MAX_CHANNELS)
        return gf_fail(err, GF_FAILED, "true peaks are measured in at most %d channels; this audio has %d",
                       GF_MAX_CHANNELS / 2, out.channels);
    out.channels *= 2;
    gf_resample_choose_between(&r, GF_PEAKS_TIMES);
    p.taps = r.taps;
    p.table = gf_build_alloc_table(build, gf_resample_rows(&r) * r.taps, &rows);
    if (rows != NULL)
        gf_resample_fill_between(&r, rows);
    return gf_build_op(build, &gf_op_peaks, &p, (struct gf_need) { .before = p.taps / 2 - 1, .after = p.taps / 2 },
                       &out, err);
}

int gf_peaks_downsample(struct gf_build *build, struct gf_error *err)
{
    struct gf_resample r;
    struct gf_format out = *gf_build_format(build);

    gf_resample_choose_every(&r, GF_PEAKS_TIMES);
    out.rate /= GF_PEAKS_TIMES;
    if (out.units != GF_UNKNOWN)
        out.units /= GF_PEAKS_TIMES;
    return add_resample(build, &r, gf_resample_fill_every, &out, err);
}
