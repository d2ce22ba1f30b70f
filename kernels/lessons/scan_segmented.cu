/*
 * The lesson on prefix sums, continued: totals first, then a scan that begins with them. The same
 * kernels scan inclusively, exclusively, and in segments; only what is combined differs.
 */
#include "kernels/lessons/scan_tiles.cuh"
#include "kernels/lessons/steps.h"

typedef unsigned long long number;

/*
 * Some consecutive values in segments: the sum of their last segment, and whether it begins among
 * them. Without any value, it is zeros.
 */
struct piece {
    number sum;
    bool starts;
};

/* Joins two pieces. Where a segment begins in the second, nothing before it counts. */
static __device__ __forceinline__ struct piece combine(struct piece a, struct piece b)
{
    struct piece both;

    both.sum = b.starts ? b.sum : a.sum + b.sum;
    both.starts = a.starts || b.starts;
    return both;
}

static __device__ __forceinline__ struct piece shifted(struct piece v, unsigned d)
{
    v.sum = shifted(v.sum, d);
    v.starts = shifted((int)v.starts, d) != 0;
    return v;
}

static __device__ __forceinline__ void take(struct piece *to, number from)
{
    to->sum = from;
    to->starts = gf_lesson_scan_starts(from);
}

static __device__ __forceinline__ number sum_of(struct piece v)
{
    return v.sum;
}

template <typename T, bool EXCLUSIVE>
static int scan_source(struct gf_lesson_io *io, struct gf_error *err)
{
    scan_all<T, EXCLUSIVE>((const number *)io->src, (number *)io->dst, io->count, (T *)io->scratch,
                           (cudaStream_t)io->stream);
    return gf_cuda_launched("lesson of prefix sums", err);
}

extern "C" int gf_lesson_scan_totals(struct gf_lesson_io *io, struct gf_error *err)
{
    return scan_source<number, false>(io, err);
}

extern "C" int gf_lesson_scan_exclusive(struct gf_lesson_io *io, struct gf_error *err)
{
    return scan_source<number, true>(io, err);
}

extern "C" int gf_lesson_scan_segmented(struct gf_lesson_io *io, struct gf_error *err)
{
    return scan_source<struct piece, false>(io, err);
}
