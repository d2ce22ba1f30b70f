/*
 * Recursive filters on a GPU: one thread for each chunk of frames, and passes that hand the state
 * from chunk to chunk.
 */
#include "kernels/sound/recur.h"

#include "kernels/base/program_buffers.cuh"

#include <cfloat>

#define CHUNKS 32                        /* chunks of a block of threads; its first warp computes them */
#define THREADS 128                      /* threads that load and store samples */
#define ROW (GF_RECUR_CHUNK + 1)         /* a chunk in shared memory, padded against bank conflicts */
/* states that a block of threads loads for the one thread that walks through them */
#define AT_ONCE 256

static_assert(CHUNKS * ROW * sizeof(double) < 48 << 10, "the least shared memory there is");

/*
 * One section, all channels. The first section reads `src`, the last one writes `dst`; doubles in
 * between.
 */
struct recur_task {
    struct gf_block_view src, dst;
    double *between;                     /* by channel; NULL if there is no other section */
    int64_t first, end;                  /* frames */
    int channel;                         /* the first one that is filtered */
    int64_t chunk, chunks;               /* the first chunk, and how many chunks the frames touch */
    double b0, c1, c2, a1, a2;           /* coefficients as in the header */
    struct gf_recur_way chunk_way, group_way;
    double2 *ends;                       /* z, then the state at the start of each chunk; by channel */
    double2 *groups;                     /* Z, then the state at the start of each group; by channel */
    int64_t group, group_count;          /* the first group, and how many groups the frames touch */
    double *state;
    bool reads, stores;
};

struct recur_state {
    double s1, s2;
};

static __device__ __forceinline__ double step(const struct recur_task &t, struct recur_state &s, double x)
{
    const double y = __fma_rn(t.b0, x, s.s1), from = __fma_rn(t.c1, x, s.s2);

    s.s2 = __fma_rn(-t.a2, s.s1, __dmul_rn(t.c2, x));
    s.s1 = __fma_rn(-t.a1, s.s1, from);
    return y;
}

/* Sets the frames [first, end) of CHUNKS chunks from chunk `from` on, within the call. */
static __device__ __forceinline__ void frames_of(const struct recur_task &t, int64_t from, int64_t &first, int64_t &end)
{
    first = max(t.first, from * GF_RECUR_CHUNK);
    end = min(t.end, (from + CHUNKS) * GF_RECUR_CHUNK);
}

/* Loads samples of one channel to shared memory, a row for each chunk. */
static __device__ __forceinline__ void bring(const struct recur_task &t, int64_t from, int c, double (&v)[CHUNKS][ROW])
{
    int64_t first, end;

    frames_of(t, from, first, end);
#pragma unroll 8
    for (int64_t u = first + threadIdx.x; u < end; u += THREADS) {
        const int at = (int)(u - from * GF_RECUR_CHUNK);
        double x;

        if (t.reads) {
            const float f = gf_sample_get(t.src, gf_block_view_row(t.src, u), gf_sample_index(t.src, 0, t.channel + c));

            x = fabsf(f) <= FLT_MAX ? (double)f : 0.0;
        } else {
            x = t.between[c * (t.end - t.first) + u - t.first];
        }
        v[at / GF_RECUR_CHUNK][at % GF_RECUR_CHUNK] = x;
    }
    __syncthreads();
}

static __device__ __forceinline__ void take(const struct recur_task &t, int64_t from, int c,
                                            const double (&v)[CHUNKS][ROW])
{
    int64_t first, end;

    __syncthreads();
    frames_of(t, from, first, end);
    for (int64_t u = first + threadIdx.x; u < end; u += THREADS) {
        const int at = (int)(u - from * GF_RECUR_CHUNK);
        const double y = v[at / GF_RECUR_CHUNK][at % GF_RECUR_CHUNK];

        if (t.stores)
            gf_frame_put(t.dst, u, t.channel + c, (float)y);
        else
            t.between[c * (t.end - t.first) + u - t.first] = y;
    }
}

/* Sets the columns [i, end) of a chunk's row that have frames of the call. */
static __device__ __forceinline__ void part_of(const struct recur_task &t, int64_t chunk, int &i, int &end)
{
    const int64_t at = chunk * GF_RECUR_CHUNK;

    i = (int)max(t.first - at, (int64_t)0);
    end = (int)min(t.end - at, (int64_t)GF_RECUR_CHUNK);
}

/* Runs each chunk from a zero state. */
__global__ void __launch_bounds__(THREADS) ends(const __grid_constant__ struct recur_task t)
{
    __shared__ double v[CHUNKS][ROW];
    const int64_t from = t.chunk + (int64_t)blockIdx.x * CHUNKS, chunk = from + threadIdx.x;
    const int c = blockIdx.y;
    int i, end;

    bring(t, from, c, v);
    if (threadIdx.x < CHUNKS && chunk < t.chunk + t.chunks) {
        struct recur_state s = { 0, 0 };

        part_of(t, chunk, i, end);
        if (i > 0)
            s = { t.state[c * GF_RECUR_STATE + 2], t.state[c * GF_RECUR_STATE + 3] };
        for (; i < end; i++)
            step(t, s, v[threadIdx.x][i]);
        t.ends[c * t.chunks + chunk - t.chunk] = make_double2(s.s1, s.s2);
    }
}

