/* Non-local means on a CPU: strips of rows, each pair of pixels once, all offsets of a row of pixels in the cache. */
#include "kernels/neighbourhood/nlmeans.h"

#include "base/clones.h"
#include "kernels/base/block.h"
#include "kernels/base/gpu_scratch.h"
#include "kernels/base/pack.h"
#include "kernels/base/planar.h"

#include <math.h>
#include <string.h>

#define STRIP_ROWS 64                    /* rows of the result that have their sums at the same time */
#define TILE 128                         /* pixels of a row whose offsets are done together, in the first-level cache */
/* offsets that are done together; the weights of 16, and the weighted differences, add up in 16 bits */
#define OFFSETS 11
#define MOST_SIDE (2 * GF_NLMEANS_MAX_PATCH + 1)
#define WIDE (TILE + MOST_SIDE + 1)
#define MOST_ACROSS (2 * GF_NLMEANS_MAX_SEARCH + 1)

/* Integers of a strip and its surroundings, and the sums of its pixels, for a group of channels. */
struct nlmeans_strip {
    const struct gf_nlmeans *m;
    int64_t width, start, end;           /* columns and rows of the result */
    int16_t *u;                          /* sample `margin` above and before the first pixel of the result */
    int64_t pitch, plane, margin;
    int64_t other;                       /* from samples to those of another image; 0: pairs are within the image */
    int32_t *sums;                       /* a plane for each channel, one for the weights; 2·search columns before */
    int64_t sums_pitch, sums_plane;
    int bits, fall;
};

/* Work on a piece of a row, for consecutive offsets. */
struct nlmeans_rows {
    /* by offset: squared differences of the last rows, and their sums along the columns of patches and inner squares */
    uint16_t last[OFFSETS][MOST_SIDE + 1][WIDE];
    uint16_t outer[OFFSETS][WIDE], inner[OFFSETS][WIDE];
    uint16_t limited[WIDE], middle[WIDE];
    uint16_t patches[TILE];
    /* sums of the first pixels of the pairs, and of the second ones, from `search` columns before on */
    int16_t first[GF_NLMEANS_CHANNELS + 1][TILE];
    int16_t second[GF_NLMEANS_CHANNELS + 1][TILE + MOST_ACROSS];
};

GF_INLINE int16_t limited_difference(int16_t a, int16_t b, int bits)
{
    const int16_t most = (int16_t)(32767 >> bits), d = (int16_t)(a - b);
    const int16_t low = d > -most ? d : (int16_t)-most, e = low < most ? low : most;

    return bits == 0 ? d : (int16_t)((uint16_t)e << bits);
}

/* Returns the sum of the squared differences of a pixel and another one; more than `end` is as good as `end`. */
GF_INLINE uint16_t squares(const int16_t *p, const int16_t *q, int64_t plane, int channels, int bits, uint16_t end)
{
    uint16_t sum = 0;

    for (int c = 0; c < channels; c++) {
        const int16_t e = limited_difference(q[c * plane], p[c * plane], bits);

        sum = (uint16_t)(sum + (uint16_t)(int16_t)(((int32_t)e * e) >> 16));
    }
    return sum < end ? sum : end;
}

/* Sums of the columns of a piece of a row, in all patches in which a new row is the last one. */
GF_INLINE void move_columns(const int16_t *p, const int16_t *q, int64_t plane, int n, int channels, int bits,
                            uint16_t end, uint16_t *restrict last, const uint16_t *restrict first,
                            uint16_t *restrict columns)
{
    for (int x = 0; x < n; x++) {
        const uint16_t s = squares(p + x, q + x, plane, channels, bits, end);

        last[x] = s;
        columns[x] = (uint16_t)(columns[x] + s - first[x]);
    }
}

/*
 * Limits the sums of columns, so that those of patches have 16 bits; `middle` counts those of the inner square, too.
 * With these at `most`, a patch reaches the end.
 */
