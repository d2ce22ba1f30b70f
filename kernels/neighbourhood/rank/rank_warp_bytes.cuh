/* Kernels of rank for minimum and maximum of 3 by 3 and 5 by 5 bytes, by strips. */
#ifndef GF_KERNELS_RANK_WARP_BYTES_CUH
#define GF_KERNELS_RANK_WARP_BYTES_CUH

#include "kernels/base/warp_byte_strips.cuh"
#include "kernels/neighbourhood/rank/rank_thread_words.cuh"

/* The bytes of even and of odd columns, two in a word; sixteen columns, four before and four after them. */
template <int SIDE, bool GREATEST>
struct rank_strip {
    unsigned even[SIDE][6], odd[SIDE][6];

    static __device__ __forceinline__ unsigned pick(unsigned a, unsigned b)
    {
        return GREATEST ? __vmaxu2(a, b) : __vminu2(a, b);
    }

    __device__ __forceinline__ void row(const unsigned (&w)[6], int k)
    {
#pragma unroll
        for (int i = 0; i < 6; i++) {
            even[k][i] = __byte_perm(w[i], 0, 0x4240);
            odd[k][i] = __byte_perm(w[i], 0, 0x4341);
        }
    }

    /* Returns a word's columns shifted by two, in either direction. */
    static __device__ __forceinline__ unsigned back(const unsigned (&v)[6],
                                                    int i) { return __byte_perm(v[i - 1], v[i], 0x5432); }
    static __device__ __forceinline__ unsigned on(const unsigned (&v)[6],
                                                  int i) { return __byte_perm(v[i], v[i + 1], 0x5432); }

    __device__ __forceinline__ uint4 result(int) const
    {
        unsigned e[6], o[6], r[4];

#pragma unroll
        for (int i = 0; i < 6; i++) {
            e[i] = even[0][i], o[i] = odd[0][i];
#pragma unroll
            for (int k = 1; k < SIDE; k++)
                e[i] = pick(e[i], even[k][i]), o[i] = pick(o[i], odd[k][i]);
        }
#pragma unroll
        for (int i = 1; i < 5; i++) {
            unsigned both = pick(e[i], o[i]), left = back(o, i), right = on(e, i);

            if (SIDE == 5) {
                both = pick(both, pick(left, right));
                left = back(e, i), right = on(o, i);
            }
            r[i - 1] = __byte_perm(pick(both, left), pick(both, right), 0x6240);
        }
        return make_uint4(r[0], r[1], r[2], r[3]);
    }
};

template <int SIDE, bool GREATEST>
static __global__ void __launch_bounds__(32 * GF_BYTE_STRIP_WARPS)
rank_bytes(const __grid_constant__ struct gf_byte_strip_task t)
{
    struct rank_strip<SIDE, GREATEST> s;

    gf_byte_strip_walk<SIDE>(t, s);
}

static inline int launch_bytes(const struct gf_io *io, const struct gf_rank *rank, cudaStream_t stream,
                               struct gf_error *err)
{
    const struct gf_byte_strip_task t = gf_byte_strips_of(io, rank->radius, rank->border);
    const unsigned blocks = gf_byte_strip_blocks(&t), threads = 32 * GF_BYTE_STRIP_WARPS;

    if (rank->pick == GF_RANK_GREATEST)
        (rank->radius == 1 ? rank_bytes<3, true> : rank_bytes<5, true>)<<<blocks, threads, 0, stream>>>(t);
    else
        (rank->radius == 1 ? rank_bytes<3, false> : rank_bytes<5, false>)<<<blocks, threads, 0, stream>>>(t);
    return gf_cuda_launched("rank", err);
}

#endif
