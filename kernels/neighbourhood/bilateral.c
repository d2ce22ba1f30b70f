/* Bilateral means on a CPU: padded rows, and the whole square for several adjacent pixels. */
#include "kernels/neighbourhood/bilateral.h"

#include "base/clones.h"
#include "base/elementary.h"
#include "kernels/base/block.h"
#include "kernels/base/byte_vector.h"
#include "kernels/base/gpu_scratch.h"
#include "kernels/base/pack.h"
#include "kernels/base/planar.h"

#include <math.h>
#include <string.h>

#define SIDE_BY_SIDE 32                  /* pixels whose sums stay in registers or in the first-level cache */

/* Rows of the source, padded on all sides, by channel. */
struct rows {
    const float *data;                   /* the sample `radius` above and before the first pixel of the result */
    int64_t pitch, plane;
};

/* Sums of the channels, then of the weights, and the rounding errors of each. */
struct bilateral_sums {
    float sum[GF_BILATERAL_CHANNELS + 1][SIDE_BY_SIDE], lost[GF_BILATERAL_CHANNELS + 1][SIDE_BY_SIDE];
};

/* Adds pixels [from, to) of a row of the square, for `SIDE_BY_SIDE` pixels of the result. */
GF_INLINE void add_run(const float *row, int64_t plane, int64_t step, const float *const *v, const float *near,
                       int radius, float far, float steep, int from, int to, int channels, struct bilateral_sums *all)
{
    float run[GF_BILATERAL_CHANNELS + 1][SIDE_BY_SIDE] = { { 0 } };

    for (int i = from; i < to; i++) {
        const float *at = row + i * step, start = near[i < radius ? radius - i : i - radius] + far;

        for (int k = 0; k < SIDE_BY_SIDE; k++) {
            float d[GF_BILATERAL_CHANNELS], squares = 0.0f, w;

            for (int c = 0; c < channels; c++) {
                d[c] = at[c * plane + k] - v[c][k];
                squares = fmaf(d[c], d[c], squares);
            }
            w = gf_bilateral_weight(fmaf(squares, -steep, start));
            for (int c = 0; c < channels; c++)
                run[c][k] = fmaf(w, d[c], run[c][k]);
            run[channels][k] = run[channels][k] + w;
        }
    }
    for (int c = 0; c <= channels; c++)
        for (int k = 0; k < SIDE_BY_SIDE; k++)
            gf_exact_sum_add(&all->sum[c][k], &all->lost[c][k], run[c][k]);
}

/*
 * Computes `SIDE_BY_SIDE` pixels from `corner` on, of which n are needed. There are `step` samples from one column of
 * the square to the next, a constant in each call.
 */
GF_INLINE void few_pixels(const float *corner, const struct rows *from, const struct gf_bilateral *b, const float *near,
                          float *const *to, int64_t n, int channels, int64_t step)
{
    const int side = 2 * b->radius + 1;
    struct bilateral_sums all = { .sum = { { 0 } } };
    const float *v[GF_BILATERAL_CHANNELS];

    for (int c = 0; c < channels; c++)
        v[c] = corner + c * from->plane + b->radius * (from->pitch + step);
    for (int j = 0; j < side; j++)
        for (int i = 0; i < side; i += GF_BILATERAL_RUN)
            add_run(corner + j * from->pitch, from->plane, step, v, near, b->radius,
                    near[j < b->radius ? b->radius - j : j - b->radius],
                    b->steep, i, side - i < GF_BILATERAL_RUN ? side : i + GF_BILATERAL_RUN, channels, &all);
    for (int c = 0; c <= channels; c++)
        for (int k = 0; k < SIDE_BY_SIDE; k++)
            all.sum[c][k] = all.sum[c][k] + all.lost[c][k];
    for (int c = 0; c < channels; c++) {
        for (int k = 0; k < SIDE_BY_SIDE; k++)
            all.sum[c][k] = v[c][k] + all.sum[c][k] / all.sum[channels][k];
        memcpy(to[c], all.sum[c], (size_t)n * sizeof(float));
    }
}

