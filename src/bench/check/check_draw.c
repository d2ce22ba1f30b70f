/* Draws random calls of operations: numbers, sizes, samples and programs. */
#include "bench/check/check_draw.h"

#include <math.h>
#include <string.h>

void gf_draw_seed(struct gf_check *check, uint64_t seed)
{
    check->random = seed;
}

/* xorshift64*, Vigna 2016 */
uint32_t gf_draw(struct gf_check *check, uint32_t n)
{
    uint64_t r = check->random;

    r ^= r >> 12, r ^= r << 25, r ^= r >> 27;
    check->random = r;
    return n == 0 ? 0 : (uint32_t)((r * UINT64_C(2685821657736338717)) >> 33) % n;
}

double gf_draw_unit(struct gf_check *check)
{
    return gf_draw(check, 1u << 30) / (double)(1u << 30);
}

const int64_t gf_draw_sizes[GF_DRAW_SIZES][2] = {
    { 1, 1 }, { 13, 1 }, { 1, 11 }, { 31, 17 }, { 64, 64 }, { 65, 63 }, { 63, 33 }, { 129, 34 }, { 257, 5 }, { 4, 130 },
    { 96, 48 },
};

struct gf_span gf_draw_span(struct gf_check *check, int64_t units)
{
    struct gf_span s = { 0, units };

    if (gf_draw(check, 2)) {
        s.start = gf_draw(check, (uint32_t)units);
        s.end = s.start + 1 + gf_draw(check, (uint32_t)(units - s.start));
    }
    return s;
}

struct gf_span gf_check_grow(struct gf_span s, int64_t before, int64_t after, int64_t units)
{
    return (struct gf_span) { s.start > before ? s.start - before : 0, s.end + after < units ? s.end + after : units };
}

const struct gf_form *gf_draw_form(struct gf_check *check, const struct gf_form *f)
{
    const struct gf_form *to = &gf_forms[gf_draw(check, GF_FORMS)];

    return gf_draw(check, 3) == 0 ? f : to;
}

struct gf_block gf_draw_block(struct gf_check *check, const struct gf_form *f, int channels, unsigned char *bytes,
                              int64_t width, struct gf_span span)
{
    struct gf_block b = { .span = span, .width = width, .channels = channels, .planar = f->planar,
                          .type = f->type, .bits = f->bits, .maxval = f->maxval };
    const int64_t row = width * (f->planar ? 1 : channels);

    b.pitch_samples = check->aligned || gf_draw(check, 2) ? row : f->planar && width > 1 ? gf_round_up(row, 128)
        : row + gf_draw(check, 7);
    b.plane_samples = f->planar ? b.pitch_samples * gf_span_units(span) + gf_draw(check, 3) * 128 : 0;
    b.data = bytes + (check->aligned || gf_draw(check, 3) ? 512 : 512 + gf_type_bytes(f->type) * gf_draw(check, 5));
    return b;
}

size_t gf_check_block_bytes(const struct gf_block *b)
{
    const int64_t rows = gf_span_units(b->span);

    return 2048 + (size_t)(b->planar ? b->plane_samples * b->channels
                           : b->pitch_samples * rows) * gf_type_bytes(b->type);
}

void gf_draw_samples(struct gf_check *check, const struct gf_block *b, size_t bytes, enum gf_fill how)
{
    const size_t sample = gf_type_bytes(b->type);
    const float odd[] = { NAN, INFINITY, -INFINITY, -1.5f, 3e38f, 1e-42f, 0.25f, 1.0f };
    const double level = gf_draw_unit(check);

    memset(check->src, 0xFF, bytes);
    for (size_t i = 512 / sample; i * sample < bytes; i++) {
        const double v = how == GF_FILL_NOISE ? gf_draw_unit(check) : how == GF_FILL_NEAR_0 ? gf_draw_unit(check) * 0.02
            : how == GF_FILL_NEAR_1 ? 1 - gf_draw_unit(check) * 0.02 : level;

        switch (b->type) {
        case GF_U8: ((uint8_t *)check->src)[i] = (uint8_t)(v * (b->maxval + 0.5)); break;
        case GF_U16: ((uint16_t *)check->src)[i] = (uint16_t)(v * (b->maxval + 0.5)); break;
        case GF_S16: ((int16_t *)check->src)[i] = (int16_t)(v * 65535 - 32768); break;
        case GF_S32:
            ((int32_t *)check->src)[i] = (int32_t)((uint32_t)(int32_t)(v * 4294967295.0 - 2147483648.0)
                                                     & (b->bits == 24 ? 0xFFFFFF00u : 0xFFFFFFFFu));
            break;
        case GF_F32: ((float *)check->src)[i] = how == GF_FILL_WILD && gf_draw(check, 4) == 0 ? odd[gf_draw(check, 8)]
            : (float)v; break;
        default: ((double *)check->src)[i] = how == GF_FILL_WILD && gf_draw(check, 4) == 0
            ? (double)odd[gf_draw(check, 8)] : v; break;
        }
    }
}

