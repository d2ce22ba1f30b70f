/* Planes that a body borrows from its stream's pool of memory, for as long as its kernels need them. */
#ifndef GF_KERNELS_BORROWED_PLANES_CUH
#define GF_KERNELS_BORROWED_PLANES_CUH

#include "kernels/base/cuda_check.cuh"
#include "kernels/base/op.h"
#include "kernels/base/program_run.h"

/* A planar block of `channels` for units `span`, from the stream's pool of memory. */
static inline int gf_borrowed_planes_take(struct gf_block *b, const struct gf_block *like, int channels,
                                          struct gf_span span, cudaStream_t stream, struct gf_error *err)
{
    *b = *like;
    b->span = span;
    b->planar = true;
    b->type = GF_F32;
    b->channels = channels;
    b->pitch_samples = like->width == 1 ? 1 : gf_round_up(like->width, 128);
    b->plane_samples = gf_round_up(b->pitch_samples * gf_span_units(span), 128);
    return gf_cuda_check(cudaMallocAsync(&b->data, (size_t)b->plane_samples * channels * sizeof(float), stream),
                         "memory for planes", err);
}

/* Gives them back once the stream has come so far. NULL and unfilled blocks are fine. */
static inline void gf_borrowed_planes_return(const struct gf_block *b, cudaStream_t stream)
{
    if (b != NULL && b->data != NULL)
        cudaFreeAsync(b->data, stream);
}

/*
 * *plain becomes the call without the program that loads, which each pixel goes through once, not each time it is fetched:
 * its source is planes, to be given back.
 */
static inline int gf_borrowed_planes_load(const struct gf_work *work, const struct gf_io *io, struct gf_io *plain, struct gf_error *err)
{
    struct gf_io convert = *io;

    *plain = *io;
    if (gf_borrowed_planes_take(&plain->src, &io->src, io->load->out, io->src.span, (cudaStream_t)work->stream,
                                err) != 0)
        return -1;
    convert.dst = plain->src;
    convert.store = NULL;
    plain->load = NULL;
    if (gf_point_cuda(work, &convert, NULL, err) == 0)
        return 0;
    gf_borrowed_planes_return(&plain->src, (cudaStream_t)work->stream);
    return -1;
}

#endif
