/* Every operation on every device: known answers in double precision, and the same bits from CPU and GPU. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "box.h"
#include "conv.h"
#include "device.h"
#include "echo.h"
#include "fade.h"
#include "histogram.h"
#include "lattice.h"
#include "loudness.h"
#include "limit.h"
#include "move.h"
#include "noise.h"
#include "pad.h"
#include "place.h"
#include "prefix.h"
#include "rank.h"
#include "recur.h"
#include "reduce.h"
#include "resample.h"
#include "region.h"
#include "resize.h"
#include "sample.h"
#include "scan.h"
#include "select.h"
#include "spectrum.h"
#include "spool.h"
#include "yuv.h"

#define ROOM (INT64_C(8) << 20)          /* bytes of a buffer: more than the largest trial needs */
#define POISON 0xA5
#define MASKS 40000
#define WHOLE_MASKS (MASKS - 1000)       /* behind the noise, masks that are whole numbers divided by one */
#define NOISE_TABLES (4 * 4096)
#define RINGS (3 * 8 * 128 + SPECTRA)
#define SPECTRA 512                      /* at the very end: windows of 64 and of 128 frames */
#define TABLES (1 << 19)                 /* behind the noise, what resizing is done with, and at the end the rings of loudness */

static uint64_t state;
static struct gf_device gpu;
static bool gpu_open, aligned;           /* blocks are laid out in rows without gaps, from a multiple of 512 on */
static char gpu_why[300];
static unsigned char *src_bytes, *cpu_bytes, *gpu_bytes;
static void *gpu_src, *gpu_dst, *gpu_state;
static float *masks, *tables;
static double carried[3][GF_MAX_CHANNELS * 300];     /* state: as it was before a call, and behind it on a CPU and on a GPU */
static size_t carried_bytes;             /* 0: the operation carries none */
static void *gpu_carried;
static char trouble[400];                /* of the group at hand; empty: none */
static int line_number, failed_lines;

static uint32_t any(uint32_t n)
{
    state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
    return n == 0 ? 0 : (uint32_t)((state * UINT64_C(2685821657736338717)) >> 33) % n;
}

static double unit_random(void)
{
    return any(1u << 30) / (double)(1u << 30);
}

static struct gf_error error;

/* ---- samples as doubles ---- */

static double get(const struct gf_block *b, int c, int64_t x, int64_t y)
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
static double step_of(const struct gf_block *b)
{
    switch (b->type) {
    case GF_U8:
    case GF_U16: return 1.0 / b->maxval;
    case GF_S16:
    case GF_S32: return 1.0 / (double)(INT64_C(1) << (b->bits - 1));
    default: return 0;
    }
}

static double clamp(double v, double low, double high)
{
    return v > high ? high : v > low ? v : low;                       /* NaN is low */
}

static void run_program(const struct gf_point *p, double *v)
{
    double t[8];
    int n;

    if (p == NULL)
        return;
    n = p->in;
    for (int k = 0; k < p->count; k++) {
        const struct gf_point_step *s = &p->step[k];
        double a = s->kind == GF_POINT_PICK ? 0 : v[s->channels], most = v[0], least = v[0], sum = 0;

        for (int c = 0; c < n; c++)
            sum += v[c];
        for (int c = 0; c < s->channels; c++) {
            most = v[c] > most ? v[c] : most;
            least = v[c] < least ? v[c] : least;
            switch (s->kind) {
            case GF_POINT_AFFINE: v[c] = v[c] * (double)s->a + (double)s->b; break;
            case GF_POINT_POWER: v[c] = v[c] > 0 ? pow(v[c], (double)s->a) : 0; break;
            case GF_POINT_LINEAR: v[c] = v[c] <= 0.04045 ? v[c] / 12.92 : pow((v[c] + 0.055) / 1.055, 2.4); break;
            case GF_POINT_SRGB: v[c] = v[c] <= 0.0031308 ? v[c] * 12.92 : 1.055 * pow(v[c], 1 / 2.4) - 0.055; break;
            case GF_POINT_PREMULTIPLY: v[c] *= a; break;
            case GF_POINT_UNPREMULTIPLY: v[c] = a == 0 ? 0 : v[c] / a; break;
            case GF_POINT_TABLE:
                v[c] = (double)tables[s->table + c * s->bins + (int)rint(clamp(v[c] * (s->bins - 1), 0, s->bins - 1))];
                break;
            case GF_POINT_THRESHOLD: v[c] = v[c] >= (double)tables[s->table + c]; break;
            case GF_POINT_SCALE: v[c] = v[c] * (double)tables[s->table + 2 * c] + (double)tables[s->table + 2 * c + 1]; break;
            default: break;
            }
        }
        if (s->kind == GF_POINT_PICK) {
            for (int o = 0; o < s->outs; o++)
                t[o] = s->pick[o] < 0 ? 1 : v[s->pick[o]];
            memcpy(v, t, sizeof *v * (size_t)s->outs);
        }
        if (s->kind == GF_POINT_MIX) {
            for (int o = 0; o < s->outs; o++)
                for (int i = 0; i < s->channels; i++)
                    t[o] = (i > 0 ? t[o] : 0) + (double)tables[s->table + o * s->channels + i] * v[i];
            memcpy(v, t, sizeof *v * (size_t)s->outs);
        }
        if (s->kind == GF_POINT_MEAN)
            v[0] = sum / n;
        if (s->kind == GF_POINT_MATRIX) {
            for (int o = 0; o < s->outs; o++) {
                t[o] = (double)s->m[o][s->channels];
                for (int i = 0; i < s->channels; i++)
                    t[o] += (double)s->m[o][i] * v[i];
            }
            memmove(v + s->outs, v + s->channels, sizeof *v * (size_t)(n - s->channels));
            memcpy(v, t, sizeof *v * (size_t)s->outs);
        }
        if (s->kind == GF_POINT_MAX || s->kind == GF_POINT_LIGHTNESS) {
            memmove(v + 1, v + s->channels, sizeof *v * (size_t)(n - s->channels));
            v[0] = s->kind == GF_POINT_MAX ? most : (most + least) / 2;
        }
        if (s->kind == GF_POINT_LUMA_TABLE) {
            const double y = .299 * v[0] + .587 * v[1] + .114 * v[2];
            const double d = (double)tables[s->table + (int)rint(clamp(y * (s->bins - 1), 0, s->bins - 1))];
            for (int c = 0; c < 3; c++)
                v[c] += d;
        }
        n = gf_point_channels(s, n);
    }
}

/* All channels of a pixel behind the load program; zero where there is none. */
static void loaded(const struct gf_io *io, int64_t x, int64_t y, double *v)
{
    for (int c = 0; c < GF_MAX_CHANNELS + 4; c++)
        v[c] = x < 0 || y < 0 || c >= io->src.channels ? 0 : get(&io->src, c, x, y);
    if (x >= 0 && y >= 0)
        run_program(io->load, v);
}

/* ---- the operations, as slowly as can be ---- */

static void slow_conv(const struct gf_io *io, const struct gf_conv *m, int64_t x, int64_t y, double *out)
{
    const int nx = m->nx > 0 ? m->nx : 1, ny = m->ny > 0 ? m->ny : 1, channels = io->load ? io->load->out : io->src.channels;
    double v[GF_MAX_CHANNELS + 4], other[GF_MAX_CHANNELS + 4] = { 0 };

    memset(out, 0, sizeof v);
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            const int64_t sx = m->nx > 0 ? gf_border_index(m->border, x + i - m->cx, io->src.width) : x;
            const int64_t sy = m->ny > 0 ? gf_border_index(m->border, y + j - m->cy, io->src_units) : y;

            loaded(io, sx, sy, v);
            for (int c = 0; c < channels; c++) {
                const int k = m->mask_channels > 1 ? c : 0;
                double w = m->nx > 0 ? (double)masks[m->x_at + k * m->nx + i] : 1;

                w *= m->ny > 0 ? (double)masks[m->y_at + k * m->ny + j] : 1;
                out[c] += v[c] * (m->full ? (double)masks[m->full_at + k * nx * ny + j * nx + i] : w);
                if (m->combine == GF_CONV_HYPOT)
                    other[c] += v[c] * (double)masks[m->also_at + j * nx + i];
            }
        }
    loaded(io, x, y, v);
    for (int c = 0; c < channels && m->combine != GF_CONV_PLAIN; c++)
        if (c >= m->combined)
            out[c] = v[c];
        else if (m->combine == GF_CONV_HYPOT)
            out[c] = sqrt(out[c] * out[c] + other[c] * other[c]);
        else
            out[c] = fabs(v[c] - out[c]) > (double)m->threshold ? v[c] + (double)m->amount * (v[c] - out[c]) : v[c];
}

static void slow_box(const struct gf_io *io, const struct gf_box *b, int64_t x, int64_t y, double *out)
{
    const int channels = io->load ? io->load->out : io->src.channels;
    double v[GF_MAX_CHANNELS + 4];

    memset(out, 0, sizeof v);
    for (int i = -b->radius; i <= b->radius; i++) {
        loaded(io, b->along_units ? x : gf_border_index(b->border, x + i, io->src.width),
               b->along_units ? gf_border_index(b->border, y + i, io->src_units) : y, v);
        for (int c = 0; c < channels; c++)
            out[c] += v[c] / (2 * b->radius + 1);
    }
}

static void slow_move(enum gf_op op, const struct gf_io *io, const void *params, int64_t x, int64_t y, double *out)
{
    const struct gf_place *p = params;
    const struct gf_select *s = params;
    double v[GF_MAX_CHANNELS + 4];

    if (op == GF_OP_SELECT) {
        loaded(io, x, y, v);
        for (int c = 0; c < io->dst.channels; c++)
            out[c] = s->from[c] < 0 ? 0 : v[s->from[c]];
        return;
    }
    y = p->backwards ? p->first - y : y - p->first;
    loaded(io, x, y >= io->src_units ? -1 : y, out);
}

