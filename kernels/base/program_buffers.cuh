/* How bodies that read and write any layout come by point programs: planes of their own where there are some. */
#ifndef GF_PROGRAM_BUFFERS_CUH
#define GF_PROGRAM_BUFFERS_CUH

#include "kernels/base/borrowed_planes.cuh"
#include "kernels/base/point_run.h"
#include "kernels/base/thread_point.cuh"

/* What a kernel reads, behind the load program, and what it writes, ahead of the store program. */
struct gf_program_buffers {
    struct gf_block src, dst;
    bool loaded, stored;                 /* into, and from, borrowed planes */
};

/* Borrows what is not there yet, and loads. */
static inline int gf_program_buffers_fill(struct gf_program_buffers *v, const struct gf_work *work, const struct gf_io *io, struct gf_span part,
                                          struct gf_error *err)
{
    const int channels = io->load ? io->load->out : io->src.channels;
    struct gf_io convert = *io;

    v->src = io->src;
    v->dst = io->dst;
    if (v->loaded)
        v->src.data = NULL;
    if (v->stored)
        v->dst.data = NULL;
    if (v->loaded && gf_borrowed_planes_take(&v->src, &io->src, channels, part, (cudaStream_t)work->stream, err) != 0)
        return -1;
    if (v->stored
        && gf_borrowed_planes_take(&v->dst, &io->dst, channels, io->dst.span, (cudaStream_t)work->stream, err) != 0)
        return -1;
    convert.src = gf_block_part(&io->src, part);
    convert.dst = v->src;
    convert.store = NULL;
    return v->loaded ? gf_point_cuda(work, &convert, NULL, err) : 0;
}

/* `part`: the units of src that are read. Give them back with gf_program_buffers_close(), whatever comes of it. */
static inline int gf_program_buffers_open(struct gf_program_buffers *v, const struct gf_work *work, const struct gf_io *io, struct gf_span part,
                                          struct gf_error *err)
{
    v->loaded = !gf_point_is_identity(io->load);
    v->stored = !gf_point_is_identity(io->store);
    return gf_program_buffers_fill(v, work, io, part, err);
}

/* The same for kernels that know planes alone: packed samples go through borrowed ones, too. */
static inline int gf_program_buffers_open_planar(struct gf_program_buffers *v, const struct gf_work *work, const struct gf_io *io, struct gf_span part,
                                                 struct gf_error *err)
{
    v->loaded = !io->src.planar || !gf_point_is_identity(io->load);
    v->stored = !io->dst.planar || !gf_point_is_identity(io->store);
    return gf_program_buffers_fill(v, work, io, part, err);
}

/* Stores the result, if it is there; returns `result`, or -1 where that fails. */
static inline int gf_program_buffers_close(struct gf_program_buffers *v, const struct gf_work *work, const struct gf_io *io, int result, struct gf_error *err)
{
    struct gf_io convert = *io;

    convert.src = v->dst;
    convert.load = io->store;
    convert.store = NULL;
    if (v->stored && result == 0)
        result = gf_point_cuda(work, &convert, NULL, err);
    gf_borrowed_planes_return(v->loaded ? &v->src : NULL, (cudaStream_t)work->stream);
    gf_borrowed_planes_return(v->stored ? &v->dst : NULL, (cudaStream_t)work->stream);
    return result;
}

#endif