/* Computes row y of the result. */
GF_CLONES
static void one_row(const struct rows *from, const struct gf_bilateral *b, const float *near, int64_t y, int64_t width,
                    float *const *to)
{
    for (int64_t x = 0; x < width; x += SIDE_BY_SIDE) {
        const int64_t n = width - x < SIDE_BY_SIDE ? width - x : SIDE_BY_SIDE;
        const float *corner = from->data + y * from->pitch + x;
        float *at[GF_BILATERAL_CHANNELS] = { to[0] + x };

        for (int c = 1; c < b->channels; c++)
            at[c] = to[c] + x;
        switch (b->channels) {
        case 1: few_pixels(corner, from, b, near, at, n, 1, 1); break;
        case 2: few_pixels(corner, from, b, near, at, n, 2, 1); break;
        case 3: few_pixels(corner, from, b, near, at, n, 3, 1); break;
        default: few_pixels(corner, from, b, near, at, n, 4, 1); break;
        }
    }
}

GF_CLONES
static void windows_of_bytes(const struct rows *from, const struct gf_bilateral *b, const float *near, float *to)
{
    few_pixels(from->data, from, b, near, &to, SIDE_BY_SIDE, 1, SIDE_BY_SIDE);
}

/*
 * Computes SIDE_BY_SIDE pixels of one channel as the floats of any call. Sample (i, j) of the square of pixel k
 * is windows[(j * side + i) * SIDE_BY_SIDE + k].
 */
static void windows_means(const float *windows, const struct gf_bilateral *b, const float *near, float *to)
{
    const struct rows from = { windows, (2 * b->radius + 1) * SIDE_BY_SIDE, 0 };

    windows_of_bytes(&from, b, near, to);
}

/* ---- bytes ---- */

/*
 * Means of one channel of bytes, from packed bytes to packed bytes. Weights are integers of 24 bits, from a table for
 * each distance, and the bytes of four pixels at the same distance are multiplied and added by one instruction. The few
 * means that are so close to the middle between two levels that rounding errors matter are computed again in floats.
 */
#define BYTES_RADIUS 32                  /* the largest one; tables of larger ones are slow to make and to read */
#define WHITE 255
#define LEVELS 256
#define NARROW 128                       /* entries of a narrow table; its last one is for all larger differences */
#define PIXELS 64                        /* pixels of a call, and bytes by which tables are aligned */
#define FOUR 4
#define BYTES 3                          /* of a weight, from the lowest on, each in a table of its own */
#define SIGN 128                         /* bytes are multiplied as signed ones, so this is subtracted first */
#define ONE 16777215.0                   /* the weight 1 */
#define TAIL 0.01                        /* levels that differences above NARROW may change without a table */

/* Four pixels of the square at the same distance: their offsets in bytes, and the tables of their weights. */
struct four_pixels {
    int64_t offset[FOUR];
    const uint8_t *table;
};

struct table_sums {
    struct four_pixels *four;
    int fours;
    bool wide;                           /* tables have an entry for each level */
    float center_weight;
    float error, error_by_level;         /* most of the sum of the errors of weights, alone and times the difference */
};

/* ---- sums of squares around 64 bytes, weighted by tables of differences, in vectors of 64 bytes ---- */

#ifdef GF_HAS_BYTE_VECTORS
/*
 * Levels, more than the rounding errors of floats: sums of 32 in any body have up to 0.00095, all others together up to
 * 0.0003.
 */
#define SLACK 0.002f

typedef int8_t signed_bytes __attribute__((vector_size(64)));
typedef char plain_bytes __attribute__((vector_size(64)));

/* Sums of weights, and of weights times bytes, for each byte of the weights. */
struct byte_sums {
    gf_int_vector weight[BYTES], product[BYTES];
};

static bool runs_vectors(void)
{
    return gf_runs_byte_vectors() && __builtin_cpu_supports("avx512vnni");
}

