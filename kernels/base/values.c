/* Follows the values of samples through point programs and weighted sums, by interval arithmetic. */
#include "kernels/base/values.h"

#include "kernels/base/curve.h"

#include <float.h>

static struct gf_values from_to(double least, double most)
{
    if (!(least >= -(double)FLT_MAX && most <= (double)FLT_MAX))        /* a sum may overflow, or be NaN */
        return (struct gf_values) { 0 };
    return (struct gf_values) { true, (float)least, (float)most };
}

/* Luma and chroma may be outside of the colors that red, green and blue can show. */
struct gf_values gf_values_of_format(const struct gf_format *f)
{
    return (f->type == GF_U8 || f->type == GF_U16) && !f->yuv.used ? from_to(0, 1) : (struct gf_values) { 0 };
}

struct gf_values gf_values_with(struct gf_values v, float value)
{
    v.least = value < v.least ? value : v.least;
    v.most = value > v.most ? value : v.most;
    return v;
}

/* Returns the values that are in `a` or in `b`. */
static struct gf_values both(struct gf_values a, struct gf_values b)
{
    return a.known && b.known ? gf_values_with(gf_values_with(a, b.least), b.most) : (struct gf_values) { 0 };
}

struct gf_values gf_values_weighted(struct gf_values v, double positive, double negative)
{
    if (!v.known)
        return v;
    return from_to(positive * (double)v.least + negative * (double)v.most,
                   positive * (double)v.most + negative * (double)v.least);
}

struct gf_values gf_values_of_sum(struct gf_values v, const float *weights, int64_t count)
{
    double positive = 0, negative = 0;

    for (int64_t i = 0; i < count; i++) {
        positive += weights[i] > 0 ? (double)weights[i] : 0;
        negative += weights[i] > 0 ? 0 : (double)weights[i];         /* a NaN makes the sum NaN */
    }
    return gf_values_weighted(v, positive, negative);
}

/* The range of each output is that of a weighted sum plus a constant. */
static struct gf_values after_matrix(struct gf_values v, const struct gf_point_step *s)
{
    struct gf_values all = { 0 };

    for (int o = 0; o < s->outs; o++) {
        const double constant = (double)s->m[o][s->channels];
        struct gf_values sum = gf_values_of_sum(v, s->m[o], s->channels);

        if (sum.known)
            sum = from_to((double)sum.least + constant, (double)sum.most + constant);
        all = o == 0 ? sum : both(all, sum);
    }
    return all;
}

/* The curves rise, so that the ends of a range stay its ends. */
static struct gf_values after_curve(struct gf_values v, float (*curve)(float))
{
    return v.known ? from_to((double)curve(v.least), (double)curve(v.most)) : v;
}

static struct gf_values after_power(struct gf_values v, float exponent)
{
    if (!v.known || !(exponent > 0))
        return (struct gf_values) { 0 };
    return from_to(v.least > 0 ? (double)gf_powf(v.least, exponent) : 0,
                   v.most > 0 ? (double)gf_powf(v.most, exponent) : 0);
}

static float clamp(float v, float least, float most)
{
    return v < least ? least : v > most ? most : v;
}

/* Returns the values of the channels that a step changes, or of all channels if it has no others. */
static struct gf_values of_changed(struct gf_values v, const struct gf_point_step *s)
{
    const struct gf_values unknown = { 0 };
    const float weight = s->a;

    switch (s->kind) {
    case GF_POINT_AFFINE:
        v = gf_values_of_sum(v, &weight, 1);
        return v.known ? from_to((double)v.least + (double)s->b, (double)v.most + (double)s->b) : v;
    case GF_POINT_MATRIX: return after_matrix(v, s);
    case GF_POINT_MEAN:
    case GF_POINT_MAX:
    case GF_POINT_LIGHTNESS: return v;
    case GF_POINT_POWER: return after_power(v, s->a);
    case GF_POINT_LINEAR: return after_curve(v, gf_linear_of_srgb);
    case GF_POINT_SRGB: return after_curve(v, gf_srgb_of_linear);
    case GF_POINT_PREMULTIPLY: return gf_values_are_unit(v) ? gf_values_with(v, 0) : unknown;
    case GF_POINT_THRESHOLD: return from_to(0, 1);
    case GF_POINT_PICK: return gf_values_with(v, 1);
    case GF_POINT_FINITE: return v.known ? gf_values_with(v, 0) : from_to(-(double)FLT_MAX, (double)FLT_MAX);
    case GF_POINT_CLAMP:                                             /* NaN stays NaN */
        return v.known ? from_to((double)clamp(v.least, s->a, s->b), (double)clamp(v.most, s->a, s->b)) : v;
    default: return unknown;                                         /* tables may be filled after the plan is made */
    }
}

struct gf_values gf_values_after_step(struct gf_values v, const struct gf_point_step *s, int channels)
{
    const bool all = s->kind == GF_POINT_MEAN || s->kind == GF_POINT_PICK || s->channels >= channels;
    const struct gf_values changed = of_changed(v, s);

    return all ? changed : both(changed, v);
}

struct gf_values gf_values_after_program(struct gf_values v, const struct gf_point *p)
{
    int channels = p != NULL ? p->in : 0;

    for (int i = 0; i < gf_point_count(p); i++) {
        v = gf_values_after_step(v, &p->step[i], channels);
        channels = gf_point_channels(&p->step[i], channels);
    }
    return v;
}