/* What frame y needs, as a gain; 1 beyond the signal. */
static double needed_gain(const struct gf_io *io, const struct gf_limit *l, int64_t y)
{
    const int channels = io->load ? io->load->out : io->src.channels;
    double v[GF_MAX_CHANNELS + 4], peak = 0;

    if (y < 0 || y >= io->src_units)
        return 1;
    loaded(io, 0, y, v);
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

static void slow_sound(enum gf_op op, const struct gf_io *io, const void *params, int64_t x, int64_t y, double *out)
{
    const int channels = io->load ? io->load->out : io->src.channels;
    const struct gf_echo *e = params;
    const struct gf_fade *f = params;
    const struct gf_noise *p = params;
    double v[GF_MAX_CHANNELS + 4], gain = 1;

    loaded(io, x, y < io->src_units ? y : -1, out);
    for (int k = 0; op == GF_OP_ECHO && k < e->count; k++) {
        loaded(io, x, y - e->delay[k] < io->src_units ? y - e->delay[k] : -1, v);
        for (int c = 0; c < channels; c++)
            out[c] += (double)e->decay[k] * v[c];
    }
    if (op == GF_OP_FADE && y < f->in)
        gain = slow_fade(f, (double)y / (double)f->in);
    if (op == GF_OP_FADE && io->src_units - y < f->out)
        gain *= slow_fade(f, (double)(io->src_units - y) / (double)f->out);
    if (op == GF_OP_LIMIT)
        gain = limited_gain(io, params, y);
    for (int c = 0; c < channels; c++) {
        out[c] *= gain;
        if (op == GF_OP_NOISE && c < p->channels)
            out[c] += (double)p->amplitude * (double)gf_noise_triangular(p->seed, (uint64_t)((y * io->dst.width + x) * channels + c));
    }
}

static void at_place(const struct gf_io *io, const struct gf_sample *s, int64_t x, int64_t y, double *v)
{
    const bool inside = x >= 0 && x < io->src.width && y >= 0 && y < io->src_units;

    if (!inside && s->use_background) {
        for (int c = 0; c < 4; c++)
            v[c] = (double)s->background[c];
        return;
    }
    loaded(io, gf_border_index(s->border, x, io->src.width), gf_border_index(s->border, y, io->src_units), v);
}

static double cubic_weight(double d)
{
    d = fabs(d);
    return d < 1 ? (1.5 * d - 2.5) * d * d + 1 : d < 2 ? ((-0.5 * d + 2.5) * d - 4) * d + 2 : 0;
}

static void slow_sample(const struct gf_io *io, const struct gf_sample *s, int64_t x, int64_t y, double *out)
{
    const double one = (double)(INT64_C(1) << GF_SAMPLE_ONE_BITS);
    double sx = (double)(s->cx + x * s->xx + y * s->xy) / one, sy = (double)(s->cy + x * s->yx + y * s->yy) / one;
    const int reach = s->interpolation == GF_CUBIC ? 2 : 1;
    double v[GF_MAX_CHANNELS + 4];

    if (s->coarse) {
        sx = floor(sx * 256 + 0.5) / 256;
        sy = floor(sy * 256 + 0.5) / 256;
    }
    memset(out, 0, sizeof v);
    if (s->interpolation == GF_NEAREST) {
        at_place(io, s, (int64_t)floor(sx + 0.5), (int64_t)floor(sy + 0.5), out);
        return;
    }
    for (int j = 1 - reach; j <= reach; j++)
        for (int i = 1 - reach; i <= reach; i++) {
            const double dx = sx - floor(sx) - i, dy = sy - floor(sy) - j;
            const double w = reach == 2 ? cubic_weight(dx) * cubic_weight(dy) : (1 - fabs(dx)) * (1 - fabs(dy));

            at_place(io, s, (int64_t)floor(sx) + i, (int64_t)floor(sy) + j, v);
            for (int c = 0; c < 4; c++)
                out[c] += w * v[c];
        }
}

static int by_value(const void *a, const void *b)
{
    const double v = *(const double *)a, w = *(const double *)b;

    if (v != v || w != w)
        return (v != v) - (w != w);                                  /* NaN is greatest */
    return (v > w) - (v < w);
}

static void slow_rank(const struct gf_io *io, const struct gf_rank *r, int64_t x, int64_t y, double *out)
{
    static double around[4][(2 * GF_RANK_MAX_RADIUS + 1) * (2 * GF_RANK_MAX_RADIUS + 1)];
    const int side = 2 * r->radius + 1, n = side * side;
    double v[GF_MAX_CHANNELS + 4];

    for (int k = 0; k < n; k++) {
        loaded(io, gf_border_index(r->border, x + k % side - r->radius, io->src.width),
               gf_border_index(r->border, y + k / side - r->radius, io->src_units), v);
        for (int c = 0; c < r->channels; c++)
            around[c][k] = v[c];
    }
    loaded(io, x, y, out);
    for (int c = 0; c < r->channels; c++) {
        qsort(around[c], (size_t)n, sizeof(double), by_value);
        out[c] = around[c][r->pick == GF_RANK_LEAST ? 0 : r->pick == GF_RANK_MIDDLE ? n / 2 : n - 1];
    }
}

/* Sample (x, y) of plane p of a frame, of which the outermost go on for ever; *at: where it lies. */
static double frame_sample(const struct gf_block *frame, const struct gf_yuv_op *o, int p, int64_t x, int64_t y, int64_t *at)
{
    const int64_t w = p ? (o->width + (1 << o->sub_x) - 1) >> o->sub_x : o->width;
    const int64_t h = p ? (o->height + (1 << o->sub_y) - 1) >> o->sub_y : o->height;
    const int64_t base = p ? o->width * o->height + (p - 1) * w * h : 0;

    x = x < 0 ? 0 : x < w ? x : w - 1;
    y = y < 0 ? 0 : y < h ? y : h - 1;
    *at = base + y * w + x;
    return frame->type == GF_U8 ? ((const uint8_t *)frame->data)[*at] : ((const uint16_t *)frame->data)[*at];
}

/* Where chroma sample 0 lies, in pixels. */
static double chroma_start(const struct gf_yuv_op *o, bool across)
{
    return across ? (o->sub_x == 1 && !o->left ? 0.5 : 0) : o->sub_y ? 0.5 : 0;
}

/* From luma and chroma at a pixel, by the book: Kr and Kb, and nothing that the bodies worked out. */
static void slow_from_yuv(const struct gf_io *io, const struct gf_yuv_op *o, int64_t x, int64_t y, double *out)
{
    const bool full = o->luma_zero == 0, hd = o->m[0][0] > 1.5f;
    const double kr = hd ? 0.2126 : 0.299, kb = hd ? 0.0722 : 0.114, one = full ? (double)o->most : (double)(o->luma_zero / 16) * 219;
    const double cx = ((double)x - chroma_start(o, true)) / (1 << o->sub_x), cy = ((double)y - chroma_start(o, false)) / (1 << o->sub_y);
    double c[3] = { 0, 0, 0 };
    int64_t at;

    out[0] = (frame_sample(&io->src, o, 0, x, y, &at) - (double)o->luma_zero) / one;
    for (int p = 1; p < 3 && !o->mono; p++) {
        for (int j = 0; j < 2; j++)
            for (int i = 0; i < 2; i++)
                c[p] += frame_sample(&io->src, o, p, (int64_t)floor(cx) + i, (int64_t)floor(cy) + j, &at)
                      * (1 - fabs(cx - floor(cx) - i)) * (1 - fabs(cy - floor(cy) - j));
        c[p] = (c[p] - (double)o->chroma_zero) / (full ? one : one / 219 * 224);
    }
    if (o->mono)
        return;
    out[2] = out[0] + 2 * (1 - kb) * c[1];
    c[0] = out[0];
    out[0] += 2 * (1 - kr) * c[2];
    out[1] = (c[0] - kr * out[0] - kb * out[2]) / (1 - kr - kb);
}

/* Luma (p = 0) or chroma at a place of a frame that is made, before it is rounded. */
static double slow_to_yuv(const struct gf_io *io, const struct gf_yuv_op *o, int p, int64_t x, int64_t y)
{
    const bool full = o->luma_zero == 0, hd = o->m[0][0] < 0.25f;
    const double kr = hd ? 0.2126 : 0.299, kb = hd ? 0.0722 : 0.114, one = full ? (double)o->most : (double)(o->luma_zero / 16) * 219;
    const int reach = p == 0 || o->sub_x == 0 ? 0 : o->left ? (1 << o->sub_x) - 1 : 1, rows = p > 0 && o->sub_y ? 2 : 1;
    double v[3] = { 0, 0, 0 }, luma, weights = 0;

    for (int j = 0; j < rows; j++)
        for (int i = o->left ? -reach : 0; i <= reach; i++) {
            const int64_t sx = (p ? x << o->sub_x : x) + i, sy = (p ? y << o->sub_y : y) + j;
            const double w = o->left ? reach + 1 - abs(i) : 1;

            weights += w;
            for (int c = 0; c < io->src.channels; c++)
                v[c] += w * get(&io->src, c, sx < 0 ? 0 : sx < o->width ? sx : o->width - 1, sy < o->height ? sy : o->height - 1);
        }
    for (int c = 0; c < 3; c++)
        v[c] /= weights;
    luma = o->mono ? v[0] : kr * v[0] + (1 - kr - kb) * v[1] + kb * v[2];
    if (p == 0)
        return luma * one + (double)o->luma_zero;
    return (p == 1 ? (v[2] - luma) / (2 * (1 - kb)) : (v[0] - luma) / (2 * (1 - kr))) * (full ? one : one / 219 * 224) + (double)o->chroma_zero;
}

static void slow_pad(const struct gf_io *io, const struct gf_pad *p, int64_t x, int64_t y, double *out)
{
    const enum gf_border border = p->use_background ? GF_ZERO : p->border;

    x = gf_border_index(border, x - p->left, io->src.width);
    y = gf_border_index(border, y - p->top, io->src_units);
    loaded(io, x, y, out);
    for (int c = 0; p->use_background && c < 4; c++)
        out[c] = x < 0 || y < 0 ? (double)p->background[c] : out[c];
}

/* An entry of a table: where its weights begin, how many there are, and the first one. No table: the place itself. */
static int64_t entry_of(const struct gf_resize_axis *axis, int64_t i, int *count, const float **weights)
{
    static const float one = 1;
    const float *entry = tables + axis->at + i * (2 + axis->taps);

    *count = axis->taps > 0 ? (int)entry[1] : 1;
    *weights = axis->taps > 0 ? entry + 2 : &one;
    return axis->taps > 0 ? (int64_t)entry[0] : i;
}

static void slow_resize(const struct gf_io *io, const struct gf_resize *r, int64_t x, int64_t y, double *out)
{
    double v[GF_MAX_CHANNELS + 4];
    int nx, ny;
    const float *wx, *wy;
    const int64_t left = entry_of(&r->x, x, &nx, &wx), top = entry_of(&r->y, y, &ny, &wy);

    memset(out, 0, sizeof v);
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            loaded(io, left + i, top + j, v);
            for (int c = 0; c < GF_MAX_CHANNELS; c++)
                out[c] += (double)wy[j] * (double)wx[i] * v[c];
        }
}

/* The table that stands at (i, j), or the nearest one that there is. */
static double lattice_at(const struct gf_lattice *l, int64_t i, int64_t j, int bin)
{
    i = i < 0 ? 0 : i >= l->across ? l->across - 1 : i;
    j = j < 0 ? 0 : j >= l->down ? l->down - 1 : j;
    return tables[l->table + (j * l->across + i) * l->bins + bin];
}

static void slow_lattice(const struct gf_io *io, const struct gf_lattice *l, int64_t x, int64_t y, double *v)
{
    const double fx = ((double)x + .5) * l->per_column - .5, fy = ((double)y + .5) * l->per_row - .5;
    const int64_t i = (int64_t)floor(fx), j = (int64_t)floor(fy);
    const double dx = fx - floor(fx), dy = fy - floor(fy);
    double luma, top, bottom;
    int bin;

    loaded(io, x, y, v);
    luma = l->colours == 3 ? .299 * v[0] + .587 * v[1] + .114 * v[2] : v[0];
    bin = (int)nearbyint(clamp(luma, 0, 1) * (l->bins - 1));
    top = lattice_at(l, i, j, bin) * (1 - dx) + lattice_at(l, i + 1, j, bin) * dx;
    bottom = lattice_at(l, i, j + 1, bin) * (1 - dx) + lattice_at(l, i + 1, j + 1, bin) * dx;
    for (int c = 0; c < l->colours; c++)
        v[c] += top * (1 - dy) + bottom * dy;
}

static void slow_resample(const struct gf_io *io, const struct gf_resample *r, int64_t n, double *out)
{
    const double place = (double)n * (double)r->times / (double)r->per, part = place - floor(place);
    const double row = r->phases == 0 ? nearbyint(part * (double)r->per) : floor(part * r->phases + 1e-9);
    const double share = r->phases == 0 ? 0 : fmax(part * r->phases - row, 0);
    const float *weights = tables + r->table + (int64_t)row * r->taps;
    double v[GF_MAX_CHANNELS + 4];

    memset(out, 0, sizeof(double) * (size_t)io->dst.channels);
    for (int k = 0; k < r->taps; k++) {
        const int64_t at = (int64_t)floor(place) - r->taps / 2 + 1 + k;

        if (at < io->src.span.start || at >= io->src.span.end)
            continue;
        loaded(io, 0, at, v);
        for (int c = 0; c < io->dst.channels; c++)
            out[c] += v[c] * (weights[k] + (share > 0 ? share * ((double)weights[k + r->taps] - weights[k]) : 0));
    }
}

/* A row of powers at once, by the sums themselves; how far c channels' rows are off at most, as a part of the largest power. */
static double spectrum_error(const struct gf_io *io, const struct gf_spectrum *s)
{
    const float *weights = tables + s->table;
    double worst = 0, largest = 1e-9;

    for (int c = 0; c < io->dst.channels; c++)
        for (int64_t n = io->dst.span.start; n < io->dst.span.end; n++)
            for (int k = 0; k <= s->size / 2; k++) {
                double power = 0, d;

                for (int i = 0; i < s->windows; i++) {
                    double re = 0, im = 0;

                    for (int j = 0; j < s->size; j++) {
                        const int64_t at = n * s->stretch + (2 * i + 1) * s->stretch / (2 * s->windows) - s->size / 2 + j;
                        const double v = at >= io->src.span.start && at < io->src.span.end ? get(&io->src, c, 0, at) * weights[j] : 0;

                        re += v * cos(2 * M_PI * k * j / s->size);
                        im += v * sin(2 * M_PI * k * j / s->size);
                    }
                    power += (re * re + im * im) * s->scale / s->windows;
                }
                d = fabs(get(&io->dst, c, k, n) - power);
                largest = power > largest ? power : largest;
                worst = d > worst ? d : worst;
            }
    return worst / largest;
}

static void slow(enum gf_op op, const struct gf_io *io, const void *params, int64_t x, int64_t y, double *out)
{
    const struct gf_move *m = params;

    if (op == GF_OP_CONV)
        slow_conv(io, params, x, y, out);
    else if (op == GF_OP_BOX)
        slow_box(io, params, x, y, out);
    else if (op == GF_OP_SAMPLE)
        slow_sample(io, params, x, y, out);
    else if (op == GF_OP_RESIZE)
        slow_resize(io, params, x, y, out);
    else if (op == GF_OP_LATTICE)
        slow_lattice(io, params, x, y, out);
    else if (op == GF_OP_RANK)
        slow_rank(io, params, x, y, out);
    else if (op == GF_OP_YUV)
        slow_from_yuv(io, params, x, y, out);
    else if (op == GF_OP_PAD)
        slow_pad(io, params, x, y, out);
    else if (op == GF_OP_RESAMPLE)
        slow_resample(io, params, y, out);
    else if (op == GF_OP_SELECT || op == GF_OP_PLACE)
        slow_move(op, io, params, x, y, out);
    else if (op == GF_OP_ECHO || op == GF_OP_FADE || op == GF_OP_LIMIT || op == GF_OP_NOISE)
        slow_sound(op, io, params, x, y, out);
    else if (op == GF_OP_MOVE)
        loaded(io, m->cx + x * m->xx + y * m->xy, m->cy + x * m->yx + y * m->yy, out);
    else
        loaded(io, x, y, out);
    run_program(io->store, out);
}

/* ---- comparing ---- */

/* "3 1.2.4": the kinds of a program's steps, with what PICK picks. */
static const char *kinds(const struct gf_point *p, char *text, size_t room)
{
    size_t at = 0;

    text[0] = '\0';
    for (int i = 0; p != NULL && i < p->count && at + 40 < room; i++) {
        const struct gf_point_step *s = &p->step[i];

        at += (size_t)snprintf(text + at, room - at, "%s%d(%d to %d)", i ? " " : "", (int)s->kind, s->channels, s->outs);
        for (int o = 0; s->kind == GF_POINT_PICK && o < s->outs && at + 8 < room; o++)
            at += (size_t)snprintf(text + at, room - at, ",%d", s->pick[o]);
    }
    return text;
}

static void complain(const char *what, enum gf_op op, const struct gf_io *io, int c, int64_t x, int64_t y, double got, double wanted)
{
    const struct gf_block *s = &io->src, *d = &io->dst;
    char load[200], store[200];

    if (trouble[0] == '\0')
        snprintf(trouble, sizeof trouble,
                 "%s %s: channel %d at %" PRId64 ", %" PRId64 " is %.9g, not %.9g (%" PRId64 " by %" PRId64
                 " of type %d%s, %d channels, units %" PRId64 " to %" PRId64 " of type %d%s, load %s, store %s)",
                 gf_op_word(op), what, c, x, y, got, wanted, s->width, io->src_units, (int)s->type, s->planar ? " planar" : "",
                 s->channels, d->span.start, d->span.end, (int)d->type, d->planar ? " planar" : "",
                 kinds(io->load, load, sizeof load), kinds(io->store, store, sizeof store));
}

/*
 * Near a jump of a table or of nearest neighbours two answers are right; those cases are left to
 * the bits. `slack` is a part of the largest value, which a sum may have gone through although
 * little is left of it: for a convolution, those that come in count too.
 */
static void compare_slow(enum gf_op op, const struct gf_io *io, const void *params, double slack)
{
    const double step = step_of(&io->dst);
    double wanted[GF_MAX_CHANNELS + 4], seen[GF_MAX_CHANNELS + 4], largest = 1e-3;

    for (int pass = 0; pass < 2; pass++)
        for (int64_t y = io->dst.span.start; y < io->dst.span.end; y++)
            for (int64_t x = 0; x < io->dst.width; x++) {
                slow(op, io, params, x, y, wanted);
                if (op == GF_OP_CONV && pass == 0)
                    loaded(io, x, y, seen);
                for (int c = 0; op == GF_OP_CONV && pass == 0 && c < io->src.channels; c++)
                    largest = fabs(seen[c]) > largest ? fabs(seen[c]) : largest;
                for (int c = 0; c < io->dst.channels; c++) {
                    const double got = get(&io->dst, c, x, y), w = step > 0 ? clamp(wanted[c], io->dst.type == GF_U8 || io->dst.type == GF_U16 ? 0 : -1, 1) : wanted[c];

                    if (pass == 0)
                        largest = fabs(w) > largest ? fabs(w) : largest;
                    else if (!(fabs(got - w) <= slack * largest + 1.001 * step))
                        complain("on a CPU", op, io, c, x, y, got, w);
                }
            }
}

static bool same_value(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
}

/* Samples first, for the words; then every byte around them. */
static void compare_bits(enum gf_op op, const struct gf_io *cpu, const struct gf_io *cuda, const unsigned char *a,
                         const unsigned char *b, size_t bytes)
{
    bool nan = false;

    for (int64_t y = cpu->dst.span.start; y < cpu->dst.span.end; y++)
        for (int64_t x = 0; x < cpu->dst.width; x++)
            for (int c = 0; c < cpu->dst.channels; c++) {
                const double v = get(&cpu->dst, c, x, y), w = get(&cuda->dst, c, x, y);

                nan = nan || v != v;
                if (!same_value(v, w))
                    complain("on a GPU", op, cpu, c, x, y, w, v);
            }
    if (!nan && memcmp(a, b, bytes) != 0 && trouble[0] == '\0')
        snprintf(trouble, sizeof trouble, "%s: bytes beyond the result differ", gf_op_word(op));
}