GF_BYTE_VECTORS GF_INLINE gf_byte_vector load_bytes(const uint8_t *at)
{
    gf_byte_vector v;

    memcpy(&v, at, sizeof v);
    return v;
}

/* Joins the first or second eight of each 16 bytes of four rows, so that the bytes of a pixel are in one lane. */
GF_BYTE_VECTORS GF_INLINE void join_rows(const gf_byte_vector *row, bool second, gf_byte_vector *to)
{
    const plain_bytes none = { 0 };
    const plain_bytes a = (plain_bytes)row[0], b = (plain_bytes)row[1], c = (plain_bytes)row[2],
                      d = (plain_bytes)row[3];
    const gf_word_vector ab = (gf_word_vector)(second ? __builtin_ia32_punpckhbw512_mask(a, b, none, ~0ull)
                                    : __builtin_ia32_punpcklbw512_mask(a, b, none, ~0ull));
    const gf_word_vector cd = (gf_word_vector)(second ? __builtin_ia32_punpckhbw512_mask(c, d, none, ~0ull)
                                    : __builtin_ia32_punpcklbw512_mask(c, d, none, ~0ull));

    to[0] = (gf_byte_vector)__builtin_ia32_punpcklwd512_mask(ab, cd, (gf_word_vector)none, ~0u);
    to[1] = (gf_byte_vector)__builtin_ia32_punpckhwd512_mask(ab, cd, (gf_word_vector)none, ~0u);
}

/* Adds four pixels of the square for 16 pixels. */
GF_BYTE_VECTORS GF_INLINE void add_four_bytes(gf_byte_vector v, gf_byte_vector middle, const gf_byte_vector *table,
                                              bool wide, struct byte_sums *sums)
{
    const plain_bytes none = { 0 };
    const gf_byte_vector ones = (gf_byte_vector)none + 1;
    const gf_byte_vector more = (gf_byte_vector)__builtin_ia32_pmaxsb512_mask((plain_bytes)v, (plain_bytes)middle,
                                                                              none, ~0ull),
                         less = (gf_byte_vector)__builtin_ia32_pminsb512_mask((plain_bytes)v, (plain_bytes)middle,
                                                                              none, ~0ull);
    gf_byte_vector d = more - less;

    if (!wide)
        d = (gf_byte_vector)__builtin_ia32_pminub512_mask((plain_bytes)d, (plain_bytes)((gf_byte_vector)none + 127),
                                                          none, ~0ull);
    for (int i = 0; i < BYTES; i++) {
        gf_byte_vector weight;

        if (wide) {
            const gf_byte_vector far = (gf_byte_vector)((signed_bytes)d < 0), *at = table + 4 * i;

            weight = (__builtin_shuffle(at[0], at[1], d) & ~far) | (__builtin_shuffle(at[2], at[3], d) & far);
        } else {
            weight = __builtin_shuffle(table[2 * i], table[2 * i + 1], d);
        }
        sums->weight[i] = gf_int_vector_add_products(sums->weight[i], weight, ones);
        sums->product[i] = gf_int_vector_add_products(sums->product[i], weight, v);
    }
}

GF_BYTE_VECTORS GF_INLINE gf_float_vector join_sums(const gf_int_vector *sum)
{
    return __builtin_convertvector(sum[0], gf_float_vector) + __builtin_convertvector(sum[1], gf_float_vector) * 256.0f
         + __builtin_convertvector(sum[2], gf_float_vector) * 65536.0f;
}

GF_BYTE_VECTORS GF_INLINE gf_float_vector without_sign(gf_float_vector v)
{
    return (gf_float_vector)((gf_int_vector)v & INT32_MAX);
}

