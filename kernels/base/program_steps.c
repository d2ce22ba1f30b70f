/* Runs point programs on a CPU, step by step over rows of floats. */
#include "kernels/base/program_steps.h"

#include "base/clones.h"
#include "kernels/base/color_cube.h"
#include "kernels/base/curve.h"
#include "kernels/base/srgb_bytes.h"

#include <float.h>
#include <math.h>
#include <string.h>

GF_CLONES
static void run_affine(float *restrict v, int64_t n, float a, float b)
{
    for (int64_t i = 0; i < n; i++)
        v[i] = fmaf(v[i], a, b);
}

/* Returns true if no value is larger than `most`, infinite or NaN, and none above 0 is smaller than `least`. */
GF_CLONES
static bool are_between(const float *restrict v, int64_t n, float least, float most)
{
    const int32_t low = gf_bits_of_float(least), high = gf_bits_of_float(most);
    int32_t outside = 0;

    for (int64_t i = 0; i < n; i++) {
        const int32_t bits = gf_bits_of_float(v[i]);         /* in the order of the values, if these are positive */

        outside |= ((bits & INT32_MAX) > high) | ((bits > 0) & (bits < low));
    }
    return outside == 0;
}

/* Curves of values from -1e12 to 1e12 need none of the cases of gf_powf() and gf_cube_root() for extremes. */
static bool are_moderate(const float *v, int64_t n)
{
    return are_between(v, n, 0.0f, 1e12f);
}

/* A line up to `least`, then a power: out·(in·v + in_add)^a + out_add. */
struct power_curve {
    float least, slope, in, in_add, a, out, out_add;
};

#define TOGETHER 256                     /* values that take each step of a power together: their chains are short */

GF_INLINE float scaled(float v, float a, float b)
{
    return a == 1.0f && b == 0.0f ? v : fmaf(v, a, b);
}

/* A constant curve lets the compiler leave out what does not change values. */
GF_INLINE void run_power_curve(float *restrict v, int n, struct power_curve c)
{
    float s[TOGETHER], e[TOGETHER];

    for (int i = 0; i < n; i++)
        s[i] = gf_power_split(scaled(v[i] > c.least ? v[i] : c.least, c.in, c.in_add), &e[i]);
    for (int i = 0; i < n; i++)
        s[i] = c.a * gf_log2_of_ratio(s[i]);
    for (int i = 0; i < n; i++) {
        const float power = scaled(gf_power_join(s[i], e[i], c.a), c.out, c.out_add);

        v[i] = v[i] > c.least ? power : c.slope > 0.0f ? v[i] * c.slope : 0.0f;
    }
}

GF_CLONES
static void run_moderate_power(float *restrict v, int n, float a)
{
    run_power_curve(v, n, (struct power_curve) { 0.0f, 0.0f, 1.0f, 0.0f, a, 1.0f, 0.0f });
}

GF_CLONES
static void run_moderate_linear(float *restrict v, int n)
{
    run_power_curve(v, n, (struct power_curve) { 0.04045f, (float)(1 / 12.92), (float)(1 / 1.055),
                                                 (float)(0.055 / 1.055), 2.4f, 1.0f, 0.0f });
}

GF_CLONES
static void run_moderate_srgb(float *restrict v, int n)
{
    run_power_curve(v, n, (struct power_curve) { 0.0031308f, 12.92f, 1.0f, 0.0f, (float)(1 / 2.4), 1.055f, -0.055f });
}

/* Sets y to x^(-1/3) for the size of each value, or of `least` if it is smaller. */
GF_INLINE void find_inverse_roots(const float *restrict v, int n, float least, float *restrict y)
{
    for (int i = 0; i < n; i++) {
        const float x = v[i] > least ? v[i] : least;

        y[i] = gf_cube_root_step(x, gf_cube_root_seed(x));
    }
    for (int i = 0; i < n; i++) {
        const float x = v[i] > least ? v[i] : least;

        y[i] = gf_cube_root_step(x, gf_cube_root_step(x, y[i]));
    }
}

