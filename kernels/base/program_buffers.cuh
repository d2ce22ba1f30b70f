/* How bodies that read and write any layout come by point programs: planes of their own where there are some. */
#ifndef GF_KERNELS_PROGRAM_BUFFERS_CUH
#define GF_KERNELS_PROGRAM_BUFFERS_CUH

#include "kernels/base/borrowed_planes.cuh"
#include "kernels/base/program_run.h"
#include "kernels/base/thread_point.cuh"

/* The input of a kernel, after the load program, and its output, before the store program. */
struct gf_program_buffers {
    struct gf_block src, dst;
    bool loaded, stored;                 /* into, and from, borrowed planes */
};

/* Borrows what is not there yet, and loads. */
static inline int gf_program_buffers_fill(struct gf_program_buffers *b, const struct gf_work *work, const struct gf_io *io,
                                          struct gf_span part, struct gf_error *err)
{
    const int channels = io->load ? io->load->out : io->src.channels;
    struct gf_io convert = *io;

    b->src = io->src;
    b->dst = io->dst;
    if (b->loaded)
        b->src.data = NULL;
    if (b->stored)
        b->dst.data = NULL;
    if (b->loaded && gf_borrowed_planes_take(&b->src, &io->src, channels, part, (cudaStream_t)work->stream, err) != 0)
        return -1;
    if (b->stored
        && gf_borrowed_planes_take(&b->dst, &io->dst, channels, io->dst.span, (cudaStream_t)work->stream, err) != 0)
        return -1;
    convert.src = gf_block_part(&io->src, part);
    convert.dst = b->src;
    convert.store = NULL;
    return b->loaded ? gf_point_cuda(work, &convert, NULL, err) : 0;
}

/* `part`: the units of src that are read. Give them back with gf_program_buffers_close(), whatever comes of it. */
static inline int gf_program_buffers_open(struct gf_program_buffers *b, const struct gf_work *work, const struct gf_io *io,
                                          struct gf_span part, struct gf_error *err)
{
    b->loaded = !gf_point_is_identity(io->load);
    b->stored = !gf_point_is_identity(io->store);
    return gf_program_buffers_fill(b, work, io, part, err);
}

/* Opens buffers for kernels that can only use planes: packed samples also go through borrowed planes. */
static inline int gf_program_buffers_open_planar(struct gf_program_buffers *b, const struct gf_work *work, const struct gf_io *io,
                                                 struct gf_span part, struct gf_error *err)
{
    b->loaded = !io->src.planar || !gf_point_is_identity(io->load);
    b->stored = !io->dst.planar || !gf_point_is_identity(io->store);
    return gf_program_buffers_fill(b, work, io, part, err);
}

/* Stores the result, if it is there; returns `result`, or -1 where that fails. */
static inline int gf_program_buffers_close(struct gf_program_buffers *b, const struct gf_work *work, const struct gf_io *io,
                                           int result, struct gf_error *err)
{
    struct gf_io convert = *io;

    convert.src = b->dst;
    convert.load = io->store;
    convert.store = NULL;
    if (b->stored && result == 0)
        result = gf_point_cuda(work, &convert, NULL, err);
    gf_borrowed_planes_return(b->loaded ? &b->src : NULL, (cudaStream_t)work->stream);
    gf_borrowed_planes_return(b->stored ? &b->dst : NULL, (cudaStream_t)work->stream);
    return result;
}

#endif