static __device__ __forceinline__ double2 onward(const struct gf_recur_way &w, double2 s, double2 z)
{
    const double2 next = make_double2(__fma_rn(w.m[0][0], s.x, __fma_rn(w.m[0][1], s.y, z.x)),
                                      __fma_rn(w.m[1][0], s.x, __fma_rn(w.m[1][1], s.y, z.y)));

    return fabs(next.x) < GF_RECUR_SILENCE && fabs(next.y) < GF_RECUR_SILENCE ? make_double2(0, 0) : next;
}

/*
 * Replaces `count` end states from s on by the states before them. Returns the state after the
 * first `whole` to the first thread.
 */
static __device__ double2 walk(const struct gf_recur_way &w, double2 *ends, int64_t count, int64_t whole, double2 s,
                               bool keep)
{
    __shared__ double2 v[AT_ONCE];

    for (int64_t at = 0; at < count; at += AT_ONCE) {
        const int n = (int)min((int64_t)AT_ONCE, count - at), good = (int)min((int64_t)n, whole - at);

        for (int i = (int)threadIdx.x; i < n; i += 32)
            v[i] = ends[at + i];
        __syncwarp();
        if (threadIdx.x == 0) {
#pragma unroll 8
            for (int i = 0; i < good; i++) {
                const double2 z = v[i];

                v[i] = s;
                s = onward(w, s, z);
            }
            if (good < n)
                v[good] = s;
        }
        __syncwarp();
        for (int i = (int)threadIdx.x; i < n && keep; i += 32)
            ends[at + i] = v[i];
        __syncwarp();
    }
    return s;
}

/* Sets the chunks [first, end) of group g among the current ones; those before `whole` are complete. */
static __device__ __forceinline__ void chunks_of(const struct recur_task &t, int64_t g, int64_t &first, int64_t &end,
                                                 int64_t &whole)
{
    first = max(t.chunk, (t.group + g) * GF_RECUR_GROUP) - t.chunk;
    end = min(t.chunk + t.chunks, (t.group + g + 1) * GF_RECUR_GROUP) - t.chunk;
    whole = min(end, t.end / GF_RECUR_CHUNK - t.chunk);
}

/* Runs each group from a zero state, or from where the previous call stopped. */
__global__ void __launch_bounds__(32) group_ends(const __grid_constant__ struct recur_task t)
{
    const int64_t g = blockIdx.x;
    const int c = blockIdx.y;
    const double *state = t.state + c * GF_RECUR_STATE;
    int64_t first, end, whole;
    double2 z;

    chunks_of(t, g, first, end, whole);
    z = walk(t.chunk_way, t.ends + c * t.chunks + first, whole - first, whole - first,
             g == 0 ? make_double2(state[6], state[7]) : make_double2(0, 0), false);
    if (threadIdx.x == 0)
        t.groups[c * t.group_count + g] = z;
}

/* Hands the state from group to group. A group that a call leaves incomplete continues in the next call. */
__global__ void __launch_bounds__(32) group_begins(const __grid_constant__ struct recur_task t)
{
    const int c = blockIdx.x;
    double2 *groups = t.groups + c * t.group_count, s;
    double *state = t.state + c * GF_RECUR_STATE;
    const bool broken = t.end % (GF_RECUR_CHUNK * GF_RECUR_GROUP) != 0,
                        goes_on = t.first % (GF_RECUR_CHUNK * GF_RECUR_GROUP) != 0;
    const double2 left = groups[t.group_count - 1];

    __syncwarp();
    s = walk(t.group_way, groups, t.group_count, t.group_count - broken, make_double2(state[8], state[9]), true);
    if (threadIdx.x > 0)
        return;
    if (goes_on)
        groups[0] = make_double2(state[4], state[5]);
    state[6] = broken ? left.x : 0;
    state[7] = broken ? left.y : 0;
    state[8] = s.x;
    state[9] = s.y;
}

/* Hands the state from chunk to chunk in each group. */
__global__ void __launch_bounds__(32) begins(const __grid_constant__ struct recur_task t)
{
    const int64_t g = blockIdx.x;
    const int c = blockIdx.y;
    double2 *ends = t.ends + c * t.chunks, left, s;
    double *state = t.state + c * GF_RECUR_STATE;
    int64_t first, end, whole;

    chunks_of(t, g, first, end, whole);
    left = ends[end - 1];
    __syncwarp();
    s = walk(t.chunk_way, ends + first, end - first, whole - first, t.groups[c * t.group_count + g], true);
    if (threadIdx.x > 0)
        return;
    if (g == 0 && t.first % GF_RECUR_CHUNK != 0)
        ends[0] = make_double2(state[0], state[1]);
    if (g == t.group_count - 1) {
        state[2] = whole < end ? left.x : 0;
        state[3] = whole < end ? left.y : 0;
        state[4] = s.x;
        state[5] = s.y;
    }
}