GF_CLONES
static void run_moderate_lab(float *restrict v, int n)
{
    float y[TOGETHER];

    find_inverse_roots(v, n, GF_LAB_LINE_END, y);
    for (int i = 0; i < n; i++) {
        const float root = gf_cube_root_end(v[i], y[i]);

        v[i] = v[i] > GF_LAB_LINE_END ? root : gf_lab_line(v[i]);
    }
}

GF_CLONES
static void run_moderate_root(float *restrict v, int n)
{
    float size[TOGETHER], y[TOGETHER];

    for (int i = 0; i < n; i++)
        size[i] = fabsf(v[i]);
    find_inverse_roots(size, n, 1e-37f, y);
    for (int i = 0; i < n; i++) {
        const float found = gf_cube_root_end(size[i], y[i]), root = size[i] < 1e-37f ? 0.0f : found;

        v[i] = v[i] < 0.0f ? -root : root;
    }
}

GF_CLONES
static void run_any_power(float *restrict v, int n, float a)
{
    for (int i = 0; i < n; i++)
        v[i] = gf_powf(v[i] > 0.0f ? v[i] : 0.0f, a);
}

static void run_power(float *v, int64_t n, float a)
{
    /* x^a is 2^-120 to 2^120, and so is x */
    const float octaves = fminf(120.0f, 120.0f / a), most = gf_powf(2.0f, octaves);

    for (int64_t at = 0; at < n; at += TOGETHER) {
        const int m = n - at < TOGETHER ? (int)(n - at) : TOGETHER;

        if (are_between(v + at, m, 1.0f / most, most))
            run_moderate_power(v + at, m, a);
        else
            run_any_power(v + at, m, a);
    }
}

/* Each curve has a faster form for the values of most images. */
#define CURVE(name, fast, general)                                          \
    GF_CLONES                                                               \
    static void name##_any(float *restrict v, int n)                        \
    {                                                                       \
        for (int i = 0; i < n; i++)                                         \
            v[i] = general(v[i]);                                           \
    }                                                                       \
    static void name(float *v, int64_t n)                                   \
    {                                                                       \
        for (int64_t at = 0; at < n; at += TOGETHER) {                      \
            const int m = n - at < TOGETHER ? (int)(n - at) : TOGETHER;     \
                                                                            \
            if (are_moderate(v + at, m))                                    \
                fast(v + at, m);                                            \
            else                                                            \
                name##_any(v + at, m);                                      \
        }                                                                   \
    }
CURVE(run_linear, run_moderate_linear, gf_linear_of_srgb)
CURVE(run_srgb, run_moderate_srgb, gf_srgb_of_linear)
CURVE(run_lab, run_moderate_lab, gf_lab_of_linear)
CURVE(run_root, run_moderate_root, gf_cube_root)
#undef CURVE

GF_CLONES
static void run_lab_inverse(float *restrict v, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        v[i] = gf_linear_of_lab(v[i]);
}

GF_CLONES
static void run_cube(float *restrict v, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        v[i] = v[i] * v[i] * v[i];
}

GF_CLONES
static void run_clamp(float *restrict v, int64_t n, float low, float high)
{
    for (int64_t i = 0; i < n; i++) {
        const float least = v[i] < low ? low : v[i];

        v[i] = least > high ? high : least;
    }
}

GF_CLONES
static void run_finite(float *restrict v, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        v[i] = fabsf(v[i]) <= FLT_MAX ? v[i] : 0.0f;
}

GF_CLONES
static void run_matrix_to_one(float *restrict r, const float *restrict g, const float *restrict b, int64_t n,
                              float wr, float wg, float wb, float constant)
{
    for (int64_t i = 0; i < n; i++)
        r[i] = fmaf(wb, b[i], fmaf(wg, g[i], fmaf(wr, r[i], constant)));
}

