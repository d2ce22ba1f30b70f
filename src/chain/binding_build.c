/* Requests of stages while they are bound: memory, operations, measures, second images. */
#include "chain/build.h"
#include "chain/binding.h"
#include "kernels/base/program_run.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory of a bound chain ---- */

struct gf_arena {
    struct gf_arena *next;
    max_align_t data[];
};

void *gf_build_alloc(struct gf_build *b, size_t bytes)
{
    struct gf_arena *a = calloc(1, sizeof *a + bytes);

    if (a == NULL) {
        b->failed = true;
        return NULL;
    }
    a->next = *b->arena;
    *b->arena = a;
    return a->data;
}

void gf_arena_release(struct gf_arena **arena)
{
    while (*arena != NULL) {
        struct gf_arena *next = (*arena)->next;

        free(*arena);
        *arena = next;
    }
}

#define POOL_SMALL 65536

static int64_t pool_take(struct gf_build *b, struct gf_binding_floats *pool, int64_t count, float **at)
{
    int64_t start = pool->count;

    if (start + count > pool->room) {
        /* a large allocation gets a block of its own */
        int64_t room = start + count + (count < POOL_SMALL ? start + count : 0);
        float *more = realloc(pool->data, (size_t)room * sizeof *more);

        if (more == NULL) {
            b->failed = true;
            *at = NULL;
            return 0;
        }
        pool->data = more;
        pool->room = room;
    }
    memset(pool->data + start, 0, (size_t)count * sizeof(float));
    pool->count += count;
    *at = pool->data + start;
    return start;
}

int64_t gf_build_alloc_mask(struct gf_build *b, int64_t count, float **weights)
{
    return pool_take(b, &b->binding->masks, count, weights);
}

int64_t gf_build_alloc_table(struct gf_build *b, int64_t count, float **entries)
{
    /* offsets are multiples of 4, because kernels load four floats at once */
    return pool_take(b, &b->binding->tables, (count + 3) / 4 * 4, entries);
}

/* ---- requests of stages ---- */

const struct gf_format *gf_build_format(const struct gf_build *b)
{
    return &b->format;
}

bool gf_build_is_stored(const struct gf_build *b)
{
    return gf_binding_only_moves(b->binding, b->binding->links);
}

int gf_build_latency(const struct gf_build *b)
{
    return b->binding->options.latency_ms;
}

int64_t gf_build_memory(const struct gf_build *b)
{
    const struct gf_binding *c = b->binding;
    const int64_t lists = c->chain != NULL ? c->chain->list_bytes : 0;
    const int64_t taken = lists + (int64_t)sizeof(float) * (c->masks.count + c->tables.count);

    return c->options.memory_bytes == 0 ? 0 : c->options.memory_bytes > taken ? c->options.memory_bytes - taken : 1;
}

static struct gf_link *add_link(struct gf_build *b, const struct gf_format *out, struct gf_error *err)
{
    struct gf_binding *binding = b->binding;
    struct gf_link *link;

    if (binding->links == binding->room) {
        int room = binding->room ? binding->room * 2 : 32;
        struct gf_link *more = realloc(binding->link, (size_t)room * sizeof *more);

        if (more == NULL) {
            gf_fail_memory(err, NULL);
            return NULL;
        }
        binding->link = more;
        binding->room = room;
    }
    link = &binding->link[binding->links++];
    memset(link, 0, sizeof *link);
    link->stage = b->stage;
    link->word = b->word;
    link->in = b->format;
    link->out = out ? *out : b->format;
    b->format = link->out;
    return link;
}

int gf_build_point(struct gf_build *b, const struct gf_point_step *step, const struct gf_format *out,
                   struct gf_error *err)
{
    struct gf_link *link = add_link(b, out, err);

    if (link == NULL)
        return -1;
    link->kind = GF_LINK_POINT;
    link->op = &gf_op_point;
    link->point = *step;
    return 0;
}

bool gf_build_is_finite(const struct gf_build *b)
{
    return gf_build_is_stored(b) && !gf_type_is_float(b->format.type);
}

int gf_build_make_finite(struct gf_build *b, struct gf_error *err)
{
    const struct gf_point_step step = { .kind = GF_POINT_FINITE, .channels = b->format.channels };

    return gf_build_is_finite(b) ? 0 : gf_build_point(b, &step, NULL, err);
}

/* Makes a link that calls an operation, with a copy of its parameters; NULL if memory runs out. */
static struct gf_link *add_call(struct gf_build *b, enum gf_link_kind kind, const struct gf_operation *op,
                                      const void *params, const struct gf_format *out, struct gf_error *err)
{
    void *copy = gf_build_alloc(b, op->params_bytes);
    struct gf_link *link;

    if (copy == NULL) {
        gf_fail_memory(err, NULL);
        return NULL;
    }
    link = add_link(b, out, err);
    if (link == NULL)
        return NULL;
    memcpy(copy, params, op->params_bytes);
    link->kind = kind;
    link->op = op;
    link->params = copy;
    return link;
}

