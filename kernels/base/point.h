/* Point programs: operations on each sample or pixel alone, as data. Neighboring programs merge. */
#ifndef GF_KERNELS_POINT_H
#define GF_KERNELS_POINT_H

#include "base/error.h"
#include "base/signal.h"

#include <math.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GF_POINT_STEPS 12
#define GF_POINT_MATRIX_MAX 4

/* Weights of red, green and blue in brightness, as numbers of type T, by two standards. Luma has those of BT.601. */
#define GF_BT601(T) (T).299, (T).587, (T).114
#define GF_BT709(T) (T).2126, (T).7152, (T).0722

enum gf_point_kind {
    GF_POINT_AFFINE,         /* v = v·a + b, the first `channels` channels */
    GF_POINT_MATRIX,         /* `channels` in (1 to 4), `outs` out; the channels after them move along */
    GF_POINT_MEAN,           /* all channels to their mean */
    /* the first `channels` to one: the largest; NaN is ignored; of 0 and -0, the first counts */
    GF_POINT_MAX,
    GF_POINT_LIGHTNESS,      /* the first `channels` to one: (largest + smallest) / 2 */
    GF_POINT_POWER,          /* v = max(v, 0)^a, the first `channels` channels */
    GF_POINT_LINEAR,         /* sRGB to linear light, the first `channels` channels */
    GF_POINT_SRGB,           /* the inverse */
    GF_POINT_PREMULTIPLY,    /* the first `channels` channels times the channel after them */
    GF_POINT_UNPREMULTIPLY,  /* the inverse; 0 if the channel after them is 0 */
    GF_POINT_TABLE,          /* v = T[bin(v)], the first `channels` channels, each with its own row of the table */
    GF_POINT_LUMA_TABLE,     /* y = luma; each of the 3 gains T[bin(y)] */
    GF_POINT_THRESHOLD,      /* v = v ≥ T[c] ? 1 : 0, the first `channels` channels; T is in the pool of tables */
    GF_POINT_SCALE,          /* v = v·T[2c] + T[2c + 1], likewise, for values that come from a measurement */
    GF_POINT_PICK,           /* channel o of `outs` is channel pick[o] ≥ o unchanged, or 1 if that is -1 */
    /*
     * all channels to `outs`: sums weighted by T[o·channels + k], in order of channels; a weight of
     * 0 omits a channel
     */
    GF_POINT_MIX,
    GF_POINT_FINITE,         /* v, or 0 if v is not finite; the first `channels` channels */
    /* the function f of CIE L*a*b*, its inverse, the cube root, and the cube; the first `channels` channels */
    GF_POINT_LAB,
    GF_POINT_LAB_INVERSE,
    GF_POINT_ROOT,
    GF_POINT_CUBE,
    /* a line between the two entries around v; otherwise like GF_POINT_TABLE. A channel whose pick is -1 is kept */
    GF_POINT_CURVE,
    GF_POINT_LUT,            /* 3 channels: tetrahedral interpolation in a cube; see color_cube.h */
    /*
     * 1 or 3 channels: the nearest of `bins` colors, whose channel c is in row c of the table; with b = 1, each channel
     * becomes bin number·256 + level of 256·bins: the number of that color, and the channel's level of 8 bits
     */
    GF_POINT_PALETTE,
    GF_POINT_VIBRANCE,       /* 3 channels: away from luma by the factor of gf_vibrance() with a */
    GF_POINT_TONES,          /* gf_tone() with a and b; by luma of 3 channels, otherwise by each channel itself */
    GF_POINT_CLAMP           /* a if v < a, b if v > b, otherwise v; the first `channels` channels; NaN stays NaN */
};

/* bin(v) is v·(bins − 1) rounded to nearest, ties to even, clamped; NaN is bin 0. */
struct gf_point_step {
    enum gf_point_kind kind;
    int channels;
    int outs;
    int bins;                /* entries in a row of the table */
    int64_t table;           /* offset in the pool of tables */
    signed char pick[GF_POINT_MATRIX_MAX];
    float a, b;
    float m[GF_POINT_MATRIX_MAX][GF_POINT_MATRIX_MAX + 1];   /* a row for each output: weights, then the constant */
};

/* The matrix from three colors to luma. */
extern const struct gf_point_step gf_point_luma;

GF_BOTH float gf_luma(float r, float g, float b)
{
    const float weight[3] = { GF_BT601(float) };

    return fmaf(weight[2], b, fmaf(weight[1], g, weight[0] * r));
}

