/* Tables of 256 entries that replace programs on packed bytes. */
#include "kernels/base/byte_table.h"

#include "base/clones.h"
#include "kernels/base/byte_vector.h"
#include "kernels/base/pack.h"
#include "kernels/base/program_steps.h"

#include <string.h>

#define LEVELS GF_BYTE_LEVELS
#define MOST_CHANNELS GF_BYTE_CHANNELS
#define LEAST_SAMPLES 2048               /* fewer samples cost less than a table */

/* The result for each level of each channel. */
struct byte_table {
    int channels;
    bool alike;                          /* the rows of all channels are equal */
    uint8_t to[MOST_CHANNELS][LEVELS];
};

static bool is_bytes(const struct gf_block *b)
{
    return !b->planar && b->type == GF_U8 && b->channels <= MOST_CHANNELS;
}

/* Loads pixels, of which number v has the level v in all channels. */
static void load_levels(const struct gf_block *src, float (*rows)[LEVELS], float **row)
{
    uint8_t level[LEVELS * MOST_CHANNELS];
    struct gf_block from = *src;

    from.span = (struct gf_span) { 0, 1 };
    from.data = level;
    for (int i = 0; i < LEVELS * src->channels; i++)
        level[i] = (uint8_t)(i / src->channels);
    for (int c = 0; c < MOST_CHANNELS; c++)
        row[c] = rows[c];
    gf_load_pixels(&from, 0, 0, LEVELS, row);
}

/* Runs both programs on all levels. */
static void make(const struct gf_work *work, const struct gf_io *io, struct byte_table *table)
{
    const int channels = io->src.channels;
    _Alignas(64) float rows[MOST_CHANNELS][LEVELS];
    uint8_t level[LEVELS * MOST_CHANNELS];
    float *row[MOST_CHANNELS];
    struct gf_block to = io->dst;

    to.span = (struct gf_span) { 0, 1 };
    to.data = level;
    load_levels(&io->src, rows, row);
    gf_point_run(io->load, work->tables, row, LEVELS);
    gf_point_run(io->store, work->tables, row, LEVELS);
    gf_store_pixels(&to, 0, 0, LEVELS, (const float *const *)row);
    table->channels = channels;
    table->alike = true;
    for (int c = 0; c < channels; c++) {
        for (int v = 0; v < LEVELS; v++)
            table->to[c][v] = level[v * channels + c];
        table->alike &= memcmp(table->to[c], table->to[0], LEVELS) == 0;
    }
}

#ifdef GF_HAS_BYTE_VECTORS
GF_BYTE_VECTORS
static int64_t look_up_wide(const uint8_t *from, int64_t n, const uint8_t *table, uint8_t *to)
{
    int64_t i = 0;
    gf_byte_vector t[4];

    memcpy(t, table, sizeof t);
    for (; i + (int64_t)sizeof(gf_byte_vector) <= n; i += (int64_t)sizeof(gf_byte_vector)) {
        gf_byte_vector v, low, high, is_high;

        memcpy(&v, from + i, sizeof v);
        low = __builtin_shuffle(t[0], t[1], v);
        high = __builtin_shuffle(t[2], t[3], v);
        is_high = (gf_byte_vector)(v > 127);
        v = (high & is_high) | (low & ~is_high);
        memcpy(to + i, &v, sizeof v);
    }
    return i;
}
#endif

void gf_byte_look_up(const uint8_t *from, int64_t n, const uint8_t *table, uint8_t *to)
{
    int64_t i = 0;

#ifdef GF_HAS_BYTE_VECTORS
    if (gf_runs_byte_vectors())
        i = look_up_wide(from, n, table, to);
#endif
    for (; i + 8 <= n; i += 8) {             /* fewer loads and stores than one by one */
        uint64_t v, entries = 0;

        memcpy(&v, from + i, sizeof v);
        for (int k = 0; k < 64; k += 8)
            entries |= (uint64_t)table[v >> k & 255] << k;
        memcpy(to + i, &entries, sizeof entries);
    }
    for (; i < n; i++)
        to[i] = table[from[i]];
}

