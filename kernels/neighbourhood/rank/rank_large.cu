/*
 * Rank of large squares on a GPU. For medians a lane walks down a column and keeps the counts of its square in shared
 * memory.
 */
#include "kernels/neighbourhood/rank/rank_large.cuh"

#include "kernels/neighbourhood/rank/rank_thread_words.cuh"

/*
 * Counters of BITS bits, several in a word. Words of a lane are 32 apart, so that lanes never share
 * a bank.
 */
template <int BITS>
struct rank_bins {
    static constexpr unsigned per = 32 / BITS, mask = BITS == 8 ? 0xffu : 0xffffu;
    unsigned *own;

    /*
     * No counter underflows or overflows, so its neighbors do not change. Atomic, so that the
     * thread does not wait for the old value.
     */
    __device__ __forceinline__ void add(unsigned bin,
                                        int n) { atomicAdd(own + bin / per * 32, (unsigned)n << (bin % per * BITS)); }
    __device__ __forceinline__ unsigned at(unsigned bin) const
    {
        return own[bin / per * 32] >> (bin % per * BITS) & mask;
    }

    __device__ __forceinline__ void clear(int bins)
    {
        for (int i = 0; i < bins / (int)per; i++)
            own[i * 32] = 0;
    }
};

/* Loads keys of samples: unsigned, in order. `inside`: all samples of the warp are within their row. */
template <class T>
static __device__ __forceinline__ unsigned order_of(const struct rank_task &t, const unsigned char *row,
                                                    int64_t s, bool inside)
{
    const unsigned key = inside ? stored_key<T>(row + s * (int64_t)sizeof(T)) : key_of<T>(t, row, s);

    return sizeof(T) == 4 ? key ^ 0x80000000u : key;
}

template <class T>
static __device__ __forceinline__ unsigned order_of_zero(void)
{
    return sizeof(T) == 4 ? 0x80000000u : 0;
}

/* The square around a lane's sample: counts by the upper eight bits, and the last median. */
template <class T, int BITS>
struct rank_square {
    static constexpr int upper = 8 * (int)sizeof(T) - 8;
    struct rank_bins<BITS> bins;
    unsigned digit, below;               /* the current digit, and the number of smaller samples */

    __device__ __forceinline__ void count(unsigned key, int n)
    {
        bins.add(key >> upper, n);
        below += key >> upper < digit ? n : 0;
    }

    /* Adds a row to the square, or removes it (n is -1); its first sample is s. */
    __device__ __forceinline__ void row(const struct rank_task &t, int64_t y, int64_t s, bool inside, int n)
    {
        const unsigned char *row = row_at(t, y, (int)sizeof(T));
        const int side = 2 * t.radius + 1;

        if (row == NULL) {
            count(order_of_zero<T>(), n * side);
        } else if (inside) {
#pragma unroll 7
            for (int k = 0; k < side; k++)
                count(order_of<T>(t, row, s + (int64_t)k * t.step, true), n);
        } else {
            for (int k = 0; k < side; k++)
                count(order_of<T>(t, row, s + (int64_t)k * t.step, false), n);
        }
    }

    /* Moves to the digit of sample number `rank`; returns the number among the samples of that digit. */
    __device__ __forceinline__ unsigned settle(unsigned rank)
    {
        unsigned here;

        while (below > rank)
            below -= bins.at(--digit);
        while (below + (here = bins.at(digit)) <= rank)
            below += here, digit++;
        return rank - below;
    }
};

/*
 * Finds the rest of the key after its upper digit: a few bits at a time, each time among the
 * samples with the bits found so far.
 */
template <class T>
static __device__ __forceinline__ unsigned lower_digits(const struct rank_task &t, int64_t y, int64_t s,
                                                        bool inside, unsigned key,
                                                        unsigned rank, struct rank_bins<16> bins)
{
    constexpr int bits = sizeof(T) == 2 ? 4 : 6;
    const int side = 2 * t.radius + 1;

    for (int shift = 8 * (int)sizeof(T) - 8 - bits; shift >= 0; shift -= bits) {
        unsigned digit = 0, here;

        bins.clear(1 << bits);
        for (int j = 0; j < side; j++) {
            const unsigned char *row = row_at(t, y - t.radius + j, (int)sizeof(T));

#pragma unroll 4
            for (int k = 0; k < side; k++) {
                const unsigned other = row == NULL ? order_of_zero<T>()
                                       : order_of<T>(t, row, s + (int64_t)k * t.step, inside);

                if (other >> (shift + bits) == key)
                    bins.add(other >> shift & ((1u << bits) - 1), 1);
            }
        }
        while (rank >= (here = bins.at(digit)))
            rank -= here, digit++;
        key = key << bits | digit;
    }
    return key;
}

/* A warp walks down `tile` results of 32 columns. Counters of BITS bits can hold the size of the square. */
template <class T, int BITS>
static __global__ void __launch_bounds__(32) count(const __grid_constant__ struct rank_task t)
{
    __shared__ unsigned upper[256 / (32 / BITS)][32], lower[sizeof(T) == 1 ? 1 : 32][32];
    const int side = 2 * t.radius + 1;
    const int64_t first = (int64_t)blockIdx.x * 32, x = first + threadIdx.x, s = x - (int64_t)t.radius * t.step;
    const int64_t y0 = t.first + (int64_t)blockIdx.y * t.tile, end = y0 + t.tile < t.end ? y0 + t.tile : t.end;
    const bool inside = first >= (int64_t)t.radius * t.step && first + 32 + (int64_t)t.radius * t.step <= t.length;
    struct rank_square<T, BITS> square = { { &upper[0][threadIdx.x] }, 128, 0 };

    if (x >= t.length || (t.channels < t.step && x % t.step >= t.channels))
        return;
    square.bins.clear(256);
    for (int k = 0; k < side - 1; k++)
        square.row(t, y0 - t.radius + k, s, inside, 1);
    for (int64_t y = y0; y < end; y++) {
        T *to = (T *)t.out + (y - t.first) * t.out_pitch + x;
        unsigned rank, key;

        square.row(t, y + t.radius, s, inside, 1);
        rank = square.settle((unsigned)(side * side / 2));
        key = square.digit;
        if (sizeof(T) > 1)
            key = lower_digits<T>(t, y, s, inside, key, rank, { &lower[0][threadIdx.x] });
        if (sizeof(T) == 4)
            *(unsigned *)to = gf_rank_bits((int)(key ^ 0x80000000u));
        else
            *to = (T)key;
        square.row(t, y - t.radius, s, inside, -1);
    }
}

/* Copies the channels of packed samples that are not ranked. */
template <class T>
static __global__ void copy_others(const __grid_constant__ struct rank_task t)
{
    const int64_t x = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, y = t.first + blockIdx.y;

    if (x < t.length && x % t.step >= t.channels)
        ((T *)t.out)[(y - t.first) * t.out_pitch + x] = ((const T *)t.in)[(y - t.in_start) * t.in_pitch + x];
}

/* ---- launches ---- */

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
