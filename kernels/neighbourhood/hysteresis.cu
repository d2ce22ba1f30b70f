/*
 * Connected components on a GPU: every pixel points to an earlier one of its component, and in the
 * end to the first one.
 */
#include "kernels/neighbourhood/hysteresis.h"

#include "kernels/base/program_buffers.cuh"

#define THREADS 256
/* columns that a block of threads joins in shared memory; a tile is as high as a band */
#define TILE 64
#define NONE 0xFFFFFFFFu

/* Some bands. Pixels are counted along the rows, from their first row on. */
struct bands {
    struct gf_block_view src, dst;
    int64_t width;
    int64_t first, end;                  /* units */
    struct gf_span out;                  /* units of the result */
    /* an earlier pixel of the same component, or itself; NONE: the pixel is empty */
    unsigned *label;
    unsigned *place;                     /* for a component's first pixel: its first pixel on the seams */
    unsigned char *strong;               /* for a component's first pixel */
    const unsigned *table;               /* entries of the first band */
    unsigned *records;
};

static __device__ __forceinline__ unsigned pixel_at(const struct bands &b, int64_t x, int64_t unit)
{
    return (unsigned)((unit - b.first) * b.width + x);
}

/*
 * Finds the first pixel of a component, for labels in global or shared memory. Other threads may
 * join components meanwhile: a value that was read may be outdated, but still leads to the first
 * pixel. Paths are shortened on the way.
 */
static __device__ unsigned first_of(unsigned *label, unsigned i)
{
    unsigned up = *(volatile unsigned *)&label[i], next;

    while (up != (next = *(volatile unsigned *)&label[up])) {
        atomicMin(&label[i], next);
        i = up;
        up = next;
    }
    return up;
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
        a = was;                         /* another thread was faster */
        b = low;
    }
}