/* Finds the levels of 16 pixels, as bytes in integers, and -1 where a level may be another one. */
GF_BYTE_VECTORS GF_INLINE void find_mean(const struct table_sums *s, const struct byte_sums *sums,
                                         gf_byte_vector middle, gf_int_vector *level, gf_int_vector *doubt)
{
    const float whole = 12582912.0f;     /* 1.5 * 2^23: a sum with it is rounded, and its low bits are an integer */
    const gf_float_vector v = __builtin_convertvector((gf_int_vector)middle << 24 >> 24, gf_float_vector);
    const gf_float_vector weights = join_sums(sums->weight) + s->center_weight;
    const gf_float_vector from = (join_sums(sums->product) + s->center_weight * v) / weights;
    const gf_float_vector rounded = from + whole, off = from - (rounded - whole), moved = from - v;
    const gf_float_vector distance = without_sign(off), change = without_sign(moved);

    *level = (gf_int_vector)rounded + SIGN;
    *doubt = distance + SLACK + (s->error_by_level + change * s->error) / weights > 0.5f;
}

/* Puts the low bytes of integers in the order of the pixels, from the order of join_rows(). */
GF_BYTE_VECTORS GF_INLINE gf_byte_vector order_bytes(const gf_int_vector *v)
{
    gf_byte_vector at, half;

    for (int i = 0; i < PIXELS; i++) {
        at[i] = (uint8_t)((i / 16 * 4 + i % 4) * 4 + (i / 4 % 2) * PIXELS);
        half[i] = (uint8_t)(i + i / 8 % 2 * PIXELS);
    }
    return __builtin_shuffle(__builtin_shuffle((gf_byte_vector)v[0], (gf_byte_vector)v[1], at),
                             __builtin_shuffle((gf_byte_vector)v[2], (gf_byte_vector)v[3], at), half);
}

/* Adds the square for the pixels of one half of each 16 bytes, and finds their levels. */
GF_BYTE_VECTORS GF_INLINE void half_of_pixels(const struct table_sums *s, const uint8_t *center, bool second,
                                              bool wide, gf_int_vector *level, gf_int_vector *doubt)
{
    struct byte_sums left = { .weight = { { 0 } } }, right = { .weight = { { 0 } } };
    gf_byte_vector row[FOUR], middle[2], v[2];

    for (int i = 0; i < FOUR; i++)
        row[i] = load_bytes(center);
    join_rows(row, second, middle);
    for (int k = 0; k < s->fours; k++) {
        const struct four_pixels *f = &s->four[k];

        for (int i = 0; i < FOUR; i++)
            row[i] = load_bytes(center + f->offset[i]);
        join_rows(row, second, v);
        add_four_bytes(v[0], middle[0], (const gf_byte_vector *)(const void *)f->table, wide, &left);
        add_four_bytes(v[1], middle[1], (const gf_byte_vector *)(const void *)f->table, wide, &right);
    }
    find_mean(s, &left, middle[0], &level[0], &doubt[0]);
    find_mean(s, &right, middle[1], &level[1], &doubt[1]);
}

GF_BYTE_VECTORS GF_INLINE void some_pixels_of(const struct table_sums *s, const uint8_t *center, bool wide,
                                              uint8_t *to, uint8_t *doubts)
{
    gf_int_vector level[FOUR], doubt[FOUR];
    gf_byte_vector bytes;

    half_of_pixels(s, center, false, wide, level, doubt);
    half_of_pixels(s, center, true, wide, level + 2, doubt + 2);
    bytes = order_bytes(level);
    memcpy(to, &bytes, sizeof bytes);
    bytes = order_bytes(doubt);
    memcpy(doubts, &bytes, sizeof bytes);
}

/*
 * Finds the levels of PIXELS pixels from `center` on, and bytes that are not 0 where a level may differ from that of
 * exact sums. PIXELS bytes can be read beyond each of them.
 */
GF_BYTE_VECTORS
static void some_pixels(const struct table_sums *s, const uint8_t *center, uint8_t *to, uint8_t *doubts)
{
    if (s->wide)
        some_pixels_of(s, center, true, to, doubts);
    else
        some_pixels_of(s, center, false, to, doubts);
}
#else
static bool runs_vectors(void)
{
    return false;
}

static void some_pixels(const struct table_sums *s, const uint8_t *center, uint8_t *to, uint8_t *doubts)
{
    (void)s;
    (void)center;
    (void)to;
    (void)doubts;
}
#endif