GF_INLINE void limit_columns(const uint16_t *restrict outer, uint16_t *restrict inner, const uint16_t *restrict next,
                             const uint16_t *restrict before, int n, uint16_t *restrict limited,
                             uint16_t *restrict middle)
{
    const uint16_t end = GF_NLMEANS_END, most = GF_NLMEANS_END / GF_NLMEANS_INNER + 1;

    for (int x = 0; x < n; x++) {
        const uint16_t all = outer[x] < end ? outer[x] : end, sum = (uint16_t)(inner[x] + next[x] - before[x]);

        inner[x] = sum;
        limited[x] = all;
        middle[x] = (uint16_t)(all + (sum < most ? sum : most) * GF_NLMEANS_INNER);
    }
}

/* Adds sums of columns up to those of whole patches; the three columns of the inner square are in `middle`. */
GF_INLINE void add_patches(const uint16_t *restrict limited, const uint16_t *restrict middle, int patch, int n,
                           uint16_t *restrict patches)
{
    for (int x = 0; x < n; x++) {
        uint16_t sum = middle[x + patch];

        if (patch > 0)
            sum = (uint16_t)(sum + middle[x + patch - 1] + middle[x + patch + 1]);
        for (int i = 0; i < patch - 1; i++)
            sum = (uint16_t)(sum + limited[x + i] + limited[x + 2 * patch - i]);
        patches[x] = sum;
    }
}

/* Replaces sums of patches by weights. */
GF_INLINE void find_weights(uint16_t fall, int n, uint16_t *restrict patches)
{
    const uint16_t end = GF_NLMEANS_END, times = (uint16_t)(65535 / fall);

    for (int x = 0; x < n; x++) {
        const uint16_t some = patches[x] < end ? patches[x] : end, left = (uint16_t)(end - some);
        uint16_t w = (uint16_t)((left < fall ? left : fall) * times);

        w = (uint16_t)((uint32_t)w * w >> 16);
        w = (uint16_t)((uint32_t)w * w >> 16);
        w = (uint16_t)((uint32_t)w * w >> 16);
        patches[x] = w >> 5;
    }
}

/* Adds the weights, and the weighted differences of the samples at p and q, to the sums of both pixels. */
GF_INLINE void add_pairs(const uint16_t *restrict weights, const int16_t *p, const int16_t *q, int64_t plane, int n,
                         int channels, int bits, struct nlmeans_rows *restrict r, int to)
{
    for (int c = 0; c < channels; c++) {
        int16_t *restrict first = r->first[c], *restrict second = r->second[c] + to;

        for (int x = 0; x < n; x++) {
            const int16_t e = limited_difference(q[c * plane + x], p[c * plane + x], bits);
            const int16_t part = (int16_t)(((((int32_t)(int16_t)weights[x] * e) >> 14) + 1) >> 1);

            first[x] = (int16_t)(first[x] + part);
            second[x] = (int16_t)(second[x] - part);
        }
    }
    for (int x = 0; x < n; x++) {
        r->first[channels][x] = (int16_t)(r->first[channels][x] + (int16_t)weights[x]);
        r->second[channels][to + x] = (int16_t)(r->second[channels][to + x] + (int16_t)weights[x]);
    }
}

GF_INLINE void add_wide(int16_t *restrict from, int n, int32_t *restrict to)
{
    for (int x = 0; x < n; x++)
        to[x] += from[x];
    memset(from, 0, (size_t)n * sizeof *from);
}

/* Moves the sums of a piece of row y, from column x on, and of the row `dy` further down to the strip's. */
GF_INLINE void flush(const struct nlmeans_strip *s, int64_t x, int64_t y, int dy, int n, int channels,
                     struct nlmeans_rows *r)
{
    const int search = s->m->search;

