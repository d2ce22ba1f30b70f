/* Stored samples to samples of another type, in vectorized loops over pieces that stay in the first-level cache. */
#include "kernels/base/convert.h"

#include "base/clones.h"
#include "kernels/base/block.h"

#include <math.h>
#include <string.h>

#define PIECE 1024

#define LOAD(type)                                   \
    for (int64_t i = 0; i < n; i++)                  \
        to[i] = (double)((const type *)from)[i];     \
    break

GF_CLONES
static void load(const void *from, enum gf_type type, int64_t n, double *restrict to)
{
    switch (type) {
    case GF_U8: LOAD(uint8_t);
    case GF_U16: LOAD(uint16_t);
    case GF_S16: LOAD(int16_t);
    case GF_S32: LOAD(int32_t);
    case GF_F64: LOAD(double);
    case GF_F32: break;                  /* round_floats() */
    }
}
#undef LOAD

/* A division takes longer than all the rest, and most conversions need none. */
GF_CLONES
static void round_piece(const struct gf_conversion *conversion, const double *restrict from, int64_t n,
                        int32_t *restrict to)
{
    const struct gf_conversion c = *conversion;

    if (c.divisor == 1)
        for (int64_t i = 0; i < n; i++)
            to[i] = gf_conversion_round(&c, from[i] * c.scale);
    else
        for (int64_t i = 0; i < n; i++)
            to[i] = gf_conversion_round(&c, from[i] * c.scale / c.divisor);
}

#define STORE(type)                      \
    for (int64_t i = 0; i < n; i++)      \
        ((type *)to)[i] = (type)from[i]; \
    break

GF_CLONES
static void store(const int32_t *restrict from, enum gf_type type, int64_t n, void *to)
{
    switch (type) {
    case GF_U8: STORE(uint8_t);
    case GF_U16: STORE(uint16_t);
    case GF_S16: STORE(int16_t);
    case GF_S32: STORE(int32_t);
    default: break;
    }
}
#undef STORE

/* The sum with 2^23 is rounded once, to an integer that is in its low bits. NaN is not greater than 0. */
#define FROM_FLOATS(type)                                               \
    for (int64_t i = 0; i < n; i++) {                                   \
        const float low = from[i] > 0 ? from[i] : 0;                    \
        const float sum = fmaf(low < 1 ? low : 1, one, 8388608.0f);     \
        uint32_t bits;                                                  \
                                                                        \
        memcpy(&bits, &sum, sizeof bits);                               \
        ((type *)to)[i] = (type)bits;                                   \
    }

/* Floats to levels: half the work of doubles. */
GF_CLONES
static void round_floats(const float *restrict from, int64_t n, float one, enum gf_type type, void *restrict to)
{
    if (type == GF_U8)
        FROM_FLOATS(uint8_t)
    else
        FROM_FLOATS(uint16_t)
}
#undef FROM_FLOATS

static void convert_run(const struct gf_conversion *c, enum gf_type type, const char *from, int64_t n,
                        enum gf_type to_type, char *to)
{
    const size_t bytes = gf_type_bytes(type), to_bytes = gf_type_bytes(to_type);
    _Alignas(64) double exact[PIECE];
    _Alignas(64) int32_t level[PIECE];

    if (type == GF_F32) {
        round_floats((const float *)from, n, (float)c->scale, to_type, to);
        return;
    }
    for (int64_t m; n > 0; n -= m, from += (size_t)m * bytes, to += (size_t)m * to_bytes) {
        m = n < PIECE ? n : PIECE;
        load(from, type, m, exact);
        round_piece(c, exact, m, level);
        store(level, to_type, m, to);
    }
}

bool gf_convert_apply(const struct gf_io *io)
{
    const bool run = gf_block_is_run(&io->src) && gf_block_is_run(&io->dst);
    const struct gf_block src = gf_block_part(&io->src, io->dst.span), *dst = &io->dst;
    const int64_t units = gf_span_units(dst->span), row = dst->width * dst->channels;
    struct gf_conversion c;

    if (!gf_conversion_make(io, &c))
        return false;
    for (int64_t u = 0; u < (run ? 1 : units); u++)
        convert_run(&c, src.type, (const char *)src.data + (size_t)(u * src.pitch_samples) * gf_type_bytes(src.type),
                    run ? units * row : row, dst->type,
                    (char *)dst->data + (size_t)(u * dst->pitch_samples) * gf_type_bytes(dst->type));
    return true;
}
