/*
 * Resizes on a GPU: chooses the body for a call. What fits in no tile takes the slow path through
 * planes.
 */
#include "kernels/base/program_buffers.cuh"
#include "kernels/geometry/resize_task.cuh"

#define THREADS 256

/* ---- the slow path ---- */

/* Sums rows of any layout to planes, then columns of planes to planes. */
static __global__ void rows_alone(const __grid_constant__ struct gf_resize_task t)
{
    const int64_t x = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    const int c = blockIdx.z;

    if (x >= t.width)
        return;
    for (int64_t y = t.first + blockIdx.y; y < t.end; y += gridDim.y) {
        const struct entry e = entry_of(t.y, t.y_entries, y);
        const int64_t i = gf_sample_index(t.src, x, c);

        ((float *)gf_block_view_row(t.dst, y))[x + c * t.dst.plane] = !t.stored ? sum_rows<-1>(t, e, i)
            : t.src.layout == GF_U8 ? sum_rows<GF_U8>(t, e, i) : sum_rows<GF_U16>(t, e, i);
    }
}

static __global__ void columns_alone(const __grid_constant__ struct gf_resize_task t)
{
    const int64_t x = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    const int c = blockIdx.z;

    if (x >= t.width)
        return;
    for (int64_t y = t.first + blockIdx.y; y < t.end; y += gridDim.y) {
        const struct entry e = entry_of(t.x, t.x_entries, x);
        const float *s = (const float *)gf_block_view_row(t.src, y) + e.first + c * t.src.plane;
        float v[2][1] = { { *s }, { *s } };

        if (e.w != NULL)
            sum_along<1>(s, 0, e.w, 1, e.count, v);
        ((float *)gf_block_view_row(t.dst, y))[x + c * t.dst.plane] = v[0][0];
    }
}

static dim3 grid_of(const struct gf_resize_task *t, int channels)
{
    return dim3((unsigned)gf_ceil_div(t->width, THREADS), gf_cuda_grid_rows(t->end - t->first),
                (unsigned)channels);
}

static int long_way(const struct gf_work *work, const struct gf_io *io, const struct gf_resize_task *task,
                    struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)work->stream;
    const int channels = io->src.channels;

    return gf_program_buffers_through(work, io, io->src.span, false, true, err, [&](const struct gf_io &plain) {
        struct gf_resize_task t = *task;
        struct gf_block between;

        if (gf_borrowed_planes_take(&between, &io->src, channels, io->dst.span, stream, err) != 0)
            return -1;
        t.dst = gf_block_view_of(&between);
        t.width = io->src.width;
        rows_alone<<<grid_of(&t, channels), THREADS, 0, stream>>>(t);
        t.src = t.dst;
        t.dst = gf_block_view_of(&plain.dst);
        t.width = io->dst.width;
        columns_alone<<<grid_of(&t, channels), THREADS, 0, stream>>>(t);
        gf_borrowed_planes_return(&between, stream);
        return gf_cuda_launched("resizing", err);
    });
}

/* ---- a call ---- */

static int run(const struct gf_work *work, const struct gf_io *io, const struct gf_resize *r, struct gf_error *err)
{
    struct gf_resize_task t;
    int result;

    t.src = gf_block_view_of(&io->src);
    t.dst = gf_block_view_of(&io->dst);
    t.x = r->x;
    t.y = r->y;
    t.tables = work->tables;
    t.x_entries = work->tables + r->x.at;
    t.y_entries = work->tables + r->y.at;
    t.width = io->dst.width;
    t.first = io->dst.span.start;
    t.end = io->dst.span.end;
    t.stored = gf_resize_is_stored(io, r);
    t.scale = t.stored ? 1.0f / (float)io->src.maxval : 1.0f;
    result = gf_resize_groups(work, io, &t, err);
    if (result > 0)
        result = gf_resize_tiles(work, io, &t, err);
    return result > 0 ? long_way(work, io, &t, err) : result;
}

extern "C" int gf_resize_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                              struct gf_error *err)
{
    const struct gf_resize *r = (const struct gf_resize *)params;

    if (io->dst.width <= 0 || io->dst.span.start >= io->dst.span.end)
        return 0;
    return gf_program_buffers_through(work, io, io->src.span, !gf_point_is_identity(io->load), false, err,
                                      [&](const struct gf_io &plain) { return run(work, &plain, r, err); });
}