/* ---- scratch of a call for bytes ---- */

struct bilateral_bytes_job {
    const struct gf_io *io;
    const struct gf_bilateral *b;
    const float *near;
    struct table_sums sums;
    uint8_t *tables;
    uint8_t *padded;                     /* rows of the source less SIGN, padded on all sides */
    int64_t pitch;
    float *windows;
    uint8_t *doubtful[SIDE_BY_SIDE]; /* results that are computed again */
    const uint8_t *center[SIDE_BY_SIDE];
    float unit[LEVELS];
    int doubts;
};

static int fours_of(int radius)
{
    return radius * (radius + 1);
}

static size_t tables_of(int radius)
{
    return (size_t)radius * (size_t)(radius + 3) / 2;
}

static int64_t bytes_pitch_of(const struct gf_io *io, int radius)
{
    return (io->dst.width + 2 * radius + 2 * PIXELS + PIXELS - 1) / PIXELS * PIXELS;
}

static size_t padded_bytes_of(const struct gf_io *io, int radius)
{
    return (size_t)(bytes_pitch_of(io, radius) * (gf_span_units(io->dst.span) + 2 * radius));
}

static size_t windows_of(int radius)
{
    return (size_t)((2 * radius + 1) * (2 * radius + 1) * SIDE_BY_SIDE) * sizeof(float);
}

static size_t bytes_scratch(const struct gf_io *io, const struct gf_bilateral *b)
{
    if (b->radius > BYTES_RADIUS)
        return 0;
    return PIXELS + tables_of(b->radius) * BYTES * LEVELS + gf_padded_bytes(padded_bytes_of(io, b->radius))
         + gf_padded_bytes((size_t)fours_of(b->radius) * sizeof(struct four_pixels)) + windows_of(b->radius);
}

static bool is_bytes(const struct gf_block *b, const struct gf_point *p)
{
    return !b->planar && b->type == GF_U8 && b->maxval == WHITE && b->channels == 1 && gf_point_is_identity(p);
}

/* Returns true if blocks and parameters are such that processors with the instructions go from bytes to bytes. */
static bool fits_bytes(const struct gf_io *io, const struct gf_bilateral *b)
{
    return is_bytes(&io->src, io->load) && is_bytes(&io->dst, io->store) && b->radius >= 1 && b->radius <= BYTES_RADIUS
        && b->steep >= 0;
}

/* Returns true if this processor has them, and the weights are such, too. */
static bool runs_bytes(const struct gf_work *work, const struct gf_bilateral *b)
{
    for (int i = 0; i <= b->radius; i++)
        if (!(work->masks[b->near_at + i] <= 0))             /* weights are 1 at most */
            return false;
    return runs_vectors();
}

/* ---- tables ---- */

/* Finds the weights of pixels whose levels differ by 0 to 255. */
GF_CLONES
static void find_weights(float far, float steep, float *weight)
{
    for (int k = 0; k < LEVELS; k++) {
        const float d = (float)k / WHITE;

        weight[k] = gf_bilateral_weight(fmaf(d * d, -steep, far));
    }
}

/* Returns true if weights of differences above NARROW change a mean by more than TAIL. */
static bool needs_wide(const struct bilateral_bytes_job *j, double center_weight)
{
    const int radius = j->b->radius;
    float weight[LEVELS];
    double most = 0, all = 0;

    find_weights(0, j->b->steep, weight);
    for (int k = NARROW - 1; k < LEVELS; k++)
        most = fmax(most, k * (double)weight[k]);
    for (int y = 0; y <= radius; y++)
        all += (y == 0 ? 1 : 2) * gf_exp2((double)j->near[y]);
    return all * all * most > TAIL * center_weight;
}

