/* Draws random calls of operations: numbers, sizes, fills and programs. */
#include "bench/check/check_compare.h"

#include "kernels/sound/resample.h"
#include "kernels/sound/spectrum.h"
#include "table/table.h"

#include <math.h>
#include <string.h>

float *gf_masks, *gf_tables;
bool gf_aligned;
unsigned char *gf_src_bytes;

static uint64_t state;

void gf_seed(uint64_t seed)
{
    state = seed;
}

uint32_t gf_any(uint32_t n)
{
    state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
    return n == 0 ? 0 : (uint32_t)((state * UINT64_C(2685821657736338717)) >> 33) % n;
}

double gf_unit_random(void)
{
    return gf_any(1u << 30) / (double)(1u << 30);
}

const int64_t gf_sizes[GF_SIZES][2] = {
    { 1, 1 }, { 13, 1 }, { 1, 11 }, { 31, 17 }, { 64, 64 }, { 65, 63 }, { 63, 33 }, { 129, 34 }, { 257, 5 }, { 4, 130 },
    { 96, 48 },
};

struct gf_span gf_part_of(int64_t units)
{
    struct gf_span s = { 0, units };

    if (gf_any(2)) {
        s.start = gf_any((uint32_t)units);
        s.end = s.start + 1 + gf_any((uint32_t)(units - s.start));
    }
    return s;
}

struct gf_span gf_grown(struct gf_span s, int64_t before, int64_t after, int64_t units)
{
    return (struct gf_span) { s.start > before ? s.start - before : 0, s.end + after < units ? s.end + after : units };
}

const struct gf_form *gf_other_form(const struct gf_form *f)
{
    const struct gf_form *to = &gf_forms[gf_any(GF_FORMS)];

    return gf_any(3) == 0 ? f : to;
}

struct gf_block gf_block_of(const struct gf_form *f, int channels, unsigned char *bytes, int64_t width, struct gf_span span)
{
    struct gf_block b = { .span = span, .width = width, .channels = channels, .planar = f->planar,
                          .type = f->type, .bits = f->bits, .maxval = f->maxval };
    const int64_t row = width * (f->planar ? 1 : channels);

    b.pitch_samples = gf_aligned || gf_any(2) ? row : f->planar && width > 1 ? gf_round_up(row, 128) : row + gf_any(7);
    b.plane_samples = f->planar ? b.pitch_samples * gf_span_units(span) + gf_any(3) * 128 : 0;
    b.data = bytes + (gf_aligned || gf_any(3) ? 512 : 512 + gf_type_bytes(f->type) * gf_any(5));
    return b;
}

size_t gf_block_bytes(const struct gf_block *b)
{
    const int64_t rows = gf_span_units(b->span);

    return 2048 + (size_t)(b->planar ? b->plane_samples * b->channels : b->pitch_samples * rows) * gf_type_bytes(b->type);
}

void gf_fill_block(const struct gf_block *b, size_t bytes, enum gf_fill how)
{
    const size_t sample = gf_type_bytes(b->type);
    const float odd[] = { NAN, INFINITY, -INFINITY, -1.5f, 3e38f, 1e-42f, 0.25f, 1.0f };
    const double level = gf_unit_random();

    memset(gf_src_bytes, 0xFF, bytes);
    for (size_t i = 512 / sample; i * sample < bytes; i++) {
        const double v = how == GF_FILL_NOISE ? gf_unit_random() : how == GF_FILL_NEAR_0 ? gf_unit_random() * 0.02
            : how == GF_FILL_NEAR_1 ? 1 - gf_unit_random() * 0.02 : level;

        switch (b->type) {
        case GF_U8: ((uint8_t *)gf_src_bytes)[i] = (uint8_t)(v * (b->maxval + 0.5)); break;
        case GF_U16: ((uint16_t *)gf_src_bytes)[i] = (uint16_t)(v * (b->maxval + 0.5)); break;
        case GF_S16: ((int16_t *)gf_src_bytes)[i] = (int16_t)(v * 65535 - 32768); break;
        case GF_S32:
            ((int32_t *)gf_src_bytes)[i] = (int32_t)((uint32_t)(int32_t)(v * 4294967295.0 - 2147483648.0)
                                                     & (b->bits == 24 ? 0xFFFFFF00u : 0xFFFFFFFFu));
            break;
        case GF_F32: ((float *)gf_src_bytes)[i] = how == GF_FILL_WILD && gf_any(4) == 0 ? odd[gf_any(8)] : (float)v; break;
        default: ((double *)gf_src_bytes)[i] = how == GF_FILL_WILD && gf_any(4) == 0 ? (double)odd[gf_any(8)] : v; break;
        }
    }
}

