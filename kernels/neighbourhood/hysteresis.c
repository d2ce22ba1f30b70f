/*
 * Connected components on a CPU: runs of pixels within a row, joined with the runs that they touch
 * in the row above.
 */
#include "kernels/neighbourhood/hysteresis.h"

#include "base/clones.h"
#include "kernels/base/gpu_scratch.h"
#include "kernels/base/planar.h"

#include <string.h>

/*
 * Pixels [start, end) of a row. Runs that touch have a common root, the first of them, which has
 * the facts about the component.
 */
struct pixel_run {
    int32_t start, end;
    int32_t parent;
    bool strong;
};

/* The runs of one band. */
struct band_runs {
    struct pixel_run *run;
    int32_t first[GF_HYSTERESIS_ROWS + 1]; /* first run of each row */
    int rows;
};

static int64_t most_runs(int64_t width)
{
    return (width + 1) / 2 * GF_HYSTERESIS_ROWS;
}

static int32_t root_of(struct pixel_run *run, int32_t i)
{
    while (run[i].parent != i) {
        run[i].parent = run[run[i].parent].parent;
        i = run[i].parent;
    }
    return i;
}

static void join(struct pixel_run *run, int32_t a, int32_t b)
{
    a = root_of(run, a);
    b = root_of(run, b);
    if (a == b)
        return;
    run[a < b ? b : a].parent = a < b ? a : b;
    run[a < b ? a : b].strong |= run[a < b ? b : a].strong;
}

/* ---- runs ---- */

#define WORD 64                          /* pixels whose bits are in a word */

/* A word has a bit for each pixel that is not empty, and for each that is strong. */
struct pixel_bits {
    uint64_t some, strong;
};

/* Joins eight bytes of 0 or 1 to bits: the product moves bit 8k to bit 56 + k. */
GF_INLINE uint64_t join_bits(const uint8_t *is)
{
    uint64_t bytes = 0;

    for (int k = 0; k < 8; k++)
        bytes |= (uint64_t)is[k] << 8 * k;
    return bytes * 0x0102040810204080u >> 56;
}

GF_CLONES
static struct pixel_bits find_bits(const float *row)
{
    uint8_t some[WORD], strong[WORD];
    struct pixel_bits bits = { 0 };
    int any = 0;

    for (int i = 0; i < WORD; i++)
        any |= row[i] > 0.0f;
    if (any == 0)                        /* most words of a photo */
        return bits;
    for (int i = 0; i < WORD; i++)
        some[i] = row[i] > 0.0f;
    for (int i = 0; i < WORD; i++)
        strong[i] = row[i] >= 1.0f;
    for (int i = 0; i < WORD; i += 8) {
        bits.some |= join_bits(some + i) << i;
        bits.strong |= join_bits(strong + i) << i;
    }
    return bits;
}

static struct pixel_bits find_last_bits(const float *row, int64_t n)
{
    float part[WORD] = { 0 };

    memcpy(part, row, (size_t)n * sizeof *part);
    return find_bits(part);
}

static int first_bit(uint64_t bits)
{
#ifdef __GNUC__
    return __builtin_ctzll(bits);
#else
    int at = 0;

    while ((bits >> at & 1) == 0)
        at++;
    return at;
#endif
}

/*
 * Appends the runs of a row to those from `at` on; returns their end. Bits that differ from the one before them are
 * the beginnings and the ends of runs in turn.
 */
static int32_t find_runs(const float *row, int64_t width, struct pixel_run *run, int32_t at)
{
    bool open = false;

    for (int64_t x = 0; x < width; x += WORD) {
        const struct pixel_bits bits = width - x < WORD ? find_last_bits(row + x, width - x) : find_bits(row + x);
        uint64_t turns = bits.some ^ (bits.some << 1 | open), strong = bits.strong;

        for (; turns != 0; turns &= turns - 1, open = !open) {
            const int bit = first_bit(turns);
            const uint64_t before = (UINT64_C(1) << bit) - 1;

            if (open) {
                run[at].strong |= (strong & before) != 0;
                run[at].end = (int32_t)(x + bit);
                at++;
            } else {
                run[at] = (struct pixel_run) { .start = (int32_t)(x + bit), .parent = at };
            }
            strong &= ~before;
        }
        if (open)
            run[at].strong |= strong != 0;
    }
    if (open)
        run[at++].end = (int32_t)width;
    return at;
}

/*
 * Joins the runs of row y with those above. Runs touch if each begins no later than right after the
 * end of the other.
 */
static void join_rows(struct band_runs *r, int y)
{
    int32_t a = r->first[y - 1], b = r->first[y];
    bool above_first;

    while (a < r->first[y] && b < r->first[y + 1]) {
        if (r->run[a].start <= r->run[b].end && r->run[b].start <= r->run[a].end)
            join(r->run, a, b);
        above_first = r->run[a].end < r->run[b].end;         /* random in noise, so not a branch */
        a += above_first;
        b += !above_first;
    }
}