#define MATRIX_PIXELS 128                /* pixels whose channels are all kept while they are mixed */

/* Constant numbers of channels let the compiler vectorize the inner loops. */
GF_INLINE void run_matrix_of(float *const *row, int64_t n, const struct gf_point_step *s, int channels, int outs)
{
    for (int64_t at = 0; at < n; at += MATRIX_PIXELS) {
        const int m = n - at < MATRIX_PIXELS ? (int)(n - at) : MATRIX_PIXELS;
        float in[GF_POINT_MATRIX_MAX][MATRIX_PIXELS];

        for (int k = 0; k < channels; k++)
            memcpy(in[k], row[k] + at, (size_t)m * sizeof(float));
        for (int o = 0; o < outs; o++) {
            float *restrict out = row[o] + at, w[GF_POINT_MATRIX_MAX + 1];

            memcpy(w, s->m[o], sizeof w);
            for (int i = 0; i < m; i++) {
                float sum = w[channels];

                for (int k = 0; k < channels; k++)
                    sum = fmaf(w[k], in[k][i], sum);
                out[i] = sum;
            }
        }
    }
}

GF_CLONES
static void run_matrix(float *const *row, int64_t n, const struct gf_point_step *s)
{
    switch (s->channels) {
    case 1: run_matrix_of(row, n, s, 1, s->outs); break;
    case 2: run_matrix_of(row, n, s, 2, s->outs); break;
    case 3: run_matrix_of(row, n, s, 3, s->outs); break;
    default: run_matrix_of(row, n, s, 4, s->outs); break;
    }
}

GF_CLONES
static void run_add(float *restrict sum, const float *restrict v, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        sum[i] += v[i];
}

GF_CLONES
static void run_extremes(float *const *row, int channels, int64_t n, bool lightness)
{
    for (int64_t i = 0; i < n; i++) {
        float most = row[0][i], least = row[0][i];

        for (int c = 1; c < channels; c++) {
            const float v = row[c][i];

            most = most >= v || v != v ? most : v;           /* not fmaxf, which leaves the sign of 0 to the machine */
            least = least <= v || v != v ? least : v;
        }
        row[0][i] = lightness ? (most + least) * 0.5f : most;
    }
}

GF_CLONES
static void run_multiply(float *restrict v, const float *restrict alpha, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        v[i] *= alpha[i];
}

GF_CLONES
static void run_divide(float *restrict v, const float *restrict alpha, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        v[i] = alpha[i] == 0.0f ? 0.0f : v[i] / alpha[i];
}

/* Returns the bin of v; NaN is not greater than 0, so it falls into bin 0. */
GF_INLINE int32_t bin_of(float v, float last)
{
    float t = v > 0.0f ? v * last : 0.0f;

    return (int32_t)rintf(t < last ? t : last);
}

GF_CLONES
static void run_table(float *restrict v, int64_t n, const float *restrict table, int bins)
{
    const float last = (float)(bins - 1);

    for (int64_t i = 0; i < n; i++)
        v[i] = table[bin_of(v[i], last)];
}

GF_CLONES
static void run_luma_table(float *restrict r, float *restrict g, float *restrict b, int64_t n,
                           const float *restrict table, int bins)
{
    const float last = (float)(bins - 1);

    for (int64_t i = 0; i < n; i++) {
        float d = table[bin_of(gf_luma(r[i], g[i], b[i]), last)];

        r[i] += d;
        g[i] += d;
        b[i] += d;
    }
}

GF_CLONES
static void run_curve(float *restrict v, int64_t n, const float *restrict table, int bins)
{
    const float last = (float)(bins - 1);

    for (int64_t i = 0; i < n; i++) {
        const float place = gf_table_place(v[i], last);
        const int32_t before = gf_table_before(place, bins);

        v[i] = fmaf(place - (float)before, table[before + 1] - table[before], table[before]);
    }
}