    for (int c = 0; c <= channels; c++) {
        int32_t *to = s->sums + c * s->sums_plane + x + 2 * search;

        if (y >= s->start)
            add_wide(r->first[c], n, to + (y - s->start) * s->sums_pitch);
        else
            memset(r->first[c], 0, (size_t)n * sizeof r->first[c][0]);
        if (s->other == 0 && y + dy < s->end)
            add_wide(r->second[c], n + 2 * search, to - search + (y + dy - s->start) * s->sums_pitch);
        else
            memset(r->second[c], 0, (size_t)(n + 2 * search) * sizeof r->second[c][0]);
    }
}

/* Returns the sample of the first channel at (x, y). */
GF_INLINE const int16_t *sample(const struct nlmeans_strip *s, int64_t x, int64_t y)
{
    return s->u + (y - s->start + s->margin) * s->pitch + x + s->margin;
}

/*
 * Updates the sums of columns of n pixels and their surroundings for offset number `at`, and adds them up to those of
 * patches. p and q are samples of the last row of patches, `row` is its number.
 */
GF_INLINE void move_patches(const struct nlmeans_strip *s, const int16_t *p, const int16_t *q, int64_t row, int n,
                            int at, int channels, int patch, int bits, struct nlmeans_rows *restrict r)
{
    const int side = 2 * patch + 1, wide = n + 2 * patch;
    const uint16_t end = GF_NLMEANS_END;
    uint16_t (*const last)[WIDE] = r->last[at];

    move_columns(p, q, s->plane, wide, channels, bits, end, last[row % (side + 1)], last[(row + 1) % (side + 1)],
                 r->outer[at]);
    if (patch > 1)
        limit_columns(r->outer[at], r->inner[at], last[(row + side + 2 - patch) % (side + 1)],
                      last[(row + side - 1 - patch) % (side + 1)], wide, r->limited, r->middle);
    else
        for (int x = 0; x < wide; x++)
            r->middle[x] = r->outer[at][x] < end ? r->outer[at][x] : end;
}

/*
 * Adds all pairs whose first pixels are in columns [x, x + n), and second ones at (dx to dx + offsets - 1, dy). First
 * pixels above the strip are needed for second ones in it.
 */
GF_INLINE void tile_pairs(const struct nlmeans_strip *s, int64_t x, int n, int dx, int offsets, int dy, int channels,
                          int patch, int bits, struct nlmeans_rows *restrict r)
{
    const int search = s->m->search;
    int64_t row = 0;

    memset(r->last, 0, sizeof r->last);
    memset(r->outer, 0, sizeof r->outer);
    memset(r->inner, 0, sizeof r->inner);
    for (int64_t y = s->start - (s->other == 0 ? dy : 0) - 2 * patch; y < s->end; y++, row++) {
        const int16_t *p = sample(s, x, y), *edge = sample(s, x - patch, y + patch);

        for (int i = 0; i < offsets; i++) {
            const int64_t to = s->other + dy * s->pitch + dx + i;

            move_patches(s, edge, edge + to, row, n, i, channels, patch, bits, r);
            if (row < 2 * patch)
                continue;
            add_patches(r->limited, r->middle, patch, n, r->patches);
            find_weights((uint16_t)s->fall, n, r->patches);
            add_pairs(r->patches, p, p + to, s->plane, n, channels, bits, r, dx + i + search);
        }
        if (row >= 2 * patch)
            flush(s, x, y, dy, n, channels, r);
    }
}