/* Texture units weigh in their own way, but not another way by more than one step of what is stored. */
static void compare_steps(enum gf_op op, const struct gf_io *cpu, const struct gf_io *cuda)
{
    for (int64_t y = cpu->dst.span.start; y < cpu->dst.span.end; y++)
        for (int64_t x = 0; x < cpu->dst.width; x++)
            for (int c = 0; c < cpu->dst.channels; c++) {
                const double v = get(&cpu->dst, c, x, y), w = get(&cuda->dst, c, x, y);

                if (!(fabs(v - w) <= 1.001 * step_of(&cpu->dst)))
                    complain("on a GPU, coarse", op, cpu, c, x, y, w, v);
            }
}

/* Poison must stand wherever no sample of dst lies. */
static void check_poison(enum gf_op op, const struct gf_block *d, const unsigned char *bytes, size_t size)
{
    const size_t sample = gf_type_bytes(d->type), row = (size_t)d->width * (size_t)(d->planar ? 1 : d->channels) * sample;
    const size_t first = (size_t)((const unsigned char *)d->data - bytes);
    unsigned char *seen = calloc(size, 1);

    for (int c = 0; c < (d->planar ? d->channels : 1); c++)
        for (int64_t y = 0; y < gf_span_units(d->span); y++)
            memset(seen + first + (size_t)(c * d->plane_samples + y * d->pitch_samples) * sample, 1, row);
    for (size_t i = 0; i < size; i++)
        if (!seen[i] && bytes[i] != POISON && trouble[0] == '\0')
            snprintf(trouble, sizeof trouble, "%s: byte %zu beyond the result was written", gf_op_word(op), i);
    free(seen);
}

/* ---- running ---- */

static int run_cpu(enum gf_op op, const struct gf_io *io, const void *params)
{
    struct gf_work w = { .masks = masks, .tables = tables, .scratch_bytes = gf_op_scratch_bytes(op, params, io) };
    int result;

    w.carry = memcpy(carried[1], carried[0], carried_bytes);
    w.scratch = aligned_alloc(64, (w.scratch_bytes + 127) / 64 * 64);
    result = gf_ops_cpu[op](&w, io, params, &error);
    free(w.scratch);
    return result;
}

/* The same call where the GPU's memory mirrors ours: src at its place, `dst_bytes` of results around dst. */
static int run_gpu(enum gf_op op, struct gf_io *io, const void *params, size_t src_size, size_t dst_size)
{
    const struct gf_device_kind *k = &gf_device_cuda;
    struct gf_work w = k->work(&gpu);
    struct gf_io there = *io;
    const size_t src_at = (size_t)((unsigned char *)io->src.data - src_bytes);
    const size_t dst_at = (size_t)((unsigned char *)io->dst.data - cpu_bytes);

    there.src.data = (char *)gpu_src + src_at;
    there.dst.data = (char *)gpu_dst + dst_at;
    io->dst.data = gpu_bytes + dst_at;
    w.carry = gpu_carried;
    return k->upload(&gpu, gpu_src, src_bytes, src_size, &error) != 0 || k->upload(&gpu, gpu_carried, carried[0], carried_bytes, &error) != 0
        || k->upload(&gpu, gpu_dst, gpu_bytes, dst_size, &error) != 0
        || k->bodies[op](&w, &there, params, &error) != 0 || k->wait(&gpu, &error) != 0
        || k->download(&gpu, gpu_bytes, gpu_dst, dst_size, &error) != 0
        || k->download(&gpu, carried[2], gpu_carried, carried_bytes, &error) != 0 ? -1 : 0;
}

/* One call on a device; slack < 0: only the bits count. */
static void try_call(bool on_gpu, enum gf_op op, const struct gf_io *io, const void *params, size_t src_size, size_t dst_size,
                     double slack)
{
    struct gf_io there = *io;

    if (trouble[0] != '\0')
        return;
    memset(cpu_bytes, POISON, dst_size);
    if (op == GF_OP_HISTOGRAM)
        memset(cpu_bytes, 0, dst_size);
    memcpy(gpu_bytes, cpu_bytes, dst_size);
    if (run_cpu(op, io, params) != 0 || (on_gpu && run_gpu(op, &there, params, src_size, dst_size) != 0)) {
        snprintf(trouble, sizeof trouble, "%s: %.300s", gf_op_word(op), error.text);
        return;
    }
    if (op == GF_OP_HISTOGRAM || op == GF_OP_REDUCE || op == GF_OP_LOUDNESS) {
        if (on_gpu && memcmp(cpu_bytes, gpu_bytes, dst_size) != 0)
            complain("on a GPU: records differ", op, io, 0, 0, 0, 0, 0);
        return;
    }
    if (op == GF_OP_SPECTRUM) {                  /* transforms round in their own ways */
        const double off = spectrum_error(on_gpu ? &there : io, params);

        if (!(off < 1e-5))
            complain(on_gpu ? "on a GPU" : "on a CPU", op, io, 0, 0, io->dst.span.start, off, 0);
        check_poison(op, on_gpu ? &there.dst : &io->dst, on_gpu ? gpu_bytes : cpu_bytes, dst_size);
        return;
    }
    if (on_gpu && op == GF_OP_SAMPLE && ((const struct gf_sample *)params)->coarse) {
        compare_steps(op, io, &there);
        check_poison(op, &there.dst, gpu_bytes, dst_size);
        return;
    }
    if (on_gpu) {
        compare_bits(op, io, &there, cpu_bytes, gpu_bytes, dst_size);
        return;
    }
    check_poison(op, &io->dst, cpu_bytes, dst_size);
    if (slack >= 0)
        compare_slow(op, io, params, slack);
}

/* ---- making cases ---- */

struct form {
    const char *name;
    enum gf_type type;
    int bits;
    uint32_t maxval;
    int channels;
    bool planar;
};

static const struct form forms[] = {
    { "u8", GF_U8, 8, 255, 1, false }, { "u8 rgb", GF_U8, 8, 255, 3, false }, { "u8 rgba", GF_U8, 8, 255, 4, false },
    { "u16", GF_U16, 16, 65535, 1, false }, { "u16 rgb", GF_U16, 10, 1023, 3, false }, { "s16", GF_S16, 16, 1, 2, false },
    { "s24", GF_S32, 24, 1, 1, false }, { "s32", GF_S32, 32, 1, 3, false }, { "f32", GF_F32, 32, 1, 1, false },
    { "f32 rgb", GF_F32, 32, 1, 3, false }, { "f32 rgba", GF_F32, 32, 1, 4, false }, { "f64", GF_F64, 64, 1, 1, false },
    { "plane", GF_F32, 32, 1, 1, true }, { "planes", GF_F32, 32, 1, 3, true }, { "four planes", GF_F32, 32, 1, 4, true },
    { "six channels", GF_S16, 16, 1, 6, false },
    { "u8 gray and alpha", GF_U8, 8, 255, 2, false },
};

enum { FORMS = sizeof forms / sizeof *forms };

static struct gf_block block_of(const struct form *f, int channels, unsigned char *bytes, int64_t width, struct gf_span span)
{
    struct gf_block b = { .span = span, .width = width, .channels = channels, .planar = f->planar,
                          .type = f->type, .bits = f->bits, .maxval = f->maxval };
    const int64_t row = width * (f->planar ? 1 : channels);

    b.pitch_samples = aligned || any(2) ? row : f->planar && width > 1 ? (row + 127) / 128 * 128 : row + any(7);
    b.plane_samples = f->planar ? b.pitch_samples * gf_span_units(span) + any(3) * 128 : 0;
    b.data = bytes + (aligned || any(3) ? 512 : 512 + gf_type_bytes(f->type) * any(5));
    return b;
}

static size_t block_bytes(const struct gf_block *b)
{
    const int64_t rows = gf_span_units(b->span);

    return 2048 + (size_t)(b->planar ? b->plane_samples * b->channels : b->pitch_samples * rows) * gf_type_bytes(b->type);
}

enum fill { NOISE, NEAR_0, NEAR_1, FLAT, WILD, FILLS };

static void fill_block(const struct gf_block *b, size_t bytes, enum fill how)
{
    const size_t sample = gf_type_bytes(b->type);
    const float odd[] = { NAN, INFINITY, -INFINITY, -1.5f, 3e38f, 1e-42f, 0.25f, 1.0f };
    const double level = unit_random();

    memset(src_bytes, 0xFF, bytes);
    for (size_t i = 512 / sample; i * sample < bytes; i++) {
        const double v = how == NOISE ? unit_random() : how == NEAR_0 ? unit_random() * 0.02 : how == NEAR_1 ? 1 - unit_random() * 0.02 : level;

        switch (b->type) {
        case GF_U8: ((uint8_t *)src_bytes)[i] = (uint8_t)(v * (b->maxval + 0.5)); break;
        case GF_U16: ((uint16_t *)src_bytes)[i] = (uint16_t)(v * (b->maxval + 0.5)); break;
        case GF_S16: ((int16_t *)src_bytes)[i] = (int16_t)(v * 65535 - 32768); break;
        case GF_S32: ((int32_t *)src_bytes)[i] = (int32_t)((uint32_t)(int32_t)(v * 4294967295.0 - 2147483648.0) & (b->bits == 24 ? 0xFFFFFF00u : 0xFFFFFFFFu)); break;
        case GF_F32: ((float *)src_bytes)[i] = how == WILD && any(4) == 0 ? odd[any(8)] : (float)v; break;
        default: ((double *)src_bytes)[i] = how == WILD && any(4) == 0 ? (double)odd[any(8)] : v; break;
        }
    }
}

/* Adds a random step that fits, and tells whether slow arithmetic can be compared behind it. */
static bool add_step(struct gf_point *p)
{
    struct gf_point_step s = { .channels = p->out, .outs = p->out, .bins = 256, .table = any(1000), .a = 0.5f + (float)unit_random(), .b = 0.1f };
    bool smooth = true;

    s.kind = (enum gf_point_kind)any(GF_POINT_MIX + 1);
    if (s.kind == GF_POINT_MIX && p->out <= 4)                /* fewer channels are a matrix */
        s.kind = GF_POINT_AFFINE;
    if (s.kind == GF_POINT_MATRIX) {
        s.channels = p->out > 4 ? 3 : p->out;
        s.outs = any(2) ? 1 : s.channels;
        for (int o = 0; o < 4; o++)
            for (int i = 0; i < 5; i++)
                s.m[o][i] = (float)unit_random() * 0.4f;
    }
    if (s.kind == GF_POINT_PREMULTIPLY || s.kind == GF_POINT_UNPREMULTIPLY) {
        if (p->out < 2 || p->out > 4)
            s.kind = GF_POINT_AFFINE;
        else
            s.channels--;
        smooth = s.kind != GF_POINT_UNPREMULTIPLY;
    }
    if (s.kind == GF_POINT_MAX || s.kind == GF_POINT_LIGHTNESS)
        s.channels = p->out >= 4 ? 3 : p->out;
    if (s.kind == GF_POINT_PICK) {
        s.outs = 1 + (int)any(4);
        for (int o = 0; o < s.outs; o++)
            s.pick[o] = (signed char)(o >= p->out || any(4) == 0 ? -1 : o + (int)any((uint32_t)(p->out - o)));
    }
    if (s.kind == GF_POINT_THRESHOLD)
        smooth = false;
    if (s.kind == GF_POINT_TABLE || s.kind == GF_POINT_LUMA_TABLE)
        smooth = false;
    if (s.kind == GF_POINT_LUMA_TABLE && p->out != 3)
        s.kind = GF_POINT_POWER;
    return gf_point_add(p, &s) == 0 && smooth;
}

/* A program or none: *use points at it, or is NULL. */
static bool make_program(struct gf_point *p, int channels, int steps, const struct gf_point **use)
{
    bool smooth = true;

    gf_point_init(p, channels);
    for (int i = 0; i < steps; i++)
        smooth = add_step(p) && smooth;
    *use = any(5) == 0 && steps == 0 ? NULL : p;
    return smooth;
}

static const int64_t sizes[][2] = {
    { 1, 1 }, { 13, 1 }, { 1, 11 }, { 31, 17 }, { 64, 64 }, { 65, 63 }, { 63, 33 }, { 129, 34 }, { 257, 5 }, { 4, 130 }, { 96, 48 },
};

static struct gf_span part_of(int64_t units)
{
    struct gf_span s = { 0, units };

    if (any(2)) {
        s.start = any((uint32_t)units);
        s.end = s.start + 1 + any((uint32_t)(units - s.start));
    }
    return s;
}

struct trial {
    const struct form *form;
    int64_t width, units;
    struct gf_point load, store;
    struct gf_io io;
    bool smooth;
    enum fill fill;
    bool aligned;                        /* rows of the source begin where fours of samples can be read */
};

/* Format, size and programs of a call whose result is `width` by `units`, of which it computes a part. */
static void start_trial(struct trial *t, const struct form *f, bool programs)
{
    const int64_t *size = sizes[any(sizeof sizes / sizeof *sizes)];

    memset(t, 0, sizeof *t);
    t->form = f;
    t->width = f->channels > 4 ? 1 : size[0];
    t->units = f->channels > 4 ? size[0] * size[1] : size[1];
    t->fill = (enum fill)any(FILLS);
    t->smooth = make_program(&t->load, f->channels, programs && any(2) ? 1 + (int)any(2) : 0, &t->io.load);
    t->smooth = make_program(&t->store, t->load.out, programs && any(3) == 0 ? 1 : 0, &t->io.store) && t->smooth;
    t->smooth = t->smooth && t->fill != WILD;
    t->io.src_units = t->units;
}

static const struct form *other_form(const struct form *f)
{
    const struct form *to = &forms[any(FORMS)];

    return any(3) == 0 ? f : to;
}

/* Lays out src for `in` of the signal and dst for `out`, fills, and runs. */
static void finish_trial(struct trial *t, bool on_gpu, enum gf_op op, const void *params, struct gf_span in, struct gf_span out,
                         int64_t out_width, const struct form *to, double slack)
{
    size_t src_size, dst_size;

    t->io.src = block_of(t->form, t->form->channels, src_bytes, t->width, in);
    t->io.dst = block_of(to, t->store.out, cpu_bytes, out_width, out);
    if (op == GF_OP_SPECTRUM)
        t->io.src.pitch_samples = 1;
    if (op == GF_OP_RESAMPLE)                    /* frames lie side by side */
        t->io.src.pitch_samples = t->io.dst.pitch_samples = 1;
    src_size = block_bytes(&t->io.src);
    dst_size = block_bytes(&t->io.dst);
    fill_block(&t->io.src, src_size, t->fill);
    try_call(on_gpu, op, &t->io, params, src_size, dst_size, t->smooth ? slack : -1);
}

