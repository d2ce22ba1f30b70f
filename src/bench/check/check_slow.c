/*
 * The slow and plain reference: samples and programs. The reference of an operation is next to its
 * cases.
 */
#include "bench/check/check_slow.h"

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
    case GF_POINT_FINITE: return fabs(v) <= (double)FLT_MAX ? v : 0;
    case GF_POINT_CLAMP: return isnan(v) ? v : fmin(fmax(v, (double)s->a), (double)s->b);
    default: return v;
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
    case GF_POINT_LUMA_TABLE:
        for (int c = 0; c < 3; c++)
            t[c] = v[c] + table_entry(check, s, 0, .299 * v[0] + .587 * v[1] + .114 * v[2]);
        return 3;
    default:
        return 0;
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