/* Several pixels of a row for each thread, a block of threads apart. */
#define EACH 4
#define EACH_PIXEL(b, x, unit) \
    for (int64_t unit = (b).first + blockIdx.y; unit < (b).end; unit += gridDim.y) \
        _Pragma("unroll") for (int64_t x = (int64_t)blockIdx.x * (EACH * THREADS) + threadIdx.x, \
                                       x##_end = x + EACH * THREADS; x < x##_end; x += THREADS)

/*
 * A tile of a band. A row is a word of bits in which each run is connected; only the first pixels
 * of runs are joined, by their positions in the tile.
 */
struct tile {
    unsigned long long there[GF_HYSTERESIS_ROWS], strong[GF_HYSTERESIS_ROWS];
    unsigned before[GF_HYSTERESIS_ROWS * TILE];      /* an earlier pixel of the same component, or itself */
    unsigned short first[GF_HYSTERESIS_ROWS * TILE]; /* first pixel of the component */
    unsigned marks[GF_HYSTERESIS_ROWS * TILE / 32];  /* components with a strong pixel, by their first pixel */
};

/* Returns the thread's part of a row. */
#define PARTS (THREADS / GF_HYSTERESIS_ROWS)
#define PART (TILE / PARTS)

static __device__ __forceinline__ unsigned long long own_part(unsigned long long word)
{
    return word & ((1ull << PART) - 1) << (threadIdx.x % PARTS * PART);
}

/* Returns the position of the first pixel of the run at `column`. */
static __device__ __forceinline__ unsigned run_at(const struct tile &t, int row, int column)
{
    const unsigned long long gaps = ~t.there[row] & ((1ull << column) - 1);

    return (unsigned)(row * TILE + (gaps != 0 ? 64 - __clzll((long long)gaps) : 0));
}

static __device__ __forceinline__ void load_tile(const struct bands &b, struct tile &t, int64_t left,
                                                 int64_t top, int rows)
{
    for (int i = (int)threadIdx.x; i < GF_HYSTERESIS_ROWS * TILE / 32; i += THREADS)
        t.marks[i] = 0;
    for (int i = (int)threadIdx.x; i < GF_HYSTERESIS_ROWS * TILE; i += THREADS)
        t.before[i] = (unsigned)i;
    for (int i = (int)threadIdx.x / 32; i < GF_HYSTERESIS_ROWS * 2; i += THREADS / 32) {    /* a warp for half a row */
        const int64_t x = left + i % 2 * 32 + (int)threadIdx.x % 32;
        const bool inside = i / 2 < rows && x < b.width;
        const float v = inside ? gf_sample_get(b.src, gf_block_view_row(b.src, top + i / 2),
                                               gf_sample_index(b.src, x, 0)) : 0.0f;
        const unsigned there = __ballot_sync(~0u, v > 0.0f), strong = __ballot_sync(~0u, v >= 1.0f);

        if (threadIdx.x % 32 == 0) {
            ((unsigned *)t.there)[i] = there;
            ((unsigned *)t.strong)[i] = strong;
        }
    }
}

/*
 * Joins runs with those of the row above that they touch, also at corners; skipped if the pixel to
 * the left does it.
 */
static __device__ __forceinline__ void join_rows(struct tile &t, int row)
{
    const unsigned long long own = t.there[row], above = t.there[row - 1], both = own & above;
    const unsigned long long up = both & ~(both << 1), alone = own & ~above;
    const unsigned long long left = alone & above << 1 & ~(own << 1), right = alone & above >> 1 & ~(own >> 1);

    for (unsigned long long left_over = own_part(up | left | right); left_over != 0; left_over &= left_over - 1) {
        const int column = __ffsll((long long)left_over) - 1;
        const unsigned here = run_at(t, row, column);

        if ((up >> column & 1) != 0)
            join(t.before, here, run_at(t, row - 1, column));
        if ((left >> column & 1) != 0)
            join(t.before, here, run_at(t, row - 1, column - 1));
        if ((right >> column & 1) != 0)
            join(t.before, here, run_at(t, row - 1, column + 1));
    }
}

/*
 * Finds the first pixel of the component in the tile for each run, and marks it if there is a
 * strong pixel.
 */
static __device__ __forceinline__ void settle_runs(struct tile &t, int row)
{
    const unsigned long long own = t.there[row];

    for (unsigned long long left_over = own_part(own & ~(own << 1)); left_over != 0; left_over &= left_over - 1) {
        const int column = __ffsll((long long)left_over) - 1;
        /* the carry of the sum clears the run; earlier runs keep their bits */
        const unsigned long long run = own & ~(own + (1ull << column));
        const unsigned first = first_of(t.before, (unsigned)(row * TILE + column));

        t.first[row * TILE + column] = (unsigned short)first;
        if ((t.strong[row] & run) != 0)
            atomicOr(&t.marks[first / 32], 1u << first % 32);
    }
}

__global__ void __launch_bounds__(THREADS) join_in_tiles(const __grid_constant__ struct bands b)
{
    __shared__ struct tile t;
    const int64_t left = (int64_t)blockIdx.x * TILE, top = b.first + (int64_t)blockIdx.y * GF_HYSTERESIS_ROWS;
    const int rows = (int)min((int64_t)GF_HYSTERESIS_ROWS, b.end - top);
    const int own_row = (int)threadIdx.x / PARTS, column = (int)threadIdx.x % TILE;
    unsigned i = pixel_at(b, left + column, top + (int)threadIdx.x / TILE);

    load_tile(b, t, left, top, rows);
    __syncthreads();
    if (own_row > 0)
        join_rows(t, own_row);
    __syncthreads();
    settle_runs(t, own_row);
    __syncthreads();
    if (left + column >= b.width)
        return;
    for (int row = (int)threadIdx.x / TILE; row < rows; row += THREADS / TILE,
         i += THREADS / TILE * (unsigned)b.width) {
        const unsigned here = (unsigned)(row * TILE + column);
        const bool there = (t.there[row] >> column & 1) != 0;
        const unsigned first = there ? t.first[run_at(t, row, column)] : here;

        b.label[i] = there ? pixel_at(b, left + first % TILE, top + first / TILE) : NONE;
        b.strong[i] = there && first == here && (t.marks[here / 32] >> here % 32 & 1u) != 0;
    }
}

/* Joins tiles: the first column of one with the last column of the previous one. */
__global__ void __launch_bounds__(THREADS) join_tiles(const __grid_constant__ struct bands b)
{
    const int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x, rows = b.end - b.first;
    const int64_t x = (at / rows + 1) * TILE, unit = b.first + at % rows;
    const unsigned i = pixel_at(b, x, unit), w = (unsigned)b.width;

    if (x >= b.width || b.label[i] == NONE)
        return;
    if (b.label[i - 1] != NONE) {
        join(b.label, i, i - 1);
        return;
    }
    if (unit % GF_HYSTERESIS_ROWS > 0 && b.label[i - w - 1] != NONE)
        join(b.label, i, i - w - 1);
    if (unit % GF_HYSTERESIS_ROWS < GF_HYSTERESIS_ROWS - 1 && unit + 1 < b.end && b.label[i + w - 1] != NONE)
        join(b.label, i, i + w - 1);
}

/*
 * Points every pixel to the first one of its component, and marks that if the first pixel of the
 * tile has a strong one.
 */
__global__ void __launch_bounds__(THREADS) point_at_first(const __grid_constant__ struct bands b)
{
    EACH_PIXEL(b, x, unit) {
        const unsigned i = pixel_at(b, x, unit), up = x < b.width ? b.label[i] : NONE;

        if (up == NONE)
            continue;
        const unsigned first = first_of(b.label, up);

        if (first != up)
            b.label[i] = first;
        if (first == i && b.place != NULL)
            b.place[i] = NONE;
        if (first != i && b.strong[i] != 0)
            b.strong[first] = 1;
    }
}

/* A pixel of a seam, by its position among those of its band. */
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
    const int64_t top = b.first + s.band * GF_HYSTERESIS_ROWS;

    if (top >= b.end)
        return false;
    s.label = b.label[pixel_at(b, s.x, s.place < b.width ? top : min(top + GF_HYSTERESIS_ROWS, b.end) - 1)];
    return true;
}

