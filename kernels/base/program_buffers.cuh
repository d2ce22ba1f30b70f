/*
 * Borrows planes for bodies that run no programs or need planes; the programs run before and after
 * the body.
 */
#ifndef GF_KERNELS_PROGRAM_BUFFERS_CUH
#define GF_KERNELS_PROGRAM_BUFFERS_CUH

#include "kernels/base/borrowed_planes.cuh"
#include "kernels/base/program_run.h"
#include "kernels/base/thread_point.cuh"

/* A call whose source, result or both are in borrowed planes without a program. */
struct gf_program_buffers {
    struct gf_io plain;
    bool loaded, stored;                 /* the source, or the result, is in borrowed planes */
};

/* Borrows planes for the source, the result or both, and fills those of the source with units `part`. */
static inline int gf_program_buffers_open(struct gf_program_buffers *b, const struct gf_work *work,
                                          const struct gf_io *io, struct gf_span part, bool load, bool store,
                                          struct gf_error *err)
{
    const int channels = gf_channels_at_work(io);
    const cudaStream_t stream = (cudaStream_t)work->stream;
    struct gf_io convert = *io;

    *b = { *io, false, false };
    if (load && gf_borrowed_planes_take(&b->plain.src, &io->src, channels, part, stream, err) != 0)
        return -1;
    b->loaded = load;
    if (store && gf_borrowed_planes_take(&b->plain.dst, &io->dst, channels, io->dst.span, stream, err) != 0)
        return -1;
    b->stored = store;
    convert.src = gf_block_part(&io->src, part);
    convert.dst = b->plain.src;
    convert.store = NULL;
    b->plain.load = load ? NULL : io->load;
    b->plain.store = store ? NULL : io->store;
    return load ? gf_point_cuda(work, &convert, NULL, err) : 0;
}

/*
 * Stores a result that is in borrowed planes, and returns the planes to the pool. Returns -1 on
 * failure, otherwise `result`.
 */
static inline int gf_program_buffers_close(struct gf_program_buffers *b, const struct gf_work *work,
                                           const struct gf_io *io,
                                           int result, struct gf_error *err)
{
    struct gf_io convert = *io;

    convert.src = b->plain.dst;
    convert.load = io->store;
    convert.store = NULL;
    if (b->stored && result == 0)
        result = gf_point_cuda(work, &convert, NULL, err);
    gf_borrowed_planes_return(b->loaded ? &b->plain.src : NULL, (cudaStream_t)work->stream);
    gf_borrowed_planes_return(b->stored ? &b->plain.dst : NULL, (cudaStream_t)work->stream);
    return result;
}

/* Runs body(plain), where `plain` is the call with borrowed planes. */
template <class B>
static inline int gf_program_buffers_through(const struct gf_work *work, const struct gf_io *io, struct gf_span part,
                                             bool load, bool store, struct gf_error *err, const B &body)
{
    struct gf_program_buffers b;
    int result = gf_program_buffers_open(&b, work, io, part, load, store, err);

    if (result == 0)
        result = body((const struct gf_io &)b.plain);
    return gf_program_buffers_close(&b, work, io, result, err);
}

/* Like gf_program_buffers_through(), for kernels that read and write any layout but run no programs. */
template <class B>
static inline int gf_program_buffers_run(const struct gf_work *work, const struct gf_io *io, struct gf_span part,
                                         struct gf_error *err, const B &body)
{
    return gf_program_buffers_through(work, io, part, !gf_point_is_identity(io->load),
                                      !gf_point_is_identity(io->store), err, body);
}

/* Returns true if kernels that need planes cannot use the block itself. */
static inline bool gf_program_buffers_needed(const struct gf_block *b, const struct gf_point *program)
{
    return !b->planar || !gf_point_is_identity(program);
}

#endif
