/* Connected pieces on a GPU: every pixel points at one of its piece before it, and at last at the first one. */
#include "connect.h"
#include "views.cuh"

#define THREADS 256
#define NONE 0xFFFFFFFFu
#define GROUP_PIXELS (INT64_C(1) << 22)  /* of the bands that are looked at a time */

/* Some bands. Pixels are counted along the rows, from their first row on. */
struct bands {
    struct gf_view src, dst;
    int64_t width;
    int64_t first, end;                  /* units */
    struct gf_span out;                  /* units of the result */
    unsigned *label;                     /* a pixel of the same piece, no later; NONE: nothing is there */
    unsigned *place;                     /* of a piece's first pixel: the first of the seams' pixels that is of the piece */
    unsigned char *strong;               /* of a piece's first pixel */
    const unsigned *table;               /* of the first band */
    unsigned *records;
};

static __device__ __forceinline__ unsigned pixel_at(const struct bands &b, int64_t x, int64_t unit)
{
    return (unsigned)((unit - b.first) * b.width + x);
}

/* Others may join pieces meanwhile: what is read may be old, and leads to the first pixel all the same. */
static __device__ unsigned first_of(const unsigned *label, unsigned i)
{
    unsigned up = *(const volatile unsigned *)&label[i];

    while (up != i) {
        i = up;
        up = *(const volatile unsigned *)&label[i];
    }
    return i;
}

static __device__ void join(unsigned *label, unsigned a, unsigned b)
{
    for (;;) {
        a = first_of(label, a);
        b = first_of(label, b);
        if (a == b)
            return;
        const unsigned low = min(a, b), high = max(a, b), was = atomicMin(&label[high], low);

        if (was == high)
            return;
        a = was;                         /* somebody else was faster */
        b = low;
    }
}

#define EACH_PIXEL(b, x, unit) \
    const int64_t x = (int64_t)blockIdx.x * THREADS + threadIdx.x; \
    for (int64_t unit = (b).first + blockIdx.y; x < (b).width && unit < (b).end; unit += gridDim.y)

__global__ void __launch_bounds__(THREADS) begin(const __grid_constant__ struct bands b)
{
    EACH_PIXEL(b, x, unit) {
        const unsigned i = pixel_at(b, x, unit);

        b.label[i] = gf_get(b.src, gf_row(b.src, unit), gf_at(b.src, x, 0)) > 0.0f ? i : NONE;
        b.strong[i] = 0;
        if (b.place != NULL)
            b.place[i] = NONE;
    }
}

/* The pixel above touches those beside it, which so need no look. */
__global__ void __launch_bounds__(THREADS) join_pixels(const __grid_constant__ struct bands b)
{
    EACH_PIXEL(b, x, unit) {
        const unsigned i = pixel_at(b, x, unit), w = (unsigned)b.width;
        const bool above = unit % GF_CONNECT_ROWS > 0, left = x > 0;

        if (b.label[i] == NONE)
            continue;
        if (above && b.label[i - w] != NONE) {
            join(b.label, i, i - w);
            continue;
        }
        if (left && b.label[i - 1] != NONE)
            join(b.label, i, i - 1);
        else if (left && above && b.label[i - w - 1] != NONE)
            join(b.label, i, i - w - 1);
        if (above && x + 1 < b.width && b.label[i - w + 1] != NONE)
            join(b.label, i, i - w + 1);
    }
}

/* Every pixel points at the first one of its piece, and tells it when it is strong. */
__global__ void __launch_bounds__(THREADS) point_at_first(const __grid_constant__ struct bands b)
{
    EACH_PIXEL(b, x, unit) {
        const unsigned i = pixel_at(b, x, unit);

        if (b.label[i] == NONE)
            continue;
        const unsigned first = first_of(b.label, i);

        b.label[i] = first;
        if (gf_get(b.src, gf_row(b.src, unit), gf_at(b.src, x, 0)) >= 1.0f)
            b.strong[first] = 1;
    }
}

/* A pixel of a seam, by its place among those of its band. */
struct seam {
    int64_t band, place, x;
    unsigned label;
};

static __device__ __forceinline__ bool find_seam(const struct bands &b, struct seam &s)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;

    s.band = i / (2 * b.width);
    s.place = i % (2 * b.width);
    s.x = s.place % b.width;
    const int64_t top = b.first + s.band * GF_CONNECT_ROWS;

    if (top >= b.end)
        return false;
    s.label = b.label[pixel_at(b, s.x, s.place < b.width ? top : min(top + GF_CONNECT_ROWS, b.end) - 1)];
    return true;
}

__global__ void __launch_bounds__(THREADS) find_places(const __grid_constant__ struct bands b)
{
    struct seam s;

    if (find_seam(b, s) && s.label != NONE)
        atomicMin(&b.place[s.label], (unsigned)s.place);
}

__global__ void __launch_bounds__(THREADS) tell(const __grid_constant__ struct bands b)
{
    struct seam s;

    if (find_seam(b, s))
        b.records[s.band * 2 * b.width + s.place] = s.label == NONE ? 0 : 2 * (1 + b.place[s.label]) + b.strong[s.label];
}

/* Pieces that the table tells to be strong. */
__global__ void __launch_bounds__(THREADS) mark(const __grid_constant__ struct bands b)
{
    const int64_t words = gf_connect_words(b.width);
    struct seam s;

    if (find_seam(b, s) && s.label != NONE
        && (b.table[(2 * s.band + (s.place >= b.width)) * words + s.x / 32] >> s.x % 32 & 1u) != 0)
        b.strong[s.label] = 1;
}