/* Adds all pairs whose first pixels are in columns [x, x + n). Gray and colors have loops for the usual patches. */
GF_INLINE void column_pairs(const struct nlmeans_strip *s, int64_t x, int n, struct nlmeans_rows *r)
{
    const int search = s->m->search, usual = s->m->patch <= 3 ? s->m->together * 4 + s->m->patch : 0;

    for (int dy = s->other == 0 ? 0 : -search; dy <= search; dy++)
        for (int dx = s->other == 0 && dy == 0 ? 1 : -search; dx <= search; dx += OFFSETS) {
            const int offsets = search + 1 - dx < OFFSETS ? search + 1 - dx : OFFSETS;

            switch (usual) {
            case 5: tile_pairs(s, x, n, dx, offsets, dy, 1, 1, s->bits, r); break;
            case 6: tile_pairs(s, x, n, dx, offsets, dy, 1, 2, s->bits, r); break;
            case 7: tile_pairs(s, x, n, dx, offsets, dy, 1, 3, s->bits, r); break;
            case 13: tile_pairs(s, x, n, dx, offsets, dy, 3, 1, s->bits, r); break;
            case 14: tile_pairs(s, x, n, dx, offsets, dy, 3, 2, s->bits, r); break;
            case 15: tile_pairs(s, x, n, dx, offsets, dy, 3, 3, s->bits, r); break;
            default: tile_pairs(s, x, n, dx, offsets, dy, s->m->together, s->m->patch, s->bits, r); break;
            }
        }
}

GF_CLONES
static void strip_pairs(const struct nlmeans_strip *s, struct nlmeans_rows *r)
{
    const int64_t more = s->other == 0 ? s->m->search : 0, end = s->width + more;

    for (int64_t x = -more; x < end; x += TILE)
        column_pairs(s, x, end - x < TILE ? (int)(end - x) : TILE, r);
}

/* ---- from samples to integers, and back ---- */

GF_CLONES
static void make_integers(const float *restrict v, float steps, int64_t width, int16_t *restrict u)
{
    const float most = GF_NLMEANS_LARGEST;

    for (int64_t x = 0; x < width; x++) {
        const float at = (v[x] - 0.5f) * steps, low = at > -most ? at : -most;

        u[x] = (int16_t)rintf(low < most ? low : most);
    }
}

/* Fills a row from the samples of unit y of a channel, NULL for zeros, and beyond its ends. */
static void fill_row(const struct nlmeans_strip *s, const float *v, float steps, int16_t *row)
{
    const enum gf_border border = s->m->border;
    const float zero = 0;
    int16_t nothing;

    make_integers(&zero, steps, 1, &nothing);
    if (v == NULL) {
        gf_repeat_item(row, &nothing, sizeof nothing, s->width + 2 * s->margin);
        return;
    }
    make_integers(v, steps, s->width, row + s->margin);
    for (int64_t i = 1; i <= s->margin; i++) {
        const int64_t left = gf_border_index(border, -i, s->width);
        const int64_t right = gf_border_index(border, s->width - 1 + i, s->width);

        row[s->margin - i] = left < 0 ? nothing : row[s->margin + left];
        row[s->margin + s->width - 1 + i] = right < 0 ? nothing : row[s->margin + right];
    }
}

/*
 * Fills the integers of a strip, for the group of channels from `first` on: from planes, or from packed samples by way
 * of `loaded`, which has room for a row of each channel.
 */
static void fill_integers(const struct nlmeans_strip *s, const struct gf_block *from, int first, int64_t units,
                          float steps, float *loaded, int16_t *u)
{
    const int64_t around = s->m->search + s->m->patch;
    float *rows[GF_MAX_CHANNELS];

    for (int c = 0; c < from->channels; c++)
        rows[c] = loaded == NULL ? NULL : loaded + c * s->width;
    for (int64_t y = s->start - around; y < s->end + around; y++) {
        const int64_t at = gf_border_index(s->m->border, y, units);

        if (at >= 0 && loaded != NULL)
            gf_load_pixels(from, at, 0, s->width, rows);
        for (int c = 0; c < s->m->together; c++)
            fill_row(s, at < 0 ? NULL : loaded != NULL ? rows[first + c] : gf_plane_at(from, first + c, at), steps,
                     u + c * s->plane + (y - s->start + s->margin) * s->pitch);
    }
}

