/* Samples and programs as slowly as can be, in doubles, and spectra; other operations are beside their cases. */
#include "bench/check/check_slow.h"

#include "bench/check/check_draw.h"

#include <float.h>
#include <math.h>
#include <string.h>

double gf_get(const struct gf_block *b, int c, int64_t x, int64_t y)
{
    const int64_t i = (y - b->span.start) * b->pitch_samples + (b->planar ? x + c * b->plane_samples : x * b->channels + c);

    switch (b->type) {
    case GF_U8: return ((const uint8_t *)b->data)[i] / (double)b->maxval;
    case GF_U16: return ((const uint16_t *)b->data)[i] / (double)b->maxval;
    case GF_S16: return ((const int16_t *)b->data)[i] / 32768.0;
    case GF_S32: return ((const int32_t *)b->data)[i] / 2147483648.0;
    case GF_F32: return ((const float *)b->data)[i];
    default: return ((const double *)b->data)[i];
    }
}

/* One step of what is stored, and how far it reaches. */
double gf_step_of(const struct gf_block *b)
{
    switch (b->type) {
    case GF_U8:
    case GF_U16: return 1.0 / b->maxval;
    case GF_S16:
    case GF_S32: return 1.0 / (double)(INT64_C(1) << (b->bits - 1));
    default: return 0;
    }
}

double gf_clamp(double v, double low, double high)
{
    return v > high ? high : v > low ? v : low;                       /* NaN is low */
}

/* Entry of a row of the table that v falls to. */
static double table_entry(const struct gf_point_step *s, int row, double v)
{
    return (double)gf_tables[s->table + row * s->bins + (int)rint(gf_clamp(v * (s->bins - 1), 0, s->bins - 1))];
}

/* v of channel c, behind a step that takes channels one by one; as it is behind others. */
static double step_of_one(const struct gf_point_step *s, int c, double v, double alpha)
{
    switch (s->kind) {
    case GF_POINT_AFFINE: return v * (double)s->a + (double)s->b;
    case GF_POINT_POWER: return v > 0 ? pow(v, (double)s->a) : 0;
    case GF_POINT_LINEAR: return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
    case GF_POINT_SRGB: return v <= 0.0031308 ? v * 12.92 : 1.055 * pow(v, 1 / 2.4) - 0.055;
    case GF_POINT_PREMULTIPLY: return v * alpha;
    case GF_POINT_UNPREMULTIPLY: return alpha == 0 ? 0 : v / alpha;
    case GF_POINT_TABLE: return table_entry(s, c, v);
    case GF_POINT_THRESHOLD: return v >= (double)gf_tables[s->table + c];
    case GF_POINT_SCALE: return v * (double)gf_tables[s->table + 2 * c] + (double)gf_tables[s->table + 2 * c + 1];
    case GF_POINT_FINITE: return fabs(v) <= (double)FLT_MAX ? v : 0;
    case GF_POINT_CLAMP: return isnan(v) ? v : fmin(fmax(v, (double)s->a), (double)s->b);
    default: return v;
    }
}

/* What a step makes of several channels goes to t, in as many as are returned; 0: it is none of these. */
static int step_of_many(const struct gf_point_step *s, const double *v, int n, double *t)
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
                t[o] = (i > 0 ? t[o] : 0) + (double)gf_tables[s->table + o * s->channels + i] * v[i];
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
            t[c] = v[c] + table_entry(s, 0, .299 * v[0] + .587 * v[1] + .114 * v[2]);
        return 3;
    default:
        return 0;
    }
}

void gf_run_program(const struct gf_point *p, double *v)
{
    int n = p == NULL ? 0 : p->in;

    for (int k = 0; p != NULL && k < p->count; k++) {
        const struct gf_point_step *s = &p->step[k];
        const double alpha = s->kind == GF_POINT_PREMULTIPLY || s->kind == GF_POINT_UNPREMULTIPLY ? v[s->channels] : 0;
        double t[8];
        const int outs = step_of_many(s, v, n, t);

        if (s->kind == GF_POINT_MATRIX || s->kind == GF_POINT_MAX || s->kind == GF_POINT_LIGHTNESS)
            memmove(v + outs, v + s->channels, sizeof *v * (size_t)(n - s->channels));     /* what lies behind moves along */
        memcpy(v, t, sizeof *v * (size_t)outs);
        for (int c = 0; outs == 0 && c < s->channels; c++)
            v[c] = step_of_one(s, c, v[c], alpha);
        n = gf_point_channels(s, n);
    }
}

/* All channels of a pixel behind the load program; zero where there is none. */
void gf_loaded(const struct gf_io *io, int64_t x, int64_t y, double *v)
{
    for (int c = 0; c < GF_MAX_CHANNELS + 4; c++)
        v[c] = x < 0 || y < 0 || c >= io->src.channels ? 0 : gf_get(&io->src, c, x, y);
    if (x >= 0 && y >= 0)
        gf_run_program(io->load, v);
}

/* A row of powers at once, by the sums themselves; how far c channels' rows are off at most, as a part of the largest power. */
double gf_spectrum_error(const struct gf_io *io, const struct gf_spectrum *s)
{
    const float *weights = gf_tables + s->table;
    double worst = 0, largest = 1e-9;

    for (int c = 0; c < io->dst.channels; c++)
        for (int64_t n = io->dst.span.start; n < io->dst.span.end; n++)
            for (int k = 0; k <= s->size / 2; k++) {
                double power = 0, d;

                for (int i = 0; i < s->windows; i++) {
                    double re = 0, im = 0;

                    for (int j = 0; j < s->size; j++) {
                        const int64_t at = n * s->stretch + (2 * i + 1) * s->stretch / (2 * s->windows) - s->size / 2 + j;
                        const double v = at >= io->src.span.start && at < io->src.span.end
                                       ? gf_get(&io->src, c, 0, at) * weights[j] : 0;

                        re += v * cos(2 * M_PI * k * j / s->size);
                        im += v * sin(2 * M_PI * k * j / s->size);
                    }
                    power += (re * re + im * im) * s->scale / s->windows;
                }
                d = fabs(gf_get(&io->dst, c, k, n) - power);
                largest = power > largest ? power : largest;
                worst = d > worst ? d : worst;
            }
    return worst / largest;
}

void gf_slow(const struct gf_operation *op, const struct gf_io *io, const void *params, int64_t x, int64_t y, double *out)
{
    gf_slow_at *slow = NULL;

    for (int i = 0; i < gf_bench_group_count; i++)
        if (gf_bench_groups[i]->op == op && gf_bench_groups[i]->slow != NULL)
            slow = gf_bench_groups[i]->slow;
    if (slow != NULL)
        slow(io, params, x, y, out);
    else
        gf_loaded(io, x, y, out);
    gf_run_program(io->store, out);
}
