/*
 * Samples of packed bytes or floats at transformed positions on a CPU: nearest and cubic ones of both, and linear ones
 * of floats. Vectors have the channels of a pixel, and of gray the same neighbor of several pixels.
 */
#include "kernels/geometry/sample_packed.h"

#include "base/clones.h"
#include "kernels/base/block.h"
#include "kernels/base/pack.h"
#include "kernels/geometry/sample_bytes.h"

#include <math.h>
#include <string.h>

#define PIECE GF_SAMPLE_PIECE
#define LANES 4                          /* floats of a vector: a pixel, and often the beginning of the next one */
#define FEW 32                           /* pixels whose neighbors stay in the first-level cache as floats */
#define WHITE 255
#define INVERSE (1.0f / WHITE)

/* Offsets of pixels with all neighbors inside, in samples, their fractions, and their values one after another. */
struct spots {
    _Alignas(64) int32_t at[PIECE];
    _Alignas(64) float fx[PIECE], fy[PIECE];
    _Alignas(64) float wx[4][PIECE], wy[4][PIECE];           /* cubic weights */
    _Alignas(64) float value[PIECE * GF_SAMPLE_CHANNELS + LANES];
};

/* ---- nearest ---- */

/* A constant number of bytes makes these copies loads and stores. */
GF_INLINE void copy_pixels(const char *restrict from, int channels, size_t bytes, const int32_t *restrict at, int64_t n,
                           char *restrict to)
{
    for (int64_t i = 0; i < n; i++, to += bytes)
        memcpy(to, from + at[i] * (int64_t)(bytes / (size_t)channels), bytes);
}

static void copy_nearest(const void *from, int channels, size_t sample_bytes, const int32_t *at, int64_t n, void *to)
{
    if (sample_bytes == 1)
        switch (channels) {
        case 1: copy_pixels(from, 1, 1, at, n, to); break;
        case 2: copy_pixels(from, 2, 2, at, n, to); break;
        case 3: copy_pixels(from, 3, 3, at, n, to); break;
        default: copy_pixels(from, 4, 4, at, n, to); break;
        }
    else
        switch (channels) {
        case 1: copy_pixels(from, 1, sizeof(float), at, n, to); break;
        case 2: copy_pixels(from, 2, 2 * sizeof(float), at, n, to); break;
        case 3: copy_pixels(from, 3, 3 * sizeof(float), at, n, to); break;
        default: copy_pixels(from, 4, 4 * sizeof(float), at, n, to); break;
        }
}

/* ---- linear, floats ---- */

GF_INLINE void blend_pixels(const float *restrict from, int64_t pitch, int channels, int64_t n,
                            struct spots *restrict s)
{
    for (int64_t i = 0; i < n; i++) {
        const float *restrict p = from + s->at[i], *restrict q = p + pitch;
        const float fx = s->fx[i], fy = s->fy[i];
        float v[LANES];

        for (int c = 0; c < LANES; c++) {
            const float h0 = fmaf(fx, p[channels + c] - p[c], p[c]), h1 = fmaf(fx, q[channels + c] - q[c], q[c]);

            v[c] = fmaf(fy, h1 - h0, h0);
        }
        memcpy(&s->value[i * channels], v, sizeof v);
    }
}

GF_CLONES
static void blend_color_floats(const float *from, int64_t pitch, int channels, int64_t n, struct spots *s)
{
    switch (channels) {
    case 2: blend_pixels(from, pitch, 2, n, s); break;
    case 3: blend_pixels(from, pitch, 3, n, s); break;
    default: blend_pixels(from, pitch, 4, n, s); break;
    }
}

/* ---- cubic ---- */

GF_CLONES
static void find_cubic_weights(int64_t n, struct spots *restrict s)
{
    for (int64_t i = 0; i < n; i++) {
        float x[4], y[4];

        gf_cubic_weights(s->fx[i], x);
        gf_cubic_weights(s->fy[i], y);
        for (int k = 0; k < 4; k++) {
            s->wx[k][i] = x[k];
            s->wy[k][i] = y[k];
        }
    }
}

/* Computes pixel i from the rows of its neighbors, the first of which is at q. */
GF_INLINE void weigh_pixel(const float *restrict q, int64_t pitch, int channels, int64_t i, struct spots *restrict s)
{
    const float x0 = s->wx[0][i], x1 = s->wx[1][i], x2 = s->wx[2][i], x3 = s->wx[3][i];
    const float y0 = s->wy[0][i], y1 = s->wy[1][i], y2 = s->wy[2][i], y3 = s->wy[3][i];
    float v[LANES];

    for (int c = 0; c < LANES; c++) {
        const float h[] = { gf_sample_weigh(q + c, channels, x0, x1, x2, x3),
                            gf_sample_weigh(q + pitch + c, channels, x0, x1, x2, x3),
                            gf_sample_weigh(q + 2 * pitch + c, channels, x0, x1, x2, x3),
                            gf_sample_weigh(q + 3 * pitch + c, channels, x0, x1, x2, x3) };

        v[c] = gf_sample_weigh(h, 1, y0, y1, y2, y3);
    }
    memcpy(&s->value[i * channels], v, sizeof v);
}

