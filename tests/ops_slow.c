/* Every operation as slowly as can be, in doubles: samples, programs, and what works on sound. */
#include "ops_slow.h"
#include "table/table.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "kernels/sound/echo.h"
#include "kernels/sound/fade.h"
#include "kernels/sound/limit.h"
#include "kernels/geometry/move.h"
#include "kernels/pixel/noise.h"
#include "kernels/pixel/vignette.h"
#include "ops_common.h"
#include "kernels/geometry/shift.h"
#include "kernels/geometry/select.h"

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

static void slow_move(const struct gf_operation *op, const struct gf_io *io, const void *params, int64_t x, int64_t y, double *out)
{
    const struct gf_shift *p = params;
    const struct gf_select *s = params;
    double v[GF_MAX_CHANNELS + 4];

    if (op == &gf_op_select) {
        gf_loaded(io, x, y, v);
        for (int c = 0; c < io->dst.channels; c++)
            out[c] = s->from[c] < 0 ? 0 : v[s->from[c]];
        return;
    }
    y = p->backwards ? p->first - y : y - p->first;
    gf_loaded(io, x, y >= io->src_units ? -1 : y, out);
}

/* What frame y needs, as a gain; 1 beyond the signal. */
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

static double slow_fade(const struct gf_fade *f, double t)
{
    const double pi = 3.14159265358979323846;

    switch (f->shape) {
    case GF_FADE_QUARTER: return sin(t * pi / 2);
    case GF_FADE_HALF: return (1 - cos(t * pi)) / 2;
    case GF_FADE_LOG: return pow(10, -5 * (1 - t));
    case GF_FADE_PARABOLA: return 1 - (1 - t) * (1 - t);
    default: return t;
    }
}

/* The numbers that the random bits are, and what they stand for. */
static double slow_noise(const struct gf_noise *p, const struct gf_io *io, uint64_t number)
{
    const uint64_t seed = io->signal == 0 ? p->seed : gf_noise_mix(p->seed ^ (uint64_t)io->signal);
    const uint64_t bits = gf_noise_mix(seed + number * UINT64_C(0x9E3779B97F4A7C15));
    const double high = (double)(bits >> 40), low = (double)(bits >> 8 & 0xFFFFFF), one = 16777216;
    const float u = (float)(2 * (double)(float)(bits >> 33) + 1);

    if (p->shape == GF_NOISE_TRIANGULAR)
        return (high + low - (one - 1)) / one;
    if (p->shape == GF_NOISE_UNIFORM)
        return (2 * high - (one - 1)) / one;
    return sqrt(-2 * log((double)u / 4294967296.0)) * sin((double)(int32_t)(uint32_t)bits / 2147483648.0 * asin(1));
}

static void slow_vignette(const struct gf_io *io, const struct gf_vignette *v, int64_t x, int64_t y, double *out)
{
    const double d = hypot((double)x * (double)v->x_scale + (double)v->x_from, (double)y * (double)v->y_scale + (double)v->y_from);
    const double t = fmin(fmax(d * (double)v->slope + (double)v->start, 0), 1);

    gf_loaded(io, x, y, out);
    for (int c = 0; c < v->channels; c++)
        out[c] *= 1 - (double)v->strength * t * t * (3 - 2 * t);
}

static void slow_sound(const struct gf_operation *op, const struct gf_io *io, const void *params, int64_t x, int64_t y, double *out)
{
    const int channels = io->load ? io->load->out : io->src.channels;
    const struct gf_echo *e = params;
    const struct gf_fade *f = params;
    const struct gf_noise *p = params;
    double v[GF_MAX_CHANNELS + 4], gain = 1;

    gf_loaded(io, x, y < io->src_units ? y : -1, out);
    for (int k = 0; op == &gf_op_echo && k < e->count; k++) {
        gf_loaded(io, x, y - e->delay[k] < io->src_units ? y - e->delay[k] : -1, v);
        for (int c = 0; c < channels; c++)
            out[c] += (double)e->decay[k] * v[c];
    }
    if (op == &gf_op_fade && y < f->in)
        gain = slow_fade(f, (double)y / (double)f->in);
    if (op == &gf_op_fade && io->src_units - y < f->out)
        gain *= slow_fade(f, (double)(io->src_units - y) / (double)f->out);
    if (op == &gf_op_limit)
        gain = limited_gain(io, params, y);
    for (int c = 0; c < channels; c++) {
        out[c] *= gain;
        if (op == &gf_op_noise && c < p->channels)
            out[c] += (double)p->amplitude * slow_noise(p, io, (uint64_t)((y * io->dst.width + x) * channels + (p->mono ? 0 : c)));
    }
}

static void slow_resample(const struct gf_io *io, const struct gf_resample *r, int64_t n, double *out)
{
    const double place = (double)n * (double)r->times / (double)r->per, part = place - floor(place);
    const double row = r->phases == 0 ? nearbyint(part * (double)r->per) : floor(part * r->phases + 1e-9);
    const double share = r->phases == 0 ? 0 : fmax(part * r->phases - row, 0);
    const float *weights = gf_tables + r->table + (int64_t)row * r->taps;
    double v[GF_MAX_CHANNELS + 4];

    memset(out, 0, sizeof(double) * (size_t)io->dst.channels);
    for (int k = 0; k < r->taps; k++) {
        const int64_t at = (int64_t)floor(place) - r->taps / 2 + 1 + k;

        if (at < io->src.span.start || at >= io->src.span.end)
            continue;
        gf_loaded(io, 0, at, v);
        for (int c = 0; c < io->dst.channels; c++)
            out[c] += v[c] * (weights[k] + (share > 0 ? share * ((double)weights[k + r->taps] - weights[k]) : 0));
    }
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
    const struct gf_move *m = params;

    if (op == &gf_op_conv)
        gf_slow_conv(io, params, x, y, out);
    else if (op == &gf_op_box)
        gf_slow_box(io, params, x, y, out);
    else if (op == &gf_op_bilateral)
        gf_slow_bilateral(io, params, x, y, out);
    else if (op == &gf_op_nonmax)
        gf_slow_nonmax(io, params, x, y, out);
    else if (op == &gf_op_sample)
        gf_slow_sample(io, params, x, y, out);
    else if (op == &gf_op_resize)
        gf_slow_resize(io, params, x, y, out);
    else if (op == &gf_op_table_grid)
        gf_slow_table_grid(io, params, x, y, out);
    else if (op == &gf_op_rank)
        gf_slow_rank(io, params, x, y, out);
    else if (op == &gf_op_ssim)
        gf_slow_ssim(io, params, x, y, out);
    else if (op == &gf_op_yuv)
        gf_slow_from_yuv(io, params, x, y, out);
    else if (op == &gf_op_pad)
        gf_slow_pad(io, params, x, y, out);
    else if (op == &gf_op_blend)
        gf_slow_blend(io, params, x, y, out);
    else if (op == &gf_op_resample)
        slow_resample(io, params, y, out);
    else if (op == &gf_op_select || op == &gf_op_shift)
        slow_move(op, io, params, x, y, out);
    else if (op == &gf_op_echo || op == &gf_op_fade || op == &gf_op_limit || op == &gf_op_noise)
        slow_sound(op, io, params, x, y, out);
    else if (op == &gf_op_vignette)
        slow_vignette(io, params, x, y, out);
    else if (op == &gf_op_move)
        gf_loaded(io, m->cx + x * m->xx + y * m->xy, m->cy + x * m->yx + y * m->yy, out);
    else
        gf_loaded(io, x, y, out);
    gf_run_program(io->store, out);
}