/* Fills the table of a distance, and adds the largest errors of its weights for `count` pixels. */
static void fill_table(struct bilateral_bytes_job *j, float far, int count, uint8_t *table)
{
    const int entries = j->sums.wide ? LEVELS : NARROW;
    double error = 0, error_by_level = 0;
    float weight[LEVELS];

    find_weights(far, j->b->steep, weight);
    for (int k = 0; k < LEVELS; k++) {
        const double exact = ONE * (double)weight[k], whole = j->sums.wide || k < NARROW - 1 ? rint(exact) : 0;
        const double off = fabs(exact - whole);
        const uint32_t bits = (uint32_t)whole;

        error = fmax(error, off);
        error_by_level = fmax(error_by_level, off * k);
        for (int i = 0; i < BYTES && k < entries; i++)
            table[i * entries + k] = (uint8_t)(bits >> 8 * i);
    }
    j->sums.error += (float)(count * error);
    j->sums.error_by_level += (float)(count * error_by_level);
}

/* Lists the four pixels (±x, ±y), or on the axes. */
static void add_four(struct bilateral_bytes_job *j, int64_t x, int64_t y, const uint8_t *table)
{
    const int64_t p = j->pitch;
    const struct four_pixels beside = { { -x, x, -x * p, x * p }, table },
                      corners = { { -x - y * p, x - y * p, -x + y * p, x + y * p }, table };

    j->sums.four[j->sums.fours++] = y == 0 ? beside : corners;
}

static void fill_tables(struct bilateral_bytes_job *j)
{
    const size_t bytes = BYTES * (j->sums.wide ? LEVELS : NARROW);
    uint8_t *table = j->tables;

    for (int x = 1; x <= j->b->radius; x++)
        for (int y = 0; y <= x; y++, table += bytes) {
            const int count = y == 0 || y == x ? FOUR : 2 * FOUR;

            fill_table(j, j->near[x] + j->near[y], count, table);
            add_four(j, x, y, table);
            if (count > FOUR)
                add_four(j, y, x, table);
        }
}

/* ---- rows of bytes ---- */

/* Computes the pixels of the list again, in floats. */
static void compute_again(struct bilateral_bytes_job *j)
{
    const int radius = j->b->radius, side = 2 * radius + 1;
    float result[SIDE_BY_SIDE];

    for (int k = 0; k < j->doubts; k++)
        for (int y = 0; y < side; y++) {
            const uint8_t *row = j->center[k] + (y - radius) * j->pitch - radius;
            float *to = j->windows + y * side * SIDE_BY_SIDE + k;

            for (int x = 0; x < side; x++)
                to[x * SIDE_BY_SIDE] = j->unit[row[x] ^ SIGN];
        }
    windows_means(j->windows, j->b, j->near, result);
    for (int k = 0; k < j->doubts; k++)
        *j->doubtful[k] = (uint8_t)rintf(result[k] * WHITE);
    j->doubts = 0;
}

static void bytes_row(struct bilateral_bytes_job *j, const uint8_t *center, uint8_t *to, int64_t width)
{
    for (int64_t x = 0; x < width; x += PIXELS) {
        const int64_t n = width - x < PIXELS ? width - x : PIXELS;
        uint8_t level[PIXELS], doubts[PIXELS];
        uint64_t any[PIXELS / 8], all = 0;

        some_pixels(&j->sums, center + x, level, doubts);
        memcpy(to + x, level, (size_t)n);
        memcpy(any, doubts, sizeof any);
        for (int i = 0; i < PIXELS / 8; i++)
            all |= any[i];
        for (int64_t i = 0; all != 0 && i < n; i++)
            if (doubts[i]) {
                j->doubtful[j->doubts] = to + x + i;
                j->center[j->doubts] = center + x + i;
                if (++j->doubts == SIDE_BY_SIDE)
                    compute_again(j);
            }
    }
}

/* Fills a padded row with unit y, or its replacement, and the samples beyond its ends. */
static void pad_bytes(const struct bilateral_bytes_job *j, int64_t y, uint8_t *to)
{
    const struct gf_block *src = &j->io->src;
    const int radius = j->b->radius;
    const int64_t width = src->width, at = gf_border_index(j->b->border, y, j->io->src_units);
    const uint8_t *from = (const uint8_t *)src->data + (at - src->span.start) * src->pitch_samples;

    memset(to, SIGN, (size_t)j->pitch);
    if (at < 0)
        return;
    gf_border_copy(from, width, 1, j->b->border, -radius, width + 2 * radius, to);
    for (int64_t x = 0; x < width + 2 * radius; x++)
        to[x] ^= SIGN;
}