GF_INLINE void weigh_pixels(const float *restrict from, int64_t pitch, int channels, int64_t n,
                            struct spots *restrict s)
{
    for (int64_t i = 0; i < n; i++)
        weigh_pixel(from + s->at[i] - pitch - channels, pitch, channels, i, s);
}

GF_CLONES
static void weigh_floats(const float *from, int64_t pitch, int channels, int64_t n, struct spots *s)
{
    switch (channels) {
    case 2: weigh_pixels(from, pitch, 2, n, s); break;
    case 3: weigh_pixels(from, pitch, 3, n, s); break;
    default: weigh_pixels(from, pitch, 4, n, s); break;
    }
}

GF_INLINE float value_of(uint32_t level)
{
    return gf_unit_value((float)(int32_t)(level & 255), WHITE, INVERSE);
}

/* The four neighbors in each row are the bytes of an integer. */
GF_CLONES
static void weigh_grays(const uint32_t (*restrict row)[PIECE], int64_t n, struct spots *restrict s)
{
    for (int64_t i = 0; i < n; i++) {
        float sum = 0.0f;

        for (int k = 0; k < 4; k++) {
            const uint32_t q = row[k][i];
            float h = fmaf(s->wx[0][i], value_of(q), 0.0f);

            h = fmaf(s->wx[1][i], value_of(q >> 8), h);
            h = fmaf(s->wx[2][i], value_of(q >> 16), h);
            h = fmaf(s->wx[3][i], value_of(q >> 24), h);
            sum = fmaf(s->wy[k][i], h, sum);
        }
        s->value[i] = sum;
    }
}

static void sample_grays(const uint8_t *from, int64_t pitch, int64_t n, struct spots *restrict s)
{
    _Alignas(64) uint32_t row[4][PIECE];

    for (int64_t i = 0; i < n; i++)
        for (int k = 0; k < 4; k++) {
            uint32_t q;

            memcpy(&q, from + s->at[i] + (k - 1) * pitch - 1, sizeof q);
            row[k][i] = q;
        }
    weigh_grays((const uint32_t (*)[PIECE])row, n, s);
}

/* Weighs pixels from `i` to `end` whose neighbors are in `byte`, row by row. */
GF_INLINE void weigh_few(const uint8_t *restrict byte, int channels, int64_t i, int64_t end, struct spots *restrict s)
{
    _Alignas(64) float q[FEW * 16 * GF_SAMPLE_CHANNELS + LANES];
    const int64_t samples = (end - i) * 16 * channels;

    for (int64_t k = 0; k < samples; k++)
        q[k] = value_of(byte[k]);
    memset(&q[samples], 0, LANES * sizeof *q);
    for (int64_t first = i; i < end; i++)
        weigh_pixel(&q[(i - first) * 16 * channels], 4 * channels, channels, i, s);
}

/* The neighbors of a row in the pieces of four bytes that pixels of any number of channels have. */
GF_INLINE void weigh_colors(const uint8_t *restrict from, int64_t pitch, int channels, int64_t n,
                            struct spots *restrict s)
{
    _Alignas(64) uint32_t byte[FEW * 4 * GF_SAMPLE_CHANNELS];

    for (int64_t i = 0, end; i < n; i = end) {
        uint32_t *to = byte;

        end = i + FEW < n ? i + FEW : n;
        for (int64_t k = i; k < end; k++)
            for (int row = -1; row < 3; row++)
                for (int c = 0; c < channels; c++) {
                    uint32_t q;

                    memcpy(&q, from + s->at[k] + row * pitch - channels + 4 * c, sizeof q);
                    *to++ = q;
                }
        weigh_few((const uint8_t *)byte, channels, i, end, s);
    }
}

GF_CLONES
static void weigh_bytes(const uint8_t *from, int64_t pitch, int channels, int64_t n, struct spots *s)
{
    switch (channels) {
    case 2: weigh_colors(from, pitch, 2, n, s); break;
    case 3: weigh_colors(from, pitch, 3, n, s); break;
    default: weigh_colors(from, pitch, 4, n, s); break;
    }
}

static void sample_cubic(const void *from, enum gf_type type, int64_t pitch, int channels, int64_t n, struct spots *s)
{
    find_cubic_weights(n, s);
    if (type == GF_F32)
        weigh_floats(from, pitch, channels, n, s);
    else if (channels == 1)
        sample_grays(from, pitch, n, s);
    else
        weigh_bytes(from, pitch, channels, n, s);
}

/* ---- parts of rows ---- */