static struct gf_span grown(struct gf_span s, int64_t before, int64_t after, int64_t units)
{
    return (struct gf_span) { s.start > before ? s.start - before : 0, s.end + after < units ? s.end + after : units };
}

static void try_point(const struct form *f, bool on_gpu)
{
    struct trial t;
    struct gf_span out;

    start_trial(&t, f, true);
    out = part_of(t.units);
    finish_trial(&t, on_gpu, GF_OP_POINT, NULL, grown(out, any(3), any(3), t.units), out, t.width, other_form(f), 2e-6);
}

static void try_conv(const struct form *f, bool on_gpu)
{
    static const int lengths[] = { 1, 2, 3, 5, 9, 15, 31, 64, 65, 130 };
    struct trial t;
    struct gf_span out;
    struct gf_conv m = { .border = (enum gf_border)any(5), .mask_channels = 1 };
    const int kind = (int)any(4);
    int reach;

    start_trial(&t, f, true);
    out = part_of(t.units);
    m.full = kind == 3 && t.width > 1;
    m.nx = kind == 1 || t.width == 1 ? 0 : lengths[any(m.full ? 6 : kind == 0 ? 8 : 10)];
    m.ny = kind == 2 && m.nx > 0 ? 0 : lengths[any(m.full ? 6 : kind == 0 ? 8 : 10)];
    m.cx = m.nx / 2, m.cy = any(4) == 0 ? 0 : m.ny / 2;
    if (f->channels > 1 && t.load.out == f->channels && any(4) == 0)
        m.mask_channels = f->channels;
    m.x_at = any(2) ? any(2000) : 20000 + any(1000);
    m.y_at = any(3000);
    m.full_at = any(3) ? any(2000) : 17000;
    if ((m.border == GF_REFLECT || m.border == GF_MIRROR) && m.ny > 0)
        m.ny |= 1, m.cy = m.ny / 2;
    if (m.full ? any(3) == 0 : m.nx > 0 && m.ny > 0 && any(3) == 0) {
        m.combine = m.full ? GF_CONV_HYPOT : GF_CONV_SHARPEN;
        m.combined = 1 + (int)any((uint32_t)t.load.out);
        m.mask_channels = 1;
        m.also_at = any(3) ? any(2000) : 18000;
        m.amount = 0.5f + (float)unit_random();
        m.threshold = any(2) ? 0 : 0.05f;
        t.smooth = t.smooth && (m.full || m.threshold == 0);           /* where it jumps, either side is right */
    }
    reach = m.ny - 1 - m.cy > m.cy ? m.ny - 1 - m.cy : m.cy;          /* both ways alike: what is reflected lies within */
    finish_trial(&t, on_gpu, GF_OP_CONV, &m, m.border == GF_WRAP ? (struct gf_span) { 0, t.units } : grown(out, reach, reach, t.units),
                 out, t.width, other_form(f), 3e-6);
}

static void try_box(const struct form *f, bool on_gpu)
{
    static const int radii[] = { 0, 1, 2, 3, 7, 8, 20, 63, 64, 100, 511 };
    struct gf_box b = { .radius = radii[any(sizeof radii / sizeof *radii)], .along_units = any(2), .border = (enum gf_border)any(5) };
    const int64_t reach = b.along_units ? b.radius : 0;
    struct trial t;
    struct gf_span out;

    if (f->channels > 4)
        f = &forms[0];
    start_trial(&t, f, true);
    out = part_of(t.units);
    finish_trial(&t, on_gpu, GF_OP_BOX, &b, b.along_units && b.border == GF_WRAP ? (struct gf_span) { 0, t.units } : grown(out, reach, reach, t.units),
                 out, t.width, other_form(f), 3e-6);
}

static void try_sample(const struct form *f, bool on_gpu)
{
    const double one = (double)(INT64_C(1) << GF_SAMPLE_ONE_BITS), a = unit_random() * 6.3;
    struct gf_sample s = { .xx = (int64_t)(cos(a) * one), .xy = (int64_t)(sin(a) * one), .yx = (int64_t)(-sin(a) * one),
                           .yy = (int64_t)(cos(a) * one), .interpolation = (enum gf_interpolation)any(3),
                           .use_background = any(2), .border = (enum gf_border)any(5), .background = { .2f, .4f, .6f, 1.0f } };
    const int64_t *size = sizes[any(sizeof sizes / sizeof *sizes)];
    struct trial t;
    struct gf_span out;

    if (f->channels > 4)
        f = &forms[0];
    start_trial(&t, f, true);
    s.coarse = s.textures = s.interpolation == GF_LINEAR && any(3);
    if (s.coarse) {                                                  /* what it is for: finite samples, straight to 8 bits */
        gf_point_init(&t.store, t.load.out);
        t.fill = t.fill == WILD ? NOISE : t.fill;
        if (any(2))
            memset(s.background, 0, sizeof s.background);
    }
    s.cx = (int64_t)((unit_random() * 1.4 - 0.2) * (double)t.width * one);
    s.cy = (int64_t)((unit_random() * 1.4 - 0.2) * (double)t.units * one);
    out = part_of(size[1]);
    t.smooth = t.smooth && s.interpolation != GF_NEAREST;
    finish_trial(&t, on_gpu, GF_OP_SAMPLE, &s, (struct gf_span) { 0, t.units }, out, size[0], s.coarse ? &forms[0] : other_form(f), 1e-5);
}

static struct gf_resize_axis axes[400];
static int axis_count;

/* Another axis with its weights; false where no room is left. */
static bool add_axis(enum gf_resize_filter filter, int64_t in, int64_t out)
{
    static int64_t at = NOISE_TABLES;
    struct gf_resize_axis axis = { .at = at, .in = in, .out = out, .taps = gf_resize_taps(filter, in, out) };

    if (axis_count == sizeof axes / sizeof *axes || at + axis.out * gf_resize_stride(&axis) > TABLES - RINGS)
        return false;
    gf_resize_fill(&axis, filter, tables + at);
    at += axis.out * gf_resize_stride(&axis);
    axes[axis_count++] = axis;
    return true;
}

/* From each length there is to some others: one, near, far, and any. */
static void make_axes(void)
{
    for (size_t i = 0; i < 2 * sizeof sizes / sizeof *sizes; i++) {
        const int64_t in = sizes[i / 2][i % 2], outs[] = { 1, in + 1, 1 + any(8), 1 + any(150), 1 + any(150), 1 + any(300) };

        for (int k = 0; k < 6; k++)
            add_axis((enum gf_resize_filter)any(GF_RESIZE_AREA + 1), in, outs[k]);
    }
}

static int paired;                       /* the first of the axes that come in twos, for both directions */

/* Both directions at the same ratio by the same filter, to lengths about those of tiles and of fours. */
static void make_pairs(void)
{
    static const int ratios[][2] = { { 2, 1 }, { 2, 1 }, { 2, 1 }, { 2, 1 }, { 2, 1 }, { 1, 2 }, { 3, 2 }, { 2, 3 }, { 3, 1 }, { 4, 1 }, { 7, 5 } };
    static const int lengths[] = { 1, 2, 3, 4, 5, 7, 8, 31, 32, 33, 59, 60, 61, 63, 64, 65, 100, 121 };
    const uint32_t n = sizeof lengths / sizeof *lengths;

    paired = axis_count;
    for (size_t i = 0; i < 5 * sizeof ratios / sizeof *ratios; i++) {
        const int *ratio = ratios[i / 5], w = lengths[any(n)], h = lengths[any(n)];
        const enum gf_resize_filter filter = (enum gf_resize_filter)(i % 5);

        if (!add_axis(filter, (w * ratio[0] + ratio[1] - 1) / ratio[1], w) || !add_axis(filter, (h * ratio[0] + ratio[1] - 1) / ratio[1], h))
            axis_count = axis_count > paired ? paired + (axis_count - paired) / 2 * 2 : axis_count;
    }
}

static struct gf_resize_axis any_axis(int64_t in)
{
    struct gf_resize_axis axis = { .in = in, .out = in };

    for (int tries = 0; tries < 2000 && any(30) != 0; tries++) {
        const struct gf_resize_axis *one = &axes[any((uint32_t)axis_count)];

        if (one->in == in)
            return *one;
    }
    return axis;
}

/* A part of what r makes, from what it is made of and a little more. */
static void finish_resize(struct trial *t, bool on_gpu, const struct gf_resize *r, const struct form *to)
{
    const struct gf_span out = part_of(r->y.out);
    struct gf_span in;
    const float *weights;
    int count;

    in.start = entry_of(&r->y, out.start, &count, &weights);
    in.end = entry_of(&r->y, out.end - 1, &count, &weights);
    in.end += count;
    finish_trial(t, on_gpu, GF_OP_RESIZE, r, grown(in, any(3), any(3), t->units), out, r->x.out, to, 3e-6);
}

static void try_resize(const struct form *f, bool on_gpu)
{
    struct gf_resize r;
    struct trial t;

    if (f->channels > 4)
        f = &forms[0];
    start_trial(&t, f, true);
    r.x = any_axis(t.width);
    r.y = any_axis(t.units);
    finish_resize(&t, on_gpu, &r, other_form(f));
}

/* Both directions at the same ratio, often to a half, of samples as they lie, mostly where fours of them begin. */
static void try_ratios(const struct form *f, bool on_gpu)
{
    struct gf_resize r;
    struct trial t;
    int pair;

    if (f->channels > 4)
        f = &forms[0];
    start_trial(&t, f, any(4) == 0);
    t.aligned = any(4) != 0;
    pair = paired + 2 * (int)any((uint32_t)(axis_count - paired) / 2);
    r.x = axes[pair], r.y = axes[pair + 1];
    t.width = r.x.in, t.units = t.io.src_units = r.y.in;
    finish_resize(&t, on_gpu, &r, any(3) ? f : other_form(f));
}

/* Weights sum to 1, lie within the line, go forward, and are the same from either end. */
static void try_weights(const struct form *none, bool on_gpu)
{
    (void)none;
    (void)on_gpu;
    for (int i = 0; i < axis_count; i++) {
        const struct gf_resize_axis *axis = &axes[i];
        int64_t before = 0, after = 0;

        for (int64_t o = 0; o < axis->out; o++) {
            const float *w, *mirrored;
            int n, m;
            const int64_t first = entry_of(axis, o, &n, &w), other = entry_of(axis, axis->out - 1 - o, &m, &mirrored);
            double sum = 0;

            for (int k = 0; k < n; k++) {
                sum += (double)w[k];
                if (n == m && first + n + other == axis->in && w[k] != mirrored[m - 1 - k] && trouble[0] == '\0')
                    snprintf(trouble, sizeof trouble, "weight %d of place %d of %d is not that of the other side", k, (int)o, (int)axis->out);
            }
            if ((n > axis->taps || fabs(sum - 1) > 1e-6 || first < before || first + n < after || first < 0 || n < 1 || first + n > axis->in)
                && trouble[0] == '\0')
                snprintf(trouble, sizeof trouble, "place %d of %d, from %d: %d weights at %d sum to %g", (int)o, (int)axis->out,
                         (int)axis->in, n, (int)first, sum);
            before = first, after = first + n;
        }
    }
}

/* Picked samples are the stored ones, whatever they are: NaN and infinities too. */
static void check_picked(const struct trial *t, const struct gf_rank *r)
{
    double wanted[GF_MAX_CHANNELS + 4];

    for (int64_t y = t->io.dst.span.start; y < t->io.dst.span.end && trouble[0] == '\0'; y++)
        for (int64_t x = 0; x < t->io.dst.width; x++) {
            slow_rank(&t->io, r, x, y, wanted);
            for (int c = 0; c < t->io.dst.channels; c++)
                if (!same_value(get(&t->io.dst, c, x, y), wanted[c]))
                    complain("picks", GF_OP_RANK, &t->io, c, x, y, get(&t->io.dst, c, x, y), wanted[c]);
        }
}

static void try_rank(const struct form *f, bool on_gpu)
{
    static const int radii[] = { 1, 1, 2, 2, 3, 4, 5, 6, 9, 17 };
    struct gf_rank r = { .pick = (enum gf_rank_pick)any(3), .radius = radii[any(10)], .border = (enum gf_border)any(5) };
    const bool programs = any(2);
    struct trial t;
    struct gf_span out;

    if (f->channels > 4)
        f = &forms[1];
    start_trial(&t, f, programs);
    while (t.width * t.units * r.radius * r.radius > 60000)
        r.radius--;
    if (any(60) == 0)
        t.width = 3, t.units = t.io.src_units = 40, r.radius = 50;
    if (any(8) == 0)                                                 /* several tiles across */
        t.width = 700 + any(700), t.units = t.io.src_units = 20, r.radius = 1 + (int)any(r.radius > 4 ? 4 : (uint32_t)r.radius);
    out = part_of(t.units);
    if (gf_span_units(out) * t.width * r.radius * r.radius > 300000)
        out.end = out.start + 1;
    r.channels = t.load.out - (t.load.out > 1 && any(2));
    finish_trial(&t, on_gpu, GF_OP_RANK, &r,
                 r.border == GF_WRAP ? (struct gf_span) { 0, t.units } : grown(out, r.radius, r.radius, t.units), out, t.width,
                 any(3) ? f : other_form(f), 2e-6);
    if (!on_gpu && trouble[0] == '\0' && t.load.count == 0 && t.store.count == 0 && t.io.dst.type == f->type
        && t.io.dst.maxval == f->maxval && f->type != GF_S32 && f->type != GF_F64)
        check_picked(&t, &r);
}

/* Sides, divisors and weights: all of them, or the line along x and then that along y, each divided. */
static const struct { int side, divisor; bool full; signed char weights[25]; } wholes[] = {
    { 3, 1, true, { -1, 0, 1, -2, 0, 2, -1, 0, 1 } }, { 3, 1, true, { 0, 1, 0, 1, -4, 1, 0, 1, 0 } },
    { 3, 1, true, { -2, -1, 0, -1, 1, 1, 0, 1, 2 } }, { 3, 1, false, { -1, 0, 1, 1, 2, 1 } }, { 3, 3, false, { 1, 1, 1, 1, 1, 1 } },
    { 3, 1, true, { 127, -127, 127, -127, 3, 127, 0, -127, 0 } }, { 3, 9, true, { 1, 1, 1, 1, 1, 1, 1, 1, 1 } },
    { 3, 16, true, { 1, 2, 1, 2, 4, 2, 1, 2, 1 } }, { 3, 221, true, { 3, 100, 7, 22, 11, 30, 1, 40, 7 } },
    { 5, 5, false, { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 } }, { 5, 15, false, { 1, 2, 3, 4, 5, 1, 6, 2, -3, 9 } },
    { 5, 25, true, { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 } },
    { 5, 225, true, { 9, 8, 7, 6, 5, 9, 8, 7, 6, 5, 9, 9, 9, 9, 11, 13, 17, 2, 6, 9, 8, 7, 6, 5, 25 } },
    { 5, 1, true, { -1, 2, -3, 4, -5, 6, -7, 8, -9, 10, 0, 0, 1, 0, 0, 10, -9, 8, -7, 6, -5, 4, -3, 2, -1 } },
    { 5, 7, true, { 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0 } },
};

