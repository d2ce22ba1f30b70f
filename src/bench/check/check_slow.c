/*
 * The slow and plain reference: samples and programs. The reference of an operation is next to its
 * cases.
 */
#include "bench/check/check_slow.h"

#include "kernels/base/color_cube.h"

#include <float.h>
#include <math.h>
#include <string.h>

double gf_slow_sample(const struct gf_block *b, int c, int64_t x, int64_t y)
{
    const int64_t i = (y - b->span.start) * b->pitch_samples + (b->planar ? x + c * b->plane_samples
                                                                : x * b->channels + c);

    switch (b->type) {
    case GF_U8: return ((const uint8_t *)b->data)[i] / (double)b->maxval;
    case GF_U16: return ((const uint16_t *)b->data)[i] / (double)b->maxval;
    case GF_S16: return ((const int16_t *)b->data)[i] / 32768.0;
    case GF_S32: return ((const int32_t *)b->data)[i] / 2147483648.0;
    case GF_F32: return ((const float *)b->data)[i];
    default: return ((const double *)b->data)[i];
    }
}

double gf_slow_step(const struct gf_block *b)
{
    switch (b->type) {
    case GF_U8:
    case GF_U16: return 1.0 / b->maxval;
    case GF_S16:
    case GF_S32: return 1.0 / (double)(INT64_C(1) << (b->bits - 1));
    default: return 0;
    }
}

double gf_slow_clamp(double v, double low, double high)
{
    return v > high ? high : v > low ? v : low;                       /* NaN becomes low */
}

double gf_slow_stored(const struct gf_block *b, double v)
{
    if (gf_slow_step(b) <= 0)
        return v;
    return gf_slow_clamp(v, b->type == GF_U8 || b->type == GF_U16 ? 0 : -1, 1);
}

/* Returns the entry of a row of a table that is nearest to v. */
static double table_entry(const struct gf_check *check, const struct gf_point_step *s, int row, double v)
{
    const int bin = (int)rint(gf_slow_clamp(v * (s->bins - 1), 0, s->bins - 1));

    return (double)check->tables[s->table + row * s->bins + bin];
}

/* Returns the value of row c of a curve, from the two entries around v. */
static double on_curve(const struct gf_check *check, const struct gf_point_step *s, int c, double v)
{
    const float *entry = check->tables + s->table + (int64_t)c * s->bins;
    const double place = gf_slow_clamp(v * (s->bins - 1), 0, s->bins - 1), before = fmin(floor(place), s->bins - 2);

    return (double)entry[(int)before] * (before + 1 - place) + (double)entry[(int)before + 1] * (place - before);
}

static double luma_of(const double *v)
{
    return .299 * v[0] + .587 * v[1] + .114 * v[2];
}

static double tone_of(const struct gf_point_step *s, double v, double y)
{
    const double light = gf_slow_clamp(y, 0, 1), lifted = v + v * (double)s->a * (1 - light) * (1 - light);

    return lifted + (1 - lifted) * (double)s->b * light * light;
}

static void vivid(const struct gf_point_step *s, const double *v, double *t)
{
    const double most = fmax(fmax(v[0], v[1]), v[2]), least = fmin(fmin(v[0], v[1]), v[2]);
    const double span = fmin(most - least, 1), a = (double)s->a, factor = 1 + a * (a > 0 ? 1 - span : 1 + span);

    for (int c = 0; c < 3; c++)
        t[c] = luma_of(v) + (v[c] - luma_of(v)) * fmax(factor, 0);
}

/* From the first corner of the cell to the last, along the axis of the greatest fraction first. */
static void in_cube(const float *cube, int bins, const double *v, double *t)
{
    int corner[3];
    double part[4] = { 0 }, most = 1;

    for (int c = 0; c < 3; c++) {
        const double place = gf_slow_clamp(v[c] * (bins - 1), 0, bins - 1);

        corner[c] = (int)fmin(floor(place), bins - 2);
        part[c] = place - corner[c];
        t[c] = 0;
    }
    for (int step = 0; step < 4; step++) {
        const float *entry = cube + ((corner[0] * bins + corner[1]) * bins + corner[2]) * GF_CUBE_ENTRY;
        int axis = step == 3 ? 3 : 0;

        for (int c = 1; c < 3 && step < 3; c++)
            axis = part[c] > part[axis] ? c : axis;
        for (int c = 0; c < 3; c++)
            t[c] += (most - (step < 3 ? part[axis] : 0)) * (double)entry[c];
        most = part[axis];
        if (step < 3) {
            corner[axis]++;
            part[axis] = -1;             /* it is taken; the last step has all three */
        }
    }
}

static void nearest_color(const float *table, const struct gf_point_step *s, const double *v, double *t)
{
    double least = INFINITY;
    int nearest = 0;

    for (int k = 0; k < s->bins; k++) {
        double d = 0;

        for (int c = 0; c < s->channels; c++)
            d += pow(v[c] - (double)table[c * s->bins + k], 2);
        nearest = d < least ? k : nearest;
        least = fmin(d, least);
    }
    for (int c = 0; c < s->channels; c++)
        t[c] = s->b != 0 ? (256 * nearest + rint(gf_slow_clamp(v[c], 0, 1) * 255)) / (256 * s->bins - 1)
            : (double)table[c * s->bins + nearest];
}

/*
 * Returns v of channel c after a step that works on each channel separately; v itself after other
 * steps.
 */