GF_CLONES
static void make_means(const float *restrict v, const int32_t *restrict sum, const int32_t *restrict weight,
                       int32_t full, float value, int64_t width, float *restrict to)
{
    for (int64_t x = 0; x < width; x++)
        to[x] = v[x] + (float)sum[x] / (float)(weight[x] + full) * value;
}

/* Computes rows [start, end) of the group of channels from `first` on. */
static void one_strip(struct nlmeans_strip *s, const struct gf_io *io, const struct gf_block *src, int first,
                      const struct gf_nlmeans_scale *scale, struct nlmeans_rows *rows, float *loaded,
                      const struct gf_block *dst)
{
    const struct gf_nlmeans *m = s->m;
    const unsigned fall = (unsigned)scale->fall, full = gf_nlmeans_weight(fall * (65535 / fall));

    s->bits = (int)scale->bits;
    s->fall = (int)scale->fall;
    s->other = 0;
    fill_integers(s, src, first, io->src_units, scale->steps, NULL, s->u);
    memset(s->sums, 0, (size_t)(s->sums_plane * (m->together + 1)) * sizeof *s->sums);
    strip_pairs(s, rows);
    s->other = s->plane * m->together;
    for (int k = 0; k < io->frames; k++)
        if (k != io->frame_now) {
            fill_integers(s, &io->frame[k], first, io->src_units, scale->steps, loaded, s->u + s->other);
            strip_pairs(s, rows);
        }
    for (int c = 0; c < m->together; c++)
        for (int64_t y = s->start; y < s->end; y++) {
            const int32_t *sums = s->sums + (y - s->start) * s->sums_pitch + 2 * m->search;

            make_means(gf_plane_at(src, first + c, y), sums + c * s->sums_plane, sums + m->together * s->sums_plane,
                       (int32_t)full, scale->value, s->width, gf_plane_at(dst, first + c, y));
        }
}

/* Samples of the parts of scratch memory. */
struct scratch_sizes {
    int64_t rows;                        /* of the result, for a strip */
    struct nlmeans_strip s;
    size_t integers, sums;               /* bytes */
    size_t loaded, source, result;
};

static struct scratch_sizes sizes_of(const struct gf_io *io, const struct gf_nlmeans *m)
{
    const int64_t units = gf_span_units(io->dst.span), around = m->search + m->patch;
    struct scratch_sizes z = { .rows = units < STRIP_ROWS ? units : STRIP_ROWS };

    z.s.m = m;
    z.s.width = io->dst.width;
    z.s.margin = 2 * m->search + m->patch;
    z.s.pitch = (z.s.width + 2 * z.s.margin + 31) / 32 * 32;
    z.s.plane = z.s.pitch * (z.rows + 2 * z.s.margin);
    z.s.sums_pitch = (z.s.width + 4 * m->search + 15) / 16 * 16;
    z.s.sums_plane = z.s.sums_pitch * z.rows;
    z.integers = gf_padded_bytes((size_t)(z.s.plane * m->together * (io->frames > 1 ? 2 : 1)) * sizeof(int16_t));
    z.sums = gf_padded_bytes((size_t)(z.s.sums_plane * (m->together + 1)) * sizeof(int32_t));
    z.loaded = io->frames > 1 ? gf_padded_floats((size_t)(z.s.width * io->frame[0].channels)) : 0;
    z.source = gf_planar_source_samples(io, gf_span_units(gf_span_around(io, around, around, m->border)));
    z.source = gf_padded_floats(z.source);
    z.result = gf_planar_result_samples(io, gf_channels_at_work(io));
    return z;
}

static size_t nlmeans_scratch(const struct gf_io *io, const void *params)
{
    const struct scratch_sizes z = sizes_of(io, params);

    return gf_padded_bytes(sizeof(struct nlmeans_rows)) + z.integers + z.sums
         + (z.loaded + z.source + z.result) * sizeof(float);
}

