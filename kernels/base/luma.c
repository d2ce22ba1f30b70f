/* Brightness of packed bytes: its bins, and tables that are added to all three channels. */
#include "kernels/base/luma.h"

#include "base/clones.h"
#include "kernels/base/byte_shuffle.h"
#include "kernels/base/byte_table.h"
#include "kernels/base/byte_vector.h"
#include "kernels/base/pack.h"

#include <math.h>
#include <string.h>

#define BINS 256
#define WHITE 255

static bool is_bytes(const struct gf_block *b)
{
    return !b->planar && b->type == GF_U8 && b->channels == 3;
}

bool gf_luma_is_view(const struct gf_block *src, const struct gf_point *p)
{
    return is_bytes(src) && p != NULL && p->count == 1 && p->step[0].kind == GF_POINT_MATRIX && p->step[0].channels == 3
        && p->step[0].outs == 1;
}

/* The weights of a matrix from three channels to one, and its constant. */
struct weights {
    float r, g, b, constant;
};

#define PIXELS 2048                      /* pixels whose channels are separated at a time */

/* Equals bin(v) of a point program, with v from bytes as in gf_load_pixels(). */
GF_CLONES
static void find_some_levels(const uint8_t *restrict rs, const uint8_t *restrict gs, const uint8_t *restrict bs, int n,
                             float one, const struct weights *w, float last, uint8_t *restrict level)
{
    const float inverse = 1.0f / one, wr = w->r, wg = w->g, wb = w->b, constant = w->constant;

    for (int i = 0; i < n; i++) {
        const float r = gf_unit_value((float)rs[i], one, inverse), g = gf_unit_value((float)gs[i], one, inverse);
        const float b = gf_unit_value((float)bs[i], one, inverse);
        const float y = fmaf(wb, b, fmaf(wg, g, fmaf(wr, r, constant)));
        const float t = y > 0.0f ? y * last : 0.0f;

        level[i] = (uint8_t)(int32_t)rintf(t < last ? t : last);
    }
}

static void find_levels(const uint8_t *rgb, int64_t n, float one, const struct weights *w, float last, uint8_t *level)
{
    uint8_t channel[3][PIXELS];

    for (int64_t x = 0, m; x < n; x += m) {
        m = n - x < PIXELS ? n - x : PIXELS;
        gf_split_rgb(rgb + 3 * x, m, channel[0], channel[1], channel[2]);
        find_some_levels(channel[0], channel[1], channel[2], (int)m, one, w, last, level + x);
    }
}

#ifdef GF_HAS_BYTE_VECTORS
#define LANES 16
#define GROUP 64                         /* pixels that are computed again together */
#define READ_PIXELS 70                   /* pixels that must follow, because the last load of a group reads beyond it */

/*
 * Positions in two vectors: channel c of LANES pixels as integers, if the second vector is zero; the low bytes of
 * all integers; the first halves.
 */
GF_INLINE void find_positions(gf_byte_vector *channel, gf_byte_vector *low, gf_byte_vector *halves)
{
    for (int i = 0; i < 4 * LANES; i++) {
        for (int c = 0; c < 3; c++)
            channel[c][i] = (uint8_t)(i % 4 == 0 ? 3 * (i / 4) + c : 4 * LANES);
        (*low)[i] = (uint8_t)(4 * i % 128);
        (*halves)[i] = (uint8_t)(i < 32 ? i : i + 32);
    }
}

/* Joins the low bytes of all integers of four vectors. */
GF_BYTE_VECTORS GF_INLINE gf_byte_vector join_low_bytes(const gf_byte_vector *part, gf_byte_vector low,
                                                        gf_byte_vector halves)
{
    return __builtin_shuffle(__builtin_shuffle(part[0], part[1], low), __builtin_shuffle(part[2], part[3], low),
                             halves);
}

/* Returns the bytes of a channel as floats. */
GF_BYTE_VECTORS GF_INLINE gf_float_vector to_floats(gf_byte_vector v, gf_byte_vector channel)
{
    const gf_byte_vector zero = { 0 };

    return __builtin_convertvector((gf_int_vector)__builtin_shuffle(v, zero, channel), gf_float_vector);
}

/*
 * Weighs the bytes themselves. The sum is 255 times the brightness of find_levels() except for rounding errors,
 * which are below 0.0001 together. So both round to the same level unless the sum is close to the middle
 * between two levels; such groups are computed again. Returns the number of pixels done, from the first on.
 */
