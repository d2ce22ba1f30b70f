/* Makes calls of operations: blocks, pools, parameters, and the noise that they read. */
#include "bench/bench_call.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static float *grow_pool(float **pool, int64_t *used, int64_t count, struct gf_bench_call *m)
{
    float *all = realloc(*pool, (size_t)(*used + count) * sizeof *all);

    m->failed = m->failed || all == NULL;
    if (all == NULL)
        return NULL;
    *pool = all;
    memset(all + *used, 0, (size_t)count * sizeof *all);
    *used += count;
    return all + *used - count;
}

float *gf_bench_call_masks(struct gf_bench_call *m, int64_t count)
{
    return grow_pool(&m->masks, &m->mask_count, count, m);
}

float *gf_bench_call_tables(struct gf_bench_call *m, int64_t count)
{
    return grow_pool(&m->tables, &m->table_count, count, m);
}

size_t gf_bench_block_shape(struct gf_block *b, int64_t width, int64_t units)
{
    b->span = (struct gf_span) { 0, units };
    b->width = width;
    b->pitch_samples = b->planar ? width : width * b->channels;
    b->plane_samples = b->planar ? width * units : 0;
    return (size_t)(width * units * b->channels) * gf_type_bytes(b->type);
}

void gf_bench_block_type(struct gf_block *b, enum gf_type type, int channels, bool planar)
{
    b->channels = channels;
    b->planar = planar;
    b->type = planar ? GF_F32 : type;
    b->bits = 8 * (int)gf_type_bytes(b->type);
    b->maxval = b->type == GF_U8 ? 255 : b->type == GF_U16 ? 65535 : 1;
}

static bool measures(const struct gf_operation *op)
{
    return op->counts != NULL || op->records != NULL;
}

/*
 * Sets the types of both blocks: the form, or planes of floats if the body supports nothing else.
 */
static void set_types(struct gf_bench_call *m, const struct gf_form *form, const struct gf_op_device *can)
{
    const struct gf_operation *op = m->op;
    const bool takes = can == NULL || can->reads == GF_READS_PACKED || measures(op)
                     || (can->reads == GF_READS_INTEGERS && (form->type == GF_U8 || form->type == GF_U16));
    const bool packed = !form->planar && takes, same = op->moves || op->keeps_layout;

    gf_bench_block_type(&m->src, form->type, form->channels, !packed);
    gf_bench_block_type(&m->dst, form->type, form->channels,
                        form->planar || (same ? !packed : can != NULL && !can->stores_packed));
    if (packed) {
        m->src.bits = form->bits;
        m->src.maxval = form->maxval;
    }
    if (!m->dst.planar) {
        m->dst.bits = form->bits;
        m->dst.maxval = form->maxval;
    }
    m->fill = m->src.type == GF_F32 ? GF_BENCH_FLOATS : m->src.type == GF_F64 ? GF_BENCH_DOUBLES : GF_BENCH_BYTES;
}

struct gf_bench_pick gf_bench_pick_first(const struct gf_bench_group *group, const struct gf_bench_case *one)
{
    return (struct gf_bench_pick) { group, one, gf_bench_form_at(one->forms) };
}

int gf_bench_call_make(const struct gf_bench_pick *pick, int64_t width, int64_t rows, const struct gf_op_device *can,
                       struct gf_bench_call *m, struct gf_error *err)
{
    const bool sound = pick->group->sound;

    memset(m, 0, sizeof *m);
    m->op = pick->group->op;
    m->number = pick->one->number;
    m->records = measures(m->op);
    set_types(m, pick->form, can);
    m->src_bytes = gf_bench_block_shape(&m->src, sound ? 1 : width, sound ? width * rows : rows);
    m->dst_bytes = gf_bench_block_shape(&m->dst, sound ? 1 : width, sound ? width * rows : rows);
    m->src_units = m->src.span.end;
    m->params = calloc(1, m->op->params_bytes + 1);
    m->failed = m->params == NULL;
    if (!m->failed)
        pick->one->set(m);
    if (m->moved <= 0)
        m->moved = (double)m->src_bytes * (m->beside ? 2 : m->frames > 0 ? m->frames : 1)
            + (m->records ? 0 : (double)m->dst_bytes);
    if (!m->failed)
        return 0;
    gf_bench_call_release(m);
    return gf_fail_memory(err, NULL);
}

void gf_bench_call_gray(struct gf_bench_call *m)
{
    m->src.channels = m->dst.channels = 1;
    m->src_bytes = gf_bench_block_shape(&m->src, m->src.width, m->src_units);
    m->dst_bytes = gf_bench_block_shape(&m->dst, m->src.width, m->src_units);
}

void gf_bench_call_frames(struct gf_bench_call *m, int frames)
{
    m->frame = calloc(GF_MOST_FRAMES, sizeof *m->frame);
    m->failed = m->failed || m->frame == NULL;
    m->frames = m->frame != NULL ? frames : 0;
}

struct gf_io gf_bench_call_io(const struct gf_bench_call *m, void *src, void *dst)
{
    struct gf_io io = { .src = m->src, .dst = m->dst, .load = m->loads ? &m->load : NULL, .src_units = m->src_units };

    if (m->records)                                          /* records have no layout; only the units matter */
        io.dst = io.src;
    io.src.data = src;
    io.dst.data = dst;
    if (m->beside) {
        io.beside = io.src;                                  /* a second source is always packed */
        io.beside.planar = false;
        (void)gf_bench_block_shape(&io.beside, m->src.width, m->src_units);
        io.beside_units = m->src_units;
    }
    io.frame = m->frame;
    io.luma = m->luma;
    io.frames = m->luma != NULL ? 3 : m->frames;
    io.frame_now = io.frames / 2;
    for (int i = 0; i < m->frames; i++) {                    /* so are images of a window */
        m->frame[i] = io.src;
        m->frame[i].planar = false;
        (void)gf_bench_block_shape(&m->frame[i], m->src.width, m->src_units);
    }
    return io;
}

void gf_bench_call_release(struct gf_bench_call *m)
{
    free(m->params);
    free(m->frame);
    m->frame = NULL;
    free(m->masks);
    free(m->tables);
    m->params = NULL;
    m->masks = m->tables = NULL;
}

void gf_bench_fill_noise(enum gf_bench_fill fill, void *to, size_t bytes)
{
    const size_t unit = fill == GF_BENCH_BYTES || fill == GF_BENCH_FLAT ? 1 : fill == GF_BENCH_FLOATS ? sizeof(float)
        : sizeof(uint64_t);
    uint32_t h = 2463534242u;

    for (size_t i = 0; i < bytes / unit; i++) {
        h ^= h << 13, h ^= h >> 17, h ^= h << 5;             /* xorshift, Marsaglia 2003 */
        if (fill == GF_BENCH_BYTES)
            ((uint8_t *)to)[i] = (uint8_t)(h >> 24);
        else if (fill == GF_BENCH_FLOATS)
            ((float *)to)[i] = (float)(h >> 24) / 256;
        else if (fill == GF_BENCH_FLAT)
            ((uint8_t *)to)[i] = 62;
        else if (fill == GF_BENCH_DOUBLES)
            ((double *)to)[i] = (double)(h >> 24) / 256;
        else
            ((uint64_t *)to)[i] = h >> 16;
    }
}

void gf_bench_square(int64_t samples, int64_t *width, int64_t *rows)
{
    *width = llrint(sqrt((double)samples));
    *rows = samples / *width;
}
