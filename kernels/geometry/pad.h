/* Extends an image on its sides; samples are moved as stored. */
#ifndef GF_KERNELS_PAD_H
#define GF_KERNELS_PAD_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * dst(x, y) = src(x - left, y - top); outside the source what `border` says, or the background (a
 * value for each channel) as stored in dst. src and dst have the same layout and type; there are no
 * programs. Only rows of the source that are read have to be present.
 */
struct gf_pad {
    int64_t left, top;
    enum gf_border border;
    bool use_background;
    float background[4];
};

/* Returns the bytes of an item: a packed pixel, or one sample if the block is planar. */
static inline int gf_pad_item_bytes(const struct gf_block *b)
{
    return (int)gf_type_bytes(b->type) * (b->planar ? 1 : b->channels);
}

#define GF_PAD_ITEM 32                   /* most bytes of an item: four doubles */

/* Writes the background as an item: all of a packed pixel, or channel c. */
void gf_pad_item(const struct gf_block *b, const struct gf_pad *p, int c, unsigned char item[GF_PAD_ITEM]);

extern const struct gf_operation gf_op_pad;
gf_op_body gf_pad_cpu, gf_pad_cuda;

#ifdef __cplusplus
}
#endif
#endif