GF_BYTE_VECTORS
static int64_t find_groups(const uint8_t *rgb, int64_t n, const struct weights *w, uint8_t *level)
{
    const float whole = 12582912.0f;     /* 1.5 * 2^23: a sum with it is rounded, and its low bits are the level */
    gf_byte_vector channel[3], low, halves;
    int64_t x = 0;

    find_positions(channel, &low, &halves);
    for (; x + READ_PIXELS <= n; x += GROUP) {
        gf_byte_vector part[4], to;
        gf_int_vector close = { 0 };
        uint64_t any[sizeof close / 8];

        for (int k = 0; k < 4; k++) {
            gf_byte_vector v;
            gf_float_vector sum, rounded;

            memcpy(&v, rgb + 3 * (x + k * LANES), sizeof v);
            sum = w->r * to_floats(v, channel[0]);
            sum += w->g * to_floats(v, channel[1]);
            sum += w->b * to_floats(v, channel[2]);
            rounded = sum + whole;
            part[k] = (gf_byte_vector)rounded;
            sum -= rounded - whole;
            close |= sum * sum > 0.4999f * 0.4999f;
        }
        to = join_low_bytes(part, low, halves);
        memcpy(level + x, &to, sizeof to);
        memcpy(any, &close, sizeof any);
        if ((any[0] | any[1] | any[2] | any[3] | any[4] | any[5] | any[6] | any[7]) != 0)
            find_levels(rgb + 3 * x, GROUP, WHITE, w, WHITE, level + x);
    }
    return x;
}

/* Weights in thousandths, as 128 times one byte and another one, both below 128. */
struct thousandths {
    gf_int_vector high, low;             /* four bytes of a pixel each, the last one 0 */
};

/* Returns true if the weights are whole thousandths that can be split. */
static bool find_thousandths(const struct weights *w, struct thousandths *t)
{
    const float of[3] = { w->r, w->g, w->b };
    int32_t high = 0, low = 0;

    for (int c = 0; c < 3; c++) {
        const int32_t whole = (int32_t)rintf(of[c] * 1000.0f);

        if (fabsf(of[c] * 1000.0f - (float)whole) > 1e-4f)
            return false;
        high |= whole / 128 << 8 * c;
        low |= whole % 128 << 8 * c;
    }
    t->high = (gf_int_vector){ 0 } + high;
    t->low = (gf_int_vector){ 0 } + low;
    return true;
}

GF_BYTE_VECTORS GF_INLINE gf_float_vector add_product(gf_float_vector v, float by, gf_float_vector sum)
{
    return gf_float_vector_fma(v, (gf_float_vector){ 0 } + by, sum);
}

/* Equals gf_unit_value() of channel bytes. */
GF_BYTE_VECTORS GF_INLINE gf_float_vector unit_values(gf_byte_vector v, gf_byte_vector channel)
{
    const gf_float_vector x = to_floats(v, channel);
    const gf_float_vector q = x * (1.0f / WHITE);

    return add_product(add_product(-q, WHITE, x), 1.0f / WHITE, q);
}

/* Computes levels as find_some_levels() does, in the low bytes. */
GF_BYTE_VECTORS GF_INLINE gf_byte_vector find_as_floats(gf_byte_vector v, const gf_byte_vector *channel,
                                                        const struct weights *w)
{
    gf_float_vector y = add_product(unit_values(v, channel[0]), w->r, (gf_float_vector){ 0 });

    y = add_product(unit_values(v, channel[2]), w->b, add_product(unit_values(v, channel[1]), w->g, y));
    return (gf_byte_vector)(y * WHITE + 12582912.0f);        /* as in find_groups() */
}

/*
 * Does the same as find_groups() with weights in thousandths. Sums in integers are exact. One that is not in the
 * middle between two levels is at least 0.001 from it, and weights and floats are off by less than 0.0002 together, so
 * its level is certain. In the middle, a factor below 1/1000 rounds down, and one above it rounds up.
 */
GF_BYTE_VECTORS
static int64_t find_exact_groups(const uint8_t *rgb, int64_t n, const struct weights *w, const struct thousandths *t,
                                 uint8_t *level)
{
    const float above = 0.001f, below = nextafterf(above, 0.0f);     /* the float 0.001 is above 1/1000 */
    const gf_float_vector whole = (gf_float_vector){ 0 } + 12582912.0f;      /* as in find_groups() */
    gf_byte_vector channel[3], low, halves, pixels, v[4], part[4], to;
    int64_t x = 0;

    find_positions(channel, &low, &halves);
    for (int i = 0; i < 4 * LANES; i++)
        pixels[i] = (uint8_t)(i / 4 * 3 + i % 4);
    for (; x + READ_PIXELS <= n; x += GROUP) {
        gf_int_vector close = { 0 };

        for (int k = 0; k < 4; k++) {
            gf_int_vector sum = { 0 };
            gf_float_vector rounded, other;

            memcpy(&v[k], rgb + 3 * (x + k * LANES), sizeof v[k]);
            to = __builtin_shuffle(v[k], pixels);
            sum = gf_int_vector_add_products(sum, to, (gf_byte_vector)t->high) << 7;
            sum = gf_int_vector_add_products(sum, to, (gf_byte_vector)t->low);
            rounded = add_product(__builtin_convertvector(sum, gf_float_vector), above, whole);
            other = add_product(__builtin_convertvector(sum, gf_float_vector), below, whole);
            close |= (gf_int_vector)rounded ^ (gf_int_vector)other;
            part[k] = (gf_byte_vector)rounded;
        }
        if (__builtin_ia32_ptestmd512(close, close, 0xffff) != 0)
            for (int k = 0; k < 4; k++)
                part[k] = find_as_floats(v[k], channel, w);
        to = join_low_bytes(part, low, halves);
        memcpy(level + x, &to, sizeof to);
    }
    return x;
}
#endif

