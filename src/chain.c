/* From configured stages to a list of operations on one signal. */
#include "chain.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "move.h"

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
    a->next = b->chain->arena;
    b->chain->arena = a;
    return a->data;
}

#define POOL_SMALL 65536

static int64_t pool_take(struct gf_build *b, struct gf_pool *pool, int64_t count, float **at)
{
    int64_t start = pool->count;

    if (start + count > pool->room) {
        int64_t room = start + count + (count < POOL_SMALL ? start + count : 0);    /* large ones come one at a time */
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

int64_t gf_build_mask(struct gf_build *b, int64_t count, float **weights)
{
    return pool_take(b, &b->chain->masks, count, weights);
}

int64_t gf_build_table(struct gf_build *b, int64_t count, float **entries)
{
    return pool_take(b, &b->chain->tables, (count + 3) / 4 * 4, entries);     /* each starts where four are loaded at once */
}

/* ---- what stages ask for ---- */

const struct gf_format *gf_build_format(const struct gf_build *b)
{
    return &b->format;
}

bool gf_chain_only_moves(const struct gf_chain *chain, int links)
{
    for (int i = 0; i < links; i++) {
        const struct gf_link *link = &chain->link[i];

        if (link->kind == GF_LINK_POINT ? link->point.kind != GF_POINT_PICK : link->kind == GF_LINK_OP && !gf_op_facts(link->op)->moves)
            return false;
    }
    return !chain->in.yuv.used;
}

bool gf_build_is_stored(const struct gf_build *b)
{
    return gf_chain_only_moves(b->chain, b->chain->links);
}

int gf_build_latency(const struct gf_build *b)
{
    return b->chain->latency_ms;
}

int64_t gf_build_memory(const struct gf_build *b)
{
    const struct gf_chain *c = b->chain;
    const int64_t taken = c->list_bytes + (int64_t)sizeof(float) * (c->masks.count + c->tables.count);

    return c->memory_bytes == 0 ? 0 : c->memory_bytes > taken ? c->memory_bytes - taken : 1;
}

static struct gf_link *add_link(struct gf_build *b, const struct gf_format *out, struct gf_error *err)
{
    struct gf_chain *chain = b->chain;
    struct gf_link *link;

    if (chain->links == chain->room) {
        int room = chain->room ? chain->room * 2 : 32;
        struct gf_link *more = realloc(chain->link, (size_t)room * sizeof *more);

        if (more == NULL) {
            gf_fail(err, GF_FAILED, "not enough memory");
            return NULL;
        }
        chain->link = more;
        chain->room = room;
    }
    link = &chain->link[chain->links++];
    memset(link, 0, sizeof *link);
    link->stage = b->stage;
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
    link->op = GF_OP_POINT;
    link->point = *step;
    return 0;
}

bool gf_build_is_finite(const struct gf_build *b)
{
    return gf_build_is_stored(b) && !gf_type_is_float(b->format.type);
}

int gf_build_finite(struct gf_build *b, struct gf_error *err)
{
    const struct gf_point_step step = { .kind = GF_POINT_FINITE, .channels = b->format.channels };

    return gf_build_is_finite(b) ? 0 : gf_build_point(b, &step, NULL, err);
}

/* The operation's own copy of its parameters; NULL where memory ran out. */
static void *keep(struct gf_build *b, const void *params, size_t bytes, struct gf_error *err)
{
    void *copy = gf_build_alloc(b, bytes ? bytes : 1);

    if (copy == NULL) {
        gf_fail(err, GF_FAILED, "not enough memory");
        return NULL;
    }
    if (bytes > 0)
        memcpy(copy, params, bytes);
    return copy;
}

int gf_build_op(struct gf_build *b, enum gf_op op, const void *params, size_t params_bytes,
                struct gf_need need, const struct gf_format *out, struct gf_error *err)
{
    void *copy = keep(b, params, params_bytes, err);
    struct gf_link *link = copy ? add_link(b, out, err) : NULL;

    if (link == NULL)
        return -1;
    link->kind = GF_LINK_OP;
    link->op = op;
    link->params = copy;
    link->params_bytes = params_bytes;
    link->need = need;
    return 0;
}

void gf_build_fit(struct gf_build *b, int (*fit)(void *params, const struct gf_format *in, const struct gf_format *stored,
                                                 struct gf_error *err))
{
    b->chain->link[b->chain->links - 1].fit = fit;
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

int gf_build_linear(struct gf_build *b, enum gf_light light, struct gf_error *err)
{
    return light_step(b, GF_POINT_LINEAR, light, err);
}

int gf_build_encoded(struct gf_build *b, enum gf_light light, struct gf_error *err)
{
    return light_step(b, GF_POINT_SRGB, light, err);
}

int gf_build_measure(struct gf_build *b, enum gf_op op, const void *params, size_t params_bytes,
                     const struct gf_point *view,
                     int (*settle)(const void *config, const struct gf_measured *m, float *tables, struct gf_error *err),
                     int (*report)(const void *config, const struct gf_measured *m, struct gf_build *b,
                                   struct gf_table *table, struct gf_error *err),
                     const void *config, struct gf_error *err)
{
    void *copy = keep(b, params, params_bytes, err);
    struct gf_link *link = copy ? add_link(b, NULL, err) : NULL;

    if (link == NULL)
        return -1;
    link->kind = GF_LINK_MEASURE;
    link->op = op;
    link->params = copy;
    link->params_bytes = params_bytes;
    gf_point_init(&link->view, b->format.channels);
    if (view != NULL)
        link->view = *view;
    link->settle = settle;
    link->report = report;
    link->config = config;
    if (report != NULL)
        b->chain->table = true;
    return 0;
}

int gf_build_drawing(struct gf_build *b, enum gf_op op, const void *params, size_t params_bytes,
                     int (*report)(const void *config, const struct gf_measured *m, struct gf_build *b,
                                   struct gf_table *table, struct gf_error *err),
                     const void *config, struct gf_error *err)
{
    b->chain->drawing = true;
    return gf_build_measure(b, op, params, params_bytes, NULL, NULL, report, config, err);
}

void gf_build_remark(struct gf_build *b, const char *format, ...)
{
    va_list args;

    if (b->chain->remark[0] != '\0')
        return;
    va_start(args, format);
    vsnprintf(b->chain->remark, sizeof b->chain->remark, format, args);
    va_end(args);
}

int gf_build_tee(struct gf_build *b, const char *file, struct gf_error *err)
{
    struct gf_link *link;

    if (b->chain->tees == GF_CHAIN_TEES)
        return gf_fail(err, GF_MISUSED, "a chain can write to %d files on its way, no more", GF_CHAIN_TEES);
    link = add_link(b, NULL, err);
    if (link == NULL)
        return -1;
    link->kind = GF_LINK_TEE;
    link->file = file;
    b->chain->tees++;
    return 0;
}

int gf_build_side(struct gf_build *b, const char *file, const struct gf_format **format, struct gf_error *err)
{
    struct gf_chain *c = b->chain;
    int i = 0;

    while (i < c->sides && strcmp(c->side[i].file, file) != 0)
        i++;
    if (i < c->sides) {
        *format = &c->side[i].format;
        return i;
    }
    if (file[0] == '\0' || strcmp(file, "-") == 0)
        return gf_fail(err, GF_MISUSED, "%s needs the name of a picture's file; the input alone may be a pipe", b->stage);
    if (i == GF_CHAIN_SIDES)
        return gf_fail(err, GF_MISUSED, "a chain can have %d pictures beside its input, no more", GF_CHAIN_SIDES);
    c->side[i] = (struct gf_side) { .file = file, .stage = b->stage };
    if (c->find_side == NULL)
        return gf_fail(err, GF_FAILED, "%s: no picture can stand beside this input", b->stage);
    if (c->find_side(c->side_context, i, file, &c->side[i], err) != 0)
        return -1;
    *format = &c->side[i].format;
    return c->sides++;
}

const char *gf_build_side_name(const struct gf_build *b, int side)
{
    const struct gf_side *s = &b->chain->side[side];

    return s->name != NULL ? s->name : s->file;
}

void gf_build_beside(struct gf_build *b, int side, int64_t shift)
{
    struct gf_link *link = &b->chain->link[b->chain->links - 1];

    link->side = &b->chain->side[side];
    link->side_shift = shift;
}

/* ---- binding ---- */

void gf_chain_rewind(struct gf_chain *chain)
{
    while (chain->arena != chain->bound) {
        struct gf_arena *next = chain->arena->next;

        free(chain->arena);
        chain->arena = next;
    }
}

static void forget_binding(struct gf_chain *chain)
{
    chain->bound = NULL;
    gf_chain_rewind(chain);
    chain->links = 0;
    chain->masks.count = chain->tables.count = 0;
    chain->table = chain->drawing = false;
    chain->tees = chain->sides = 0;
    chain->remark[0] = '\0';
}

static int wrong_kind(const struct gf_word *word, enum gf_kind kind, const char *name, struct gf_error *err)
{
    char stage[64];
    bool other = word->stage[kind == GF_IMAGE ? GF_AUDIO : GF_IMAGE] != NULL;
    struct gf_error again = { 0 };

    snprintf(stage, sizeof stage, "%.*s", (int)strcspn(word->text, ":"), word->text);
    if (word->config[kind] != NULL) {            /* right for the other kind only: say what is wrong for this one */
        const struct gf_stage *s = gf_stage_find(stage, kind);
        const char *colon = strchr(word->text, ':');

        if (gf_options_parse(s->options, stage, colon ? colon + 1 : NULL, word->config[kind], &again) != 0) {
            *err = again;
            return -1;
        }
    }
    return gf_fail(err, GF_MISUSED, "%s works on %s, but %s is %s", stage,
                   other && kind == GF_IMAGE ? "recordings" : "pictures",
                   name, kind == GF_IMAGE ? "a picture" : "a recording");
}

/* The exact move that sets a picture upright which lies as EXIF says, 2 to 8. */
static int set_upright(struct gf_build *b, struct gf_error *err)
{
    const int lies = b->format.orientation;
    const bool turned = lies >= 5, left = lies == 2 || lies == 3 || lies == 7 || lies == 8;
    const bool down = lies == 3 || lies == 4 || lies == 6 || lies == 7;
    struct gf_format out = b->format;
    struct gf_move move = { .cx = left ? out.width - 1 : 0, .cy = down ? out.units - 1 : 0 };

    b->stage = "orientation";
    out.orientation = b->format.orientation = 0;
    *(turned ? &move.xy : &move.xx) = left ? -1 : 1;
    *(turned ? &move.yx : &move.yy) = down ? -1 : 1;
    if (turned) {
        out.width = b->format.units;
        out.units = b->format.width;
    }
    return gf_build_op(b, GF_OP_MOVE, &move, sizeof move, (struct gf_need) { .whole = turned || down }, &out, err);
}

int gf_chain_wants_length(const struct gf_chain *chain, enum gf_kind kind)
{
    for (int i = 0; i < chain->words; i++) {
        const struct gf_stage *stage = chain->word[i].stage[kind];

        if (stage != NULL && stage->wants_length && (stage->waits == NULL || stage->waits(chain->word[i].config[kind])))
            return i;
    }
    return -1;
}

/* Whether no value comes about that the input has no level for: moved, picked, inverted, black and white. */
static bool keeps_levels(const struct gf_chain *chain)
{
    for (int i = 0; i < chain->links; i++) {
        const struct gf_link *link = &chain->link[i];
        const struct gf_point_step *s = &link->point;

        if (link->kind == GF_LINK_POINT && s->kind != GF_POINT_PICK && s->kind != GF_POINT_THRESHOLD
            && !(s->kind == GF_POINT_AFFINE && s->a == -1 && s->b == 1))
            return false;
        if (link->kind == GF_LINK_OP && !gf_op_facts(link->op)->keeps_layout)
            return false;
    }
    return true;
}

static enum gf_ends what_is_left(const struct gf_chain *chain)
{
    return chain->drawing ? GF_ENDS_DRAWING : chain->table ? GF_ENDS_TABLE : GF_ENDS_SIGNAL;
}

/* One word after those that are bound already. */
static int bind_word(const struct gf_word *word, struct gf_build *build, const struct gf_format *in, const char *name, struct gf_error *err)
{
    const struct gf_format now = build->format;

    if (word->stage[in->kind] == NULL)
        return wrong_kind(word, in->kind, name, err);
    if (build->chain->table)
        return gf_fail(err, GF_MISUSED, "%s: '%s' ends the chain in a table; '%s' can't follow it", name,
                       build->stage, word->text);
    build->stage = word->text;
    if (word->stage[in->kind]->bind(word->config[in->kind], &now, build, err) != 0)
        return -1;
    if (what_is_left(build->chain) != word->stage[in->kind]->ends)
        return gf_fail(err, GF_FAILED, "%s: what it leaves is not what its descriptor says", word->text);
    return build->failed ? gf_fail(err, GF_FAILED, "%s: not enough memory", word->text) : 0;
}

enum gf_ends gf_chain_ends(const struct gf_chain *chain)
{
    const struct gf_word *last = chain->words > 0 ? &chain->word[chain->words - 1] : NULL;

    for (int kind = GF_IMAGE; last != NULL && kind <= GF_AUDIO; kind++)
        if (last->stage[kind] != NULL && last->stage[kind]->ends != GF_ENDS_SIGNAL)
            return last->stage[kind]->ends;
    return GF_ENDS_SIGNAL;
}

int gf_chain_bind(struct gf_chain *chain, const struct gf_format *in, const char *name, struct gf_error *err)
{
    struct gf_build build = { .chain = chain, .format = *in };

    forget_binding(chain);
    chain->in = *in;
    if (in->orientation != 0 && set_upright(&build, err) != 0)
        return -1;
    for (int i = 0; i < chain->words; i++) {
        const struct gf_word *word = &chain->word[i];

        if (bind_word(word, &build, in, name, err) != 0) {
            if (word->origin != NULL)
                gf_error_place(err, word->origin->place, word->origin->from);
            return -1;
        }
    }
    chain->out = build.format;
    if (chain->out.type == GF_U8 && chain->out.bits < 8 && !keeps_levels(chain))
        chain->out.bits = 8;                 /* formats that pack bits are to hold the shades between, too */
    chain->bound = chain->arena;
    return 0;
}

int gf_chain_fit(struct gf_chain *chain, const struct gf_format *stored, struct gf_error *err)
{
    for (int i = 0; i < chain->links; i++) {
        const struct gf_link *link = &chain->link[i];

        if (link->fit != NULL && link->fit(link->params, &chain->in, stored, err) != 0)
            return -1;
    }
    return 0;
}

void gf_chain_release(struct gf_chain *chain)
{
    forget_binding(chain);
    for (int i = 0; i < chain->words; i++) {
        struct gf_word *word = &chain->word[i];

        for (int kind = GF_IMAGE; kind <= GF_AUDIO; kind++) {
            if (word->stage[kind] != NULL)
                gf_options_release(word->stage[kind]->options, word->config[kind]);
            free(word->config[kind]);
        }
        free(word->text);
    }
    free(chain->link);
    free(chain->masks.data);
    free(chain->tables.data);
    memset(chain, 0, sizeof *chain);
}