/* Makes a step with a table or with colors fit. Returns true if a reference can be compared after it. */
static bool set_colors(struct gf_check *check, const struct gf_point *p, struct gf_point_step *s)
{
    bool smooth = true;

    if (s->kind == GF_POINT_THRESHOLD)
        smooth = false;
    if (s->kind == GF_POINT_TABLE || s->kind == GF_POINT_LUMA_TABLE)
        smooth = false;
    if ((s->kind == GF_POINT_LUMA_TABLE || s->kind == GF_POINT_LUT || s->kind == GF_POINT_VIBRANCE) && p->out != 3)
        s->kind = GF_POINT_POWER;
    if (s->kind == GF_POINT_PALETTE) {
        s->channels = p->out >= 3 ? 3 : 1;
        s->bins = 1 + (int)gf_draw(check, 20);
        s->b = (float)gf_draw(check, 2);
        smooth = false;
    }
    if (s->kind == GF_POINT_ROOT)        /* its slope at 0 has no limit, so nothing may be rounded before it */
        smooth = p->count == 0;
    if (s->kind == GF_POINT_CURVE || s->kind == GF_POINT_LUT)
        s->bins = 3;                     /* steep lines would multiply what was rounded before */
    if (s->kind == GF_POINT_CURVE)
        s->pick[gf_draw(check, 4)] = (signed char)(gf_draw(check, 2) ? -1 : 0);
    if (s->kind == GF_POINT_TONES || s->kind == GF_POINT_VIBRANCE)
        s->a -= gf_draw(check, 2) ? 1.5f : 0.0f;
    return smooth;
}

/*
 * Adds a random step that fits the channels. Returns true if a reference can be compared after it.
 */
static bool add_step(struct gf_check *check, struct gf_point *p)
{
    struct gf_point_step s = { .channels = p->out, .outs = p->out, .bins = 256, .table = gf_draw(check, 1000),
                               .a = 0.5f + (float)gf_draw_unit(check), .b = 0.1f };
    bool smooth = true;

    s.kind = (enum gf_point_kind)gf_draw(check, GF_POINT_CLAMP + 1);
    if (s.kind == GF_POINT_MIX && p->out <= 4)
        s.outs = 1 + (int)gf_draw(check, 4);
    if (s.kind == GF_POINT_CLAMP) {
        s.a = (float)gf_draw_unit(check) - 0.5f;
        s.b = s.a + (float)gf_draw_unit(check);
    }
    if (s.kind == GF_POINT_MATRIX) {
        s.channels = p->out > 4 ? 3 : p->out;
        s.outs = gf_draw(check, 2) ? 1 : s.channels;
        for (int o = 0; o < 4; o++)
            for (int i = 0; i < 5; i++)
                s.m[o][i] = (float)gf_draw_unit(check) * 0.4f;
    }
    if (s.kind == GF_POINT_PREMULTIPLY || s.kind == GF_POINT_UNPREMULTIPLY) {
        if (p->out < 2 || p->out > 4)
            s.kind = GF_POINT_AFFINE;
        else
            s.channels--;
        smooth = s.kind != GF_POINT_UNPREMULTIPLY;
    }
    if (s.kind == GF_POINT_MAX || s.kind == GF_POINT_LIGHTNESS)
        s.channels = p->out >= 4 ? 3 : p->out;
    if (s.kind == GF_POINT_PICK) {
        s.outs = 1 + (int)gf_draw(check, 4);
        for (int o = 0; o < s.outs; o++)
            s.pick[o] = (signed char)(o >= p->out || gf_draw(check, 4) == 0 ? -1
                                      : o + (int)gf_draw(check, (uint32_t)(p->out - o)));
    }
    smooth = set_colors(check, p, &s) && smooth;
    return gf_point_add(p, &s) == 0 && smooth;
}

bool gf_draw_program(struct gf_check *check, struct gf_point *p, int channels, int steps, const struct gf_point **use)
{
    bool smooth = true;

    gf_point_init(p, channels);
    for (int i = 0; i < steps; i++)
        smooth = add_step(check, p) && smooth;
    *use = gf_draw(check, 5) == 0 && steps == 0 ? NULL : p;
    return smooth;
}

void gf_draw_trial(struct gf_check *check, struct gf_trial *t, const struct gf_form *f, bool programs)
{
    const int64_t *size = gf_draw_sizes[gf_draw(check, GF_DRAW_SIZES)];

    memset(t, 0, sizeof *t);
    t->form = f;
    t->width = f->channels > 4 ? 1 : size[0];
    t->units = f->channels > 4 ? size[0] * size[1] : size[1];
    t->fill = (enum gf_fill)gf_draw(check, GF_FILLS);
    t->smooth = gf_draw_program(check, &t->load, f->channels, programs && gf_draw(check, 2) ? 1 + (int)gf_draw(check, 2)
                                : 0, &t->io.load);
    t->smooth = gf_draw_program(check, &t->store, t->load.out, programs && gf_draw(check, 3) == 0 ? 1 : 0, &t->io.store)
        && t->smooth;
    t->smooth = t->smooth && t->fill != GF_FILL_WILD;
    t->io.src_units = t->units;
}