/* Each channel has its table. A constant number of channels lets the compiler unroll the loop. */
GF_INLINE void look_up_channels(const uint8_t *from, int64_t n, const struct byte_table *table, uint8_t *to,
                                int channels)
{
    for (int64_t i = 0; i < n; i++)
        for (int c = 0; c < channels; c++)
            to[i * channels + c] = table->to[c][from[i * channels + c]];
}

static void apply_row(const struct byte_table *table, const uint8_t *from, int64_t pixels, uint8_t *to)
{
    if (table->alike)
        gf_byte_look_up(from, pixels * table->channels, table->to[0], to);
    else if (table->channels == 2)
        look_up_channels(from, pixels, table, to, 2);
    else if (table->channels == 3)
        look_up_channels(from, pixels, table, to, 3);
    else
        look_up_channels(from, pixels, table, to, 4);
}

bool gf_byte_table_apply(const struct gf_work *work, const struct gf_io *io)
{
    const int64_t units = gf_span_units(io->dst.span), width = io->dst.width;
    const uint8_t *from = io->src.data;
    struct byte_table table;
    uint8_t *to = io->dst.data;

    if (!is_bytes(&io->src) || !is_bytes(&io->dst) || io->src.channels != io->dst.channels
        || units * width * io->dst.channels < LEAST_SAMPLES || !gf_point_is_separate(io->load)
        || !gf_point_is_separate(io->store))
        return false;
    make(work, io, &table);
    from += (io->dst.span.start - io->src.span.start) * io->src.pitch_samples;
    if (gf_block_is_run(&io->src) && gf_block_is_run(&io->dst))
        apply_row(&table, from, units * width, to);
    else
        for (int64_t u = 0; u < units; u++)
            apply_row(&table, from + u * io->src.pitch_samples, width, to + u * io->dst.pitch_samples);
    return true;
}

static bool is_slow(const struct gf_point *p, int steps)
{
    for (int i = 0; i < steps; i++)
        switch (p->step[i].kind) {
        case GF_POINT_POWER:
        case GF_POINT_LINEAR:
        case GF_POINT_SRGB:
        case GF_POINT_LAB:
        case GF_POINT_ROOT:
        case GF_POINT_CURVE:
            return true;
        default:
            break;
        }
    return false;
}

double gf_byte_table_light(const struct gf_point *load, const struct gf_point *store, bool to_bytes)
{
    const int steps = gf_point_count_separate(load);

    if (to_bytes && gf_point_is_separate(load) && gf_point_is_separate(store))
        return 0;
    return gf_point_light(load, is_slow(load, steps) ? steps : 0) + gf_point_light(store, 0);
}

bool gf_byte_floats_make(const struct gf_work *work, const struct gf_io *io, struct gf_byte_floats *f)
{
    const int steps = gf_point_count_separate(io->load);
    struct gf_point first;
    float *row[MOST_CHANNELS];

    if (!is_bytes(&io->src) || !is_slow(io->load, steps)
        || gf_span_units(io->dst.span) * io->src.width * io->src.channels < LEAST_SAMPLES)
        return false;
    first = f->rest = *io->load;
    first.count = steps;
    first.out = io->load->in;
    f->rest.count -= steps;
    memmove(f->rest.step, f->rest.step + steps, (size_t)f->rest.count * sizeof *f->rest.step);
    load_levels(&io->src, f->of, row);
    gf_point_run(&first, work->tables, row, LEVELS);
    return true;
}

void gf_byte_floats_load(const struct gf_byte_floats *f, const struct gf_block *b, int64_t unit, int64_t x, int64_t n,
                         float *const *row)
{
    const uint8_t *from = (const uint8_t *)b->data + (unit - b->span.start) * b->pitch_samples + x * b->channels;

    for (int c = 0; c < b->channels; c++)
        for (int64_t i = 0; i < n; i++)
            row[c][i] = f->of[c][from[i * b->channels + c]];
}
