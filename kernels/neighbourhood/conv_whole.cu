/*
 * Convolution on a GPU from bytes to bytes, if the mask is integers divided by an odd one: sobel,
 * laplacian, emboss, box. The result equals that of the float sums of the contract: if d is odd, s
 * / d is never in the middle of two integers but at least 1 / (2·d) away from it, and the error of
 * floats is smaller; is_exact() checks it.
 */
#include "kernels/neighbourhood/conv_whole.cuh"

#include "kernels/base/warp_byte_strips.cuh"

#include <math.h>

#define MOST_DIVISOR 225

struct whole_task {
    struct gf_byte_strip_task strip;
    struct gf_whole_mask mask;
    int begin;                           /* start of every sum: the correction for signed bytes, and half the divisor */
    /* 2^24 / divisor, rounded up: exact for all sums, which are below 2^24 / divisor */
    unsigned reciprocal;
    int most;                            /* sum that gives the largest result */
};

/*
 * Sums of the rows that are not complete yet: the sum of the rows from 1 - SIDE on to this one is
 * at k + 1, modulo SIDE.
 */
template <int SIDE, bool DIVIDED>
struct whole_strip {
    const struct whole_task &t;
    int sum[SIDE][16];

    __device__ __forceinline__ void row(unsigned (&w)[6], int k)
    {
        int at[16];                      /* four bytes from the left end of each column's mask on */

#pragma unroll
        for (int i = 0; i < 6; i++)
            w[i] ^= 0x80808080u;         /* signed: minus 128 */
#pragma unroll
        for (int i = 0; i < 16; i++)
            at[i] = bytes_from(w, i - SIDE / 2);
#pragma unroll
        for (int j = 0; j < SIDE; j++) {
            int (&s)[16] = sum[(k + SIDE - j) % SIDE];

#pragma unroll
            for (int i = 0; i < 16; i++) {
                s[i] = __dp4a(at[i], t.mask.row[j][0], j == 0 ? t.begin : s[i]);
                if (SIDE == 5)
                    s[i] = __dp4a(i < 15 ? at[i + 1] : bytes_from(w, 14), t.mask.row[j][1], s[i]);
            }
        }
    }

    static __device__ __forceinline__ int bytes_from(const unsigned (&w)[6], int column)
    {
        const int i = (column + 4) / 4, off = (column + 4) % 4;

        return (int)(off == 0 ? w[i] : __funnelshift_r(w[i], w[i + 1], 8 * off));
    }

    /* Returns a result: the lowest byte, or the uppermost if it is divided. */
    __device__ __forceinline__ unsigned level(int s) const
    {
        const unsigned v = (unsigned)min(max(s, 0), t.most);

        return DIVIDED ? v * t.reciprocal : v;
    }

    __device__ __forceinline__ uint4 result(int k) const
    {
        const int (&s)[16] = sum[(k + 1) % SIDE];
        constexpr unsigned low = DIVIDED ? 0x0073 : 0x0040;
        unsigned r[4];

#pragma unroll
        for (int i = 0; i < 4; i++) {
            const unsigned a = level(s[4 * i]), b = level(s[4 * i + 1]), c = level(s[4 * i + 2]),
                               d = level(s[4 * i + 3]);

            r[i] = __byte_perm(__byte_perm(a, b, low), __byte_perm(c, d, low), 0x5410);
        }
        return make_uint4(r[0], r[1], r[2], r[3]);
    }
};

template <int SIDE, bool DIVIDED>
static __global__ void __launch_bounds__(32 * GF_BYTE_STRIP_WARPS) whole(const __grid_constant__ struct whole_task t)
{
    struct whole_strip<SIDE, DIVIDED> s = { t };

    gf_byte_strip_walk<SIDE>(t.strip, s);
}

/* ---- masks ---- */

/* Sets w to the weights of the mask; a mask of two lines becomes their product. */
static void weights_of(const struct gf_work *work, const struct gf_conv *c, double *w)
{
    const float *m = work->host_masks;

    for (int j = 0; j < c->ny; j++)
        for (int i = 0; i < c->nx; i++)
            w[j * c->nx + i] = c->full ? (double)m[c->full_at + j * c->nx + i]
                                       : (double)m[c->x_at + i] * (double)m[c->y_at + j];
}

/*
 * Returns true if the weights times d are integers of eight bits, so close that the sum of floats rounds
 * as the sum of integers does. In steps of the result, a float has an error of 2^-24 of itself when
 * it is loaded, after each fma, when sums of lines are rounded, and when it is scaled; the weights
 * have their own error.
 */
static bool is_exact(const double *w, int n, int d)
{
    double size = 0, off = 0;

    for (int i = 0; i < n; i++) {
        const double whole = rint(w[i] * d);

        if (fabs(whole) > 127 || fabs(w[i] * d - whole) > 1e-4)
            return false;
        size += fabs(whole);
        off += fabs(w[i] * d - whole);
    }
    return size > 0 && 255 * (off + size * (n + 4) * 0x1p-24) < 0.4;
}

bool gf_conv_is_whole(const struct gf_work *work, const struct gf_io *io, const struct gf_conv *conv,
                      struct gf_whole_mask *mask)
{
    const int side = conv->nx;
    double w[25];
    int d = 1;

    if (work->host_masks == NULL || side != conv->ny || (side != 3 && side != 5) || conv->cx != side / 2
        || conv->cy != side / 2
        || conv->combine != GF_CONV_PLAIN || !gf_byte_strips_fit(io))
        return false;
    weights_of(work, conv, w);
    while (!is_exact(w, side * side, d))
        if ((d += 2) > MOST_DIVISOR)
            return false;
    mask->divisor = d;
    mask->sum = 0;
    for (int j = 0; j < 5; j++)
        mask->row[j][0] = mask->row[j][1] = 0;
    for (int j = 0; j < side; j++)
        for (int i = 0; i < side; i++) {
            const int v = (int)rint(w[j * side + i] * d);

            mask->row[j][i / 4] |= (int)((unsigned)(v & 255) << (i == 4 ? 24 : 8 * i));
            mask->sum += v;
        }
    return true;
}

int gf_conv_whole(const struct gf_work *work, const struct gf_io *io, const struct gf_conv *conv,
                  const struct gf_whole_mask *mask,
                  struct gf_error *err)
{
    const struct whole_task t = { gf_byte_strips_of(io, conv->nx / 2, conv->border), *mask,
                                  128 * mask->sum + mask->divisor / 2,
                                  ((1u << 24) - 1) / (unsigned)mask->divisor + 1,
                                  (int)io->dst.maxval * mask->divisor + mask->divisor / 2 };
    const unsigned blocks = gf_byte_strip_blocks(&t.strip);
    const cudaStream_t stream = (cudaStream_t)work->stream;

    if (conv->nx == 3)
        (mask->divisor > 1 ? whole<3, true> : whole<3, false>)<<<blocks, 32 * GF_BYTE_STRIP_WARPS, 0, stream>>>(t);
    else
        (mask->divisor > 1 ? whole<5, true> : whole<5, false>)<<<blocks, 32 * GF_BYTE_STRIP_WARPS, 0, stream>>>(t);
    return gf_cuda_launched("convolution", err);
}
