/* Loads a tile of samples into shared memory; outside the signal, the border decides. */
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

/* A warp a row; up to C channels. `change` takes each pixel of the signal through a program. */
template <int C, class P>
static __device__ __forceinline__ void gf_shared_tile_load(const struct gf_block_view &v, enum gf_border border,
                                                           int64_t units, const struct gf_shared_tile &tile,
                                                           const P &change)
{
    const int thread = (int)(threadIdx.y * blockDim.x + threadIdx.x), warps = (int)(blockDim.x * blockDim.y / 32);
    const bool inside = tile.x >= 0 && tile.x + tile.columns <= v.width;

    for (int r = thread / 32; r < tile.rows; r += warps) {
        const int64_t unit = gf_border_index(border, tile.y + r, units);
        const unsigned char *row = gf_block_view_row(v, unit);
        float *to = tile.to + r * tile.pitch;

#pragma unroll 4
        for (int i = thread % 32; i < tile.columns; i += 32) {
            const int64_t x = inside ? tile.x + i : gf_border_index(border, tile.x + i, v.width);
            float p[1][4] = { { 0.0f, 0.0f, 0.0f, 0.0f } };

            if (unit >= 0 && x >= 0) {
                gf_pixel_get(v, row, x, p[0]);
                change(p);
            }
#pragma unroll
            for (int c = 0; c < C; c++)
                to[i + c * tile.plane] = p[0][c];
        }
    }
}

#endif