static void find_band(const struct gf_block *src, int64_t unit, int rows, struct band_runs *r)
{
    r->rows = rows;
    r->first[0] = 0;
    for (int y = 0; y < rows; y++) {
        r->first[y + 1] = find_runs(gf_plane_at(src, 0, unit + y), src->width, r->run, r->first[y]);
        if (y > 0)
            join_rows(r, y);
    }
}

static int rows_of(int64_t unit, int64_t units)
{
    return (int)(units - unit < GF_HYSTERESIS_ROWS ? units - unit : GF_HYSTERESIS_ROWS);
}

/* ---- seams ---- */

/*
 * Writes the words of row y of a band, after `offset` others. `place` of each root, counted from 1,
 * is 0 until it is known.
 */
static void write_seam_row(const struct band_runs *r, int y, int64_t offset, uint32_t *place, uint32_t *to)
{
    for (int32_t i = r->first[y]; i < r->first[y + 1]; i++) {
        const int32_t root = root_of(r->run, i);

        if (place[root] == 0)
            place[root] = (uint32_t)(offset + r->run[i].start + 1);
        for (int32_t x = r->run[i].start; x < r->run[i].end; x++)
            to[x] = 2 * place[root] + r->run[root].strong;
    }
}

static size_t seams_scratch(const struct gf_io *io, const void *params)
{
    (void)params;
    return (size_t)most_runs(io->src.width) * (sizeof(struct pixel_run) + sizeof(uint32_t))
         + gf_planar_source_samples(io, gf_span_units(io->src.span)) * sizeof(float);
}

int gf_seams_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const int64_t width = io->src.width;
    struct band_runs r = { .run = work->scratch };
    uint32_t *place = (uint32_t *)(r.run + most_runs(width)), *to = io->dst.data;
    struct gf_block src;

    if (work->scratch_bytes < seams_scratch(io, params))
        return gf_fail(err, GF_FAILED, "internal error: hysteresis has too little scratch memory");
    src = gf_planar_source(work, io, io->dst.span, (float *)(place + most_runs(width)));
    for (int64_t u = io->dst.span.start; u < io->dst.span.end; u += GF_HYSTERESIS_ROWS, to += 2 * width) {
        find_band(&src, u, rows_of(u, io->dst.span.end), &r);
        memset(to, 0, (size_t)width * 2 * sizeof *to);
        memset(place, 0, (size_t)r.first[r.rows] * sizeof *place);
        write_seam_row(&r, 0, 0, place, to);
        write_seam_row(&r, r.rows - 1, width, place, to + width);
    }
    return 0;
}

/* ---- the table ---- */

/*
 * A word of a record has its parent among all words, counted from 1, and in its lowest bit if the
 * component is strong.
 */
static uint32_t top_of(uint32_t *word, uint32_t i)
{
    while (word[i] / 2 - 1 != i) {
        const uint32_t up = word[i] / 2 - 1;

        word[i] = (word[up] & ~1u) | (word[i] & 1u);
        i = up;
    }
    return i;
}

static void join_words(uint32_t *word, uint32_t a, uint32_t b)
{
    a = top_of(word, a);
    b = top_of(word, b);
    if (a == b)
        return;
    word[a < b ? a : b] |= (word[a] | word[b]) & 1u;
    word[a < b ? b : a] = 2 * ((a < b ? a : b) + 1);
}

/*
 * Joins the last row of the band above and the first row of the band below: each pixel touches
 * three of the other row.
 */
static void join_bands(uint32_t *word, int64_t above, int64_t below, int64_t width)
{
    for (int64_t x = 0; x < width; x++)
        for (int64_t k = x > 0 ? x - 1 : 0; word[below + x] != 0 && k < x + 2 && k < width; k++)
            if (word[above + k] != 0)
                join_words(word, (uint32_t)(above + k), (uint32_t)(below + x));
}

void gf_hysteresis_settle(uint32_t *records, int64_t bands, int64_t width, float *table)
{
    const int64_t words = gf_hysteresis_words(width);

    /* positions in a record become positions among all words */
    for (int64_t i = 0; i < bands * 2 * width; i++)
        if (records[i] != 0)
            records[i] += 2 * (uint32_t)(i / (2 * width) * (2 * width));
    for (int64_t b = 1; b < bands; b++)
        join_bands(records, (2 * b - 1) * width, 2 * b * width, width);
    memset(table, 0, (size_t)(bands * 2 * words) * sizeof *table);
    for (int64_t row = 0; row < 2 * bands; row++)
        for (int64_t x = 0; x < width; x++) {
            const int64_t i = row * width + x;
            uint32_t bits;

            if (records[i] == 0 || (records[top_of(records, (uint32_t)i)] & 1u) == 0)
                continue;
            memcpy(&bits, &table[row * words + x / 32], sizeof bits);
            bits |= UINT32_C(1) << x % 32;
            memcpy(&table[row * words + x / 32], &bits, sizeof bits);
        }
}

/* ---- what is connected ---- */

