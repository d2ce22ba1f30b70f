/* Prefix sums of bytes along the columns on a CPU, a vector at a time. */
#include "kernels/statistics/prefix_bytes.h"

#include "base/clones.h"
#include "base/signal.h"
#include "kernels/base/byte_vector.h"

#include <string.h>

/* ---- the state after some rows ---- */

/* samples whose columns are summed at a time, and rows of bytes whose sums fit into 16 bits */
#define COLUMN_PIECE 4096
#define COLUMN_ROWS 256

GF_CLONES
static void add_to_columns(const uint8_t *restrict at, int64_t n, uint16_t *restrict to)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = (uint16_t)(to[i] + at[i]);
}

/* Adds up every `step`th column; returns the total. */
static uint32_t sum_columns(const uint16_t *columns, int step, int64_t n, uint32_t *sums)
{
    uint32_t sum = 0;

    for (int64_t i = 0; i < n; i++)
        sums[i] = sum += columns[i * step];
    return sum;
}

GF_CLONES
static void move_state(const uint32_t *restrict sums, double before, double *restrict state, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        state[i] += before + (double)(int32_t)sums[i];
}

/* Moves the state past up to COLUMN_ROWS rows. */
static void pass_rows(const uint8_t *at, int64_t pitch, int64_t rows, int64_t columns, int channels, double *state)
{
    const int64_t piece = COLUMN_PIECE / channels;
    double before[GF_MAX_CHANNELS] = { 0 };
    uint16_t column[COLUMN_PIECE];
    uint32_t sums[COLUMN_PIECE];

    for (int64_t x = 0, n; x < columns; x += n) {
        n = columns - x < piece ? columns - x : piece;
        memset(column, 0, (size_t)(n * channels) * sizeof *column);
        for (int64_t r = 0; r < rows; r++)
            add_to_columns(at + r * pitch + x * channels, n * channels, column);
        for (int c = 0; c < channels; c++) {
            const uint32_t sum = sum_columns(column + c, channels, n, sums);

            move_state(sums, before[c], state + c * columns + x, n);
            before[c] += (double)sum;
        }
    }
}

void gf_prefix_bytes_pass(const uint8_t *at, int64_t pitch, int64_t rows, int64_t columns, int channels, double *state)
{
    for (int64_t r = 0; r < rows; r += COLUMN_ROWS)
        pass_rows(at + r * pitch, pitch, rows - r < COLUMN_ROWS ? rows - r : COLUMN_ROWS, columns, channels, state);
}

/* ---- the sums ---- */

#ifdef GF_HAS_BYTE_VECTORS
typedef uint16_t words __attribute__((vector_size(64)));
typedef uint64_t quads __attribute__((vector_size(64)));
typedef uint32_t sums __attribute__((vector_size(64)));
typedef double doubles __attribute__((vector_size(64)));
typedef float half_floats __attribute__((vector_size(32)));

#define BYTES ((int)sizeof(gf_byte_vector))
#define COLUMNS ((int)(sizeof(words) / sizeof(uint16_t)))
#define SUMS ((int)(sizeof(sums) / sizeof(uint32_t)))
#define DOUBLES ((int)(sizeof(doubles) / sizeof(double)))

/* Returns a half of some bytes as words. */
GF_BYTE_VECTORS GF_INLINE words load_words(const uint8_t *at, int half)
{
    const gf_byte_vector zero = { 0 };
    gf_byte_vector v, position;

    memcpy(&v, at, sizeof v);
    for (int k = 0; k < BYTES; k++)
        position[k] = (uint8_t)(k % 2 ? BYTES : half * COLUMNS + k / 2);
    return (words)__builtin_shuffle(v, zero, position);
}

/* Adds the last sum of every other `step` columns to the sums of the columns after them. */
GF_BYTE_VECTORS GF_INLINE words join_sums(words v, int step)
{
    const words zero = { 0 };
    words before;

    for (int k = 0; k < COLUMNS; k++)
        before[k] = (uint16_t)(k & step ? (k & -step) - 1 : COLUMNS);
    return v + __builtin_shuffle(v, zero, before);
}

/* Adds up each half of a vector: four columns in 64 bits, then twice as many. */
GF_BYTE_VECTORS GF_INLINE words sum_words(words v)
{
    v += (words)((quads)v << 16);
    v += (words)((quads)v << 32);
    v = join_sums(v, 4);
    return join_sums(v, 8);
}

/* Returns half of the words as integers of 32 bits. */
GF_BYTE_VECTORS GF_INLINE sums widen_words(words v, int half)
{
    const words zero = { 0 };
    words position;

    for (int k = 0; k < COLUMNS; k++)
        position[k] = (uint16_t)(k % 2 ? COLUMNS : half * SUMS + k / 2);
    return (sums)__builtin_shuffle(v, zero, position);
}

/* Returns half of the integers as doubles. Integers before 0x43300000 are the bits of doubles that are 2^52 larger. */
GF_BYTE_VECTORS GF_INLINE doubles widen_sums(sums v, int half)
{
    const sums top = (sums){ 0 } + 0x43300000;
    sums position;

    for (int k = 0; k < SUMS; k++)
        position[k] = (uint32_t)(k % 2 ? SUMS : half * DOUBLES + k / 2);
    return (doubles)__builtin_shuffle(v, top, position);
}