/* Adds a random step that fits, and returns true if slow arithmetic can be compared after it. */
static bool add_step(struct gf_point *p)
{
    struct gf_point_step s = { .channels = p->out, .outs = p->out, .bins = 256, .table = gf_any(1000),
                               .a = 0.5f + (float)gf_unit_random(), .b = 0.1f };
    bool smooth = true;

    s.kind = (enum gf_point_kind)gf_any(GF_POINT_CLAMP + 1);
    if (s.kind == GF_POINT_MIX && p->out <= 4)                /* fewer channels are a matrix */
        s.kind = GF_POINT_AFFINE;
    if (s.kind == GF_POINT_CLAMP) {
        s.a = (float)gf_unit_random() - 0.5f;
        s.b = s.a + (float)gf_unit_random();
    }
    if (s.kind == GF_POINT_MATRIX) {
        s.channels = p->out > 4 ? 3 : p->out;
        s.outs = gf_any(2) ? 1 : s.channels;
        for (int o = 0; o < 4; o++)
            for (int i = 0; i < 5; i++)
                s.m[o][i] = (float)gf_unit_random() * 0.4f;
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
        s.outs = 1 + (int)gf_any(4);
        for (int o = 0; o < s.outs; o++)
            s.pick[o] = (signed char)(o >= p->out || gf_any(4) == 0 ? -1 : o + (int)gf_any((uint32_t)(p->out - o)));
    }
    if (s.kind == GF_POINT_THRESHOLD)
        smooth = false;
    if (s.kind == GF_POINT_TABLE || s.kind == GF_POINT_LUMA_TABLE)
        smooth = false;
    if (s.kind == GF_POINT_LUMA_TABLE && p->out != 3)
        s.kind = GF_POINT_POWER;
    return gf_point_add(p, &s) == 0 && smooth;
}

/* A program or none: *use points at it, or is NULL. */
bool gf_make_program(struct gf_point *p, int channels, int steps, const struct gf_point **use)
{
    bool smooth = true;

    gf_point_init(p, channels);
    for (int i = 0; i < steps; i++)
        smooth = add_step(p) && smooth;
    *use = gf_any(5) == 0 && steps == 0 ? NULL : p;
    return smooth;
}

/* Format, size and programs of a call whose result is `width` by `units`, of which it computes a part. */
void gf_start_trial(struct gf_trial *t, const struct gf_form *f, bool programs)
{
    const int64_t *size = gf_sizes[gf_any(GF_SIZES)];

    memset(t, 0, sizeof *t);
    t->form = f;
    t->width = f->channels > 4 ? 1 : size[0];
    t->units = f->channels > 4 ? size[0] * size[1] : size[1];
    t->fill = (enum gf_fill)gf_any(GF_FILLS);
    t->smooth = gf_make_program(&t->load, f->channels, programs && gf_any(2) ? 1 + (int)gf_any(2) : 0, &t->io.load);
    t->smooth = gf_make_program(&t->store, t->load.out, programs && gf_any(3) == 0 ? 1 : 0, &t->io.store) && t->smooth;
    t->smooth = t->smooth && t->fill != GF_FILL_WILD;
    t->io.src_units = t->units;
}

/* Lays out src for `in` of the signal and dst for `out`, fills, and runs. */
void gf_finish_trial(struct gf_trial *t, bool on_gpu, const struct gf_operation *op, const void *params, struct gf_span in, struct gf_span out,
                         int64_t out_width, const struct gf_form *to, double slack)
{
    size_t src_size, dst_size;

    t->io.src = gf_block_of(t->form, t->form->channels, gf_src_bytes, t->width, in);
    t->io.dst = gf_block_of(to, t->store.out, gf_cpu_bytes, out_width, out);
    if (op == &gf_op_spectrum)
        t->io.src.pitch_samples = 1;
    if (op == &gf_op_resample)                    /* frames are adjacent */
        t->io.src.pitch_samples = t->io.dst.pitch_samples = 1;
    src_size = gf_block_bytes(&t->io.src);
    dst_size = gf_block_bytes(&t->io.dst);
    gf_fill_block(&t->io.src, src_size, t->fill);
    gf_try_call(on_gpu, op, &t->io, params, src_size, dst_size, t->smooth ? slack : -1);
}