int gf_nlmeans_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_nlmeans *m = params;
    const struct gf_nlmeans_scale *scale = (const void *)(work->tables + m->scales_at);
    const int64_t around = m->search + m->patch;
    struct scratch_sizes z = sizes_of(io, m);
    char *at = work->scratch;
    struct nlmeans_rows *rows = (void *)at;
    float *loaded;
    struct gf_block src, dst;

    if (work->scratch_bytes < nlmeans_scratch(io, m))
        return gf_fail(err, GF_FAILED, "internal error: nlmeans has too little scratch memory");
    z.s.u = (void *)(at += gf_padded_bytes(sizeof *rows));
    z.s.sums = (void *)(at += z.integers);
    loaded = (void *)(at += z.sums);
    src = gf_planar_source(work, io, gf_span_around(io, around, around, m->border), loaded + z.loaded);
    dst = gf_planar_result(io, src.channels, loaded + z.loaded + z.source);
    memset(rows->first, 0, sizeof rows->first);
    memset(rows->second, 0, sizeof rows->second);
    for (int64_t y = dst.span.start; y < dst.span.end; y += z.rows) {
        z.s.start = y;
        z.s.end = dst.span.end - y < z.rows ? dst.span.end : y + z.rows;
        for (int c = 0; c < m->channels; c += m->together)
            one_strip(&z.s, io, &src, c, scale + c / m->together, rows, loaded, &dst);
        for (int c = m->channels; c < dst.channels; c++)
            for (int64_t u = z.s.start; u < z.s.end; u++)
                memcpy(gf_plane_at(&dst, c, u), gf_plane_at(&src, c, u), (size_t)dst.width * sizeof(float));
    }
    gf_planar_finish(work, io, &dst);
    return 0;
}

/*
 * Each pair has its own weight, the same for all channels of a group. On a CPU, pairs within an image serve both of
 * their pixels, and patches without a loop of their own are slow.
 */
static struct gf_cost nlmeans_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    const struct gf_nlmeans *m = params;
    const double across = 2 * m->search + 1, side = 2 * m->patch + 1, groups = (double)m->channels / m->together;
    const double pairs = across * across * groups * (m->images > 1 ? 2 * m->images - 1 : 1) / out->channels;
    const bool usual = m->patch >= 1 && m->patch <= 3 && m->together % 2 == 1;

    (void)in;
    return (struct gf_cost) { .light = 4 + 0.03 * pairs * (usual ? 1 : 4.5) * (side + 17 + 9 * m->together) };
}

static struct gf_cost nlmeans_gpu_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    const struct gf_nlmeans *m = params;
    const double across = 2 * m->search + 1, side = 2 * m->patch + 1, groups = (double)m->channels / m->together;
    const double pairs = across * across * groups * (m->images > 1 ? m->images : 1) / out->channels;

    (void)in;
    return (struct gf_cost) { .light = 4 + 0.03 * pairs * (3 * side + 14 * m->together - 11) };
}

static int least_units(const void *params, const struct gf_format *out)
{
    (void)params;
    (void)out;
    return STRIP_ROWS;
}

static bool reach(const void *params, struct gf_reach *reach)
{
    const struct gf_nlmeans *m = params;

    return gf_reach_square(m->search + m->patch, m->border, reach);
}

const struct gf_operation gf_op_nlmeans = {
    .word = "nlmeans", .text = "Means of pixels in a window, weighted by the similarity of their surroundings.",
    .params_bytes = sizeof(struct gf_nlmeans),
    .least_units = least_units,
    .cpu = { .body = gf_nlmeans_cpu, .scratch_bytes = nlmeans_scratch, .cost = nlmeans_cost },
    .cuda = { .body = GF_CUDA_BODY(gf_nlmeans_cuda), GF_OP_READS_AND_STORES,
              .scratch_bytes = gf_gpu_scratch_programs, .cost = nlmeans_gpu_cost },
    .reach = reach,
};
