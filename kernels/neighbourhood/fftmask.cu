/*
 * Convolution of images by Fourier transforms of tiles, on a GPU. A batch of tiles is collected from the planes, is a
 * signal for the operation fftconv, with a block for each tile, and is copied to the result. It stays in the
 * second-level cache meanwhile.
 */
#include "kernels/neighbourhood/fftmask.h"

#include "kernels/base/program_buffers.cuh"

#define THREADS 256

/* A batch of tiles, row by row. */
struct fftmask_task {
    struct gf_fftmask m;
    struct gf_block_view src, dst;       /* planes */
    int channel;
    int64_t units, first, end;           /* of the signal, and those of the result */
    int64_t tile, across;                /* the first tile of the batch, and tiles in a row */
    float *room;
};

static __device__ __forceinline__ float *plane_row(const struct fftmask_task &t, const struct gf_block_view &v,
                                                   int64_t unit)
{
    return (float *)gf_block_view_row(v, unit) + t.channel * v.plane;
}

/* ---- kernels: a block of threads has a row of a tile after another ---- */

__global__ void __launch_bounds__(THREADS) fftmask_gather(const __grid_constant__ struct fftmask_task t)
{
    const int64_t tile = t.tile + blockIdx.x, x = tile % t.across * t.m.step_x - t.m.cx;
    const int64_t y = tile / t.across * t.m.step_y - t.m.cy, width = t.src.width;
    const int all = t.m.step_y + t.m.ny - 1;
    const int columns = (int)gf_fftmask_needed(x, t.m.pitch, width, t.m.nx - 1 - t.m.cx);
    const int rows = (int)gf_fftmask_needed(y, all, t.units, t.m.ny - 1 - t.m.cy);
    float *const room = t.room + blockIdx.x * t.m.f.size;

    for (int j = blockIdx.y; j < all; j += gridDim.y) {
        const int64_t unit = j < rows ? gf_border_index(t.m.border, y + j, t.units) : -1;
        const float *row = unit < 0 ? NULL : plane_row(t, t.src, unit);

        for (int i = threadIdx.x; i < t.m.pitch; i += THREADS) {
            const int64_t at = i < columns ? gf_border_index(t.m.border, x + i, width) : -1;

            room[j * t.m.pitch + i] = row == NULL || at < 0 ? 0.0f : row[at];
        }
    }
    for (int i = all * t.m.pitch + blockIdx.y * THREADS + threadIdx.x; i < t.m.f.size; i += gridDim.y * THREADS)
        room[i] = 0.0f;
}

__global__ void __launch_bounds__(THREADS) fftmask_scatter(const __grid_constant__ struct fftmask_task t)
{
    const int64_t tile = t.tile + blockIdx.x, x = tile % t.across * t.m.step_x, y = tile / t.across * t.m.step_y;
    const int columns = (int)min((int64_t)t.m.step_x, t.dst.width - x);
    const float *const room = t.room + blockIdx.x * t.m.f.size + t.m.nx - 1;

    for (int j = blockIdx.y; j < t.m.step_y; j += gridDim.y)
        if (y + j >= t.first && y + j < t.end)
            for (int i = threadIdx.x; i < columns; i += THREADS)
                plane_row(t, t.dst, y + j)[x + i] = room[(j + t.m.ny - 1) * t.m.pitch + i];
}

/* ---- calls ---- */

/* Transforms the tiles of a batch, multiplies, and transforms them back. */
static int through(const struct gf_work *work, const struct fftmask_task *t, int64_t spectra, int64_t tiles,
                   struct gf_error *err)
{
    struct gf_fftconv f = t->m.f;
    struct gf_io io = {};

    io.src.data = t->room;
    io.src.span.end = io.src_units = tiles * f.size;
    io.src.width = io.src.pitch_samples = io.src.channels = 1;
    io.src.planar = true;
    io.src.type = GF_F32;
    io.dst = io.src;
    f.spectra_at = spectra;
    return gf_fftconv_cuda(work, &io, &f, err);
}

static int run_batch(const struct gf_work *work, const struct fftmask_task *t, int64_t spectra, int64_t tiles,
                     struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)work->stream;
    const int rows = t->m.step_y + t->m.ny - 1;

    fftmask_gather<<<dim3((unsigned)tiles, gf_cuda_grid_rows(rows)), THREADS, 0, stream>>>(*t);
    if (gf_cuda_launched("tiles", err) != 0 || through(work, t, spectra, tiles, err) != 0)
        return -1;
    fftmask_scatter<<<dim3((unsigned)tiles, gf_cuda_grid_rows(t->m.step_y)), THREADS, 0, stream>>>(*t);
    return gf_cuda_launched("tiles", err);
}

extern "C" int gf_fftmask_planes_cuda(const struct gf_work *work, const struct gf_fftmask *m, int64_t spectra,
                                      const struct gf_block *src, const struct gf_block *dst, int c, int64_t units,
                                      struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)work->stream;
    const int64_t most = GF_FFTCONV_BATCH_SAMPLES > m->f.size ? GF_FFTCONV_BATCH_SAMPLES / m->f.size : 1;
    struct fftmask_task t = { *m, gf_block_view_of(src), gf_block_view_of(dst), c, units, dst->span.start,
                              dst->span.end, 0, gf_ceil_div(dst->width, m->step_x), NULL };
    const int64_t end = gf_ceil_div(t.end, m->step_y) * t.across;
    int result = 0;

    if (gf_cuda_check(gf_cuda_borrow((void **)&t.room, (size_t)(most * m->f.size) * sizeof(float), stream),
                      "memory for tiles", err) != 0)
        return -1;
    for (t.tile = t.first / m->step_y * t.across; result == 0 && t.tile < end; t.tile += most)
        result = run_batch(work, &t, spectra, end - t.tile < most ? end - t.tile : most, err);
    cudaFreeAsync(t.room, stream);
    return result;
}

/* Copies a channel that the mask leaves alone. */
static int copy_plane(const struct gf_io *io, int c, cudaStream_t stream, struct gf_error *err)
{
    const struct gf_block from = gf_block_part(&io->src, io->dst.span), *to = &io->dst;

    return gf_cuda_check(cudaMemcpy2DAsync((float *)to->data + c * to->plane_samples,
                                           (size_t)to->pitch_samples * sizeof(float),
                                           (const float *)from.data + c * from.plane_samples,
                                           (size_t)from.pitch_samples * sizeof(float),
                                           (size_t)from.width * sizeof(float), (size_t)gf_span_units(from.span),
                                           cudaMemcpyDeviceToDevice, stream), "copying a plane", err);
}

extern "C" int gf_fftmask_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                               struct gf_error *err)
{
    const struct gf_fftmask *m = (const struct gf_fftmask *)params;

    if (io->dst.width <= 0 || io->dst.span.start >= io->dst.span.end)
        return 0;
    return gf_program_buffers_through(work, io, io->src.span, gf_program_buffers_needed(&io->src, io->load),
                                      gf_program_buffers_needed(&io->dst, io->store), err,
                                      [&](const struct gf_io &plain) {
        int result = 0;

        for (int c = 0; result == 0 && c < plain.dst.channels; c++)
            result = c < m->colours ? gf_fftmask_planes_cuda(work, m, m->f.spectra_at, &plain.src, &plain.dst, c,
                                                             plain.src_units, err)
                                    : copy_plane(&plain, c, (cudaStream_t)work->stream, err);
        return result;
    });
}