#define LOOKED_UP 64                     /* pixels whose places in a cube are found together */

/* Mixes four corners of the cell of each pixel. */
GF_INLINE void mix_corners(float *const *row, int64_t at, int n, const float *restrict table,
                           const struct gf_cube_place *restrict place, int32_t last)
{
    for (int i = 0; i < n; i++) {
        const struct gf_cube_place p = place[i];
        const float *first = table + p.first, *one = first + p.one, *two = first + p.two, *four = first + last;
        float mixed[GF_CUBE_ENTRY];

        for (int c = 0; c < GF_CUBE_ENTRY; c++)
            mixed[c] = fmaf(p.weight[3], four[c],
                            fmaf(p.weight[2], two[c], fmaf(p.weight[1], one[c], p.weight[0] * first[c])));
        for (int c = 0; c < 3; c++)
            row[c][at + i] = mixed[c];
    }
}

GF_CLONES
static void run_cube_table(float *const *row, int64_t n, const float *restrict table, int bins)
{
    struct gf_cube_place place[LOOKED_UP];

    for (int64_t at = 0; at < n; at += LOOKED_UP) {
        const int m = n - at < LOOKED_UP ? (int)(n - at) : LOOKED_UP;
        const float *restrict r = row[0] + at, *restrict g = row[1] + at, *restrict b = row[2] + at;

        for (int i = 0; i < m; i++)
            place[i] = gf_cube_find(r[i], g[i], b[i], bins);
        mix_corners(row, at, m, table, place, gf_cube_last(bins));
    }
}

#define COMPARED 64                      /* pixels that are compared with all colors together */

GF_INLINE void find_nearest(float *const *row, int64_t at, int n, const float *restrict table, int colors,
                            int channels, bool codes)
{
    float least[COMPARED];
    int32_t nearest[COMPARED];

    for (int i = 0; i < n; i++) {
        least[i] = INFINITY;
        nearest[i] = 0;
    }
    for (int k = 0; k < colors; k++)
        for (int i = 0; i < n; i++) {
            float d = 0;

            for (int c = 0; c < channels; c++) {
                const float apart = row[c][at + i] - table[c * colors + k];

                d = fmaf(apart, apart, d);
            }
            nearest[i] = d < least[i] ? k : nearest[i];
            least[i] = d < least[i] ? d : least[i];
        }
    for (int c = 0; c < channels; c++)
        for (int i = 0; i < n; i++)
            row[c][at + i] = codes ? gf_palette_code(row[c][at + i], nearest[i], colors)
                : table[c * colors + nearest[i]];
}

GF_CLONES
static void run_palette(float *const *row, int64_t n, const float *restrict table, const struct gf_point_step *s)
{
    for (int64_t at = 0; at < n; at += COMPARED) {
        const int m = n - at < COMPARED ? (int)(n - at) : COMPARED;

        if (s->channels == 3)
            find_nearest(row, at, m, table, s->bins, 3, s->b != 0);
        else
            find_nearest(row, at, m, table, s->bins, 1, s->b != 0);
    }
}

GF_CLONES
static void run_vibrance(float *restrict r, float *restrict g, float *restrict b, int64_t n, float a)
{
    for (int64_t i = 0; i < n; i++) {
        const float y = gf_luma(r[i], g[i], b[i]), factor = gf_vibrance(r[i], g[i], b[i], a);

        r[i] = fmaf(r[i] - y, factor, y);
        g[i] = fmaf(g[i] - y, factor, y);
        b[i] = fmaf(b[i] - y, factor, y);
    }
}

GF_CLONES
static void run_tone(float *restrict v, int64_t n, float shadows, float highlights)
{
    for (int64_t i = 0; i < n; i++)
        v[i] = gf_tone(v[i], v[i], shadows, highlights);
}

