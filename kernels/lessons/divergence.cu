/*
 * The lesson on branches: a warp executes one instruction at a time, for those of its 32 threads that
 * have come to it. If an `if` sends them to different sides, it executes both, one after the other.
 */
#include "kernels/lessons/divergence.h"
#include "kernels/lessons/lesson.cuh"
#include "kernels/lessons/steps.h"

#define THREADS 1024
#define ALL_LANES 0xffffffffu
#define NOBODY THREADS

/* The data of the kernels. The numbers are arguments, so that the compiler cannot do the work itself. */
struct task {
    const unsigned *src;
    unsigned *dst;
    int64_t count;
    int turns;
    unsigned even_times, even_plus, odd_times, odd_plus;
};

/* Both sides take the same time. */
__device__ unsigned even_side(unsigned v, const struct task &t)
{
    for (int k = 0; k < t.turns; k++)
        v = v * t.even_times + t.even_plus;
    return v;
}

__device__ unsigned odd_side(unsigned v, const struct task &t)
{
    for (int k = 0; k < t.turns; k++)
        v = v * t.odd_times + t.odd_plus;
    return v;
}

__global__ void __launch_bounds__(THREADS) if_and_else(struct task t)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;

    if (i >= t.count)
        return;
    if (t.src[i] % 2 == 1)
        t.dst[i] = odd_side(t.src[i], t);
    else
        t.dst[i] = even_side(t.src[i], t);
}

/* Every thread computes both sides. Compilers do this to short branches (predication). */
__global__ void __launch_bounds__(THREADS) both_sides(struct task t)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;

    if (i < t.count) {
        const unsigned even = even_side(t.src[i], t), odd = odd_side(t.src[i], t);

        t.dst[i] = t.src[i] % 2 == 1 ? odd : even;
    }
}

/* All threads execute the same instructions, with different numbers. */
__global__ void __launch_bounds__(THREADS) chosen_numbers(struct task t)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;

    if (i < t.count) {
        const bool odd = t.src[i] % 2 == 1;
        const unsigned times = odd ? t.odd_times : t.even_times, plus = odd ? t.odd_plus : t.even_plus;
        unsigned v = t.src[i];

        for (int k = 0; k < t.turns; k++)
            v = v * times + plus;
        t.dst[i] = v;
    }
}

/*
 * The threads of a block exchange their samples: even ones go to the first threads and odd ones to
 * the last, so at most one warp has both. Each warp counts its samples with two votes, and one
 * thread of it reserves their places.
 */
__global__ void __launch_bounds__(THREADS) sorted_by_side(struct task t)
{
    __shared__ unsigned who[THREADS], evens_before, odds_before;
    const int64_t first = (int64_t)blockIdx.x * THREADS;
    const bool mine = first + threadIdx.x < t.count, odd = mine && t.src[first + threadIdx.x] % 2 == 1;
    const unsigned odds = __ballot_sync(ALL_LANES, odd), evens = __ballot_sync(ALL_LANES, mine && !odd);
    const unsigned lane = threadIdx.x % 32, lower = (1u << lane) - 1;
    unsigned even_place = 0, odd_place = 0;

    who[threadIdx.x] = NOBODY;
    if (threadIdx.x == 0)
        evens_before = odds_before = 0;
    __syncthreads();
    if (lane == 0) {
        even_place = atomicAdd(&evens_before, __popc(evens));
        odd_place = atomicAdd(&odds_before, __popc(odds));
    }
    even_place = __shfl_sync(ALL_LANES, even_place, 0) + __popc(evens & lower);
    odd_place = THREADS - 1 - __shfl_sync(ALL_LANES, odd_place, 0) - __popc(odds & lower);
    if (mine)
        who[odd ? odd_place : even_place] = threadIdx.x;
    __syncthreads();
    if (who[threadIdx.x] == NOBODY)
        return;
    if (t.src[first + who[threadIdx.x]] % 2 == 1)
        t.dst[first + who[threadIdx.x]] = odd_side(t.src[first + who[threadIdx.x]], t);
    else
        t.dst[first + who[threadIdx.x]] = even_side(t.src[first + who[threadIdx.x]], t);
}

