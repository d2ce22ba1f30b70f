/* Recursive filters on a GPU: a thread a chunk of frames, what chunks hand on in between. */
#include <cfloat>

#include "planes.cuh"
#include "point.cuh"
#include "recur.h"

#define CHUNKS 32                        /* of a block of threads, whose first warp goes through them */
#define THREADS 128                      /* that bring and take samples */
#define ROW (GF_RECUR_CHUNK + 1)         /* a chunk in shared memory, without conflicts of banks */
#define AHEAD 8                          /* chunks whose ends a thread reads before it goes through them */

static_assert(CHUNKS * ROW * sizeof(double) < 48 << 10, "the least shared memory there is");

/* One section, all channels; the first reads `src`, the last stores to `dst`, between them stand doubles. */
struct recur_task {
    struct gf_view src, dst;
    double *between;                     /* channel by channel, NULL where nothing is between */
    int64_t first, end;                  /* frames */
    int64_t chunk, chunks;               /* the first, and how many the frames touch */
    double b0, c1, c2, a1, a2;           /* as the header has them */
    double m[2][2];                      /* the state's way through a chunk of silence */
    double2 *ends;                       /* z, then the state that each chunk begins with; channel by channel */
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

/* The frames of CHUNKS chunks from chunk `from` on. */
static __device__ __forceinline__ void frames_of(const struct recur_task &t, int64_t from, int64_t &first, int64_t &end)
{
    first = max(t.first, from * GF_RECUR_CHUNK);
    end = min(t.end, (from + CHUNKS) * GF_RECUR_CHUNK);
}

/* Samples of one channel to shared memory, a chunk a row. */
static __device__ __forceinline__ void bring(const struct recur_task &t, int64_t from, int c, double (&v)[CHUNKS][ROW])
{
    int64_t first, end;

    frames_of(t, from, first, end);
#pragma unroll 8
    for (int64_t u = first + threadIdx.x; u < end; u += THREADS) {
        const int at = (int)(u - from * GF_RECUR_CHUNK);
        double x;

        if (t.reads) {
            const float f = gf_get(t.src, gf_row(t.src, u), gf_at(t.src, 0, c));

            x = fabsf(f) <= FLT_MAX ? (double)f : 0.0;
        } else {
            x = t.between[c * (t.end - t.first) + u - t.first];
        }
        v[at / GF_RECUR_CHUNK][at % GF_RECUR_CHUNK] = x;
    }
    __syncthreads();
}

static __device__ __forceinline__ void take(const struct recur_task &t, int64_t from, int c, const double (&v)[CHUNKS][ROW])
{
    int64_t first, end;

    __syncthreads();
    frames_of(t, from, first, end);
    for (int64_t u = first + threadIdx.x; u < end; u += THREADS) {
        const int at = (int)(u - from * GF_RECUR_CHUNK);
        const double y = v[at / GF_RECUR_CHUNK][at % GF_RECUR_CHUNK];

        if (t.stores)
            gf_put(t.dst, gf_row(t.dst, u), gf_at(t.dst, 0, c), (float)y);
        else
            t.between[c * (t.end - t.first) + u - t.first] = y;
    }
}

/* Where a chunk's frames stand in its row. */
static __device__ __forceinline__ void part_of(const struct recur_task &t, int64_t chunk, int &i, int &end)
{
    const int64_t at = chunk * GF_RECUR_CHUNK;

    i = (int)max(t.first - at, (int64_t)0);
    end = (int)min(t.end - at, (int64_t)GF_RECUR_CHUNK);
}

/* Each chunk from nothing. */
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

/* The state before each chunk, from chunk to chunk; a thread a channel. What a call breaks off goes on from where it was. */
__global__ void __launch_bounds__(32) begins(const __grid_constant__ struct recur_task t, int channels)
{
    const int c = (int)(blockIdx.x * 32 + threadIdx.x);
    double2 *ends = t.ends + c * t.chunks, z[AHEAD], s;
    double *state = t.state + c * GF_RECUR_STATE;

    if (c >= channels)
        return;
    s = make_double2(state[4], state[5]);
    for (int64_t j = 0; j < t.chunks; j += AHEAD) {
#pragma unroll
        for (int i = 0; i < AHEAD; i++)
            if (j + i < t.chunks)
                z[i] = ends[j + i];
#pragma unroll
        for (int i = 0; i < AHEAD; i++) {
            const bool broken = j + i == t.chunks - 1 && t.end % GF_RECUR_CHUNK != 0;

            if (j + i >= t.chunks)
                break;
            ends[j + i] = j + i == 0 && t.first % GF_RECUR_CHUNK != 0 ? make_double2(state[0], state[1]) : s;
            state[2] = broken ? z[i].x : 0;
            state[3] = broken ? z[i].y : 0;
            if (!broken)
                s = make_double2(__fma_rn(t.m[0][0], s.x, __fma_rn(t.m[0][1], s.y, z[i].x)),
                                 __fma_rn(t.m[1][0], s.x, __fma_rn(t.m[1][1], s.y, z[i].y)));
        }
    }
    state[4] = s.x;
    state[5] = s.y;
}

/* Each chunk from there. */
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

/* The state's way through a chunk: [-a1 1; -a2 0] to the power of its frames, by squaring. */
static void set_section(struct recur_task *t, const struct gf_recur_section *k)
{
    t->b0 = k->b0, t->c1 = k->b1 - k->a1 * k->b0, t->c2 = k->b2 - k->a2 * k->b0;
    t->a1 = k->a1, t->a2 = k->a2;
    t->m[0][0] = -k->a1, t->m[0][1] = 1;
    t->m[1][0] = -k->a2, t->m[1][1] = 0;
    for (int n = 1; n < GF_RECUR_CHUNK; n *= 2) {
        const double a = t->m[0][0], b = t->m[0][1], c = t->m[1][0], d = t->m[1][1];

        t->m[0][0] = a * a + b * c, t->m[0][1] = a * b + b * d;
        t->m[1][0] = c * a + d * c, t->m[1][1] = c * b + d * d;
    }
}

static int run_sections(struct recur_task t, const struct gf_recur *r, int channels, cudaStream_t stream, struct gf_error *err)
{
    const dim3 blocks((unsigned)gf_ceil_div(t.chunks, CHUNKS), (unsigned)channels);
    const size_t rooms = (size_t)(t.chunks * channels) * sizeof(double2), frames = (size_t)((t.end - t.first) * channels) * sizeof(double);
    char *memory;
    int result = 0;

    if (gf_cuda_check(cudaMallocAsync((void **)&memory, rooms + (r->sections > 1 ? frames : 0), stream), "memory for states", err) != 0)
        return -1;
    t.ends = (double2 *)memory;
    t.between = (double *)(memory + rooms);
    for (int k = 0; k < r->sections && result == 0; k++, t.state += (int64_t)channels * GF_RECUR_STATE) {
        t.reads = k == 0;
        t.stores = k == r->sections - 1;
        set_section(&t, &r->section[k]);
        ends<<<blocks, THREADS, 0, stream>>>(t);
        begins<<<(unsigned)gf_ceil_div(channels, 32), 32, 0, stream>>>(t, channels);
        through<<<blocks, THREADS, 0, stream>>>(t);
        result = gf_cuda_launched("recursive filter", err);
    }
    return gf_cuda_check(cudaFreeAsync(memory, stream), "memory for states", err) != 0 ? -1 : result;
}

extern "C" int gf_recur_cuda(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)work->stream;
    const bool load = !gf_point_is_identity(io->load), store = !gf_point_is_identity(io->store);
    const int channels = io->load ? io->load->out : io->src.channels;
    struct gf_io convert = *io;
    struct gf_block src = io->src, dst = io->dst;
    struct recur_task t;
    int result = -1;