GF_CLONES
static void run_luma_tone(float *restrict r, float *restrict g, float *restrict b, int64_t n, float shadows,
                          float highlights)
{
    for (int64_t i = 0; i < n; i++) {
        const float y = gf_luma(r[i], g[i], b[i]);

        r[i] = gf_tone(r[i], y, shadows, highlights);
        g[i] = gf_tone(g[i], y, shadows, highlights);
        b[i] = gf_tone(b[i], y, shadows, highlights);
    }
}

GF_CLONES
static void run_threshold(float *restrict v, int64_t n, float least)
{
    for (int64_t i = 0; i < n; i++)
        v[i] = v[i] >= least ? 1.0f : 0.0f;
}

/* A picked channel is at its position or after it, so nothing is overwritten too early. */
static void run_pick(float *const *row, int64_t n, const struct gf_point_step *s)
{
    for (int o = 0; o < s->outs; o++) {
        if (s->pick[o] < 0)
            for (int64_t i = 0; i < n; i++)
                row[o][i] = 1.0f;
        else if (s->pick[o] != o)
            memcpy(row[o], row[s->pick[o]], (size_t)n * sizeof(float));
    }
}

#define MIXED 64                         /* pixels whose channels are all kept while they are mixed */

/* Mixes MIXED pixels, or the last few. */
GF_CLONES
static void mix_few(float *const *row, int64_t at, int n, const struct gf_point_step *s, const float *restrict weights)
{
    float in[GF_MAX_CHANNELS][MIXED];

    for (int k = 0; k < s->channels; k++) {
        memcpy(in[k], row[k] + at, (size_t)n * sizeof(float));
        for (int i = n; i < MIXED; i++)
            in[k][i] = 0;
    }
    for (int o = 0; o < s->outs; o++) {
        float sum[MIXED] = { 0 };

        for (int k = 0; k < s->channels; k++) {
            const float w = weights[o * s->channels + k];

            for (int i = 0; i < MIXED && w != 0.0f; i++)
                sum[i] = fmaf(w, in[k][i], sum[i]);
        }
        memcpy(row[o] + at, sum, (size_t)n * sizeof(float));
    }
}

/*
 * Moves the rows after the first `ins` to the positions after the first `outs`; unused rows move in
 * the other direction.
 */
static void move_rows(float **row, int channels, int ins, int outs)
{
    float *after[GF_MAX_CHANNELS + GF_POINT_MATRIX_MAX], *spare[GF_MAX_CHANNELS + GF_POINT_MATRIX_MAX];
    const size_t tail = (size_t)(channels - ins) * sizeof *row;

    memcpy(after, row + ins, tail);
    if (outs < ins) {
        memcpy(spare, row + outs, (size_t)(ins - outs) * sizeof *row);
        memcpy(row + outs + channels - ins, spare, (size_t)(ins - outs) * sizeof *row);
    } else {
        memcpy(spare, row + channels, (size_t)(outs - ins) * sizeof *row);
        memcpy(row + ins, spare, (size_t)(outs - ins) * sizeof *row);
    }
    memcpy(row + outs, after, tail);
}

static void run_mean(float **row, int channels, int64_t n)
{
    for (int c = 1; c < channels; c++)
        run_add(row[0], row[c], n);
    if (channels > 1)
        run_affine(row[0], n, 1.0f / (float)channels, 0.0f);
}

