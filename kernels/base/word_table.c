/* Tables of 65536 entries that replace programs on packed samples of 16 bits. */
#include "kernels/base/word_table.h"

#include "kernels/base/block.h"
#include "kernels/base/pack.h"
#include "kernels/base/program_steps.h"

#include <string.h>

#define LEVELS 65536
#define MOST_CHANNELS 4
#define LEVELS_AT_ONCE 1024
#define LEAST_LIGHT 1                    /* light operations of programs that take longer than a table */
#define LEAST_SAMPLES (16 * LEVELS)      /* of the signal for each table: a lane that computes one has a part of them */

struct word_tables {
    bool alike;                          /* the first table is that of all channels */
    uint16_t to[][LEVELS];
};

/* Returns true if programs change each channel alone, and take longer than a table. */
static bool are_worth_it(const struct gf_point *load, const struct gf_point *store, int channels)
{
    return channels <= MOST_CHANNELS && gf_point_is_separate(load) && gf_point_is_separate(store)
        && gf_point_light(load, 0) + gf_point_light(store, 0) >= LEAST_LIGHT;
}

size_t gf_word_table_bytes(const struct gf_io *io)
{
    const struct gf_block *src = &io->src, *dst = &io->dst;

    if (src->planar || src->type != GF_U16 || dst->planar || (dst->type != GF_U16 && dst->type != GF_U8)
        || src->channels != dst->channels || !are_worth_it(io->load, io->store, dst->channels))
        return 0;
    return sizeof(struct word_tables) + (size_t)dst->channels * LEVELS * sizeof(uint16_t);
}

double gf_word_table_light(const struct gf_point *load, const struct gf_point *store, enum gf_type to, int channels)
{
    if ((to == GF_U16 || to == GF_U8) && are_worth_it(load, store, channels))
        return 0;                                /* a table also unpacks and packs */
    return gf_point_light(load, 0) + gf_point_light(store, 0);
}

/* Computes some pixels, of which number i has the level first + i in all channels. */
static void make_part(const struct gf_work *work, const struct gf_io *io, struct word_tables *t, int first)
{
    const int channels = io->src.channels;
    _Alignas(64) float rows[MOST_CHANNELS][LEVELS_AT_ONCE];
    uint16_t level[LEVELS_AT_ONCE * MOST_CHANNELS];
    struct gf_block from = io->src, to = io->dst;
    float *row[MOST_CHANNELS];

    from.span = to.span = (struct gf_span) { 0, 1 };
    from.data = to.data = level;
    for (int i = 0; i < LEVELS_AT_ONCE * channels; i++)
        level[i] = (uint16_t)(first + i / channels);
    for (int c = 0; c < channels; c++)
        row[c] = rows[c];
    gf_load_pixels(&from, 0, 0, LEVELS_AT_ONCE, row);
    gf_point_run(io->load, work->tables, row, LEVELS_AT_ONCE);
    gf_point_run(io->store, work->tables, row, LEVELS_AT_ONCE);
    gf_store_pixels(&to, 0, 0, LEVELS_AT_ONCE, (const float *const *)row);
    for (int i = 0; i < LEVELS_AT_ONCE; i++)
        for (int c = 0; c < channels; c++)
            t->to[c][first + i] = to.type == GF_U8 ? ((const uint8_t *)level)[i * channels + c]
                                                   : level[i * channels + c];
}

static void make(const struct gf_work *work, const struct gf_io *io, struct word_tables *t)
{
    for (int first = 0; first < LEVELS; first += LEVELS_AT_ONCE)
        make_part(work, io, t, first);
    t->alike = true;
    for (int c = 1; c < io->src.channels; c++)
        t->alike &= memcmp(t->to[c], t->to[0], sizeof t->to[0]) == 0;
}

/* Constant numbers of channels let the compiler unroll the loop. */
#define LOOK_UP(ctype, channels)                                                        \
    for (int64_t i = 0; i < n; i++)                                                     \
        for (int c = 0; c < channels; c++)                                              \
            ((ctype *)to)[i * channels + c] = (ctype)table[c][from[i * channels + c]];  \
    break

/* Each channel has its table, or there is one channel. */
static void look_up(const uint16_t *restrict from, int64_t n, const uint16_t (*restrict table)[LEVELS], int channels,
                    bool bytes, void *restrict to)
{
    switch (channels + (bytes ? MOST_CHANNELS : 0)) {
    case 1: LOOK_UP(uint16_t, 1);
    case 2: LOOK_UP(uint16_t, 2);
    case 3: LOOK_UP(uint16_t, 3);
    case 4: LOOK_UP(uint16_t, 4);
    case MOST_CHANNELS + 1: LOOK_UP(uint8_t, 1);
    case MOST_CHANNELS + 2: LOOK_UP(uint8_t, 2);
    case MOST_CHANNELS + 3: LOOK_UP(uint8_t, 3);
    default: LOOK_UP(uint8_t, 4);
    }
}
#undef LOOK_UP

bool gf_word_table_apply(const struct gf_work *work, const struct gf_io *io)
{
    const struct gf_block src = gf_block_part(&io->src, io->dst.span), *dst = &io->dst;
    const int64_t units = gf_span_units(dst->span);
    const size_t bytes = gf_word_table_bytes(io);
    const bool run = gf_block_is_run(&src) && gf_block_is_run(dst);
    struct word_tables *t = work->scratch;
    int64_t n = run ? units * dst->width : dst->width;
    int channels = dst->channels;

    if (work->scratch_ready == NULL || bytes == 0 || bytes > work->scratch_bytes
        || io->src_units < LEAST_SAMPLES / dst->width)
        return false;
    if (!*work->scratch_ready)
        make(work, io, t);
    *work->scratch_ready = true;
    if (t->alike) {
        n *= channels;
        channels = 1;
    }
    for (int64_t u = 0; u < (run ? 1 : units); u++)
        look_up((const uint16_t *)src.data + u * src.pitch_samples, n, (const uint16_t (*)[LEVELS])t->to, channels,
                dst->type == GF_U8,
                (char *)dst->data + (size_t)(u * dst->pitch_samples) * gf_type_bytes(dst->type));
    return true;
}
