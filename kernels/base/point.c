/* Builds point programs; program_run.c runs them. */
#include "kernels/base/point.h"

#include <string.h>

const struct gf_point_step gf_point_luma = {
    .kind = GF_POINT_MATRIX, .channels = 3, .outs = 1, .m = { { GF_BT601(float), 0 } }
};

int gf_point_channels(const struct gf_point_step *s, int channels)
{
    switch (s->kind) {
    case GF_POINT_MATRIX: return channels - s->channels + s->outs;
    case GF_POINT_MEAN: return 1;
    case GF_POINT_MAX:
    case GF_POINT_LIGHTNESS: return channels - s->channels + 1;
    case GF_POINT_PICK:
    case GF_POINT_MIX: return s->outs;
    default: return channels;
    }
}

int gf_point_widest(const struct gf_point *p)
{
    int now = p->in, widest = p->in;

    for (int i = 0; i < p->count; i++) {
        now = gf_point_channels(&p->step[i], now);
        widest = now > widest ? now : widest;
    }
    return widest;
}

void gf_point_init(struct gf_point *p, int channels)
{
    memset(p, 0, sizeof *p);
    p->in = p->out = channels;
}

/* Returns an affine step on the channels of a matrix as a matrix. */
static struct gf_point_step affine_matrix(const struct gf_point_step *s)
{
    struct gf_point_step m = { .kind = GF_POINT_MATRIX, .channels = s->channels, .outs = s->channels };

    for (int i = 0; i < s->channels; i++) {
        m.m[i][i] = s->a;
        m.m[i][s->channels] = s->b;
    }
    return m;
}

/* Combines two steps into one matrix, rounded once. */
static struct gf_point_step matrix_product(const struct gf_point_step *first, const struct gf_point_step *second)
{
    struct gf_point_step p = { .kind = GF_POINT_MATRIX, .channels = first->channels, .outs = second->outs };

    for (int o = 0; o < second->outs; o++) {
        for (int i = 0; i <= first->channels; i++) {
            double sum = i == first->channels ? (double)second->m[o][second->channels] : 0.0;

            for (int k = 0; k < second->channels; k++)
                sum += (double)second->m[o][k] * (double)first->m[k][i];
            p.m[o][i] = (float)sum;
        }
    }
    return p;
}

/* Makes *last do both steps, if one step can. */
static bool merge(struct gf_point_step *last, const struct gf_point_step *s)
{
    const bool last_linear = last->kind == GF_POINT_AFFINE || last->kind == GF_POINT_MATRIX;
    const bool linear = s->kind == GF_POINT_AFFINE || s->kind == GF_POINT_MATRIX;
    struct gf_point_step a, b;

    if (last->kind == GF_POINT_FINITE && s->kind == GF_POINT_FINITE && last->channels >= s->channels)
        return true;
    if (!last_linear || !linear)
        return false;
    if (last->kind == GF_POINT_AFFINE && s->kind == GF_POINT_AFFINE && last->channels == s->channels) {
        last->b = (float)((double)s->a * (double)last->b + (double)s->b);
        last->a = (float)((double)s->a * (double)last->a);
        return true;
    }
    if (last->channels > GF_POINT_MATRIX_MAX || s->channels > GF_POINT_MATRIX_MAX)
        return false;
    if ((last->kind == GF_POINT_AFFINE ? last->channels : last->outs) != s->channels)
        return false;
    a = last->kind == GF_POINT_AFFINE ? affine_matrix(last) : *last;
    b = s->kind == GF_POINT_AFFINE ? affine_matrix(s) : *s;
    *last = matrix_product(&a, &b);
    return true;
}

int gf_point_add(struct gf_point *p, const struct gf_point_step *s)
{
    if (p->count > 0 && merge(&p->step[p->count - 1], s)) {
        p->out = gf_point_channels(s, p->out);
        return 0;
    }
    if (p->count == GF_POINT_STEPS)
        return -1;
    p->step[p->count++] = *s;
    p->out = gf_point_channels(s, p->out);
    return 0;
}

int gf_point_join(struct gf_point *p, const struct gf_point *q)
{
    struct gf_point joined = *p;

    for (int i = 0; i < q->count; i++)
        if (gf_point_add(&joined, &q->step[i]) != 0)
            return -1;
    *p = joined;
    return 0;
}

int gf_point_count_separate(const struct gf_point *p)
{
    for (int i = 0; i < gf_point_count(p); i++)
        switch (p->step[i].kind) {
        case GF_POINT_AFFINE:
        case GF_POINT_POWER:
        case GF_POINT_LINEAR:
        case GF_POINT_SRGB:
        case GF_POINT_TABLE:
        case GF_POINT_THRESHOLD:
        case GF_POINT_SCALE:
        case GF_POINT_FINITE:
        case GF_POINT_LAB:
        case GF_POINT_LAB_INVERSE:
        case GF_POINT_ROOT:
        case GF_POINT_CUBE:
        case GF_POINT_CURVE:
        case GF_POINT_CLAMP:
            break;
        case GF_POINT_TONES:
            if (p->step[i].channels != 3)
                break;
            return i;
        default:
            return i;
        }
    return gf_point_count(p);
}

double gf_point_light(const struct gf_point *p, int first)
{
    static const double light[] = {
        [GF_POINT_AFFINE] = 0.1, [GF_POINT_MATRIX] = 0.3, [GF_POINT_MEAN] = 0.3, [GF_POINT_MAX] = 0.3,
        [GF_POINT_LIGHTNESS] = 0.4, [GF_POINT_POWER] = 2.2, [GF_POINT_LINEAR] = 2.3, [GF_POINT_SRGB] = 2.4,
        [GF_POINT_PREMULTIPLY] = 0.3, [GF_POINT_UNPREMULTIPLY] = 0.8, [GF_POINT_TABLE] = 2.5,
        [GF_POINT_LUMA_TABLE] = 2.5, [GF_POINT_THRESHOLD] = 0.2, [GF_POINT_SCALE] = 0.2, [GF_POINT_PICK] = 0.1,
        [GF_POINT_MIX] = 1, [GF_POINT_FINITE] = 0.2, [GF_POINT_CLAMP] = 0.1,
        [GF_POINT_LAB] = 2, [GF_POINT_LAB_INVERSE] = 0.3, [GF_POINT_ROOT] = 2.2, [GF_POINT_CUBE] = 0.1,
        [GF_POINT_CURVE] = 3, [GF_POINT_LUT] = 7, [GF_POINT_PALETTE] = 10, [GF_POINT_VIBRANCE] = 0.3,
        [GF_POINT_TONES] = 0.4,
    };
    double sum = 0;

    for (int i = first; i < gf_point_count(p); i++)
        sum += light[p->step[i].kind];
    return sum;
}