/* Applies a step to channel c only, if the step treats all channels alike. */
static void run_channel(const struct gf_point_step *s, const float *tables, float *const *row, int c, int64_t n)
{
    switch (s->kind) {
    case GF_POINT_AFFINE: run_affine(row[c], n, s->a, s->b); break;
    case GF_POINT_POWER: run_power(row[c], n, s->a); break;
    case GF_POINT_LINEAR: run_linear(row[c], n); break;
    case GF_POINT_SRGB:
        if (s->bins == GF_BYTE_BINS)
            gf_srgb_bytes(row[c], n);
        else
            run_srgb(row[c], n);
        break;
    case GF_POINT_FINITE: run_finite(row[c], n); break;
    case GF_POINT_CLAMP: run_clamp(row[c], n, s->a, s->b); break;
    case GF_POINT_LAB: run_lab(row[c], n); break;
    case GF_POINT_LAB_INVERSE: run_lab_inverse(row[c], n); break;
    case GF_POINT_ROOT: run_root(row[c], n); break;
    case GF_POINT_CUBE: run_cube(row[c], n); break;
    case GF_POINT_CURVE:
        if (!gf_point_keeps(s, c))
            run_curve(row[c], n, tables + s->table + (int64_t)c * s->bins, s->bins);
        break;
    case GF_POINT_TONES: run_tone(row[c], n, s->a, s->b); break;
    case GF_POINT_PREMULTIPLY: run_multiply(row[c], row[s->channels], n); break;
    case GF_POINT_UNPREMULTIPLY: run_divide(row[c], row[s->channels], n); break;
    case GF_POINT_TABLE: run_table(row[c], n, tables + s->table + (int64_t)c * s->bins, s->bins); break;
    case GF_POINT_THRESHOLD: run_threshold(row[c], n, tables[s->table + c]); break;
    case GF_POINT_SCALE: run_affine(row[c], n, tables[s->table + 2 * c], tables[s->table + 2 * c + 1]); break;
    default: break;
    }
}

static void run_step(const struct gf_point_step *s, const float *tables, float **row, int channels, int64_t n)
{
    switch (s->kind) {
    case GF_POINT_MATRIX:
        if (s->outs > s->channels)
            move_rows(row, channels, s->channels, s->outs);
        if (s->channels == 3 && s->outs == 1)
            run_matrix_to_one(row[0], row[1], row[2], n, s->m[0][0], s->m[0][1], s->m[0][2], s->m[0][3]);
        else
            run_matrix(row, n, s);
        if (s->outs < s->channels)
            move_rows(row, channels, s->channels, s->outs);
        break;
    case GF_POINT_MEAN:
        run_mean(row, channels, n);
        break;
    case GF_POINT_MAX:
    case GF_POINT_LIGHTNESS:
        run_extremes(row, s->channels, n, s->kind == GF_POINT_LIGHTNESS);
        move_rows(row, channels, s->channels, 1);
        break;
    case GF_POINT_PICK:
        run_pick(row, n, s);
        break;
    case GF_POINT_MIX:
        for (int64_t i = 0; i < n; i += MIXED)
            mix_few(row, i, n - i < MIXED ? (int)(n - i) : MIXED, s, tables + s->table);
        break;
    case GF_POINT_LUMA_TABLE:
        run_luma_table(row[0], row[1], row[2], n, tables + s->table, s->bins);
        break;
    case GF_POINT_LUT:
        run_cube_table(row, n, tables + s->table, s->bins);
        break;
    case GF_POINT_PALETTE:
        run_palette(row, n, tables + s->table, s);
        break;
    case GF_POINT_VIBRANCE:
        run_vibrance(row[0], row[1], row[2], n, s->a);
        break;
    default:
        if (s->kind == GF_POINT_TONES && s->channels == 3)
            run_luma_tone(row[0], row[1], row[2], n, s->a, s->b);
        else
            for (int c = 0; c < s->channels; c++)
                run_channel(s, tables, row, c, n);
    }
}

int gf_point_widest_of(const struct gf_io *io)
{
    const int in = io->load ? gf_point_widest(io->load) : 0, out = io->store ? gf_point_widest(io->store) : 0;
    const int widest = io->src.channels > in ? io->src.channels : in;

    return widest > out ? widest : out;
}

void gf_point_run(const struct gf_point *p, const float *tables, float **row, int64_t n)
{
    int channels;

    if (gf_point_is_identity(p))
        return;
    channels = p->in;
    for (int i = 0; i < p->count; i++) {
        run_step(&p->step[i], tables, row, channels, n);
        channels = gf_point_channels(&p->step[i], channels);
    }
}