enum { WHOLES = sizeof wholes / sizeof *wholes };

static void make_whole_masks(void)
{
    for (int i = 0; i < WHOLES * 25; i++)
        masks[WHOLE_MASKS + i] = (float)wholes[i / 25].weights[i % 25] / (float)wholes[i / 25].divisor;
}

/* Bytes in rows of sixteens, for which a GPU has kernels of its own: one strip or several, and what is left of one. */
static void try_strips(const struct form *f, bool on_gpu)
{
    const int64_t pieces[] = { 1 + any(4), 31 + any(3), 63 + any(3), 1 + any(70) };
    struct gf_rank r = { .pick = any(2) ? GF_RANK_LEAST : GF_RANK_GREATEST, .channels = 1, .border = (enum gf_border)any(5) };
    const int i = (int)any(WHOLES), at = WHOLE_MASKS + 25 * i, side = wholes[i].side;
    const struct gf_conv m = { .nx = side, .ny = side, .cx = side / 2, .cy = side / 2, .full = wholes[i].full, .full_at = at, .x_at = at,
                               .y_at = at + side, .mask_channels = 1, .border = r.border };
    const bool rank = any(3) == 0;
    const struct form narrow = { "u8 of 100", GF_U8, 8, 100, 1, false };
    struct trial t;
    struct gf_span out;

    r.radius = rank ? 1 + (int)any(2) : side / 2;
    f = any(4) ? f : &narrow;
    start_trial(&t, f, false);
    t.width = 16 * pieces[any(4)];
    t.units = t.io.src_units = any(3) ? 1 + any(12) : 30 + any(70);
    out = part_of(t.units);
    aligned = any(6) > 0;
    finish_trial(&t, on_gpu, rank ? GF_OP_RANK : GF_OP_CONV, rank ? (const void *)&r : &m,
                 r.border == GF_WRAP ? (struct gf_span) { 0, t.units } : grown(out, r.radius, r.radius, t.units), out, t.width, f, 3e-6);
    aligned = false;
}

static void try_move(const struct form *f, bool on_gpu)
{
    const bool turned = any(2), back_x = any(2), back_y = any(2);
    const int sx = back_x ? -1 : 1, sy = back_y ? -1 : 1;
    struct gf_move m = { 0 };
    int64_t w, h, left, top;
    struct trial t;
    struct gf_span out;

    start_trial(&t, f, false);
    t.smooth = t.fill != WILD;
    left = any((uint32_t)t.width), top = any((uint32_t)t.units);                /* the part that is moved */
    w = 1 + any((uint32_t)(t.width - left)), h = 1 + any((uint32_t)(t.units - top));
    if (any(2))
        left = top = 0, w = t.width, h = t.units;
    if (turned)
        m.xy = sx, m.yx = sy;
    else
        m.xx = sx, m.yy = sy;
    m.cx = back_x ? left + w - 1 : left;
    m.cy = back_y ? top + h - 1 : top;
    out = part_of(turned ? w : h);
    finish_trial(&t, on_gpu, GF_OP_MOVE, &m, (struct gf_span) { 0, t.units }, out, turned ? h : w, f, 0);
}

static void try_pad(const struct form *f, bool on_gpu)
{
    struct gf_pad p = { .border = (enum gf_border)any(5), .use_background = any(2), .background = { .2f, .4f, .6f, 1.0f } };
    struct trial t;
    int64_t w, h;

    if (f->channels > 4)
        f = &forms[0];
    start_trial(&t, f, false);
    t.smooth = t.fill != WILD;
    p.left = any(3) ? any(9) : 0, p.top = any(3) ? any(20) : 0;
    w = t.width + p.left + any(9), h = t.units + p.top + any(20);
    finish_trial(&t, on_gpu, GF_OP_PAD, &p, (struct gf_span) { 0, t.units }, part_of(h), w, f, 0);
}

static void try_resample(const struct form *f, bool on_gpu)
{
    struct gf_resample r = { .times = 1 + any(12), .per = 1 + any(12), .taps = GF_RESAMPLE_SUMS * (1 + (int)any(4)), .table = 4 * any(20) };
    struct trial t;
    struct gf_span out;

    r.phases = any(2) ? 1 + (int)any(9) : 0;
    f = &forms[12 + any(3)];                     /* planes */
    start_trial(&t, f, false);
    t.units *= t.width;
    t.width = 1;
    t.io.src_units = t.units;
    out = part_of((t.units * r.per + r.times - 1) / r.times);
    finish_trial(&t, on_gpu, GF_OP_RESAMPLE, &r,
                 grown((struct gf_span) { out.start * r.times / r.per, (out.end * r.times + r.per - 1) / r.per }, r.taps / 2 - 1, r.taps / 2, t.units),
                 out, 1, f, 2e-6);
}

static struct gf_spectrum spectra[2];

/* The GPU gets all tables at once. */
static void make_spectra(void)
{
    for (int i = 0; i < 2; i++) {
        spectra[i] = (struct gf_spectrum) { .size = 64 << i, .table = TABLES - SPECTRA + i * 128 };
        gf_spectrum_fill(&spectra[i], tables + spectra[i].table);
    }
}

static void try_spectrum(const struct form *f, bool on_gpu)
{
    struct gf_spectrum s = { .stretch = 1 + any(90), .size = 64 << any(2) };
    struct trial t;
    struct gf_span out;

    s.windows = (int)((2 * s.stretch + s.size - 1) / s.size) + (int)any(2);
    s.table = spectra[s.size / 128].table;
    s.scale = spectra[s.size / 128].scale;
    f = &forms[12 + any(3)];                     /* planes */
    start_trial(&t, f, false);
    t.fill = t.fill == WILD ? (enum fill)0 : t.fill;
    t.units *= t.width;
    t.units = t.units < 600 ? t.units : 600;
    t.width = 1;
    t.io.src_units = t.units;
    out = part_of((t.units + s.stretch - 1) / s.stretch);
    finish_trial(&t, on_gpu, GF_OP_SPECTRUM, &s, grown((struct gf_span) { out.start * s.stretch, out.end * s.stretch < t.units ? out.end * s.stretch : t.units }, s.size / 2, s.size / 2, t.units),
                 out, s.size / 2 + 1, f, -1);
}

/* Each pixel counts in its tile, and in no other. */
static void try_tiles(const struct form *f, bool on_gpu)
{
    struct gf_histogram h = { .bins = 16, .binning = GF_BIN_ROUND, .channels = 1, .across = 1 + (int)any(5), .down = 1 + (int)any(5) };
    const uint64_t *counts = (const uint64_t *)(void *)cpu_bytes;
    uint64_t wanted[25] = { 0 };
    struct trial t;
    struct gf_span out;
    size_t src_size;

    start_trial(&t, f, f->channels <= 4);
    t.io.store = NULL;
    out = part_of(t.units);
    h.rows = t.units;
    t.io.src = block_of(f, f->channels, src_bytes, t.width, grown(out, any(2), any(2), t.units));
    t.io.dst = t.io.src;
    t.io.dst.span = out;
    t.io.dst.data = cpu_bytes;
    src_size = block_bytes(&t.io.src);
    fill_block(&t.io.src, src_size, t.fill);
    try_call(on_gpu, GF_OP_HISTOGRAM, &t.io, &h, src_size, sizeof(uint64_t) * (size_t)(h.bins * h.across * h.down), -1);
    for (int64_t y = out.start; y < out.end; y++)
        for (int64_t x = 0; x < t.width; x++) {
            int i = h.across - 1, j = h.down - 1;

            while (x < t.width * i / h.across)
                i--;
            while (y < t.units * j / h.down)
                j--;
            wanted[j * h.across + i]++;
        }
    for (int tile = 0; tile < h.across * h.down && trouble[0] == '\0'; tile++) {
        uint64_t n = 0;

        for (int b = 0; b < h.bins; b++)
            n += counts[tile * h.bins + b];
        if (n != wanted[tile])
            complain("tile", GF_OP_HISTOGRAM, &t.io, tile, 0, 0, (double)n, (double)wanted[tile]);
    }
}

static void try_lattice(const struct form *f, bool on_gpu)
{
    struct gf_lattice l = { .table = any(100), .bins = 1 + (int)any(16), .across = 1 + (int)any(5), .down = 1 + (int)any(5) };
    struct trial t;

    if (f->channels > 4 || f->type == GF_S16)
        f = &forms[0];
    start_trial(&t, f, any(2));
    t.smooth = t.smooth && t.fill != WILD && (l.bins == 1 || (f->type == GF_U8 && f->channels == 1 && t.load.count == 0));
    l.per_column = (float)l.across / (float)t.width, l.per_row = (float)l.down / (float)t.units;
    l.colours = t.load.out >= 3 ? 3 : 1;
    finish_trial(&t, on_gpu, GF_OP_LATTICE, &l, (struct gf_span) { 0, t.units }, part_of(t.units), t.width, f, 3e-6);
}

/* Added up one by one, from the state before the call. */
static void compare_prefix(const struct gf_io *io, const struct gf_prefix *p, double slack)
{
    const int channels = io->load ? io->load->out : io->src.channels;
    const double step = step_of(&io->dst);
    double v[GF_MAX_CHANNELS + 4], largest = 1e-3;
    static double down[GF_MAX_CHANNELS * 300];

    for (int pass = 0; pass < 2; pass++) {
        memcpy(down, carried[0], carried_bytes);
        for (int64_t y = io->dst.span.start; y < io->dst.span.end; y++) {
            double along[GF_MAX_CHANNELS] = { 0 };

            for (int64_t x = 0; x < io->dst.width; x++) {
                loaded(io, x, y, v);
                for (int c = 0; c < p->colours; c++) {
                    along[c] += v[c];
                    v[c] = p->along_columns ? along[c] : v[c];
                    if (p->along_units)
                        v[c] = down[c * io->dst.width + x] += v[c];
                }
                for (int c = 0; c < channels && pass == 0; c++)
                    largest = fabs(v[c]) > largest ? fabs(v[c]) : largest;
                run_program(io->store, v);
                for (int c = 0; c < io->dst.channels; c++) {
                    const double got = get(&io->dst, c, x, y);
                    const double w = step > 0 ? clamp(v[c], io->dst.type == GF_U8 || io->dst.type == GF_U16 ? 0 : -1, 1) : v[c];

                    if (pass == 0)
                        largest = fabs(w) > largest ? fabs(w) : largest;
                    else if (!(fabs(got - w) <= slack * largest + 1.001 * step))
                        complain("on a CPU", GF_OP_PREFIX, io, c, x, y, got, w);
                }
            }
        }
    }
}

/* In two calls, the second of which goes on from the first: the same bytes as in one. */
static void try_prefix_cut(const struct trial *t, const struct gf_prefix *p)
{
    const struct gf_block whole = t->io.dst;
    const int64_t middle = whole.span.start + 1 + any((uint32_t)gf_span_units(whole.span) - 1);
    const size_t bytes = block_bytes(&whole);
    struct gf_io io = t->io;

    memset(gpu_bytes, POISON, bytes);
    io.dst.data = gpu_bytes + ((unsigned char *)whole.data - cpu_bytes);
    const struct gf_block all = io.dst;

    io.dst = gf_block_part(&all, (struct gf_span) { whole.span.start, middle });
    memcpy(carried[2], carried[1], carried_bytes);
    if (run_cpu(GF_OP_PREFIX, &io, p) != 0)
        complain("fails", GF_OP_PREFIX, &io, 0, 0, 0, 0, 0);
    memcpy(carried[0], carried[1], carried_bytes);
    io.dst = gf_block_part(&all, (struct gf_span) { middle, whole.span.end });
    if (run_cpu(GF_OP_PREFIX, &io, p) != 0 || memcmp(cpu_bytes, gpu_bytes, bytes) != 0
        || memcmp(carried[1], carried[2], carried_bytes) != 0)
        complain("depends on the cut", GF_OP_PREFIX, &io, 0, 0, middle, 0, 0);
}

static void try_prefix(const struct form *f, bool on_gpu)
{
    const bool columns = any(3) > 0;
    struct gf_prefix p = { .along_columns = columns, .along_units = !columns || any(2) };
    struct gf_span out;
    struct trial t;

    start_trial(&t, f, any(2));
    if (f->channels <= 4 && any(4) == 0)                 /* around a tile */
        t.width = 255 + any(45);
    out = part_of(t.units);
    p.colours = t.load.out - (t.load.out > 1 && any(2));
    carried_bytes = t.width <= 300 ? (size_t)gf_prefix_carry_bytes(&p, t.width) : 0;
    for (size_t i = 0; i < carried_bytes / sizeof(double); i++)
        carried[0][i] = any(3) ? unit_random() * 100 : 0;
    finish_trial(&t, on_gpu, GF_OP_PREFIX, &p, grown(out, any(3), any(3), t.units), out, t.width, other_form(f), -1);
    if (on_gpu && trouble[0] == '\0' && t.fill != WILD && memcmp(carried[1], carried[2], carried_bytes) != 0)
        complain("on a GPU: other state", GF_OP_PREFIX, &t.io, 0, 0, 0, 0, 0);
    if (!on_gpu && trouble[0] == '\0' && t.smooth)
        compare_prefix(&t.io, &p, 3e-6);
    if (!on_gpu && trouble[0] == '\0' && gf_span_units(out) > 1)
        try_prefix_cut(&t, &p);
    carried_bytes = 0;
}

/* Frame by frame, from x and y as they were, in double; the whole signal from its start. */
static void compare_recur(const struct gf_io *io, const struct gf_recur *r, double slack)
{
    const int channels = io->load ? io->load->out : io->src.channels;
    static double x[GF_RECUR_SECTIONS + 1][GF_MAX_CHANNELS][3];      /* before each section and behind the last, up to two frames ago */
    const double step = step_of(&io->dst);
    double v[GF_MAX_CHANNELS + 4], largest = 1e-3;

    for (int pass = 0; pass < 2; pass++) {
        memset(x, 0, sizeof x);
        for (int64_t y = io->dst.span.start; y < io->dst.span.end; y++) {
            loaded(io, 0, y, v);
            for (int c = 0; c < channels; c++) {
                for (int k = 0; k <= r->sections; k++)
                    x[k][c][2] = x[k][c][1], x[k][c][1] = x[k][c][0];
                x[0][c][0] = isfinite(v[c]) ? v[c] : 0;
                for (int k = 0; k < r->sections; k++) {
                    const struct gf_recur_section *s = &r->section[k];

                    x[k + 1][c][0] = s->b0 * x[k][c][0] + s->b1 * x[k][c][1] + s->b2 * x[k][c][2]
                                   - s->a1 * x[k + 1][c][1] - s->a2 * x[k + 1][c][2];
                    largest = pass == 0 && fabs(x[k + 1][c][0]) > largest ? fabs(x[k + 1][c][0]) : largest;
                }
                v[c] = x[r->sections][c][0];
            }
            run_program(io->store, v);
            for (int c = 0; c < io->dst.channels; c++) {
                const double got = get(&io->dst, c, 0, y);
                const double w = step > 0 ? clamp(v[c], io->dst.type == GF_U8 || io->dst.type == GF_U16 ? 0 : -1, 1) : v[c];

                if (pass == 0)
                    largest = fabs(w) > largest ? fabs(w) : largest;
                else if (!(fabs(got - w) <= slack * largest + 1.001 * step) && fabs(w) < 3e38)
                    complain("on a CPU", GF_OP_RECUR, io, c, 0, y, got, w);
            }
        }
    }
}

