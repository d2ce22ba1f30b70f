/* Argument and launch of audio kernels that compute one frame a thread. */
#ifndef GF_KERNELS_FRAMES_CUH
#define GF_KERNELS_FRAMES_CUH

#include "kernels/base/program_buffers.cuh"

#define GF_FRAMES_THREADS 256

template <class P>
struct gf_frames {
    struct gf_block_view src, dst;
    P params;
    int64_t first, end, units;           /* frames of the result; length of the source */
};

/* Launches `kernel` for the frames of the result; it reads frames `part` of src. */
template <class P>
static int gf_frames_run(const struct gf_work *work, const struct gf_io *io, struct gf_span part, const void *params,
                         void (*kernel)(const struct gf_frames<P>), const char *what, struct gf_error *err)
{
    const int64_t frames = gf_span_units(io->dst.span);

    if (frames <= 0)
        return 0;
    return gf_program_buffers_run(work, io, part, err, [&](const struct gf_io &plain) {
        const struct gf_frames<P> t = { gf_block_view_of(&plain.src), gf_block_view_of(&plain.dst), *(const P *)params,
                                        io->dst.span.start, io->dst.span.end, io->src_units };

        kernel<<<(unsigned)gf_ceil_div(frames, GF_FRAMES_THREADS), GF_FRAMES_THREADS, 0,
            (cudaStream_t)work->stream>>>(t);
        return gf_cuda_launched(what, err);
    });
}

#endif