/* Marks components as strong by the table, from their pixels in row y. */
static void mark_row(struct band_runs *r, int y, const float *words)
{
    for (int32_t i = r->first[y]; i < r->first[y + 1]; i++)
        for (int32_t x = r->run[i].start; x < r->run[i].end; x++) {
            uint32_t bits;

            memcpy(&bits, &words[x / 32], sizeof bits);
            if (bits >> x % 32 & 1u)
                r->run[root_of(r->run, i)].strong = true;
        }
}

static void draw_row(const struct band_runs *r, int y, float *to, int64_t width)
{
    memset(to, 0, (size_t)width * sizeof *to);
    for (int32_t i = r->first[y]; i < r->first[y + 1]; i++)
        if (r->run[root_of(r->run, i)].strong)
            for (int32_t x = r->run[i].start; x < r->run[i].end; x++)
                to[x] = 1.0f;
}

static size_t hysteresis_scratch(const struct gf_io *io, const void *params)
{
    (void)params;
    return (size_t)most_runs(io->src.width) * sizeof(struct pixel_run)
         + (gf_planar_source_samples(io, gf_span_units(io->src.span)) + gf_planar_result_samples(io, 1))
             * sizeof(float);
}

int gf_hysteresis_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_hysteresis *c = params;
    const int64_t width = io->src.width, words = gf_hysteresis_words(width),
                          first = io->dst.span.start / GF_HYSTERESIS_ROWS * GF_HYSTERESIS_ROWS;
    struct band_runs r = { .run = work->scratch };
    float *source = (float *)(r.run + most_runs(width));
    struct gf_block src, dst;

    if (work->scratch_bytes < hysteresis_scratch(io, params))
        return gf_fail(err, GF_FAILED, "internal error: hysteresis has too little scratch memory");
    src = gf_planar_source(work, io, io->src.span, source);
    dst = gf_planar_result(io, 1, source + gf_planar_source_samples(io, gf_span_units(io->src.span)));
    if (src.channels != 1 || dst.channels != 1)
        return gf_fail(err, GF_FAILED, "internal error: hysteresis needs one channel");
    for (int64_t u = first; u < dst.span.end; u += GF_HYSTERESIS_ROWS) {
        const float *table = work->tables + c->table + u / GF_HYSTERESIS_ROWS * 2 * words;

        find_band(&src, u, rows_of(u, io->src_units), &r);
        mark_row(&r, 0, table);
        mark_row(&r, r.rows - 1, table + words);
        for (int y = 0; y < r.rows; y++)
            if (u + y >= dst.span.start && u + y < dst.span.end)
                draw_row(&r, y, gf_plane_at(&dst, 0, u + y), width);
    }
    gf_planar_finish(work, io, &dst);
    return 0;
}

static struct gf_records seams_records(const void *params)
{
    const struct gf_hysteresis *c = params;

    return (struct gf_records) { GF_HYSTERESIS_ROWS, 1, (size_t)c->width * 2 * sizeof(uint32_t), true, 0, 0, false };
}

/* Labels and marks of the bands processed at a time; for seams also positions. */
static int64_t labels(int64_t width, int64_t units, int64_t bytes)
{
    const int64_t most = gf_hysteresis_group_units(width);

    return (units < most ? units : most) * width * bytes + GF_GPU_SCRATCH_SMALL;
}

static size_t seams_gpu_scratch(const struct gf_io *io, const void *params)
{
    (void)params;
    return (size_t)labels(io->src.width, gf_span_units(io->src.span), 9);
}

const struct gf_operation gf_op_seams = {
    .word = "seams",
    .text = "Finds parts of edges in bands of rows, and where they touch the neighboring bands.",
    .params_bytes = sizeof(struct gf_hysteresis),
    .cpu = { .body = gf_seams_cpu, .scratch_bytes = seams_scratch, .light = 41 },
    .cuda = { .body = GF_CUDA_BODY(gf_seams_cuda), GF_OP_STORES, .scratch_bytes = seams_gpu_scratch, .light = 3 },
    .records = seams_records,
};

static size_t hysteresis_gpu_scratch(const struct gf_io *io, const void *params)
{
    return gf_gpu_scratch_programs(io, params) + (size_t)labels(io->src.width, gf_span_units(io->src.span), 5);
}

static int64_t tables_end(const void *params, const struct gf_format *out)
{
    const struct gf_hysteresis *c = params;

    return gf_op_rows_end(c->table, gf_ceil_div(out->units, GF_HYSTERESIS_ROWS), gf_hysteresis_entries(out->width));
}

const struct gf_operation gf_op_hysteresis = {
    .word = "connect", .text = "Keeps weak edges that are connected to strong ones.",
    .params_bytes = sizeof(struct gf_hysteresis),
    .cpu = { .body = gf_hysteresis_cpu, .scratch_bytes = hysteresis_scratch, .light = 50 },
    .cuda = { .body = GF_CUDA_BODY(gf_hysteresis_cuda), GF_OP_READS_AND_STORES,
              .scratch_bytes = hysteresis_gpu_scratch, .light = 3 },
    .tables_end = tables_end,
};
