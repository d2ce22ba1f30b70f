/* Functions on formats and blocks of signals, and the names of their types. */
#include "base/signal.h"

#include <string.h>

struct gf_format gf_stored_format(const struct gf_format *f)
{
    struct gf_format stored = *f;

    if (!f->yuv.used)
        return stored;
    stored.channels = 1;
    stored.width = 1;
    stored.units = f->width * f->units;
    if (!f->yuv.mono)
        stored.units += 2 * gf_chroma_side(f->width, f->yuv.sub_x) * gf_chroma_side(f->units, f->yuv.sub_y);
    stored.yuv = (struct gf_yuv) { 0 };
    return stored;
}

bool gf_same_yuv(const struct gf_yuv *a, const struct gf_yuv *b)
{
    return a->used == b->used && a->mono == b->mono && a->sub_x == b->sub_x && a->sub_y == b->sub_y
        && a->bits == b->bits && a->full == b->full && a->matrix == b->matrix && a->siting == b->siting
        && a->fields == b->fields;
}

static bool same_original(const struct gf_original *a, const struct gf_original *b)
{
    return a->width == b->width && a->units == b->units && a->x == b->x && a->y == b->y && a->shrunk == b->shrunk;
}

bool gf_same_format(const struct gf_format *a, const struct gf_format *b)
{
    return a->kind == b->kind && a->type == b->type && a->bits == b->bits && a->maxval == b->maxval
        && a->channels == b->channels && a->alpha == b->alpha && a->width == b->width && a->units == b->units
        && a->rate == b->rate && a->orientation == b->orientation
        && a->made_of_bits == b->made_of_bits && same_original(&a->original, &b->original)
        && memcmp(a->found, b->found, sizeof a->found) == 0
        && memcmp(&a->yuv, &b->yuv, sizeof a->yuv) == 0;
}

struct gf_block gf_block_packed(void *data, const struct gf_format *f, struct gf_span span)
{
    return (struct gf_block) {
        .data = data, .span = span, .width = f->width, .pitch_samples = f->width * f->channels,
        .plane_samples = 0, .channels = f->channels, .planar = false,
        .type = f->type, .bits = f->bits, .maxval = f->maxval,
    };
}

struct gf_block gf_block_planar(void *data, const struct gf_format *f, struct gf_span span,
                                int64_t pitch_samples, int64_t rows)
{
    return (struct gf_block) {
        .data = data, .span = span, .width = f->width, .pitch_samples = pitch_samples,
        .plane_samples = pitch_samples * rows, .channels = f->channels, .planar = true,
        .type = GF_F32, .bits = 32, .maxval = 1,
    };
}

struct gf_block gf_block_part(const struct gf_block *block, struct gf_span span)
{
    struct gf_block part = *block;

    part.data = (char *)block->data
              + (size_t)((span.start - block->span.start) * block->pitch_samples) * gf_type_bytes(block->type);
    part.span = span;
    return part;
}

const char *gf_units_word(enum gf_kind kind)
{
    return kind == GF_IMAGE ? "rows" : "frames";
}

const char *gf_type_word(const struct gf_format *f)
{
    switch (f->type) {
    case GF_U8: return "u8";
    case GF_U16: return "u16";
    case GF_S16: return f->bits <= 8 ? "s8" : "s16";
    case GF_S32: return f->bits <= 24 ? "s24" : "s32";
    case GF_F32: return "f32";
    default: return "f64";
    }
}

int gf_maxval_bits(uint32_t maxval)
{
    int bits = 1;

    while (bits < 32 && maxval >> bits != 0)
        bits++;
    return bits;
}
