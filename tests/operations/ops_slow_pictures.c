/* Operations on pictures as slowly as can be, in doubles. */
#include "ops_slow.h"
#include "table/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ops_common.h"

void gf_slow_conv(const struct gf_io *io, const void *params, int64_t x, int64_t y, double *out)
{
    const struct gf_conv *m = params;
    const int nx = m->nx > 0 ? m->nx : 1, ny = m->ny > 0 ? m->ny : 1, channels = io->load ? io->load->out : io->src.channels;
    double v[GF_MAX_CHANNELS + 4], other[GF_MAX_CHANNELS + 4] = { 0 };

    memset(out, 0, sizeof v);
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            const int64_t sx = m->nx > 0 ? gf_border_index(m->border, x + i - m->cx, io->src.width) : x;
            const int64_t sy = m->ny > 0 ? gf_border_index(m->border, y + j - m->cy, io->src_units) : y;

            gf_loaded(io, sx, sy, v);
            for (int c = 0; c < channels; c++) {
                const int k = m->mask_channels > 1 ? c : 0;
                double w = m->nx > 0 ? (double)gf_masks[m->x_at + k * m->nx + i] : 1;

                w *= m->ny > 0 ? (double)gf_masks[m->y_at + k * m->ny + j] : 1;
                out[c] += v[c] * (m->full ? (double)gf_masks[m->full_at + k * nx * ny + j * nx + i] : w);
                if (m->combine == GF_CONV_HYPOT)
                    other[c] += v[c] * (double)gf_masks[m->also_at + j * nx + i];
            }
        }
    gf_loaded(io, x, y, v);
    for (int c = 0; c < channels && m->combine != GF_CONV_PLAIN; c++)
        if (c >= m->combined)
            out[c] = v[c];
        else if (m->combine == GF_CONV_HYPOT)
            out[c] = sqrt(out[c] * out[c] + other[c] * other[c]);
        else
            out[c] = fabs(v[c] - out[c]) > (double)m->threshold ? v[c] + (double)m->amount * (v[c] - out[c]) : v[c];
}

void gf_slow_box(const struct gf_io *io, const void *params, int64_t x, int64_t y, double *out)
{
    const struct gf_box *b = params;
    const int channels = io->load ? io->load->out : io->src.channels;
    double v[GF_MAX_CHANNELS + 4];

    memset(out, 0, sizeof v);
    for (int i = -b->radius; i <= b->radius; i++) {
        gf_loaded(io, b->along_units ? x : gf_border_index(b->border, x + i, io->src.width),
                  b->along_units ? gf_border_index(b->border, y + i, io->src_units) : y, v);
        for (int c = 0; c < channels; c++)
            out[c] += v[c] / (2 * b->radius + 1);
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
    gf_loaded(io, gf_border_index(s->border, x, io->src.width), gf_border_index(s->border, y, io->src_units), v);
}

static double cubic_weight(double d)
{
    d = fabs(d);
    return d < 1 ? (1.5 * d - 2.5) * d * d + 1 : d < 2 ? ((-0.5 * d + 2.5) * d - 4) * d + 2 : 0;
}

void gf_slow_sample(const struct gf_io *io, const void *params, int64_t x, int64_t y, double *out)
{
    const struct gf_sample *s = params;
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

void gf_slow_rank(const struct gf_io *io, const void *params, int64_t x, int64_t y, double *out)
{
    const struct gf_rank *r = params;
    static double around[4][(2 * GF_RANK_MAX_RADIUS + 1) * (2 * GF_RANK_MAX_RADIUS + 1)];
    const int side = 2 * r->radius + 1, n = side * side;
    double v[GF_MAX_CHANNELS + 4];

    for (int k = 0; k < n; k++) {
        gf_loaded(io, gf_border_index(r->border, x + k % side - r->radius, io->src.width),
                  gf_border_index(r->border, y + k / side - r->radius, io->src_units), v);
        for (int c = 0; c < r->channels; c++)
            around[c][k] = v[c];
    }
    gf_loaded(io, x, y, out);
    for (int c = 0; c < r->channels; c++) {
        qsort(around[c], (size_t)n, sizeof(double), by_value);
        out[c] = around[c][r->pick == GF_RANK_LEAST ? 0 : r->pick == GF_RANK_MIDDLE ? n / 2 : n - 1];
    }
}

void gf_slow_pad(const struct gf_io *io, const void *params, int64_t x, int64_t y, double *out)
{
    const struct gf_pad *p = params;
    const enum gf_border border = p->use_background ? GF_ZERO : p->border;

    x = gf_border_index(border, x - p->left, io->src.width);
    y = gf_border_index(border, y - p->top, io->src_units);
    gf_loaded(io, x, y, out);
    for (int c = 0; p->use_background && c < 4; c++)
        out[c] = x < 0 || y < 0 ? (double)p->background[c] : out[c];
}

/* An entry of a table: where its weights begin, how many there are, and the first one. No table: the place itself. */
int64_t gf_entry_of(const struct gf_resize_axis *axis, int64_t i, int *count, const float **weights)
{
    static const float one = 1;
    const float *entry = gf_tables + axis->at + i * (2 + axis->taps);

    *count = axis->taps > 0 ? (int)entry[1] : 1;
    *weights = axis->taps > 0 ? entry + 2 : &one;
    return axis->taps > 0 ? (int64_t)entry[0] : i;
}

void gf_slow_resize(const struct gf_io *io, const void *params, int64_t x, int64_t y, double *out)
{
    const struct gf_resize *r = params;
    double v[GF_MAX_CHANNELS + 4];
    int nx, ny;
    const float *wx, *wy;
    const int64_t left = gf_entry_of(&r->x, x, &nx, &wx), top = gf_entry_of(&r->y, y, &ny, &wy);

    memset(out, 0, sizeof v);
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            gf_loaded(io, left + i, top + j, v);
            for (int c = 0; c < GF_MAX_CHANNELS; c++)
                out[c] += (double)wy[j] * (double)wx[i] * v[c];
        }
}

/* The table that stands at (i, j), or the nearest one that there is. */
static double table_grid_at(const struct gf_table_grid *l, int64_t i, int64_t j, int bin)
{
    i = i < 0 ? 0 : i >= l->across ? l->across - 1 : i;
    j = j < 0 ? 0 : j >= l->down ? l->down - 1 : j;
    return gf_tables[l->table + (j * l->across + i) * l->bins + bin];
}

void gf_slow_table_grid(const struct gf_io *io, const void *params, int64_t x, int64_t y, double *v)
{
    const struct gf_table_grid *l = params;
    const double fx = ((double)x + .5) * l->per_column - .5, fy = ((double)y + .5) * l->per_row - .5;
    const int64_t i = (int64_t)floor(fx), j = (int64_t)floor(fy);
    const double dx = fx - floor(fx), dy = fy - floor(fy);
    double luma, top, bottom;
    int bin;

    gf_loaded(io, x, y, v);
    luma = l->colours == 3 ? .299 * v[0] + .587 * v[1] + .114 * v[2] : v[0];
    bin = (int)nearbyint(gf_clamp(luma, 0, 1) * (l->bins - 1));
    top = table_grid_at(l, i, j, bin) * (1 - dx) + table_grid_at(l, i + 1, j, bin) * dx;
    bottom = table_grid_at(l, i, j + 1, bin) * (1 - dx) + table_grid_at(l, i + 1, j + 1, bin) * dx;
    for (int c = 0; c < l->colours; c++)
        v[c] += top * (1 - dy) + bottom * dy;
}