/* ---- loops of different length ---- */

__device__ unsigned some_turns(unsigned v, const struct task &t)
{
    const int turns = gf_lesson_divergence_turns(v);

    for (int k = 0; k < turns; k++)
        v = v * t.even_times + t.even_plus;
    return v;
}

/* A warp goes on until its longest loop ends; the other threads wait. */
__global__ void __launch_bounds__(THREADS) loops(struct task t)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;

    if (i < t.count)
        t.dst[i] = some_turns(t.src[i], t);
}

/*
 * The threads of a block exchange their samples, in the order of their loops: they count how many
 * there are of each length, add these counts up, and reserve places.
 */
__global__ void __launch_bounds__(THREADS) sorted_loops(struct task t)
{
    __shared__ unsigned who[THREADS], counts[GF_LESSON_LENGTHS], before[GF_LESSON_LENGTHS];
    const int64_t first = (int64_t)blockIdx.x * THREADS;
    const bool mine = first + threadIdx.x < t.count;
    const int length = mine ? gf_lesson_divergence_length(t.src[first + threadIdx.x]) : 0;

    who[threadIdx.x] = NOBODY;
    if (threadIdx.x < GF_LESSON_LENGTHS)
        counts[threadIdx.x] = 0;
    __syncthreads();
    if (mine)
        atomicAdd(&counts[length], 1u);
    __syncthreads();
    if (threadIdx.x < GF_LESSON_LENGTHS) {
        before[threadIdx.x] = 0;
        for (int k = 0; k < (int)threadIdx.x; k++)
            before[threadIdx.x] += counts[k];
    }
    __syncthreads();
    if (mine)
        who[atomicAdd(&before[length], 1u)] = threadIdx.x;
    __syncthreads();
    if (who[threadIdx.x] != NOBODY)
        t.dst[first + who[threadIdx.x]] = some_turns(t.src[first + who[threadIdx.x]], t);
}

/* ---- launches ---- */

typedef void changing(struct task t);

static int launch(changing *kernel, struct gf_lesson_io *io, struct gf_error *err)
{
    const struct task t = { (const unsigned *)io->src, (unsigned *)io->dst, io->count, GF_LESSON_SIDE_TURNS,
                            GF_LESSON_EVEN_TIMES, GF_LESSON_EVEN_PLUS, GF_LESSON_ODD_TIMES, GF_LESSON_ODD_PLUS };

    kernel<<<(unsigned)gf_ceil_div(io->count, THREADS), THREADS, 0, (cudaStream_t)io->stream>>>(t);
    return gf_cuda_launched("lesson of branches", err);
}

extern "C" int gf_lesson_divergence_branch(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(if_and_else, io, err);
}

extern "C" int gf_lesson_divergence_both(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(both_sides, io, err);
}

extern "C" int gf_lesson_divergence_numbers(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(chosen_numbers, io, err);
}

extern "C" int gf_lesson_divergence_sorted(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(sorted_by_side, io, err);
}

extern "C" int gf_lesson_divergence_loops(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(loops, io, err);
}

extern "C" int gf_lesson_divergence_sorted_loops(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(sorted_loops, io, err);
}

/* Compares the first and the last value of the axis. */
extern "C" int gf_lesson_divergence_tell(struct gf_lesson_io *io, struct gf_error *err)
{
    static const char *const names[] = { "if and else", "both sides, then choose", "choose numbers, not code",
                                         "sorted by side" };
    const struct gf_lesson_report *r = io->report;

    (void)err;
    for (int k = 0; k < 4 && r->sizes > 1; k++)
        gf_lesson_say(r, "'%s' takes %.2f times as long if all warps are divergent as if none is%s", names[k],
                      r->seconds(r->context, k, r->sizes - 1) / r->seconds(r->context, k, 0),
                      k == 0 ? "; textbooks: 2, because there are two sides of equal length" : "");
    return 0;
}