static double step_of_one(const struct gf_check *check, const struct gf_point_step *s, int c, double v, double alpha)
{
    const float *pair = s->kind == GF_POINT_SCALE ? check->tables + s->table + 2 * c : NULL;

    switch (s->kind) {
    case GF_POINT_AFFINE: return v * (double)s->a + (double)s->b;
    case GF_POINT_POWER: return v > 0 ? pow(v, (double)s->a) : 0;
    case GF_POINT_LINEAR: return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
    case GF_POINT_SRGB: return v <= 0.0031308 ? v * 12.92 : 1.055 * pow(v, 1 / 2.4) - 0.055;
    case GF_POINT_PREMULTIPLY: return v * alpha;
    case GF_POINT_UNPREMULTIPLY: return alpha == 0 ? 0 : v / alpha;
    case GF_POINT_TABLE: return table_entry(check, s, c, v);
    case GF_POINT_THRESHOLD: return v >= (double)check->tables[s->table + c];
    case GF_POINT_SCALE: return v * (double)pair[0] + (double)pair[1];
    case GF_POINT_LAB: return v > 216.0 / 24389 ? cbrt(v) : v * 841 / 108 + 4.0 / 29;
    case GF_POINT_LAB_INVERSE: return v > 6.0 / 29 ? v * v * v : (v - 4.0 / 29) * 108 / 841;
    case GF_POINT_ROOT: return cbrt(v);
    case GF_POINT_CUBE: return v * v * v;
    case GF_POINT_CURVE: return gf_point_keeps(s, c) ? v : on_curve(check, s, c, v);
    case GF_POINT_TONES: return tone_of(s, v, v);
    case GF_POINT_FINITE: return fabs(v) <= (double)FLT_MAX ? v : 0;
    case GF_POINT_CLAMP: return isnan(v) ? v : fmin(fmax(v, (double)s->a), (double)s->b);
    default: return v;
    }
}

/* Writes the result of a step that looks at three colors together, and returns its channels; 0: another kind. */
static int step_of_colors(const struct gf_check *check, const struct gf_point_step *s, const double *v, double *t)
{
    switch (s->kind) {
    case GF_POINT_LUT:
        in_cube(check->tables + s->table, s->bins, v, t);
        return 3;
    case GF_POINT_PALETTE:
        nearest_color(check->tables + s->table, s, v, t);
        return s->channels;
    case GF_POINT_VIBRANCE:
        vivid(s, v, t);
        return 3;
    case GF_POINT_TONES:
        for (int c = 0; c < 3 && s->channels == 3; c++)
            t[c] = tone_of(s, v[c], luma_of(v));
        return s->channels == 3 ? 3 : 0;
    case GF_POINT_LUMA_TABLE:
        for (int c = 0; c < 3; c++)
            t[c] = v[c] + table_entry(check, s, 0, luma_of(v));
        return 3;
    default:
        return 0;
    }
}

/*
 * Writes the result of a step that mixes channels to t, and returns its channels; 0: another kind
 * of step.
 */
static int step_of_many(const struct gf_check *check, const struct gf_point_step *s, const double *v, int n, double *t)
{
    double most = v[0], least = v[0];

    switch (s->kind) {
    case GF_POINT_PICK:
        for (int o = 0; o < s->outs; o++)
            t[o] = s->pick[o] < 0 ? 1 : v[s->pick[o]];
        return s->outs;
    case GF_POINT_MIX:
        for (int o = 0; o < s->outs; o++)
            for (int i = 0; i < s->channels; i++)
                t[o] = (i > 0 ? t[o] : 0) + (double)check->tables[s->table + o * s->channels + i] * v[i];
        return s->outs;
    case GF_POINT_MATRIX:
        for (int o = 0; o < s->outs; o++) {
            t[o] = (double)s->m[o][s->channels];
            for (int i = 0; i < s->channels; i++)
                t[o] += (double)s->m[o][i] * v[i];
        }
        return s->outs;
    case GF_POINT_MEAN:
        t[0] = 0;
        for (int c = 0; c < n; c++)
            t[0] += v[c];
        t[0] /= n;
        return 1;
    case GF_POINT_MAX:
    case GF_POINT_LIGHTNESS:
        for (int c = 0; c < s->channels; c++) {
            most = v[c] > most ? v[c] : most;
            least = v[c] < least ? v[c] : least;
        }
        t[0] = s->kind == GF_POINT_MAX ? most : (most + least) / 2;
        return 1;
    default:
        return step_of_colors(check, s, v, t);
    }
}

void gf_slow_program(const struct gf_check *check, const struct gf_point *p, double *v)
{
    int n = p == NULL ? 0 : p->in;

    for (int k = 0; p != NULL && k < p->count; k++) {
        const struct gf_point_step *s = &p->step[k];
        const double alpha = s->kind == GF_POINT_PREMULTIPLY || s->kind == GF_POINT_UNPREMULTIPLY ? v[s->channels] : 0;
        double t[GF_SLOW_CHANNELS];
        const int outs = step_of_many(check, s, v, n, t);

        if (s->kind == GF_POINT_MATRIX || s->kind == GF_POINT_MAX || s->kind == GF_POINT_LIGHTNESS)
            memmove(v + outs, v + s->channels, sizeof *v * (size_t)(n - s->channels));     /* later channels move up */
        memcpy(v, t, sizeof *v * (size_t)outs);
        for (int c = 0; outs == 0 && c < s->channels; c++)
            v[c] = step_of_one(check, s, c, v[c], alpha);
        n = gf_point_channels(s, n);
    }
}

void gf_slow_load(const struct gf_check *check, const struct gf_io *io, int64_t x, int64_t y, double *v)
{
    for (int c = 0; c < GF_SLOW_CHANNELS; c++)
        v[c] = x < 0 || y < 0 || c >= io->src.channels ? 0 : gf_slow_sample(&io->src, c, x, y);
    if (x >= 0 && y >= 0)
        gf_slow_program(check, io->load, v);
}

int gf_slow_channels(const struct gf_io *io)
{
    return io->load != NULL ? io->load->out : io->src.channels;
}