__global__ void __launch_bounds__(THREADS) draw(const __grid_constant__ struct bands b)
{
    EACH_PIXEL(b, x, unit) {
        const unsigned first = b.label[pixel_at(b, x, unit)];

        if (unit >= b.out.start && unit < b.out.end)
            gf_put(b.dst, gf_row(b.dst, unit), gf_at(b.dst, x, 0), first != NONE && b.strong[first] != 0 ? 1.0f : 0.0f);
    }
}

/* ---- calls ---- */

/* Units of the bands that are looked at a time. */
static int64_t group_units(int64_t width)
{
    const int64_t bands = GROUP_PIXELS / (width * GF_CONNECT_ROWS);

    return (bands > 1 ? bands : 1) * GF_CONNECT_ROWS;
}

/* Labels, and behind them places where they are wanted, and marks. */
static int find_pieces(struct bands *b, bool places, cudaStream_t stream, struct gf_error *err)
{
    const dim3 grid((unsigned)gf_ceil_div(b->width, THREADS), gf_at_most(b->end - b->first, 65535));

    b->place = places ? b->label + (b->end - b->first) * b->width : NULL;
    b->strong = (unsigned char *)(b->label + (places ? 2 : 1) * (b->end - b->first) * b->width);
    begin<<<grid, THREADS, 0, stream>>>(*b);
    join_pixels<<<grid, THREADS, 0, stream>>>(*b);
    point_at_first<<<grid, THREADS, 0, stream>>>(*b);
    return gf_cuda_launched("connected pieces", err);
}

static int tell_seams(const struct bands *b, cudaStream_t stream, struct gf_error *err)
{
    const unsigned blocks = (unsigned)gf_ceil_div(gf_connect_bands(b->end - b->first) * 2 * b->width, THREADS);

    find_places<<<blocks, THREADS, 0, stream>>>(*b);
    tell<<<blocks, THREADS, 0, stream>>>(*b);
    return gf_cuda_launched("seams", err);
}

static int draw_pieces(const struct bands *b, cudaStream_t stream, struct gf_error *err)
{
    mark<<<(unsigned)gf_ceil_div(gf_connect_bands(b->end - b->first) * 2 * b->width, THREADS), THREADS, 0, stream>>>(*b);
    draw<<<dim3((unsigned)gf_ceil_div(b->width, THREADS), gf_at_most(b->end - b->first, 65535)), THREADS, 0, stream>>>(*b);
    return gf_cuda_launched("connected pieces", err);
}

/* Units [first, end), which begin with a band, group by group. `b` says the rest. */
static int each_group(struct bands b, int64_t first, int64_t end, bool seams, cudaStream_t stream, struct gf_error *err)
{
    const int64_t step = group_units(b.width), units = end - first < step ? end - first : step;
    const int64_t words = gf_connect_entries(b.width), record = 2 * b.width;
    int result = gf_cuda_check(cudaMallocAsync((void **)&b.label, (size_t)(units * b.width) * (seams ? 9 : 5), stream),
                               "memory for labels", err);

    if (result != 0)
        return -1;
    for (b.first = first; b.first < end && result == 0; b.first = b.end) {
        b.end = end - b.first < step ? end : b.first + step;
        result = find_pieces(&b, seams, stream, err) != 0
              || (seams ? tell_seams(&b, stream, err) : draw_pieces(&b, stream, err)) != 0 ? -1 : 0;
        b.records += seams ? step / GF_CONNECT_ROWS * record : 0;
        b.table += seams ? 0 : step / GF_CONNECT_ROWS * words;
    }
    return gf_cuda_check(cudaFreeAsync(b.label, stream), "memory for labels", err) != 0 ? -1 : result;
}

extern "C" int gf_seams_cuda(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    struct bands b = {};

    (void)params;
    if (io->src.width <= 0 || io->dst.span.start >= io->dst.span.end)
        return 0;
    if (!gf_point_is_identity(io->load) || io->src.channels != 1)
        return gf_fail(err, GF_FAILED, "seams are found in one channel, as it is");
    b.src = gf_view_of(&io->src);
    b.width = io->src.width;
    b.records = (unsigned *)io->dst.data;
    return each_group(b, io->dst.span.start, io->dst.span.end, true, (cudaStream_t)work->stream, err);
}

extern "C" int gf_connect_cuda(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_connect *c = (const struct gf_connect *)params;
    const int64_t first = io->dst.span.start / GF_CONNECT_ROWS, end = gf_connect_bands(io->dst.span.end) * GF_CONNECT_ROWS;
    struct bands b = {};
    struct gf_views v;
    int result;

    if (io->dst.width <= 0 || io->dst.span.start >= io->dst.span.end)
        return 0;
    if ((io->load ? io->load->out : io->src.channels) != 1)
        return gf_fail(err, GF_FAILED, "pieces of one channel are connected");
    result = gf_views_open(&v, work, io, io->src.span, err);
    if (result == 0) {
        b.src = gf_view_of(&v.src);
        b.dst = gf_view_of(&v.dst);
        b.width = io->src.width;
        b.out = io->dst.span;
        b.table = (const unsigned *)work->tables + c->table + first * gf_connect_entries(b.width);
        result = each_group(b, first * GF_CONNECT_ROWS, end < io->src_units ? end : io->src_units, false, (cudaStream_t)work->stream, err);
    }
    return gf_views_close(&v, work, io, result, err);
}
