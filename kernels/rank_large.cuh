/* Kernels of rank for medians of large squares: counts in shared memory, a warp a column. */
#ifndef GF_RANK_LARGE_CUH
#define GF_RANK_LARGE_CUH

#include "rank.cuh"

#define BINS_ROOM (8 * 33)

/* Counts of a warp: what came into the square and what left it, by their upper eight bits; and those of a part of it. */
struct rank_counts {
    unsigned in[BINS_ROOM], out[BINS_ROOM], part[BINS_ROOM];
};

/* Where a bin lies: eight in a row in eight rows, so that 32 lanes with eight bins each meet no two in a bank. */
static __device__ __forceinline__ int place_of(unsigned bin)
{
    return (int)(bin % 8 * 33 + bin / 8);
}

/* Where the sum of 32 counts, a lane each, passes `rank`: the lane; `rank` loses what lies before it. */
static __device__ __forceinline__ int passing(unsigned count, unsigned &rank)
{
    const int lane = threadIdx.x % 32;
    unsigned sum = count, before;
    int at;

#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
        const unsigned other = __shfl_up_sync(0xffffffffu, sum, d);

        sum += lane >= d ? other : 0;
    }
    at = __ffs((int)__ballot_sync(0xffffffffu, sum > rank)) - 1;
    before = __shfl_sync(0xffffffffu, sum - count, at);
    rank -= before;
    return at;
}

/* The first of 256 counts at which their sum passes `rank`. */
template <class F>
static __device__ __forceinline__ unsigned digit_at(F count, unsigned &rank)
{
    const int lane = threadIdx.x % 32;
    unsigned sum = 0;
    int eight;

#pragma unroll
    for (int k = 0; k < 8; k++)
        sum += count((unsigned)(lane * 8 + k));
    eight = passing(sum, rank);
    return (unsigned)(eight * 8 + passing(lane < 8 ? count((unsigned)(eight * 8 + lane)) : 0u, rank));
}

/* Adds the upper digits of a row of the square, whose first pixel is x. */
template <class T>
static __device__ __forceinline__ void count_row(const struct rank_task &t, int64_t y, int64_t s, unsigned *counts)
{
    const unsigned char *row = row_at(t, y, (int)sizeof(T));

    for (int k = threadIdx.x % 32; k <= 2 * t.radius; k += 32) {
        unsigned key = row == NULL ? 0 : key_of<T>(t, row, s + (int64_t)k * t.step);

        if (sizeof(T) == 4)
            key ^= 0x80000000u;
        atomicAdd(&counts[place_of(key >> (8 * (int)sizeof(T) - 8) & 255u)], 1u);
    }
}

/* The next digit of the median, among the samples of the square whose upper digits are `prefix`, of which it is number `rank`. */
template <class T>
static __device__ unsigned next_digit(const struct rank_task &t, int64_t y, int64_t s, unsigned prefix, int shift, unsigned *part,
                                      unsigned &rank)
{
    const int side = 2 * t.radius + 1;
    unsigned digit;

    for (int k = threadIdx.x % 32; k < BINS_ROOM; k += 32)
        part[k] = 0;
    __syncwarp();
    for (int j = 0; j < side; j++) {
        const unsigned char *row = row_at(t, y - t.radius + j, (int)sizeof(T));

        for (int k = threadIdx.x % 32; k < side; k += 32) {
            unsigned key = row == NULL ? 0 : key_of<T>(t, row, s + (int64_t)k * t.step);

            if (sizeof(T) == 4)
                key ^= 0x80000000u;
            if (key >> (shift + 8) == prefix)
                atomicAdd(&part[place_of(key >> shift & 255u)], 1u);
        }
    }
    __syncwarp();
    digit = digit_at([=](unsigned k) { return part[place_of(k)]; }, rank);
    __syncwarp();
    return prefix << 8 | digit;
}

/* A warp a column of `tile` results: rows come into its square and leave it; lower digits are counted anew each time. */
template <class T>
static __global__ void __launch_bounds__(32 * RANK_WARPS) count(const __grid_constant__ struct rank_task t)
{
    __shared__ struct rank_counts all[RANK_WARPS];
    struct rank_counts &c = all[threadIdx.x / 32];
    const int lane = threadIdx.x % 32, side = 2 * t.radius + 1;
    const int64_t x = (int64_t)blockIdx.x * RANK_WARPS + threadIdx.x / 32, s = x - (int64_t)t.radius * t.step;
    const int64_t y0 = t.first + (int64_t)blockIdx.y * t.tile, end = y0 + t.tile < t.end ? y0 + t.tile : t.end;

    if (x >= t.length || x % t.step >= t.channels)
        return;
    for (int k = lane; k < BINS_ROOM; k += 32)
        c.in[k] = c.out[k] = 0;
    __syncwarp();
    for (int k = 0; k < side - 1; k++)
        count_row<T>(t, y0 - t.radius + k, s, c.in);
    for (int64_t y = y0; y < end; y++) {
        unsigned rank = (unsigned)(side * side / 2), key;

        count_row<T>(t, y + t.radius, s, c.in);
        __syncwarp();
        key = digit_at([&](unsigned k) { return c.in[place_of(k)] - c.out[place_of(k)]; }, rank);
        for (int shift = 8 * (int)sizeof(T) - 16; shift >= 0; shift -= 8)
            key = next_digit<T>(t, y, s, key, shift, c.part, rank);
        if (lane == 0) {
            T *to = (T *)t.out + (y - t.first) * t.out_pitch + x;

            if (sizeof(T) == 4)
                *(unsigned *)to = gf_rank_bits((int)(key ^ 0x80000000u));
            else
                *to = (T)key;
        }
        __syncwarp();
        count_row<T>(t, y - t.radius, s, c.out);
    }
}

/* The channels of packed samples that are not picked. */
template <class T>
static __global__ void copy_others(const __grid_constant__ struct rank_task t)
{
    const int64_t x = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, y = t.first + blockIdx.y;

    if (x < t.length && x % t.step >= t.channels)
        ((T *)t.out)[(y - t.first) * t.out_pitch + x] = ((const T *)t.in)[(y - t.in_start) * t.in_pitch + x];
}

#endif