void gf_luma_levels(const uint8_t *rgb, int64_t n, float one, const struct gf_point_step *matrix, int levels,
                    uint8_t *level)
{
    const struct weights w = { matrix->m[0][0], matrix->m[0][1], matrix->m[0][2], matrix->m[0][3] };
    int64_t done = 0;

#ifdef GF_HAS_BYTE_VECTORS
    if (one == WHITE && levels == BINS && w.constant == 0 && w.r >= 0 && w.g >= 0 && w.b >= 0
        && w.r + w.g + w.b < 1.0001f && gf_runs_byte_vectors()) {
        struct thousandths t;

        done = __builtin_cpu_supports("avx512vnni") && find_thousandths(&w, &t)
             ? find_exact_groups(rgb, n, &w, &t, level) : find_groups(rgb, n, &w, level);
    }
#endif
    find_levels(rgb + 3 * done, n - done, one, &w, (float)(levels - 1), level + done);
}

/* The numbers to add to a pixel of each level, and to subtract; one of both is 0. */
struct changes {
    uint8_t up[BINS], down[BINS];
};

/* Fills the changes and returns true if a program is one table of brightness whose entries are whole steps. */
static bool find_changes(const struct gf_point *p, const float *tables, struct changes *changes)
{
    const float *table;

    if (p->count != 1 || p->step[0].kind != GF_POINT_LUMA_TABLE || p->step[0].bins != BINS)
        return false;
    table = tables + p->step[0].table;
    for (int i = 0; i < BINS; i++) {
        const float step = table[i] * WHITE, whole = rintf(step);

        if (!(fabsf(step - whole) < 1e-3f && fabsf(whole) <= WHITE))
            return false;
        changes->up[i] = (uint8_t)(whole > 0 ? whole : 0);
        changes->down[i] = (uint8_t)(whole < 0 ? -whole : 0);
    }
    return true;
}

/* Adds and subtracts within 0 to 255. Sums wrap around, so that compilers use vectors of bytes. */
GF_CLONES
static void change(uint8_t *restrict v, int n, const uint8_t *restrict up, const uint8_t *restrict down)
{
    for (int i = 0; i < n; i++) {
        const uint8_t wrapped = (uint8_t)(v[i] + up[i]), sum = wrapped < v[i] ? WHITE : wrapped;

        v[i] = sum < down[i] ? 0 : (uint8_t)(sum - down[i]);
    }
}

/* Changes all channels of n pixels by the step of their brightness. */
static void apply_changes(const uint8_t *from, int64_t n, const struct changes *changes, uint8_t *to)
{
    uint8_t level[PIXELS], up[PIXELS], down[PIXELS], channel[3][PIXELS];

    for (int64_t x = 0, m; x < n; x += m) {
        m = n - x < PIXELS ? n - x : PIXELS;
        gf_luma_levels(from + 3 * x, m, WHITE, &gf_point_luma, BINS, level);
        gf_byte_look_up(level, m, changes->up, up);
        gf_byte_look_up(level, m, changes->down, down);
        gf_split_rgb(from + 3 * x, m, channel[0], channel[1], channel[2]);
        for (int c = 0; c < 3; c++)
            change(channel[c], (int)m, up, down);
        gf_join_rgb(channel[0], channel[1], channel[2], m, to + 3 * x);
    }
}

static const uint8_t *row_of(const struct gf_block *b, int64_t unit)
{
    return (const uint8_t *)b->data + (unit - b->span.start) * b->pitch_samples;
}

bool gf_luma_apply(const struct gf_work *work, const struct gf_io *io)
{
    const struct gf_point *p = gf_point_is_identity(io->load) ? io->store : io->load;
    const struct gf_block *src = &io->src, *dst = &io->dst;
    const bool one = gf_point_is_identity(io->load) || gf_point_is_identity(io->store);
    const bool to_gray = one && gf_luma_is_view(src, p) && !dst->planar && dst->type == GF_U8;
    struct changes changes;

    if (!to_gray && (!one || gf_point_is_identity(p) || !is_bytes(src) || !is_bytes(dst) || src->maxval != WHITE
                     || dst->maxval != WHITE || !find_changes(p, work->tables, &changes)))
        return false;
    for (int64_t u = dst->span.start; u < dst->span.end; u++) {
        const uint8_t *from = row_of(src, u);
        uint8_t *to = (uint8_t *)dst->data + (u - dst->span.start) * dst->pitch_samples;

        if (to_gray)
            gf_luma_levels(from, dst->width, (float)src->maxval, &p->step[0], (int)dst->maxval + 1, to);
        else
            apply_changes(from, dst->width, &changes, to);
    }
    return true;
}