/* Stores results: sums of the rows before, less 2^52, and the sums in v. */
GF_BYTE_VECTORS GF_INLINE void store_sums(const doubles *base, const sums *v, double inverse, float *to)
{
    for (int k = 0; k < 4; k++) {
        const half_floats f = __builtin_convertvector((base[k] + widen_sums(v[k / 2], k % 2)) * inverse, half_floats);

        memcpy(to + k * DOUBLES, &f, sizeof f);
    }
}

/* Adds up half of BYTES columns from `from` on, in some rows; total[r] has the sum before them in each place. */
GF_BYTE_VECTORS GF_INLINE void sum_half(const struct gf_prefix_bytes *b, int rows, int64_t from, int half, bool down,
                                        sums *total)
{
    const int64_t x = from + half * COLUMNS;
    const sums last = (sums){ 0 } + (SUMS - 1);
    sums added[2] = { { 0 }, { 0 } };
    doubles base[4];

    for (int k = 0; k < 4; k++) {
        base[k] = (doubles){ 0 };
        if (down)
            memcpy(&base[k], b->state + x + k * DOUBLES, sizeof base[k]);
        base[k] -= 0x1p52;
    }
    for (int r = 0; r < rows; r++) {
        const words w = sum_words(load_words(b->at + r * b->pitch + from, half));

        for (int k = 0; k < 2; k++) {
            const sums s = widen_words(w, k) + total[r];

            added[k] = down ? added[k] + s : s;
            total[r] = __builtin_shuffle(s, last);
        }
        store_sums(base, added, b->inverse, b->to + r * b->to_pitch + x);
    }
    for (int k = 0; down && k < 4; k++) {
        base[k] += widen_sums(added[k / 2], k % 2);
        memcpy(b->state + x + k * DOUBLES, &base[k], sizeof base[k]);
    }
}

GF_BYTE_VECTORS GF_INLINE void sum_block(const struct gf_prefix_bytes *b, int rows, int64_t x, bool down, sums *total)
{
    sum_half(b, rows, x, 0, down, total);
    sum_half(b, rows, x, 1, down, total);
}

/* Adds up fewer columns than a block has, in copies of them. */
GF_BYTE_VECTORS GF_INLINE void sum_last(const struct gf_prefix_bytes *b, int rows, int64_t x, int64_t columns,
                                        bool down, sums *total)
{
    uint8_t bytes[GF_PREFIX_BYTES_ROWS][BYTES] = { 0 };
    float to[GF_PREFIX_BYTES_ROWS][BYTES];
    double state[BYTES] = { 0 };
    const struct gf_prefix_bytes last = { .at = bytes[0], .pitch = BYTES, .to = to[0], .to_pitch = BYTES,
                                          .inverse = b->inverse, .state = state };

    for (int r = 0; r < rows; r++)
        memcpy(bytes[r], b->at + r * b->pitch + x, (size_t)columns);
    if (down)
        memcpy(state, b->state + x, (size_t)columns * sizeof *state);
    sum_block(&last, rows, 0, down, total);
    for (int r = 0; r < rows; r++)
        memcpy(b->to + r * b->to_pitch + x, to[r], (size_t)columns * sizeof(float));
    if (down)
        memcpy(b->state + x, state, (size_t)columns * sizeof *state);
}

GF_BYTE_VECTORS GF_INLINE void sum_rows(const struct gf_prefix_bytes *b, int rows, bool down, int64_t columns)
{
    const struct gf_prefix_bytes all = *b;
    sums total[GF_PREFIX_BYTES_ROWS];
    int64_t x = 0;

    for (int r = 0; r < rows; r++)
        total[r] = (sums){ 0 } + b->before[r];
    for (; x + BYTES <= columns; x += BYTES)
        sum_block(&all, rows, x, down, total);
    if (x < columns)
        sum_last(&all, rows, x, columns - x, down, total);
    for (int r = 0; r < rows; r++)
        b->before[r] = total[r][0];
}

GF_BYTE_VECTORS
static void sum_group(const struct gf_prefix_bytes *b, int64_t columns)
{
    sum_rows(b, GF_PREFIX_BYTES_ROWS, true, columns);
}

GF_BYTE_VECTORS
static void sum_few(const struct gf_prefix_bytes *b, int rows, int64_t columns)
{
    sum_rows(b, rows, true, columns);
}

GF_BYTE_VECTORS
static void sum_along(const struct gf_prefix_bytes *b, int64_t columns)
{
    sum_rows(b, 1, false, columns);
}

bool gf_prefix_bytes_run(void)
{
    return gf_runs_byte_vectors();
}

void gf_prefix_bytes_sum(const struct gf_prefix_bytes *b, int rows, int64_t columns)
{
    if (b->state == NULL)
        sum_along(b, columns);
    else if (rows == GF_PREFIX_BYTES_ROWS)
        sum_group(b, columns);
    else
        sum_few(b, rows, columns);
}
#else
bool gf_prefix_bytes_run(void)
{
    return false;
}

void gf_prefix_bytes_sum(const struct gf_prefix_bytes *b, int rows, int64_t columns)
{
    (void)b;
    (void)rows;
    (void)columns;
}
#endif