/* A GPU rounds in another order: near is enough, but not to what a CPU has made nothing of. */
static void compare_near(enum gf_op op, const struct gf_io *cpu, const struct gf_io *cuda)
{
    double largest = 1e-3;

    for (int pass = 0; pass < 2; pass++)
        for (int64_t y = cpu->dst.span.start; y < cpu->dst.span.end; y++)
            for (int c = 0; c < cpu->dst.channels; c++) {
                const double v = get(&cpu->dst, c, 0, y), w = get(&cuda->dst, c, 0, y);

                if (pass == 0)
                    largest = fabs(v) > largest && isfinite(v) ? fabs(v) : largest;
                else if (!same_value(v, w) && !(fabs(v - w) <= 1e-5 * largest + 1.001 * step_of(&cpu->dst)))
                    complain("on a GPU", op, cpu, c, 0, y, w, v);
            }
}

/* In three calls, each of which goes on from the one before: the same bytes as in one. */
static void try_recur_cut(const struct trial *t, const struct gf_recur *r, bool on_gpu)
{
    const struct gf_block whole = t->io.dst;
    const size_t bytes = block_bytes(&whole), src_size = block_bytes(&t->io.src);
    unsigned char *once = malloc(bytes);
    int64_t at[4] = { whole.span.start, 0, 0, whole.span.end };
    struct gf_io io = t->io;

    at[1] = at[0] + any((uint32_t)(at[3] - at[0]) + 1);
    at[2] = at[1] + any((uint32_t)(at[3] - at[1]) + 1);
    memcpy(once, on_gpu ? gpu_bytes : cpu_bytes, bytes);
    memset(on_gpu ? gpu_bytes : cpu_bytes, POISON, bytes);
    memset(carried[0], 0, carried_bytes);
    for (int i = 0; i < 3; i++) {
        io.dst = gf_block_part(&whole, (struct gf_span) { at[i], at[i + 1] });
        if ((on_gpu ? run_gpu(GF_OP_RECUR, &io, r, src_size, bytes) : run_cpu(GF_OP_RECUR, &io, r)) != 0)
            complain("fails", GF_OP_RECUR, &io, 0, 0, 0, 0, 0);
        memcpy(carried[0], carried[on_gpu ? 2 : 1], carried_bytes);
    }
    if (memcmp(once, on_gpu ? gpu_bytes : cpu_bytes, bytes) != 0)
        complain(on_gpu ? "on a GPU depends on the cut" : "depends on the cut", GF_OP_RECUR, &t->io, 0, 0, at[1], (double)at[2], 0);
    memset(carried[0], 0, carried_bytes);
    free(once);
}

static void try_recur(const struct form *f, bool on_gpu)
{
    static const int64_t frames[] = { 1, 2, 100, 127, 128, 129, 1000, 1024, 4095, 4097, 9000 };
    static const double radii[] = { 0, 0.3, 0.9, 0.999, 0.99999 };
    struct gf_recur r = { .sections = 1 + (int)any(3) };
    struct gf_io there;
    struct trial t;

    start_trial(&t, f, any(2));
    if (!t.smooth)
        t.smooth = make_program(&t.store, t.load.out, 0, &t.io.store) && t.fill != WILD && t.load.count == 0;
    t.width = 1;
    t.units = t.io.src_units = frames[any(sizeof frames / sizeof *frames)];
    for (int k = 0; k < r.sections; k++) {
        const double one = radii[any(5)], other = radii[any(5)], angle = unit_random() * 3.14159265358979;
        const bool pair = any(3) > 0;

        r.section[k] = (struct gf_recur_section) { .b0 = unit_random(), .b1 = unit_random() - 0.5, .b2 = any(2) ? unit_random() - 0.5 : 0,
                                                   .a1 = pair ? -2 * one * cos(angle) : -one - other, .a2 = pair ? one * one : one * other };
    }
    carried_bytes = (size_t)gf_recur_carry_bytes(&r, t.load.out);
    memset(carried[0], 0, carried_bytes);
    {
        const struct gf_span out = part_of(t.units);

        t.io.src = block_of(f, f->channels, src_bytes, 1, grown(out, any(3), any(3), t.units));
        t.io.dst = block_of(other_form(f), t.store.out, cpu_bytes, 1, out);
    }
    fill_block(&t.io.src, block_bytes(&t.io.src), t.fill);
    there = t.io;
    memset(cpu_bytes, POISON, block_bytes(&t.io.dst));
    memset(gpu_bytes, POISON, block_bytes(&t.io.dst));
    if (run_cpu(GF_OP_RECUR, &t.io, &r) != 0 || (on_gpu && run_gpu(GF_OP_RECUR, &there, &r, block_bytes(&t.io.src), block_bytes(&t.io.dst)) != 0))
        snprintf(trouble, sizeof trouble, "recur: %.300s", error.text);
    check_poison(GF_OP_RECUR, &t.io.dst, cpu_bytes, block_bytes(&t.io.dst));
    if (on_gpu) {
        compare_near(GF_OP_RECUR, &t.io, &there);
        check_poison(GF_OP_RECUR, &there.dst, gpu_bytes, block_bytes(&t.io.dst));
    } else if (trouble[0] == '\0' && (t.smooth || (t.fill == WILD && t.load.count == 0 && t.store.count == 0))) {
        compare_recur(&t.io, &r, 3e-6);
    }
    if (trouble[0] == '\0')
        try_recur_cut(&t, &r, on_gpu);
    carried_bytes = 0;
}

static void try_histogram(const struct form *f, bool on_gpu)
{
    static const int bins[] = { 1, 7, 256, 1000, 4096, 65536 };
    struct gf_histogram h = { .bins = bins[any(6)], .binning = (enum gf_binning)any(2) };
    struct trial t;
    size_t src_size, dst_size, n = 0;
    struct gf_span out;
    const uint64_t *counts = (const uint64_t *)(void *)cpu_bytes;

    start_trial(&t, f, f->channels <= 4);
    t.io.store = NULL;
    out = part_of(t.units);
    h.channels = t.load.out;
    t.io.src = block_of(f, f->channels, src_bytes, t.width, grown(out, any(2), any(2), t.units));
    t.io.dst = t.io.src;
    t.io.dst.span = out;
    t.io.dst.data = cpu_bytes;
    src_size = block_bytes(&t.io.src);
    dst_size = sizeof(uint64_t) * (size_t)(h.bins * h.channels);
    fill_block(&t.io.src, src_size, t.fill);
    try_call(on_gpu, GF_OP_HISTOGRAM, &t.io, &h, src_size, dst_size, -1);
    for (int c = 0; c < h.channels && trouble[0] == '\0'; c++) {
        uint64_t *wanted = calloc((size_t)h.bins, sizeof *wanted), unsure = 0, off = 0;
        double v[GF_MAX_CHANNELS + 4];

        for (int64_t y = out.start; y < out.end; y++)
            for (int64_t x = 0; x < t.width; x++) {
                double at, bin;

                loaded(&t.io, x, y, v);
                at = h.binning == GF_BIN_ROUND ? v[c] * (h.bins - 1) : v[c] * h.bins;
                bin = h.binning == GF_BIN_ROUND ? rint(at) : floor(at);
                unsure += fabs(at - (h.binning == GF_BIN_ROUND ? floor(at) + 0.5 : rint(at))) < 1e-6 * (fabs(at) + 1) * 4;
                wanted[(int)clamp(bin, 0, h.bins - 1)]++;
            }
        for (int b = 0; b < h.bins; b++) {
            off += wanted[b] > counts[(int64_t)c * h.bins + b] ? wanted[b] - counts[(int64_t)c * h.bins + b] : 0;
            n += counts[(int64_t)c * h.bins + b];
        }
        if (t.smooth && off > unsure)
            complain("counts", GF_OP_HISTOGRAM, &t.io, c, 0, 0, (double)off, (double)unsure);
        free(wanted);
    }
    if (trouble[0] == '\0' && n != (size_t)(gf_span_units(out) * t.width * h.channels))
        complain("total", GF_OP_HISTOGRAM, &t.io, 0, 0, 0, (double)n, (double)(gf_span_units(out) * t.width * h.channels));
}

static void try_reduce(const struct form *f, bool on_gpu)
{
    struct gf_reduce r = { .block_units = 1 };
    const struct gf_reduced *got = (const struct gf_reduced *)(void *)cpu_bytes;
    struct gf_reduced all = { INFINITY, -INFINITY, 0, 0, 0, 0, 0 }, wanted = all;
    struct trial t;
    struct gf_span out;
    size_t src_size;
    int64_t blocks;
    double surely = 0, maybe = 0;

    start_trial(&t, f, f->channels <= 4);
    t.io.store = NULL;
    if (any(2))
        r.block_units = 1 + any(20);
    r.channels = t.load.out;
    r.full = any(3) ? 0.25f * (float)(1 + any(4)) : 0;
    blocks = (t.units + r.block_units - 1) / r.block_units;
    out.start = any((uint32_t)blocks) * r.block_units;
    out.end = t.units;
    blocks = (out.end - out.start + r.block_units - 1) / r.block_units;
    t.io.src = block_of(f, f->channels, src_bytes, t.width, out);
    t.io.src.pitch_samples = t.width * (f->planar ? 1 : f->channels);
    t.io.dst = t.io.src;
    t.io.dst.data = cpu_bytes;
    src_size = block_bytes(&t.io.src);
    fill_block(&t.io.src, src_size, t.fill);
    try_call(on_gpu, GF_OP_REDUCE, &t.io, &r, src_size, (size_t)(blocks * r.channels) * sizeof *got, -1);
    for (int64_t b = 0; b < blocks; b++)
        gf_reduced_join(&all, &got[b * r.channels]);
    for (int64_t y = out.start; y < out.end; y++)
        for (int64_t x = 0; x < t.width; x++) {
            double v[GF_MAX_CHANNELS + 4];

            loaded(&t.io, x, y, v);
            wanted.min = v[0] < wanted.min ? v[0] : wanted.min;
            wanted.max = v[0] > wanted.max ? v[0] : wanted.max;
            wanted.sum += v[0];
            wanted.squares += v[0] * v[0];
            wanted.finite++;
            surely += r.full > 0 && (v[0] > r.full * (1 + 1e-5) || v[0] < -1 - 1e-5);
            maybe += r.full > 0 && (v[0] > r.full * (1 - 1e-5) || v[0] < -1 + 1e-5);
        }
    if (t.smooth && trouble[0] == '\0'
        && (fabs(all.sum - wanted.sum) > 1e-6 * (wanted.finite + fabs(wanted.sum)) || fabs(all.squares - wanted.squares) > 2e-6 * (wanted.finite + wanted.squares)
            || fabs(all.min - wanted.min) > 1e-5 * (1 + fabs(wanted.min)) || fabs(all.max - wanted.max) > 1e-5 * (1 + fabs(wanted.max)) || all.finite != wanted.finite || all.nonfinite != 0
            || all.clipped < surely || all.clipped > maybe))
        complain("records", GF_OP_REDUCE, &t.io, 0, 0, 0, all.sum, wanted.sum);
}

static const int64_t loud_rates[] = { 4000, 8000, 11025 };

static void make_rings(void)
{
    for (int i = 0; i < 3; i++) {
        struct gf_loudness l;

        gf_loudness_make(&l, loud_rates[i], 1);
        gf_loudness_ring(&l, tables + TABLES - RINGS + i * 8 * 128);
    }
}

/* Energies of blocks as the filters give them when they run through from the first sample to the last. */
static void compare_energies(const struct gf_io *io, const struct gf_loudness *l, const struct gf_energies *got)
{
    for (int c = 0; c < l->channels; c++) {
        double s[4] = { 0 }, loudest = 0;

        for (int64_t b = 0; b < got->blocks; b++) {
            double sum = 0, e;

            for (int64_t i = 0; i < l->block_units; i++) {
                double v[GF_MAX_CHANNELS + 4], z;

                loaded(io, 0, io->dst.span.start + b * l->block_units + i, v);
                z = gf_loudness_step(l->shelf, l->pass, v[c], &s[0], &s[1], &s[2], &s[3]);
                sum += z * z;
            }
            sum /= (double)l->block_units;
            loudest = sum > loudest ? sum : loudest;
            e = got->energy[b * l->channels + c] - sum;
            if (fabs(e) > 1e-5 * loudest + 1e-12)            /* what is loaded is rounded to floats, here it is not */
                complain("energy", GF_OP_LOUDNESS, io, c, 0, b, got->energy[b * l->channels + c], sum);
        }
    }
}

static void try_loudness(const struct form *f, bool on_gpu)
{
    const int rate = (int)any(3);
    const struct gf_loud *got = (const struct gf_loud *)(void *)cpu_bytes;
    struct gf_energies energies = { 0 };
    struct gf_loudness l;
    struct trial t;
    struct gf_span out;
    size_t src_size;
    int64_t blocks;

    start_trial(&t, f, f->channels <= 4);
    t.io.store = NULL;
    gf_loudness_make(&l, loud_rates[rate], t.load.out);
    l.ring = TABLES - RINGS + rate * 8 * 128;
    l.levels = any(2) == 0;
    l.full = 0.5f;
    t.width = 1;
    t.units = 1 + any(5 * (uint32_t)l.block_units);
    blocks = (t.units + l.block_units - 1) / l.block_units;
    out.start = any((uint32_t)blocks) * l.block_units;
    out.end = t.units;
    t.io.src = block_of(f, f->channels, src_bytes, 1, out);
    t.io.src.pitch_samples = f->planar ? 1 : f->channels;
    t.io.src_units = t.units;
    t.io.dst = t.io.src;
    t.io.dst.data = cpu_bytes;
    blocks = (out.end - out.start + l.block_units - 1) / l.block_units;
    src_size = block_bytes(&t.io.src);
    fill_block(&t.io.src, src_size, t.fill);
    try_call(on_gpu, GF_OP_LOUDNESS, &t.io, &l, src_size, (size_t)(blocks * l.channels) * sizeof *got, -1);
    if (gf_energies_take(&energies, &l, got, blocks) != 0 || (trouble[0] == '\0' && energies.blocks != (out.end - out.start) / l.block_units))
        complain("blocks", GF_OP_LOUDNESS, &t.io, 0, 0, 0, (double)energies.blocks, (double)blocks);
    if (t.smooth && trouble[0] == '\0')
        compare_energies(&t.io, &l, &energies);
    free(energies.energy);
}