static void run_bytes(const struct gf_work *work, const struct gf_io *io, const struct gf_bilateral *b,
                            void *scratch)
{
    struct bilateral_bytes_job j = { .io = io, .b = b, .near = work->masks + b->near_at };
    const int64_t rows = gf_span_units(io->dst.span), shift = -(int64_t)(uintptr_t)scratch & (PIXELS - 1);
    char *at = (char *)scratch + shift;
    float center_weight;

    j.tables = (uint8_t *)at;
    j.padded = j.tables + tables_of(b->radius) * BYTES * LEVELS;
    at = (char *)j.padded + gf_padded_bytes(padded_bytes_of(io, b->radius));
    j.sums.four = (struct four_pixels *)(void *)at;
    j.windows = (float *)(void *)(at + gf_padded_bytes((size_t)fours_of(b->radius) * sizeof(struct four_pixels)));
    memset(j.windows, 0, windows_of(b->radius));
    j.pitch = bytes_pitch_of(io, b->radius);
    for (int i = 0; i < LEVELS; i++)
        j.unit[i] = gf_unit_value((float)i, WHITE, 1.0f / WHITE);
    center_weight = gf_bilateral_weight(j.near[0] + j.near[0]);
    j.sums.center_weight = (float)ONE * center_weight;
    j.sums.wide = needs_wide(&j, (double)center_weight);
    fill_tables(&j);
    for (int64_t y = 0; y < rows + 2 * b->radius; y++)
        pad_bytes(&j, io->dst.span.start - b->radius + y, j.padded + y * j.pitch);
    for (int64_t y = 0; y < rows; y++)
        bytes_row(&j, j.padded + (y + b->radius) * j.pitch + b->radius,
                (uint8_t *)io->dst.data + y * io->dst.pitch_samples, io->dst.width);
    if (j.doubts > 0)
        compute_again(&j);
}

/* ---- a call ---- */

/* Scratch, in floats. */
struct scratch_sizes {
    int64_t pitch, plane;                /* of the padded rows */
    size_t padded, source, result;
};

static struct scratch_sizes sizes_of(const struct gf_io *io, const struct gf_bilateral *b)
{
    const int64_t rows = gf_span_units(io->dst.span) + 2 * b->radius, all = gf_span_units(io->src.span);
    struct scratch_sizes s = { .pitch = io->dst.width + 2 * b->radius + SIDE_BY_SIDE };

    s.plane = s.pitch * rows;
    s.padded = (size_t)(s.plane * b->channels);
    s.source = gf_planar_source_samples(io, rows < all && b->border != GF_WRAP ? rows : all);
    s.result = gf_planar_result_samples(io, gf_channels_at_work(io));
    return s;
}

static size_t bilateral_scratch(const struct gf_io *io, const void *params)
{
    const struct scratch_sizes s = sizes_of(io, params);
    const size_t floats = (s.padded + s.source + s.result) * sizeof(float);
    const size_t bytes = bytes_scratch(io, params);

    return floats > bytes ? floats : bytes;
}

/*
 * Fills a padded row with unit y of channel c, or its replacement, and the samples beyond its ends.
 * Unused samples are 0.
 */
static void pad_row(const struct gf_io *io, const struct gf_block *src, const struct gf_bilateral *b, int c, int64_t y,
                    float *to, int64_t pitch)
{
    const int64_t width = io->dst.width, at = gf_border_index(b->border, y, io->src_units);
    const float *from = at < 0 ? NULL : gf_plane_at(src, c, at);

    memset(to, 0, (size_t)pitch * sizeof *to);
    if (from != NULL)
        gf_border_copy(from, width, sizeof *to, b->border, -b->radius, width + 2 * b->radius, to);
}