__global__ void __launch_bounds__(THREADS) find_places(const __grid_constant__ struct bands b)
{
    struct seam s;

    if (find_seam(b, s) && s.label != NONE)
        atomicMin(&b.place[s.label], (unsigned)s.place);
}

__global__ void __launch_bounds__(THREADS) write_places(const __grid_constant__ struct bands b)
{
    struct seam s;

    if (find_seam(b, s))
        b.records[s.band * 2 * b.width + s.place] = s.label == NONE ? 0 : 2 * (1 + b.place[s.label])
            + b.strong[s.label];
}

/* Marks components as strong by the table. */
__global__ void __launch_bounds__(THREADS) mark(const __grid_constant__ struct bands b)
{
    const int64_t words = gf_hysteresis_words(b.width);
    struct seam s;

    if (find_seam(b, s) && s.label != NONE
        && (b.table[(2 * s.band + (s.place >= b.width)) * words + s.x / 32] >> s.x % 32 & 1u) != 0)
        b.strong[s.label] = 1;
}

__global__ void __launch_bounds__(THREADS) draw(const __grid_constant__ struct bands b)
{
    EACH_PIXEL(b, x, unit) {
        const unsigned first = x < b.width ? b.label[pixel_at(b, x, unit)] : NONE;

        if (x < b.width && unit >= b.out.start && unit < b.out.end)
            gf_sample_put(b.dst, gf_block_view_row(b.dst, unit), gf_sample_index(b.dst, x, 0),
                          first != NONE && b.strong[first] != 0 ? 1.0f : 0.0f);
    }
}

/* ---- calls ---- */

/* Labels, then positions if they are needed, and marks. */
static int find_pieces(struct bands *b, bool places, cudaStream_t stream, struct gf_error *err)
{
    const int64_t rows = b->end - b->first, meetings = (b->width - 1) / TILE * rows;

    b->place = places ? b->label + rows * b->width : NULL;
    b->strong = (unsigned char *)(b->label + (places ? 2 : 1) * rows * b->width);
    join_in_tiles<<<dim3((unsigned)gf_ceil_div(b->width, TILE), (unsigned)gf_hysteresis_bands(rows)), THREADS, 0,
        stream>>>(*b);
    if (meetings > 0)
        join_tiles<<<(unsigned)gf_ceil_div(meetings, THREADS), THREADS, 0, stream>>>(*b);
    point_at_first<<<dim3((unsigned)gf_ceil_div(b->width, EACH * THREADS), gf_cuda_grid_rows(rows)), THREADS, 0,
        stream>>>(*b);
    return gf_cuda_launched("connected components", err);
}