static void try_scan(const struct form *f, bool on_gpu)
{
    static const int64_t counts[] = { 1, 2, 255, 256, 2047, 2048, 2049, 65536, 100003 };
    struct gf_scan s = { .count = counts[any(9)], .state = gpu_state };
    struct gf_io io = { 0 };
    uint64_t *v = (uint64_t *)(void *)src_bytes, sum = 0;
    const size_t bytes = (size_t)s.count * sizeof *v;

    (void)f;
    for (int64_t i = 0; i < s.count; i++)
        v[i] = (uint64_t)any(1u << 30) << any(13);
    io.src.data = src_bytes;
    io.dst.data = cpu_bytes;
    if (run_cpu(GF_OP_SCAN, &io, &s) != 0 || (on_gpu && run_gpu(GF_OP_SCAN, &io, &s, bytes, bytes) != 0)) {
        snprintf(trouble, sizeof trouble, "scan: %.300s", error.text);
        return;
    }
    for (int64_t i = 0; i < s.count; i++) {
        sum += v[i];
        if (((uint64_t *)io.dst.data)[i] != sum && trouble[0] == '\0')
            snprintf(trouble, sizeof trouble, "scan: value %" PRId64 " of %" PRId64 " is wrong", i, s.count);
    }
}

/* ---- lanes ---- */

static struct gf_format lane_format(const struct form *f, int64_t width, int64_t units)
{
    return (struct gf_format) { .kind = GF_IMAGE, .type = f->type, .bits = f->bits, .maxval = f->maxval, .channels = f->channels,
                                .width = width, .units = units };
}

static void set_step(struct gf_step *s, enum gf_op op, const void *params, const struct gf_format *f, struct gf_need need, bool planar)
{
    s->op = op;
    s->params = params;
    s->in = s->out = *f;
    s->need = need;
    s->planar = planar;
    s->pitch_samples = planar ? (f->width + 127) / 128 * 128 : f->width * f->channels;
    s->window_units = s->segment_units = f->units + 64;
    gf_point_init(&s->load, f->channels);
    gf_point_init(&s->store, f->channels);
}

/* Runs a pass segment by segment in one lane: results to `out` (if they go to a file), counts to `counts`. */
static int run_pass(struct gf_device *d, const struct gf_pass *pass, void *resident_in, void *resident_out,
                    const struct gf_spool *spool, unsigned char *out, uint64_t *counts)
{
    const size_t unit = gf_unit_bytes(&pass->from.format);
    struct gf_lane lane = { .device = d };
    int result = d->kind->room_open(d, &lane.in, pass->lane_in_bytes, &error) != 0 || d->kind->room_pin(d, &lane.in, &error) != 0
              || d->kind->room_open(d, &lane.out, pass->lane_out_bytes, &error) != 0 || d->kind->room_pin(d, &lane.out, &error) != 0
              || d->kind->lane_open(&lane, pass, &error) != 0 ? -1 : 0;

    for (int64_t u = 0; result == 0 && u < pass->from.format.units; u += pass->segment_units) {
        struct gf_job job = { .pass = pass, .in_units = pass->from.format.units, .resident_in = resident_in, .resident_out = resident_out,
                              .spool_in = spool, .spool_out = spool, .host_in = lane.in.data, .host_out = lane.out.data };

        job.out = (struct gf_span) { u, u + pass->segment_units < job.in_units ? u + pass->segment_units : job.in_units };
        job.in = gf_pass_span(pass, job.out, job.in_units);
        if (pass->from.end == GF_END_FILE)
            memcpy(lane.in.data, src_bytes + (size_t)job.in.start * unit, (size_t)gf_span_units(job.in) * unit);
        result = d->kind->lane_run(&lane, &job, &error);
        if (result == 0 && pass->to.end == GF_END_FILE)
            memcpy(out + (size_t)u * unit, lane.out.data, (size_t)gf_span_units(job.out) * unit);
    }
    if (result == 0 && pass->measure.used)
        result = d->kind->lane_result(&lane, counts, pass->measure.result_bytes, &error);
    d->kind->lane_close(&lane);
    d->kind->room_close(d, &lane.in);
    d->kind->room_close(d, &lane.out);
    return result;
}

/* Two blurs into memory that stays, counted on the way; then turned upside down into a file. */
static int run_passes(struct gf_device *d, const struct gf_format *f, bool planar, int64_t segment, unsigned char *out, uint64_t *counts)
{
    static const struct gf_conv blur = { .nx = 5, .ny = 3, .cx = 2, .cy = 1, .y_at = 50, .mask_channels = 1, .border = GF_MIRROR };
    const struct gf_histogram h = { .bins = 256, .binning = GF_BIN_ROUND, .channels = f->channels };
    const struct gf_move flip = { .xx = 1, .yy = -1, .cy = f->units - 1 };
    const size_t room = (size_t)((f->width + 127) / 128 * 128 * f->channels * (f->units + 64)) * sizeof(float);
    struct gf_pass *p = calloc(1, sizeof *p);
    void *kept = NULL;
    int result = d->kind->alloc(d, room, &kept, &error);

    p->from = (struct gf_store) { .end = GF_END_FILE, .format = *f };
    p->to = (struct gf_store) { .end = GF_END_RESIDENT, .format = *f, .planar = planar, .pitch_samples = (f->width + 127) / 128 * 128 };
    p->steps = 2;
    set_step(&p->step[0], GF_OP_CONV, &blur, f, (struct gf_need) { .before = 1, .after = 1 }, true);
    set_step(&p->step[1], GF_OP_CONV, &blur, f, (struct gf_need) { .before = 1, .after = 1 }, planar);
    p->measure.used = true;
    p->measure.result_bytes = (size_t)f->channels * 256 * sizeof(uint64_t);
    set_step(&p->measure.step, GF_OP_HISTOGRAM, &h, f, (struct gf_need) { 0 }, false);
    p->segment_units = segment;
    p->strip_units = segment > 3 ? 3 : segment;
    p->lanes = 1;
    p->lane_in_bytes = p->lane_out_bytes = p->lane_scratch_bytes = room;
    p->lane_work_bytes = 2 * room;
    if (result == 0)
        result = run_pass(d, p, NULL, kept, NULL, NULL, counts);
    p->from = p->to;
    p->to = (struct gf_store) { .end = GF_END_FILE, .format = *f };
    p->measure.used = false;
    p->steps = 1;
    if (planar)                                                  /* a move keeps the layout; a file takes packed samples */
        set_step(&p->step[0], GF_OP_POINT, NULL, f, (struct gf_need) { 0 }, false);
    else
        set_step(&p->step[0], GF_OP_MOVE, &flip, f, (struct gf_need) { .whole = true }, false);
    if (result == 0)
        result = run_pass(d, p, kept, NULL, NULL, out, NULL);
    d->kind->release(d, kept);
    free(p);
    return result;
}

static void try_lanes(const struct form *f, bool on_gpu)
{
    const struct form *form = &forms[any(3)];
    const int64_t *size = sizes[3 + any(7)];
    const struct gf_format format = lane_format(form, size[0], size[1]);
    const bool planar = any(2);
    const size_t bytes = (size_t)format.units * gf_unit_bytes(&format);
    const struct gf_pools pools = { masks, tables, MASKS, TABLES };
    struct gf_device cpu = { .kind = &gf_device_cpu };
    static uint64_t here[4 * 256], there[4 * 256];

    (void)f;
    for (size_t i = 0; i < bytes; i++)
        src_bytes[i] = (unsigned char)any(256);
    if (cpu.kind->open(&cpu, 0, &error) != 0 || cpu.kind->set_pools(&cpu, &pools, &error) != 0
        || run_passes(&cpu, &format, planar, format.units, cpu_bytes, here) != 0
        || run_passes(on_gpu ? &gpu : &cpu, &format, planar, 1 + any((uint32_t)format.units), gpu_bytes, there) != 0)
        snprintf(trouble, sizeof trouble, "lanes: %.300s", error.text);
    else if (memcmp(cpu_bytes, gpu_bytes, bytes) != 0)
        snprintf(trouble, sizeof trouble, "lanes: the result depends on the cut or the device");
    else if (memcmp(here, there, (size_t)format.channels * 256 * sizeof *here) != 0)
        snprintf(trouble, sizeof trouble, "lanes: the counts depend on the cut or the device");
    cpu.kind->close(&cpu);
}

/* A blur into memory or onto disk; from there turned, flipped or blurred into a file. */
struct kept_trial {
    struct gf_format format;
    bool planar, spooled;
    int second;                          /* 0: sampled, 1: moved, 2: blurred again, 3: only unpacked */
    struct gf_sample sample;
    struct gf_move move;
};

static void second_pass(struct gf_pass *p, const struct kept_trial *t, const struct gf_conv *blur)
{
    const struct gf_need whole = { .whole = true };
    struct gf_step *s = &p->step[0];

    p->from = p->to;
    p->to = (struct gf_store) { .end = GF_END_FILE, .format = t->format };
    p->steps = 1;
    if (t->second == 0)
        set_step(s, GF_OP_SAMPLE, &t->sample, &t->format, whole, false);
    else if (t->second == 1 && !t->planar)
        set_step(s, GF_OP_MOVE, &t->move, &t->format, whole, false);
    else if (t->second == 2)
        set_step(s, GF_OP_CONV, blur, &t->format, (struct gf_need) { .before = 1, .after = 1 }, false);
    else if (t->planar)
        set_step(s, GF_OP_POINT, NULL, &t->format, (struct gf_need) { 0 }, false);
    else
        p->steps = 0;
    if (t->spooled && p->steps > 0 && s->need.whole)
        p->lane_region_bytes = (size_t)gf_region_samples(s, p->segment_units, t->planar)
                             * gf_type_bytes(t->planar ? GF_F32 : t->format.type);
}

static int run_kept(struct gf_device *d, const struct kept_trial *t, int64_t segment, unsigned char *out)
{
    static const struct gf_conv blur = { .nx = 5, .ny = 3, .cx = 2, .cy = 1, .y_at = 50, .mask_channels = 1, .border = GF_MIRROR };
    const struct gf_format *f = &t->format;
    const int64_t pitch = (f->width + 127) / 128 * 128;
    const size_t room = (size_t)(pitch * f->channels * (f->units + 64)) * sizeof(float);
    struct gf_pass *p = calloc(1, sizeof *p);
    struct gf_spool spool = { .file = { .fd = -1 } };
    void *kept = NULL;
    int result = t->spooled ? gf_spool_open(&spool, room, &error) : d->kind->alloc(d, room, &kept, &error);

    p->from = (struct gf_store) { .end = GF_END_FILE, .format = *f };
    p->to = (struct gf_store) { .end = GF_END_RESIDENT, .format = *f, .planar = t->planar, .spooled = t->spooled,
                                .pitch_samples = t->planar ? pitch : f->width * f->channels };
    p->steps = 1;
    set_step(&p->step[0], GF_OP_CONV, &blur, f, (struct gf_need) { .before = 1, .after = 1 }, t->planar);
    p->segment_units = segment;
    p->strip_units = segment > 3 ? 3 : segment;
    p->lanes = 1;
    p->lane_in_bytes = p->lane_out_bytes = p->lane_scratch_bytes = room;
    p->lane_work_bytes = 2 * room;
    if (result == 0)
        result = run_pass(d, p, NULL, t->spooled ? spool.memory : kept, &spool, NULL, NULL);
    second_pass(p, t, &blur);
    if (result == 0)
        result = run_pass(d, p, t->spooled ? spool.memory : kept, NULL, &spool, out, NULL);
    if (t->spooled)
        gf_spool_close(&spool);
    else
        d->kind->release(d, kept);
    free(p);
    return result;
}

/* On disk or in memory, in pieces or whole: the same bytes. */
static void try_spools(const struct form *f, bool on_gpu)
{
    static const int64_t shapes[][2] = { { 700, 90 }, { 301, 300 }, { 1100, 20 }, { 64, 64 }, { 129, 34 }, { 5, 200 }, { 33, 1 } };
    const int64_t *size = shapes[any(sizeof shapes / sizeof *shapes)];
    const double one = (double)(INT64_C(1) << GF_SAMPLE_ONE_BITS), a = unit_random() * 6.3;
    const struct gf_pools pools = { masks, tables, MASKS, TABLES };
    struct gf_device cpu = { .kind = &gf_device_cpu };
    struct kept_trial t = { .format = lane_format(&forms[any(3)], size[0], size[1]), .planar = any(2), .second = (int)any(4) };
    const size_t bytes = (size_t)t.format.units * gf_unit_bytes(&t.format);

    (void)f;
    t.move = (struct gf_move) { .xx = 1, .yy = -1, .cy = size[1] - 1 };
    t.sample = (struct gf_sample) { .xx = (int64_t)(cos(a) * one), .xy = (int64_t)(sin(a) * one), .yx = (int64_t)(-sin(a) * one),
                                    .yy = (int64_t)(cos(a) * one), .interpolation = (enum gf_interpolation)any(3),
                                    .use_background = any(2), .border = GF_CLAMP, .background = { .2f, .4f, .6f, 1.0f } };
    t.sample.cx = (int64_t)(((double)size[0] * (1 - cos(a)) - (double)size[1] * sin(a)) / 2 * one);
    t.sample.cy = (int64_t)(((double)size[1] * (1 - cos(a)) + (double)size[0] * sin(a)) / 2 * one);
    for (size_t i = 0; i < bytes; i++)
        src_bytes[i] = (unsigned char)any(256);
    if (cpu.kind->open(&cpu, 0, &error) != 0 || cpu.kind->set_pools(&cpu, &pools, &error) != 0
        || run_kept(&cpu, &t, t.format.units, cpu_bytes) != 0
        || (t.spooled = true, run_kept(on_gpu ? &gpu : &cpu, &t, 1 + any((uint32_t)t.format.units), gpu_bytes)) != 0)
        snprintf(trouble, sizeof trouble, "spools: %.300s", error.text);
    for (size_t i = 0; i < bytes && trouble[0] == '\0'; i++)
        if (cpu_bytes[i] != gpu_bytes[i])
            snprintf(trouble, sizeof trouble, "spools: byte %zu is %d, not %d (%d by %d, %d channels%s, second pass %d)", i, gpu_bytes[i],
                     cpu_bytes[i], (int)size[0], (int)size[1], t.format.channels, t.planar ? ", planar" : "", t.second);
    cpu.kind->close(&cpu);
}

/* A picture stored as luma and chroma, of any kind. */
static struct gf_format any_yuv(void)
{
    static const int subs[][2] = { { 1, 1 }, { 1, 1 }, { 1, 0 }, { 0, 0 }, { 2, 0 } }, depths[] = { 8, 8, 8, 9, 10, 12, 16 };
    const int64_t *size = sizes[any(sizeof sizes / sizeof *sizes)];
    const int *sub = subs[any(5)];
    struct gf_format f = { .kind = GF_IMAGE, .channels = 3, .width = size[0], .units = size[1] };

    f.yuv = (struct gf_yuv) { .used = 1, .sub_x = sub[0], .sub_y = sub[1], .bits = depths[any(7)], .full = (int)any(2),
                              .matrix = any(2) ? 601 : 709, .siting = (int)any(4) };
    if (any(5) == 0) {
        f.yuv.mono = f.channels = 1;
        f.yuv.sub_x = f.yuv.sub_y = 0;
    }
    f.bits = f.yuv.bits;
    f.type = f.bits > 8 ? GF_U16 : GF_U8;
    f.maxval = (1u << f.bits) - 1;
    return f;
}

