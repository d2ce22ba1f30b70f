/*
 * Blocks as C bodies see them: where a plane is, which units are needed, and how parts of scratch
 * memory are aligned.
 */
#ifndef GF_KERNELS_BLOCK_H
#define GF_KERNELS_BLOCK_H

#include "kernels/base/op.h"

#include <string.h>

/* Returns sample (0, unit) of channel c. */
static inline float *gf_plane_at(const struct gf_block *b, int c, int64_t unit)
{
    return (float *)b->data + c * b->plane_samples + (unit - b->span.start) * b->pitch_samples;
}

/* Returns unit `unit` of packed samples. */
static inline void *gf_packed_row(const struct gf_block *b, int64_t unit)
{
    return (char *)b->data + (size_t)((unit - b->span.start) * b->pitch_samples) * gf_type_bytes(b->type);
}

/* Returns true if units lie without gaps, so that several are one run of pixels. */
static inline bool gf_block_is_run(const struct gf_block *b)
{
    return b->pitch_samples == b->width * (b->planar ? 1 : b->channels);
}

/*
 * Returns the units of src that dst needs, with `before` and `after` each of its own: as far as src
 * has them, or all of src if the border wraps.
 */
static inline struct gf_span gf_span_around(const struct gf_io *io, int64_t before, int64_t after,
                                            enum gf_border border)
{
    const struct gf_span all = io->src.span, s = { io->dst.span.start - before, io->dst.span.end + after };

    if (border == GF_WRAP)
        return all;
    return (struct gf_span) { s.start < all.start ? all.start : s.start, s.end > all.end ? all.end : s.end };
}

/* Copies an item n times; each copy takes all that is there, so few of them are needed. */
static inline void gf_repeat_item(void *to, const void *item, size_t item_bytes, int64_t n)
{
    const size_t bytes = n > 0 ? (size_t)n * item_bytes : 0;
    char *at = to;

    if (bytes > 0)
        memcpy(at, item, item_bytes);
    for (size_t done = item_bytes; done < bytes; done *= 2)
        memcpy(at + done, at, done < bytes - done ? done : bytes - done);
}

/* Rounds the bytes of a part of scratch up to whole cache lines, so that the next part begins on one. */
static inline size_t gf_padded_bytes(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

static inline size_t gf_padded_floats(size_t floats)
{
    return gf_padded_bytes(floats * sizeof(float)) / sizeof(float);
}

#endif