int gf_bilateral_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_bilateral *b = params;
    const struct scratch_sizes s = sizes_of(io, b);
    float *padded = work->scratch;
    const struct rows from = { padded, s.pitch, s.plane };
    struct gf_block src, dst;

    if (work->scratch_bytes < bilateral_scratch(io, b))
        return gf_fail(err, GF_FAILED, "internal error: bilateral has too little scratch memory");
    if (fits_bytes(io, b) && runs_bytes(work, b)) {
        run_bytes(work, io, b, work->scratch);
        return 0;
    }
    src = gf_planar_source(work, io, gf_span_around(io, b->radius, b->radius, b->border), padded + s.padded);
    dst = gf_planar_result(io, src.channels, padded + s.padded + s.source);
    for (int c = 0; c < b->channels; c++)
        for (int64_t y = dst.span.start - b->radius; y < dst.span.end + b->radius; y++)
            pad_row(io, &src, b, c, y, padded + c * s.plane + (y - dst.span.start + b->radius) * s.pitch, s.pitch);
    for (int64_t y = dst.span.start; y < dst.span.end; y++) {
        float *to[GF_BILATERAL_CHANNELS];

        for (int c = 0; c < b->channels; c++)
            to[c] = gf_plane_at(&dst, c, y);
        one_row(&from, b, work->masks + b->near_at, y - dst.span.start, dst.width, to);
        for (int c = b->channels; c < dst.channels; c++)
            memcpy(gf_plane_at(&dst, c, y), gf_plane_at(&src, c, y), (size_t)dst.width * sizeof(float));
    }
    gf_planar_finish(work, io, &dst);
    return 0;
}

/* Each pixel of the square has its own weight, the same for all channels. Returns the pixels times their work. */
static double bilateral_work(const struct gf_bilateral *b, const struct gf_format *out)
{
    const double side = 2 * b->radius + 1;

    return side * side * (3 + b->channels) / out->channels;
}

/* Gray bytes cost what processors with AVX-512 take for them. */
static struct gf_cost bilateral_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    const bool gray_bytes = in->type == GF_U8 && out->type == GF_U8 && out->channels == 1;

    return (struct gf_cost) { .light = 1 + (gray_bytes ? 0.09 : 0.35) * bilateral_work(params, out) };
}

static struct gf_cost bilateral_gpu_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    (void)in;
    return (struct gf_cost) { .light = 1 + 0.09 * bilateral_work(params, out) };
}

static bool at_once(const void *params, const struct gf_format *f)
{
    struct gf_io io = { .src = gf_block_packed(NULL, f, (struct gf_span) { 0, 0 }) };

    io.dst = io.src;
    return fits_bytes(&io, params);
}

static bool reach(const void *params, struct gf_reach *reach)
{
    const struct gf_bilateral *b = params;

    return gf_reach_square(b->radius, b->border, reach);
}

static int64_t masks_end(const void *params, int channels)
{
    const struct gf_bilateral *b = params;

    return b->radius < 0 || b->radius > GF_BILATERAL_MAX_RADIUS || b->near_at < 0 || b->near_at > INT64_MAX / 2
           || b->channels < 1 || b->channels > GF_BILATERAL_CHANNELS || b->channels > channels
               ? -1 : b->near_at + b->radius + 1;
}

const struct gf_operation gf_op_bilateral = {
    .word = "bilateral", .text = "Means of neighbors, weighted by their similarity.",
    .params_bytes = sizeof(struct gf_bilateral),
    .cpu = { .body = gf_bilateral_cpu, .scratch_bytes = bilateral_scratch, .cost = bilateral_cost },
    .cuda = { .body = GF_CUDA_BODY(gf_bilateral_cuda), GF_OP_READS_AND_STORES,
              .scratch_bytes = gf_gpu_scratch_programs, .cost = bilateral_gpu_cost },
    .at_once = at_once,
    .reach = reach,
    .masks_end = masks_end,
};