/* Stores values one after another, whatever the number of channels. */
static void store_values(const struct gf_sample_job *j, int64_t n, int64_t x, int64_t y, const float *value)
{
    struct gf_block flat = *j->dst;

    flat.data = gf_sample_pixel_at(j->dst, x, y);
    flat.channels = 1;
    flat.span = (struct gf_span) { 0, 1 };
    gf_store_pixels(&flat, 0, 0, n * j->dst->channels, &value);
}

/* Computes n pixels of row y from column x on; their offsets count from row `first` of the source. */
static void sample_spots(const struct gf_sample_job *j, int64_t n, int64_t first, int64_t x, int64_t y, struct spots *s)
{
    const int64_t pitch = j->src->pitch_samples;
    const void *from = gf_sample_pixel_at(j->src, 0, first);

    if (j->s->interpolation == GF_NEAREST) {
        copy_nearest(from, j->src->channels, gf_type_bytes(j->src->type), s->at, n, gf_sample_pixel_at(j->dst, x, y));
        return;
    }
    if (j->s->interpolation == GF_CUBIC)
        sample_cubic(from, j->src->type, pitch, j->src->channels, n, s);
    else
        blend_color_floats(from, pitch, j->src->channels, n, s);
    store_values(j, n, x, y, s->value);
}

/* Computes at most PIECE pixels [from, to) of a row, with all neighbors inside. */
static void sample_inside(const struct gf_sample_job *j, struct gf_sample_walk w, int64_t y, int64_t from, int64_t to)
{
    const struct gf_sample_walk here = { w.x + from * w.dx, w.y + from * w.dy, w.dx, w.dy };
    const int64_t n = to - from, one = gf_sample_cell(here.y), other = gf_sample_cell(here.y + (n - 1) * here.dy);
    const int64_t first = one < other ? one : other;
    struct spots s;

    gf_sample_walk_spots(here, first, j->src->pitch_samples, j->src->channels, n, false, s.at, s.fx, s.fy);
    sample_spots(j, n, first, from, y, &s);
}

static void sample_places(const struct gf_sample_job *j, const struct gf_sample_places *places, int64_t at, int64_t n,
                          int64_t first, int64_t x, int64_t y)
{
    struct spots s;

    gf_sample_place_spots(places, at, first, j->src->pitch_samples, j->src->channels, n, !gf_sample_is_exact(j->s),
                          s.at, s.fx, s.fy);
    sample_spots(j, n, first, x, y, &s);
}

static const struct gf_sample_parts parts = { sample_inside, sample_places, gf_sample_packed_border,
                                              gf_sample_packed_background };

/* ---- calls ---- */

static bool is_floats_to_floats(const struct gf_io *io)
{
    return !io->src.planar && io->src.type == GF_F32 && gf_point_is_identity(io->load) && !io->dst.planar
        && io->dst.type == GF_F32 && gf_point_is_identity(io->store);
}

const struct gf_sample_parts *gf_sample_packed_parts(const struct gf_io *io, const struct gf_sample *s)
{
    const bool bytes = gf_is_bytes_to_bytes(io), linear = s->interpolation == GF_LINEAR;

    if (io->src.channels != io->dst.channels || io->src.channels > GF_SAMPLE_CHANNELS
        || !(bytes || is_floats_to_floats(io)) || (linear && s->coarse != bytes))
        return NULL;
    if (linear && bytes)
        return &gf_sample_bytes_parts;
    /* gray floats are a plane */
    return !bytes && io->src.channels == 1 ? &gf_sample_plane_parts : &parts;
}

bool gf_sample_packed_at_once(const struct gf_sample *s, const struct gf_format *f)
{
    struct gf_io io = { .src = gf_block_packed(NULL, f, (struct gf_span) { 0, 0 }) };
    struct gf_sample changed = *s;

    io.dst = io.src;
    changed.coarse = s->interpolation == GF_LINEAR && f->type == GF_U8;
    return gf_sample_packed_parts(&io, &changed) != NULL;
}

/* Returns the columns at the end of a row that count as its border, because vectors are loaded there. */
static int64_t spare_columns(const struct gf_io *io, const struct gf_sample *s)
{
    const int channels = io->src.channels;

    if (io->src.type == GF_F32)
        return s->interpolation != GF_NEAREST && (channels == 2 || channels == 3) ? 1 : 0;
    return s->interpolation == GF_LINEAR ? gf_sample_bytes_spare(channels) : 0;
}

struct gf_sample_job gf_sample_packed_job(const struct gf_io *io, const struct gf_sample *s)
{
    struct gf_sample_job j = gf_sample_job_of(s, io, &io->src, &io->dst);
    struct gf_block one = io->dst;
    const float *row[GF_SAMPLE_CHANNELS];

    for (int c = 0; c < io->src.channels; c++)
        row[c] = &s->background[c];
    one.data = j.background;
    one.span = (struct gf_span) { 0, 1 };
    gf_store_pixels(&one, 0, 0, 1, row);
    j.spare = spare_columns(io, s);
    return j;
}
