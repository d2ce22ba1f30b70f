/* Planes that a body borrows from its stream's memory pool until its kernels are done. */
#ifndef GF_KERNELS_BORROWED_PLANES_CUH
#define GF_KERNELS_BORROWED_PLANES_CUH

#include "kernels/base/borrow.cuh"
#include "kernels/base/cuda_check.cuh"
#include "kernels/base/op.h"

/* Borrows a planar block of `channels` for units `span`. */
static inline int gf_borrowed_planes_take(struct gf_block *b, const struct gf_block *like, int channels,
                                          struct gf_span span, cudaStream_t stream, struct gf_error *err)
{
    *b = *like;
    b->data = NULL;
    b->span = span;
    b->planar = true;
    b->type = GF_F32;
    b->channels = channels;
    b->pitch_samples = like->width == 1 ? 1 : gf_round_up(like->width, 128);
    b->plane_samples = gf_round_up(b->pitch_samples * gf_span_units(span), 128);
    return gf_cuda_check(gf_cuda_borrow(&b->data, (size_t)b->plane_samples * channels * sizeof(float), stream),
                         "memory for planes", err);
}

/* Frees the planes of a block once the stream gets there. Ignores NULL and blocks without memory. */
static inline void gf_borrowed_planes_return(const struct gf_block *b, cudaStream_t stream)
{
    if (b != NULL && b->data != NULL)
        cudaFreeAsync(b->data, stream);
}

#endif
