/* A wider picture: samples moved as they are stored, with something else around them. */
#ifndef GF_KERNELS_PAD_H
#define GF_KERNELS_PAD_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * dst(x, y) = src(x - left, y - top); beyond the source what `border` says, or the background
 * (a value a channel) as it is stored in dst. src and dst have the same layout and type; no
 * program rides along. Of the source only those rows must be there that are fetched.
 */
struct gf_pad {
    int64_t left, top;
    enum gf_border border;
    bool use_background;
    float background[4];
};

/* Bytes of an item: of a packed pixel, or of one sample where the block is planar. */
static inline int gf_pad_item_bytes(const struct gf_block *b)
{
    return (int)gf_type_bytes(b->type) * (b->planar ? 1 : b->channels);
}

#define GF_PAD_ITEM 32                   /* bytes of an item, at most: four doubles */

/* The background as such an item: all of a packed pixel, or channel c. */
void gf_pad_item(const struct gf_block *b, const struct gf_pad *p, int c, unsigned char item[GF_PAD_ITEM]);

extern const struct gf_operation gf_op_pad;
gf_op_body gf_pad_cpu, gf_pad_cuda;

#ifdef __cplusplus
}
#endif
#endif
