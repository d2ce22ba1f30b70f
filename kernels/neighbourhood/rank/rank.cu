/* Rank on a GPU: chooses the kernel and the type of samples. */
#include "kernels/base/program_buffers.cuh"
#include "kernels/neighbourhood/rank/rank_large.cuh"
#include "kernels/neighbourhood/rank/rank_warp_bytes.cuh"
#include "kernels/neighbourhood/rank/rank_warp_small.cuh"

#define WALK_RADIUS 3
#define WALK_ROWS 32                     /* results for which a warp walks down */

/* ---- launches ---- */

template <class T, enum gf_rank_pick PICK, int STEP>
static rank_kernel *walk_of_step(int radius)
{
    return radius == 1 ? walk<T, 3, STEP, PICK> : radius == 2 ? walk<T, 5, STEP, PICK> : walk<T, 7, STEP, PICK>;
}

/*
 * Floats are planes; bytes have kernels for one and for three channels; other types have one for
 * any number.
 */
template <class T, enum gf_rank_pick PICK>
static rank_kernel *walk_of(int radius, int step)
{
    if constexpr (sizeof(T) == 4)
        return walk_of_step<T, PICK, 1>(radius);
    else if constexpr (sizeof(T) == 1)
        return step == 1 ? walk_of_step<T, PICK, 1>(radius)
             : step == 3 ? walk_of_step<T, PICK, 3>(radius) : walk_of_step<T, PICK, 0>(radius);
    else
        return walk_of_step<T, PICK, 0>(radius);
}

template <class T>
static int launch_walk(struct rank_task t, enum gf_rank_pick pick, cudaStream_t stream, struct gf_error *err)
{
    const int per = word_of<T>::per, results = 32 - (2 * t.radius * t.step + per - 1) / per;
    rank_kernel *k = pick == GF_RANK_LEAST ? walk_of<T, GF_RANK_LEAST>(t.radius, t.step)
              : pick == GF_RANK_MIDDLE ? walk_of<T, GF_RANK_MIDDLE>(t.radius, t.step) : walk_of<T,
                  GF_RANK_GREATEST>(t.radius, t.step);

    t.tile = WALK_ROWS;
    gf_rank_launch_rows<T>(t, t.tile, [&](const struct rank_task &part, unsigned height) {
        k<<<dim3((unsigned)gf_ceil_div(t.length, (int64_t)results * per * RANK_WARPS), height), 32 * RANK_WARPS, 0,
            stream>>>(part);
    });
    return gf_cuda_launched("rank", err);
}

template <class T>
static int launch(const struct rank_task &t, enum gf_rank_pick pick, cudaStream_t stream, struct gf_error *err)
{
    if (t.radius <= WALK_RADIUS)
        return launch_walk<T>(t, pick, stream, err);
    return gf_rank_large<T>(t, pick, stream, err);
}

/* ---- blocks ---- */

static struct rank_task task_of(const struct gf_io *io, const struct gf_rank *rank)
{
    const struct gf_block *src = &io->src, *dst = &io->dst;
    struct rank_task t;

    t.in = (const unsigned char *)src->data;
    t.out = (unsigned char *)dst->data;
    t.in_pitch = src->pitch_samples;
    t.out_pitch = dst->pitch_samples;
    t.in_start = src->span.start;
    t.first = dst->span.start;
    t.end = dst->span.end;
    t.width = src->width;
    t.step = src->planar ? 1 : src->channels;
    t.length = t.width * t.step;
    t.src_units = io->src_units;
    t.radius = rank->radius;
    t.channels = src->planar ? 1 : rank->channels;
    t.border = rank->border;
    t.tile = 0;
    return t;
}

/* Works plane by plane; planes that are not ranked are copied. */
static int on_planes(const struct gf_io *io, const struct gf_rank *rank, cudaStream_t stream, struct gf_error *err)
{
    const struct gf_block *src = &io->src, *dst = &io->dst;

    for (int c = 0; c < src->channels; c++) {
        struct rank_task t = task_of(io, rank);
        const size_t row = (size_t)t.width * sizeof(float);
        const float *same = (const float *)src->data + c * src->plane_samples + (t.first - t.in_start) * t.in_pitch;

        t.in += c * src->plane_samples * (int64_t)sizeof(float);
        t.out += c * dst->plane_samples * (int64_t)sizeof(float);
        if (c < rank->channels ? launch<float>(t, rank->pick, stream, err) != 0
                               : gf_cuda_check(cudaMemcpy2DAsync(t.out, (size_t)t.out_pitch * sizeof(float), same,
                                                                 (size_t)t.in_pitch * sizeof(float), row,
                                                                     (size_t)(t.end - t.first),
                                                                 cudaMemcpyDeviceToDevice, stream), "copy of a plane",
                                                                     err) != 0)
            return -1;
    }
    return 0;
}

/* Packed results in the type of src, from the stream's memory pool. */
static int borrow_packed(struct gf_block *b, const struct gf_block *src, const struct gf_block *dst,
                         cudaStream_t stream,
                         struct gf_error *err)
{
    *b = *src;
    b->span = dst->span;
    b->pitch_samples = gf_round_up(src->width * src->channels, 128);
    return gf_cuda_check(cudaMallocAsync(&b->data,
                                         (size_t)(b->pitch_samples * (b->span.end - b->span.start))
                                             * gf_type_bytes(b->type),
                                         stream), "memory for samples", err);
}

extern "C" int gf_rank_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                            struct gf_error *err)
{
    const struct gf_rank *rank = (const struct gf_rank *)params;
    const cudaStream_t stream = (cudaStream_t)work->stream;
    const bool plain = gf_point_is_identity(io->load), as_is = gf_point_is_identity(io->store);
    const bool packed = plain && !io->src.planar && (io->src.type == GF_U8 || io->src.type == GF_U16);
    const bool load = !packed && !(plain && io->src.planar);
    const bool direct = as_is && (packed ? !io->dst.planar && io->dst.type == io->src.type
                                  && io->dst.maxval == io->src.maxval
                                         : io->dst.planar);
    struct gf_program_buffers b;
    int result;

    if (io->dst.width <= 0 || io->dst.span.start >= io->dst.span.end)
        return 0;
    if (rank->pick != GF_RANK_MIDDLE && rank->radius <= 2 && rank->channels == 1 && gf_byte_strips_fit(io))
        return launch_bytes(io, rank, stream, err);
    result = gf_program_buffers_open(&b, work, io, io->src.span, load, !direct && !packed, err);
    if (result == 0 && !direct && packed) {
        result = borrow_packed(&b.plain.dst, &io->src, &io->dst, stream, err);
        b.stored = result == 0;
    }
    if (result == 0)
        result = !packed ? on_planes(&b.plain, rank, stream, err)
               : io->src.type == GF_U8 ? launch<uint8_t>(task_of(&b.plain, rank), rank->pick, stream, err)
               : launch<uint16_t>(task_of(&b.plain, rank), rank->pick, stream, err);
    return gf_program_buffers_close(&b, work, io, result, err);
}