/* Returns the factor of the distance from luma: pale colors change more if a is above 0, vivid ones if it is below. */
GF_BOTH float gf_vibrance(float r, float g, float b, float a)
{
    const float most = r > g ? (r > b ? r : b) : (g > b ? g : b), least = r < g ? (r < b ? r : b) : (g < b ? g : b);
    const float span = most - least < 1.0f ? most - least : 1.0f;
    const float factor = fmaf(a, a > 0.0f ? 1.0f - span : 1.0f + span, 1.0f);

    return factor > 0.0f ? factor : 0.0f;
}

/* Returns v of a pixel of luma y, shadows multiplied, and the distance of highlights from white multiplied. */
GF_BOTH float gf_tone(float v, float y, float shadows, float highlights)
{
    const float positive = y > 0.0f ? y : 0.0f, light = positive < 1.0f ? positive : 1.0f, dark = 1.0f - light;
    const float lifted = fmaf(v, shadows * dark * dark, v);

    return fmaf(1.0f - lifted, highlights * light * light, lifted);
}

/* Returns true for a channel that a curve does not change. */
GF_BOTH bool gf_point_keeps(const struct gf_point_step *s, int c)
{
    return c < GF_POINT_MATRIX_MAX && s->pick[c] < 0;
}

/* Returns what a channel becomes if the color of this number is the nearest, and colors are counted. */
GF_BOTH float gf_palette_code(float v, int number, int colors)
{
    const float level = v > 0.0f ? rintf((v < 1.0f ? v : 1.0f) * 255.0f) : 0.0f;

    return ((float)(256 * number) + level) / (float)(256 * colors - 1);
}

/* Channel i of a point is v[i]; a program turns `in` of them into `out`. */
struct gf_point {
    int in, out;
    int count;
    struct gf_point_step step[GF_POINT_STEPS];
};

void gf_point_init(struct gf_point *p, int channels);

/* Appends one step, or merges it with the last one if one step can do both. -1 if the program is full. */
int gf_point_add(struct gf_point *p, const struct gf_point_step *s) GF_MUST_CHECK;

/* Appends all of q. -1 if both do not fit in one program; p is unchanged then. */
int gf_point_join(struct gf_point *p, const struct gf_point *q) GF_MUST_CHECK;

/* Returns the channels of a point after step s, if it had `channels` before. */
int gf_point_channels(const struct gf_point_step *s, int channels);

/* Returns the number of steps; 0 for NULL. */
static inline int gf_point_count(const struct gf_point *p)
{
    return p != NULL ? p->count : 0;
}

/* Empties the program: every channel passes unchanged. */
static inline bool gf_point_is_identity(const struct gf_point *p)
{
    return p == NULL || p->count == 0;
}

/*
 * Returns true if a program treats all channels alike, so that it can run over samples instead of
 * pixels.
 */
static inline bool gf_point_is_uniform(const struct gf_point *p, int channels)
{
    for (int i = 0; p != NULL && i < p->count; i++)
        switch (p->step[i].kind) {
        case GF_POINT_AFFINE:
        case GF_POINT_POWER:
        case GF_POINT_LINEAR:
        case GF_POINT_SRGB:
        case GF_POINT_FINITE:
        case GF_POINT_LAB:
        case GF_POINT_LAB_INVERSE:
        case GF_POINT_ROOT:
        case GF_POINT_CUBE:
        case GF_POINT_CLAMP:
            if (p->step[i].channels >= channels)
                break;
            return false;
        default:
            return false;
        }
    return true;
}

/* Returns the number of steps, from the first on, that look at no other channel. */
int gf_point_count_separate(const struct gf_point *p);

/* Returns true if a program changes each channel by its own value alone. */
static inline bool gf_point_is_separate(const struct gf_point *p)
{
    return gf_point_count_separate(p) == gf_point_count(p);
}

/* Returns true if a program does nothing but copy one channel to three. */
static inline bool gf_point_is_copy(const struct gf_point *p)
{
    const struct gf_point_step *s = &p->step[0];
    bool copies = p->count == 1 && p->in == 1 && s->kind == GF_POINT_MATRIX && s->outs == 3;

    for (int o = 0; o < 3 && copies; o++)
        copies = s->m[o][0] == 1 && s->m[o][1] == 0;
    return copies;
}

/* Returns the light operations (struct gf_cost) of the steps from `first` on, for a sample of the result on a CPU. */
double gf_point_light(const struct gf_point *p, int first);

/* Returns the most channels that a point has on its way through the program. */
int gf_point_widest(const struct gf_point *p);

#ifdef __cplusplus
}
#endif
#endif