int gf_build_op(struct gf_build *b, const struct gf_operation *op, const void *params,
                struct gf_need need, const struct gf_format *out, struct gf_error *err)
{
    struct gf_link *link = add_call(b, GF_LINK_OP, op, params, out, err);

    if (link == NULL)
        return -1;
    link->need = need;
    return 0;
}

void gf_build_set_fit(struct gf_build *b, gf_fit_format *fit)
{
    b->binding->link[b->binding->links - 1].fit = fit;
}

static int alpha_step(struct gf_build *b, enum gf_point_kind kind, struct gf_error *err)
{
    const struct gf_point_step step = { .kind = kind, .channels = gf_colours(&b->format) };

    return b->format.alpha ? gf_build_point(b, &step, NULL, err) : 0;
}

int gf_build_premultiply(struct gf_build *b, struct gf_error *err)
{
    return alpha_step(b, GF_POINT_PREMULTIPLY, err);
}

int gf_build_unpremultiply(struct gf_build *b, struct gf_error *err)
{
    return alpha_step(b, GF_POINT_UNPREMULTIPLY, err);
}

static int light_step(struct gf_build *b, enum gf_point_kind kind, enum gf_light light, struct gf_error *err)
{
    const struct gf_point_step step = { .kind = kind, .channels = gf_colours(&b->format) };

    return light == GF_LIGHT_LINEAR ? gf_build_point(b, &step, NULL, err) : 0;
}

int gf_build_to_linear(struct gf_build *b, enum gf_light light, struct gf_error *err)
{
    return light_step(b, GF_POINT_LINEAR, light, err);
}

int gf_build_from_linear(struct gf_build *b, enum gf_light light, struct gf_error *err)
{
    return light_step(b, GF_POINT_SRGB, light, err);
}

int gf_build_measure(struct gf_build *b, const struct gf_operation *op, const void *params,
                     const struct gf_point *view, gf_settle *settle, gf_make_report *report, const void *config,
                     struct gf_error *err)
{
    struct gf_link *link = add_call(b, GF_LINK_MEASURE, op, params, NULL, err);

    if (link == NULL)
        return -1;
    gf_point_init(&link->view, b->format.channels);
    if (view != NULL)
        link->view = *view;
    link->settle = settle;
    link->report = report;
    link->config = config;
    b->binding->table = report != NULL;
    b->binding->settles = b->binding->settles || settle != NULL;
    return 0;
}

int gf_build_drawing(struct gf_build *b, const struct gf_operation *op, const void *params, gf_make_report *report,
                     const void *config, struct gf_error *err)
{
    b->binding->drawing = true;
    return gf_build_measure(b, op, params, NULL, NULL, report, config, err);
}

void gf_build_remark(struct gf_build *b, const char *format, ...)
{
    va_list args;

    if (b->binding->remark[0] != '\0')
        return;
    va_start(args, format);
    vsnprintf(b->binding->remark, sizeof b->binding->remark, format, args);
    va_end(args);
}

void gf_build_mark_binned(struct gf_build *b)
{
    if (!b->ranged && b->binding->binned == NULL)
        b->binding->binned = b->stage;
}

void gf_build_mark_range_kept(struct gf_build *b)
{
    b->keeps_range = true;
}

void gf_build_mark_transparent(struct gf_build *b)
{
    if (b->binding->clears == NULL)
        b->binding->clears = b->stage;
}

void gf_build_mark_above_scale(struct gf_build *b, double decibels)
{
    if (decibels <= b->findings->above_db)
        return;
    b->findings->above = b->stage;
    b->findings->above_db = decibels;
}

int gf_build_tee(struct gf_build *b, const char *file, struct gf_error *err)
{
    struct gf_binding *binding = b->binding;
    struct gf_link *link;

    if (binding->exits == GF_CHAIN_EXITS)
        return gf_fail(err, GF_MISUSED, "a chain can have at most %d tee stages", GF_CHAIN_TEES);
    binding->exit[binding->exits] = (struct gf_exit) { .links = binding->links, .words = b->word, .format = b->format,
                                                       .file = file, .ranged = b->ranged, .revalued = b->revalued };
    link = add_link(b, NULL, err);
    if (link == NULL)
        return -1;
    link->kind = GF_LINK_TEE;
    link->exit = binding->exits++;
    return 0;
}

int gf_build_side(struct gf_build *b, const char *file, const struct gf_format **format, struct gf_error *err)
{
    for (int i = 0; i < b->sides; i++)
        if (strcmp(b->side[i].file, file) == 0) {
            *format = &b->side[i].format;
            return i;
        }
    return gf_fail(err, GF_FAILED, "%s: a second image cannot be read here", b->stage);
}

const char *gf_build_side_name(const struct gf_build *b, int side)
{
    return b->side[side].name != NULL ? b->side[side].name : b->side[side].file;
}

void gf_build_use_side(struct gf_build *b, int side, int64_t shift)
{
    struct gf_link *link = &b->binding->link[b->binding->links - 1];

    link->side = &b->side[side];
    link->side_shift = shift;
}
