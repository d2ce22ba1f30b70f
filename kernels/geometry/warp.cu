/* Samples at positions that a perspective, a lens or a map gives, on a GPU. */
#include "kernels/geometry/warp.h"

#include "kernels/geometry/sample_fetch.cuh"

struct warp_task {
    struct sample_task t;
    double m[9];
    enum gf_warp_kind kind;
    bool affine;
    /* the map: address where the row of row 0 of the result would be, and its shape */
    const unsigned char *map;
    int64_t map_pitch_bytes;
    enum gf_type map_type;
    int map_channels;
};

/* Computes the position of a pixel of the result. */
static __device__ __forceinline__ void find_place(const struct warp_task &w, int64_t x, int64_t y, int64_t *to_x,
                                                  int64_t *to_y)
{
    double sx, sy;

    if (w.kind == GF_WARP_MAP) {
        const unsigned char *row = w.map + y * w.map_pitch_bytes;

        sx = gf_warp_map_level(row, w.map_type, x * w.map_channels);
        sy = gf_warp_map_level(row, w.map_type, x * w.map_channels + 1);
    } else if (w.kind == GF_WARP_LENS) {
        gf_warp_lens_place(w.m, (double)x, (double)y, &sx, &sy);
    } else {
        gf_warp_matrix_place(w.m, w.affine, false, (double)x, (double)y, &sx, &sy);
    }
    *to_x = gf_warp_fixed(sx);
    *to_y = gf_warp_fixed(sy);
}

/*
 * Four neighbors of a row a thread. A warp covers 32 columns by 4 rows, so that its loads are close
 * together however the result is turned.
 */
template <int T, int C, int HOW>
__global__ void __launch_bounds__(128, GF_BLOCKS(8))
warp_pixels(const __grid_constant__ struct warp_task w, const __grid_constant__ struct gf_point store)
{
    const struct sample_task &t = w.t;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int64_t x = ((int64_t)blockIdx.x * 32) + lane % 8 * 4;
    const int64_t y = t.first + (int64_t)blockIdx.y * 16 + warp * 4 + lane / 8;
    const int64_t round = sample_round(HOW, t.s.coarse);
    const int some = (int)min((int64_t)4, t.width - x);
    float v[4][4] = {};

    if (some <= 0 || y >= t.end)
        return;
#pragma unroll (HOW == GF_NEAREST ? 4 : 1)
    for (int k = 0; k < 4; k++) {
        int64_t sx, sy;

        find_place(w, k < some ? x + k : x, y, &sx, &sy);
        append_pixel<T, C, HOW>(t, sx + round, sy + round, v);
    }
    if (store.count > 0)
        gf_program_run<4, 4>(store, t.tables, v);
    gf_write4(t.dst, gf_block_view_row(t.dst, y), x, some, v);
}

typedef void kernel(const struct warp_task, const struct gf_point);

template <int C, int HOW>
static kernel *kernel_of(int layout)
{
    return layout == GF_U8 ? warp_pixels<GF_U8, C, HOW> : layout == GF_PLANES ? warp_pixels<GF_PLANES, C,
           HOW> : warp_pixels<-1, C, HOW>;
}

/* Returns one of fewer kernels, for interpolations that are rarer. */
template <int HOW>
static kernel *rarer_kernel_of(int layout, int channels)
{
    return channels == 1 ? kernel_of<1, HOW>(layout)
         : layout == GF_U8 && channels == 3 ? warp_pixels<GF_U8, 3, HOW> : warp_pixels<-1, 4, HOW>;
}

static int run(const struct gf_work *work, const struct gf_io *io, const struct gf_warp *params, struct gf_error *err)
{
    const struct gf_sample s = gf_warp_sampling(params);
    const int channels = io->src.channels;
    struct warp_task w;
    kernel *k;

    w.t = sample_task_of(io, &s, work->tables);
    memcpy(w.m, params->m, sizeof w.m);
    w.kind = params->kind;
    w.affine = gf_warp_is_affine(w.m);
    w.map = NULL;
    w.map_pitch_bytes = 0;
    w.map_type = io->beside.type;
    w.map_channels = io->beside.channels;
    if (w.kind == GF_WARP_MAP) {
        w.map_pitch_bytes = io->beside.pitch_samples * (int64_t)gf_type_bytes(io->beside.type);
        w.map = (const unsigned char *)io->beside.data - io->beside.span.start * w.map_pitch_bytes;
    }
    if (s.interpolation == GF_LINEAR)
        k = channels == 1 ? kernel_of<1, GF_LINEAR>(w.t.src.layout)
          : channels == 3 ? kernel_of<3, GF_LINEAR>(w.t.src.layout) : kernel_of<4, GF_LINEAR>(w.t.src.layout);
    else
        k = s.interpolation == GF_CUBIC ? rarer_kernel_of<GF_CUBIC>(w.t.src.layout, channels)
          : rarer_kernel_of<GF_NEAREST>(w.t.src.layout, channels);
    gf_cuda_launch_rows(w.t, 16, [&](const struct sample_task &part, unsigned height) {
        struct warp_task rows = w;

        rows.t = part;
        k<<<dim3((unsigned)gf_ceil_div(w.t.width, 32), height), 128, 0, (cudaStream_t)work->stream>>>(
            rows, gf_program(io->store, io->dst.channels));
    });
    return gf_cuda_launched("warp", err);
}

extern "C" int gf_warp_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                            struct gf_error *err)
{
    const struct gf_warp *w = (const struct gf_warp *)params;
    const bool load = !gf_point_is_identity(io->load);

    if (io->dst.width <= 0 || io->dst.span.start >= io->dst.span.end)
        return 0;
    if (w->kind == GF_WARP_MAP && io->beside.data == NULL)
        return gf_fail(err, GF_FAILED, "internal error: warp has no map");
    if (gf_channels_at_work(io) > 4)
        return gf_fail(err, GF_FAILED, "the GPU warps at most 4 channels;; use --device cpu");
    return gf_program_buffers_through(work, io, io->src.span, load, gf_program_widest(io->store, io->dst.channels) > 4,
                                      err, [&](const struct gf_io &plain) {
        return run(work, &plain, w, err);
    });
}