static const struct form *planes_of(int channels)
{
    for (int i = 0; i < FORMS; i++)
        if (forms[i].planar && forms[i].channels == channels)
            return &forms[i];
    return NULL;
}

static void try_from_yuv(const struct form *none, bool on_gpu)
{
    const struct gf_format f = any_yuv(), stored = gf_stored_format(&f);
    struct gf_io io = { .src_units = stored.units };
    struct gf_yuv_op op;
    size_t size;

    (void)none;
    gf_yuv_make(&op, &f, false);
    io.src = gf_block_packed(src_bytes + 512, &stored, (struct gf_span) { 0, stored.units });
    io.dst = block_of(planes_of(f.channels), f.channels, cpu_bytes, f.width, part_of(f.units));
    size = 2048 + (size_t)stored.units * gf_type_bytes(stored.type);
    fill_block(&io.src, size, (enum fill)any(FLAT + 1));
    try_call(on_gpu, GF_OP_YUV, &io, &op, size, block_bytes(&io.dst), 2e-6);
}

/* The bands of dst are right, and nothing else was written. */
static void check_bands(const struct gf_io *io, const struct gf_yuv_op *o, struct gf_block frame, size_t size)
{
    unsigned char *seen = calloc(size, 1);
    const size_t first = (size_t)((unsigned char *)frame.data - cpu_bytes), sample = gf_type_bytes(frame.type);

    for (int64_t band = io->dst.span.start; band < io->dst.span.end; band++)
        for (int p = 0; p < (o->mono ? 1 : 3); p++)
            for (int64_t y = p ? band : band << o->sub_y; y < (p ? band + 1 : (band + 1) << o->sub_y) && (p > 0 || y < o->height); y++)
                for (int64_t x = 0; x < (p ? gf_chroma_side(o->width, o->sub_x) : o->width); x++) {
                    int64_t at;
                    const double got = frame_sample(&frame, o, p, x, y, &at);
                    const double wanted = clamp(slow_to_yuv(io, o, p, x, y), 0, (double)o->most);

                    memset(seen + first + (size_t)at * sample, 1, sample);
                    if (fabs(got - wanted) > 0.51)
                        complain("to a frame", GF_OP_YUV, io, p, x, y, got, wanted);
                }
    for (size_t i = 0; i < size; i++)
        if (!seen[i] && cpu_bytes[i] != POISON && trouble[0] == '\0')
            snprintf(trouble, sizeof trouble, "yuv: byte %zu beyond the bands was written", i);
    free(seen);
}

static void try_to_yuv(const struct form *none, bool on_gpu)
{
    const struct gf_format f = any_yuv(), bands = gf_yuv_bands(&f);
    const struct gf_span out = part_of(bands.units);
    struct gf_io io = { .src_units = f.units }, there;
    const enum fill fill = (enum fill)any(FILLS);
    struct gf_block frame;
    struct gf_yuv_op op;
    size_t size, src_size;
    int64_t start, end;

    (void)none;
    gf_yuv_make(&op, &f, true);
    start = out.start << op.sub_y, end = out.end << op.sub_y;
    io.src = block_of(planes_of(f.channels), f.channels, src_bytes, f.width, grown((struct gf_span) { start, end }, any(3), any(3), f.units));
    frame = gf_block_packed(cpu_bytes + 512, &bands, (struct gf_span) { 0, bands.units });
    io.dst = gf_block_part(&frame, out);
    src_size = block_bytes(&io.src), size = block_bytes(&frame);
    fill_block(&io.src, src_size, fill);
    memset(cpu_bytes, POISON, size);
    memset(gpu_bytes, POISON, size);
    there = io;
    if (run_cpu(GF_OP_YUV, &io, &op) != 0 || (on_gpu && run_gpu(GF_OP_YUV, &there, &op, src_size, size) != 0))
        snprintf(trouble, sizeof trouble, "yuv: %.300s", error.text);
    else if (on_gpu && memcmp(cpu_bytes, gpu_bytes, size) != 0)
        complain("on a GPU: samples differ", GF_OP_YUV, &io, 0, 0, 0, 0, 0);
    else if (fill != WILD)
        check_bands(&io, &op, frame, size);
}

/* ---- sound: units of one pixel, side by side ---- */

static void start_sound(struct trial *t, const struct form *f, bool programs)
{
    start_trial(t, f, programs);
    t->width = 1;
    t->units = 1 + any(any(4) ? 300 : 3000);
    t->io.src_units = t->units;
}

static void finish_sound(struct trial *t, bool on_gpu, enum gf_op op, const void *params, struct gf_span in, struct gf_span out,
                         int channels, const struct form *to, double slack)
{
    size_t src_size, dst_size;

    t->io.src = block_of(t->form, t->form->channels, src_bytes, 1, in);
    t->io.dst = block_of(to, channels, cpu_bytes, 1, out);
    t->io.src.pitch_samples = t->form->planar ? 1 : t->form->channels;
    t->io.dst.pitch_samples = to->planar ? 1 : channels;
    src_size = block_bytes(&t->io.src);
    dst_size = block_bytes(&t->io.dst);
    fill_block(&t->io.src, src_size, t->fill);
    try_call(on_gpu, op, &t->io, params, src_size, dst_size, t->smooth ? slack : -1);
}

static void try_select(const struct form *f, bool on_gpu)
{
    const int outs = 1 + (int)any(8);
    struct gf_select s;
    struct trial t;
    struct gf_span out;

    start_trial(&t, f, false);
    for (int o = 0; o < outs; o++)
        s.from[o] = (signed char)((int)any((uint32_t)f->channels + 1) - 1);
    out = part_of(t.units);
    t.store.out = outs;
    finish_trial(&t, on_gpu, GF_OP_SELECT, &s, grown(out, any(3), any(3), t.units), out, t.width, f, 0);
}

static void try_place(const struct form *f, bool on_gpu)
{
    struct gf_place p = { .backwards = any(2) };
    struct gf_span out, filled, in;
    struct trial t;

    start_sound(&t, f, false);
    p.first = (int64_t)any((uint32_t)(4 * t.units)) - 2 * t.units;
    out = part_of(t.units + any(200));
    t.io.dst.span = out;
    filled = gf_place_filled(&p, &t.io);
    in = p.backwards ? (struct gf_span) { p.first - filled.end + 1, p.first - filled.start + 1 } : (struct gf_span) { filled.start - p.first, filled.end - p.first };
    in = filled.end > filled.start ? grown(in, any(3), any(3), t.units) : (struct gf_span) { t.units - 1, t.units };
    finish_sound(&t, on_gpu, GF_OP_PLACE, &p, in, out, f->channels, f, 0);
}

static void try_echo(const struct form *f, bool on_gpu)
{
    struct gf_echo e = { .count = 1 + (int)any(GF_ECHOES) };
    int64_t longest = 0;
    struct gf_span out, in;
    struct trial t;

    start_sound(&t, f, true);
    for (int k = 0; k < e.count; k++) {
        e.delay[k] = any((uint32_t)(2 * t.units));
        e.decay[k] = (float)(unit_random() * 2 - 1);
        longest = e.delay[k] > longest ? e.delay[k] : longest;
    }
    out = part_of(t.units + longest);
    in = grown(out, longest, 0, t.units);
    in.start = in.start < in.end ? in.start : in.end - 1;
    finish_sound(&t, on_gpu, GF_OP_ECHO, &e, in, out, t.store.out, other_form(f), 3e-6);
}

static void try_fade(const struct form *f, bool on_gpu)
{
    struct gf_fade fade = { .shape = (enum gf_fade_shape)any(5) };
    struct gf_span out;
    struct trial t;

    start_sound(&t, f, true);
    fade.in = any(3) ? any((uint32_t)(2 * t.units)) : 0, fade.out = any(3) ? any((uint32_t)(2 * t.units)) : 0;
    out = part_of(t.units);
    finish_sound(&t, on_gpu, GF_OP_FADE, &fade, grown(out, any(3), any(3), t.units), out, t.store.out, other_form(f), 2e-6);
}

static void try_limit(const struct form *f, bool on_gpu)
{
    struct gf_limit l = { .reach = (int)any(any(8) ? 6 : 12), .threshold = 0.02f + 0.8f * (float)unit_random() };
    struct gf_span out;
    struct trial t;

    start_sound(&t, f, true);
    l.first = (int)any((uint32_t)l.reach + 1), l.second = (int)any((uint32_t)(l.reach - l.first) + 1);
    out = part_of(t.units < 400 ? t.units : 400);
    if (on_gpu && any(4) == 0)                           /* longer ones by their bits alone: slow is very slow here */
        l.reach = 240, l.first = l.second = 120;
    finish_sound(&t, on_gpu, GF_OP_LIMIT, &l, grown(out, gf_limit_halo(&l), gf_limit_halo(&l), t.units), out, t.store.out, other_form(f), 3e-6);
}

static void try_noise(const struct form *f, bool on_gpu)
{
    struct gf_noise p = { .seed = gf_noise_mix(any(1000)), .amplitude = (float)unit_random() * 0.1f };
    struct gf_span out;
    struct trial t;

    start_trial(&t, f, true);
    p.channels = 1 + (int)any((uint32_t)t.load.out);
    p.step = any(2) ? 0 : ldexpf(1, -(int)any(20));
    t.smooth = t.smooth && p.step == 0;
    out = part_of(t.units);
    finish_trial(&t, on_gpu, GF_OP_NOISE, &p, grown(out, any(3), any(3), t.units), out, t.width, other_form(f), 2e-6);
}

/* ---- TAP ---- */

static void group(const char *name, const struct form *f, void (*try)(const struct form *, bool), bool on_gpu, int times, uint64_t seed)
{
    static const char *const device[] = { "cpu", "cuda" };

    line_number++;
    if (on_gpu && !gpu_open) {
        const bool required = getenv("GPUFILTER_REQUIRE_CUDA") != NULL && strcmp(getenv("GPUFILTER_REQUIRE_CUDA"), "1") == 0;

        printf("%sok %d - %s, %s, cuda%s no GPU: %s\n", required ? "not " : "", line_number, name, f->name,
               required ? " #" : " # SKIP", gpu_why);
        failed_lines += required;
        return;
    }
    state = seed * UINT64_C(0x9E3779B97F4A7C15) + (uint64_t)(unsigned char)name[0] * 1000003 + (uint64_t)(unsigned char)name[1] * 10007 + (uint64_t)(f - forms) + 1;
    trouble[0] = '\0';
    for (int i = 0; i < times && trouble[0] == '\0'; i++)
        try(f, on_gpu);
    printf("%sok %d - %s, %s, %s\n", trouble[0] ? "not " : "", line_number, name, f->name, device[on_gpu]);
    if (trouble[0] != '\0')
        printf("# %s\n", trouble);
    fflush(stdout);
    failed_lines += trouble[0] != '\0';
}

static void open_gpu(void)
{
    const struct gf_device_kind *k = &gf_device_cuda;
    const struct gf_pools pools = { masks, tables, MASKS, TABLES };
    struct gf_device_facts facts;

    k->facts(0, &facts, gpu_why, sizeof gpu_why);
    if (!facts.present)
        return;
    gpu.kind = k;
    if (k->open(&gpu, 0, &error) != 0 || k->alloc(&gpu, ROOM, &gpu_src, &error) != 0 || k->alloc(&gpu, ROOM, &gpu_dst, &error) != 0
        || k->alloc(&gpu, gf_scan_state_bytes(1 << 20), &gpu_state, &error) != 0
        || k->alloc(&gpu, sizeof carried[0], &gpu_carried, &error) != 0 || k->set_pools(&gpu, &pools, &error) != 0) {
        snprintf(gpu_why, sizeof gpu_why, "%.250s", error.text);
        return;
    }
    gpu_open = true;
}

int main(int argc, char **argv)
{
    static const struct { const char *name; void (*try)(const struct form *, bool); bool once; } ops[] = {
        { "point", try_point, false }, { "conv", try_conv, false }, { "box", try_box, false }, { "sample", try_sample, false }, { "move", try_move, false }, { "pad", try_pad, false },
        { "rank", try_rank, false }, { "strips", try_strips, true },
        { "histogram", try_histogram, false }, { "reduce", try_reduce, false }, { "loudness", try_loudness, false }, { "scan", try_scan, true }, { "lanes", try_lanes, true },
        { "spools", try_spools, true }, { "resize", try_resize, false }, { "ratios", try_ratios, false }, { "weights", try_weights, true }, { "lattice", try_lattice, false }, { "prefix", try_prefix, false }, { "recur", try_recur, false }, { "resample", try_resample, false }, { "spectrum", try_spectrum, true }, { "tiles", try_tiles, false },
        { "select", try_select, false }, { "place", try_place, false }, { "echo", try_echo, false }, { "fade", try_fade, false },
        { "limit", try_limit, false }, { "noise", try_noise, false },
        { "from yuv", try_from_yuv, true }, { "to yuv", try_to_yuv, true },
    };
    const char *word = getenv("GPUFILTER_TEST_SEED"), *only = NULL;
    bool quick = false;
    int lines = 0;

    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--quick") == 0)
            quick = true;
        else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc)
            only = argv[++i];
        else
            word = argv[i];
    const uint64_t seed = word ? strtoull(word, NULL, 0) : 20;

    state = seed + 77;
    src_bytes = aligned_alloc(512, ROOM), cpu_bytes = aligned_alloc(512, ROOM), gpu_bytes = aligned_alloc(512, ROOM);
    masks = malloc(MASKS * sizeof *masks), tables = malloc(TABLES * sizeof *tables);
    for (int i = 0; i < MASKS; i++)
        masks[i] = (float)(unit_random() - 0.3) / 8;
    for (int i = 0; i < TABLES; i++)
        tables[i] = i < NOISE_TABLES ? (float)unit_random() : 0.0f;
    make_whole_masks();
    make_axes();
    make_spectra();
    make_pairs();
    make_rings();
    open_gpu();
    printf("# seed %" PRIu64 "%s\n", seed, quick ? ", quick" : "");
    for (size_t o = 0; o < sizeof ops / sizeof *ops; o++)
        for (int device = only != NULL && strcmp(only, ops[o].name) != 0 ? 2 : 0; device < 2; device++)
            for (int f = 0; f < (ops[o].once ? 1 : FORMS); f++, lines++)
                group(ops[o].name, &forms[f], ops[o].try, device == 1, quick ? 4 : device == 1 && gpu_open ? 60 : 20, seed);
    printf("1..%d\n", lines);
    if (gpu_open) {
        gpu.kind->release(&gpu, gpu_src), gpu.kind->release(&gpu, gpu_dst), gpu.kind->release(&gpu, gpu_carried), gpu.kind->release(&gpu, gpu_state);
        gpu.kind->close(&gpu);
    }
    free(src_bytes), free(cpu_bytes), free(gpu_bytes), free(masks), free(tables);
    return failed_lines > 0;
}