static int write_seams(const struct bands *b, cudaStream_t stream, struct gf_error *err)
{
    const unsigned blocks = (unsigned)gf_ceil_div(gf_hysteresis_bands(b->end - b->first) * 2 * b->width, THREADS);

    find_places<<<blocks, THREADS, 0, stream>>>(*b);
    write_places<<<blocks, THREADS, 0, stream>>>(*b);
    return gf_cuda_launched("seams", err);
}

static int draw_pieces(const struct bands *b, cudaStream_t stream, struct gf_error *err)
{
    mark<<<(unsigned)gf_ceil_div(gf_hysteresis_bands(b->end - b->first) * 2 * b->width, THREADS), THREADS, 0,
        stream>>>(*b);
    draw<<<dim3((unsigned)gf_ceil_div(b->width, EACH * THREADS), gf_cuda_grid_rows(b->end - b->first)), THREADS, 0,
        stream>>>(*b);
    return gf_cuda_launched("connected components", err);
}

/* Processes units [first, end), which begin with a band, group by group; `b` has the other arguments. */
static int each_group(struct bands b, int64_t first, int64_t end, bool seams, cudaStream_t stream, struct gf_error *err)
{
    const int64_t step = gf_hysteresis_group_units(b.width), units = end - first < step ? end - first : step;
    const int64_t words = gf_hysteresis_entries(b.width), record = 2 * b.width;
    int result = gf_cuda_check(gf_cuda_borrow((void **)&b.label, (size_t)(units * b.width) * (seams ? 9 : 5), stream),
                               "memory for labels", err);

    if (result != 0)
        return -1;
    for (b.first = first; b.first < end && result == 0; b.first = b.end) {
        b.end = end - b.first < step ? end : b.first + step;
        result = find_pieces(&b, seams, stream, err) != 0
              || (seams ? write_seams(&b, stream, err) : draw_pieces(&b, stream, err)) != 0 ? -1 : 0;
        b.records += seams ? step / GF_HYSTERESIS_ROWS * record : 0;
        b.table += seams ? 0 : step / GF_HYSTERESIS_ROWS * words;
    }
    return gf_cuda_check(cudaFreeAsync(b.label, stream), "memory for labels", err) != 0 ? -1 : result;
}

extern "C" int gf_seams_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                             struct gf_error *err)
{
    struct bands b = {};

    (void)params;
    if (io->src.width <= 0 || io->dst.span.start >= io->dst.span.end)
        return 0;
    if (!gf_point_is_identity(io->load) || io->src.channels != 1)
        return gf_fail(err, GF_FAILED, "internal error: hysteresis needs one channel and no load program");
    b.src = gf_block_view_of(&io->src);
    b.width = io->src.width;
    b.records = (unsigned *)io->dst.data;
    return each_group(b, io->dst.span.start, io->dst.span.end, true, (cudaStream_t)work->stream, err);
}

extern "C" int gf_hysteresis_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                                  struct gf_error *err)
{
    const struct gf_hysteresis *c = (const struct gf_hysteresis *)params;
    const int64_t first = io->dst.span.start / GF_HYSTERESIS_ROWS,
                          end = gf_hysteresis_bands(io->dst.span.end) * GF_HYSTERESIS_ROWS;

    if (io->dst.width <= 0 || io->dst.span.start >= io->dst.span.end)
        return 0;
    if (gf_channels_at_work(io) != 1)
        return gf_fail(err, GF_FAILED, "internal error: hysteresis needs one channel");
    return gf_program_buffers_run(work, io, io->src.span, err, [&](const struct gf_io &plain) {
        struct bands b = {};

        b.src = gf_block_view_of(&plain.src);
        b.dst = gf_block_view_of(&plain.dst);
        b.width = io->src.width;
        b.out = io->dst.span;
        b.table = (const unsigned *)work->tables + c->table + first * gf_hysteresis_entries(b.width);
        return each_group(b, first * GF_HYSTERESIS_ROWS, end < io->src_units ? end : io->src_units, false,
                          (cudaStream_t)work->stream, err);
    });
}
