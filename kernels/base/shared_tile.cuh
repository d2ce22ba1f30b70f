/* Loads a tile of samples into shared memory, with border handling outside the signal. */
#ifndef GF_KERNELS_SHARED_TILE_CUH
#define GF_KERNELS_SHARED_TILE_CUH

#include "kernels/base/thread_pack.cuh"

/* A tile whose first sample is at (x, y); its channels are planes. */
struct gf_shared_tile {
    float *to;
    int pitch, plane;                    /* floats from row to row, and from channel to channel */
    int64_t x, y;
    int columns, rows;
};

/*
 * Each warp loads rows; `warp` is its index. Up to C channels. get(row, x, p) reads a pixel of the
 * signal.
 */
template <int C, class G>
static __device__ __forceinline__ void gf_shared_tile_load(const struct gf_block_view &v, enum gf_border border,
                                                           int64_t units, const struct gf_shared_tile &tile, int warp,
                                                           int warps, const G &get)
{
    const int lane = threadIdx.x % 32;
    const bool inside = tile.x >= 0 && tile.x + tile.columns <= v.width;

    for (int r = warp; r < tile.rows; r += warps) {
        const int64_t unit = gf_border_index(border, tile.y + r, units);
        const unsigned char *row = gf_block_view_row(v, unit);
        float *to = tile.to + r * tile.pitch;

#pragma unroll 4
        for (int i = lane; i < tile.columns; i += 32) {
            const int64_t x = inside ? tile.x + i : gf_border_index(border, tile.x + i, v.width);
            float p[1][4] = { { 0.0f, 0.0f, 0.0f, 0.0f } };

            if (unit >= 0 && x >= 0)
                get(row, x, p);
#pragma unroll
            for (int c = 0; c < C; c++)
                to[i + c * tile.plane] = p[0][c];
        }
    }
}

#endif