    if (io->dst.span.start >= io->dst.span.end)
        return 0;
    src.data = load ? NULL : io->src.data;
    dst.data = store ? NULL : io->dst.data;
    if ((load && gf_borrow_planes(&src, &io->src, channels, io->dst.span, stream, err) != 0)
        || (store && gf_borrow_planes(&dst, &io->dst, channels, io->dst.span, stream, err) != 0))
        goto out;
    convert.src = load ? gf_block_part(&io->src, io->dst.span) : io->src;
    convert.dst = src;
    convert.store = NULL;
    if (load && gf_point_cuda(work, &convert, NULL, err) != 0)
        goto out;
    memset(&t, 0, sizeof t);
    t.src = gf_view_of(&src);
    t.dst = gf_view_of(&dst);
    t.first = io->dst.span.start;
    t.end = io->dst.span.end;
    t.chunk = t.first / GF_RECUR_CHUNK;
    t.chunks = gf_ceil_div(t.end, GF_RECUR_CHUNK) - t.chunk;
    t.state = (double *)work->carry;
    if (run_sections(t, (const struct gf_recur *)params, channels, stream, err) != 0)
        goto out;
    convert.src = dst;
    convert.dst = io->dst;
    convert.load = io->store;
    result = store ? gf_point_cuda(work, &convert, NULL, err) : 0;
out:
    gf_return_planes(load ? &src : NULL, stream);
    gf_return_planes(store ? &dst : NULL, stream);
    return result;
}
