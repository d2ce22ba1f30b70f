/* Rank of large squares on a GPU. */
#include "kernels/neighbourhood/rank/rank_large.cuh"

#include "kernels/neighbourhood/rank/rank_warp_large.cuh"

template <class T, bool GREATEST>
static rank_kernel *extremes_of(int radius)
{
    return radius < 8 ? extremes<T, GREATEST, 8> : extremes<T, GREATEST, 16>;
}

template <class T>
static int launch_extremes(struct rank_task t, bool greatest, cudaStream_t stream, struct gf_error *err)
{
    const int per = word_of<T>::per, halo = (2 * t.radius * t.step + per - 1) / per;
    rank_kernel *k = greatest ? extremes_of<T, true>(t.radius) : extremes_of<T, false>(t.radius);
    size_t bytes;

    t.tile = halo <= 32 ? 256 : halo <= 128 ? 512 : 1024;
    bytes = (size_t)RANK_ROWS * (t.tile + 1) * sizeof(unsigned);
    if (bytes > 48 * 1024
        && gf_cuda_allow_shared_memory((const void *)k, err) != 0)
        return -1;
    gf_rank_launch_rows<T>(t, RANK_ROWS, [&](const struct rank_task &part, unsigned height) {
        k<<<dim3((unsigned)gf_ceil_div(t.length, (int64_t)(t.tile - halo) * per), height), 256, bytes, stream>>>(part);
    });
    return gf_cuda_launched("rank", err);
}

template <class T>
static int launch_count(struct rank_task t, cudaStream_t stream, struct gf_error *err)
{
    const int64_t across = gf_ceil_div(t.length, 32);

    /* tall, because the square is counted from scratch at the top; lower if most of a GPU would be idle */
    t.tile = t.radius < 8 ? 128 : t.radius < 32 ? 64 : 4 * t.radius;
    while (across * (t.end - t.first) < (int64_t)2048 * t.tile && t.tile > 2 * t.radius)
        t.tile /= 2;
    gf_rank_launch_rows<T>(t, t.tile, [&](const struct rank_task &part, unsigned height) {
        (t.radius <= 7 ? count<T, 8> : count<T, 16>)<<<dim3((unsigned)across, height), 32, 0, stream>>>(part);
    });
    if (t.channels < t.step)
        gf_rank_launch_rows<T>(t, 1, [&](const struct rank_task &part, unsigned height) {
            copy_others<T><<<dim3((unsigned)gf_ceil_div(t.length, 256), height), 256, 0, stream>>>(part);
        });
    return gf_cuda_launched("rank", err);
}

template <class T>
int gf_rank_large(const struct rank_task &t, enum gf_rank_pick pick, cudaStream_t stream, struct gf_error *err)
{
    return pick == GF_RANK_MIDDLE ? launch_count<T>(t, stream, err)
           : launch_extremes<T>(t, pick == GF_RANK_GREATEST, stream, err);
}

template int gf_rank_large<uint8_t>(const struct rank_task &, enum gf_rank_pick, cudaStream_t, struct gf_error *);
template int gf_rank_large<uint16_t>(const struct rank_task &, enum gf_rank_pick, cudaStream_t, struct gf_error *);
template int gf_rank_large<float>(const struct rank_task &, enum gf_rank_pick, cudaStream_t, struct gf_error *);