/* Runs each chunk again from its state. */
__global__ void __launch_bounds__(THREADS) through(const __grid_constant__ struct recur_task t)
{
    __shared__ double v[CHUNKS][ROW];
    const int64_t from = t.chunk + (int64_t)blockIdx.x * CHUNKS, chunk = from + threadIdx.x;
    const int c = blockIdx.y;
    int i, end;

    bring(t, from, c, v);
    if (threadIdx.x < CHUNKS && chunk < t.chunk + t.chunks) {
        const double2 begin = t.ends[c * t.chunks + chunk - t.chunk];
        struct recur_state s = { begin.x, begin.y };

        part_of(t, chunk, i, end);
        for (; i < end; i++)
            v[threadIdx.x][i] = step(t, s, v[threadIdx.x][i]);
        if (chunk == t.chunk + t.chunks - 1) {
            t.state[c * GF_RECUR_STATE] = s.s1;
            t.state[c * GF_RECUR_STATE + 1] = s.s2;
        }
    }
    take(t, from, c, v);
}

/* Copies the channels that are not filtered. */
__global__ void __launch_bounds__(THREADS) copy_first(const __grid_constant__ struct recur_task t)
{
    const int64_t u = t.first + (int64_t)blockIdx.x * THREADS + threadIdx.x;

    if (u < t.end)
        gf_frame_put(t.dst, u, (int)blockIdx.y, gf_frame_get(t.src, u, (int)blockIdx.y));
}

static void set_section(struct recur_task *t, const struct gf_recur_section *k)
{
    t->b0 = k->b0, t->c1 = k->b1 - k->a1 * k->b0, t->c2 = k->b2 - k->a2 * k->b0;
    t->a1 = k->a1, t->a2 = k->a2;
    t->chunk_way = gf_recur_way(k, GF_RECUR_CHUNK);
    t->group_way = gf_recur_way(k, GF_RECUR_CHUNK * GF_RECUR_GROUP);
}

static int run_section(const struct recur_task *t, int channels, cudaStream_t stream, struct gf_error *err)
{
    const dim3 blocks((unsigned)gf_ceil_div(t->chunks, CHUNKS), (unsigned)channels),
        groups((unsigned)t->group_count, (unsigned)channels);

    ends<<<blocks, THREADS, 0, stream>>>(*t);
    group_ends<<<groups, 32, 0, stream>>>(*t);
    group_begins<<<(unsigned)channels, 32, 0, stream>>>(*t);
    begins<<<groups, 32, 0, stream>>>(*t);
    through<<<blocks, THREADS, 0, stream>>>(*t);
    return gf_cuda_launched("recursive filter", err);
}

static int run_sections(struct recur_task t, const struct gf_recur *r, int channels, cudaStream_t stream,
                        struct gf_error *err)
{
    const size_t rooms = (size_t)(t.chunks * channels) * sizeof(double2),
                         tops = (size_t)(t.group_count * channels) * sizeof(double2);
    const size_t frames = r->sections > 1 ? (size_t)((t.end - t.first) * channels) * sizeof(double) : 0;
    char *memory;
    int result = 0;

    if (gf_cuda_check(gf_cuda_borrow((void **)&memory, rooms + tops + frames, stream), "memory for states", err) != 0)
        return -1;
    t.ends = (double2 *)memory;
    t.groups = (double2 *)(memory + rooms);
    t.between = (double *)(memory + rooms + tops);
    if (t.channel > 0)
        copy_first<<<dim3((unsigned)gf_ceil_div(t.end - t.first, THREADS), (unsigned)t.channel), THREADS, 0,
            stream>>>(t);
    for (int k = 0; k < r->sections && result == 0; k++, t.state += (int64_t)channels * GF_RECUR_STATE) {
        t.reads = k == 0;
        t.stores = k == r->sections - 1;
        set_section(&t, &r->section[k]);
        result = run_section(&t, channels, stream, err);
    }
    return gf_cuda_check(cudaFreeAsync(memory, stream), "memory for states", err) != 0 ? -1 : result;
}

extern "C" int gf_recur_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                             struct gf_error *err)
{
    if (io->dst.span.start >= io->dst.span.end)
        return 0;
    return gf_program_buffers_run(work, io, io->dst.span, err, [&](const struct gf_io &plain) {
        struct recur_task t = {};

        t.src = gf_block_view_of(&plain.src);
        t.dst = gf_block_view_of(&plain.dst);
        t.first = io->dst.span.start;
        t.end = io->dst.span.end;
        t.chunk = t.first / GF_RECUR_CHUNK;
        t.chunks = gf_ceil_div(t.end, GF_RECUR_CHUNK) - t.chunk;
        t.group = t.chunk / GF_RECUR_GROUP;
        t.group_count = gf_ceil_div(t.chunk + t.chunks, GF_RECUR_GROUP) - t.group;
        t.state = (double *)work->carry;
        t.channel = ((const struct gf_recur *)params)->first;
        return run_sections(t, (const struct gf_recur *)params, plain.src.channels - t.channel,
                            (cudaStream_t)work->stream, err);
    });
}
