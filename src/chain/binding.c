/*
 * Binds configured stages to one signal as a list of operations, which the stages request.
 */
#include "chain/binding.h"

#include "chain/build.h"
#include "chain/foreign.h"
#include "kernels/base/program_run.h"
#include "kernels/geometry/move.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory that stages allocate ---- */

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

int gf_build_keep_floats(struct gf_build *b, struct gf_error *err)
{
    const struct gf_point_step keep = { .kind = GF_POINT_AFFINE, .channels = b->format.channels, .a = 1 };
    struct gf_format out = b->format;

    if (gf_build_is_stored(b))
        return 0;
    if (gf_type_is_float(out.type))
        out.maxval = 1;
    out.type = GF_F32;
    out.bits = 32;
    return gf_build_point(b, &keep, &out, err);
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

static void remark(struct gf_binding *binding, bool note, const char *format, va_list args)
{
    if (binding->remark[0] != '\0')
        return;
    binding->remark_is_note = note;
    vsnprintf(binding->remark, sizeof binding->remark, format, args);
}

void gf_build_warn(struct gf_build *b, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    remark(b->binding, false, format, args);
    va_end(args);
}

void gf_build_note(struct gf_build *b, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    remark(b->binding, true, format, args);
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

void gf_build_set_tiling(struct gf_build *b, const struct gf_tiling *tiling)
{
    b->binding->tiling = *tiling;
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

struct gf_album *gf_build_album(const struct gf_build *b)
{
    struct gf_album *const album = b->word >= 0 ? b->binding->chain->word[b->word].album : NULL;

    return album != NULL && album->used ? album : NULL;
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

void gf_build_use_frames(struct gf_build *b)
{
    struct gf_link *link = &b->binding->link[b->binding->links - 1];

    link->windowed = gf_frames_used(&b->frames);
    link->frames = b->frames;
}

/* ---- binding ---- */

static const char *kind_name(enum gf_kind kind)
{
    return kind == GF_IMAGE ? "an image" : "audio";
}

static bool has_option(const struct gf_option *rows, const char *word, size_t length)
{
    while (rows != NULL && rows->name != NULL && (strncmp(rows->name, word, length) != 0 || rows->name[length] != '\0'))
        rows++;
    return rows != NULL && rows->name != NULL;
}

/* Adds the reason to an error about options: they are right for the other kind of input. */
static int explain_options(const struct gf_chain_word *word, const char *stage, enum gf_kind kind, const char *name,
                           struct gf_error *err)
{
    const enum gf_kind other = kind == GF_IMAGE ? GF_AUDIO : GF_IMAGE;
    const struct gf_option *here = gf_stage_find(stage, kind)->options, *there = gf_stage_find(stage, other)->options;
    const char *for_other = other == GF_IMAGE ? "images" : "audio", *at = strchr(word->text, ':');
    const size_t used = strlen(err->text);

    while (at != NULL) {
        const size_t length = strcspn(++at, "=,");

        if (length > 0 && has_option(there, at, length) && !has_option(here, at, length))
            return gf_fail(err, GF_MISUSED, "%s: %.*s is an option for %s, but %s is %s", stage, (int)length, at,
                           for_other, name, kind_name(kind));
        at = strchr(at, ',');
    }
    if (here != NULL && there != NULL && strcmp(here[0].name, there[0].name) == 0)
        return -1;                               /* the range of the same option differs, and the error says it */
    snprintf(err->text + used, sizeof err->text - used, "; %s is %s, and such values are for %s", name,
             kind_name(kind), for_other);
    return -1;
}

/* Finds again what is wrong with options that are right for the other kind only. The chain stays as it is. */
static int check_options(const struct gf_chain_word *word, const char *name, enum gf_kind kind, struct gf_error *err)
{
    const struct gf_stage *stage = gf_stage_find(name, kind);
    const char *colon = strchr(word->text, ':');
    void *config = calloc(1, stage->config_bytes + 1);
    int result = -1;

    if (config == NULL)
        return gf_fail_memory(err, NULL);
    if (gf_options_parse(stage->options, name, colon ? colon + 1 : NULL, false, config, err) == 0) {
        result = gf_options_load(stage->options, name, config, NULL, err);
        if (result == 0)
            gf_options_release(stage->options, config);
    }
    free(config);
    return result;
}

static int wrong_kind(const struct gf_chain_word *word, enum gf_kind kind, const char *name, struct gf_error *err)
{
    char stage[64];
    bool other = word->stage[kind == GF_IMAGE ? GF_AUDIO : GF_IMAGE] != NULL, clause;
    const char *twin;

    snprintf(stage, sizeof stage, "%.*s", (int)strcspn(word->text, ":"), word->text);
    if (word->config[kind] != NULL && check_options(word, stage, kind, err) != 0)
        return other ? explain_options(word, stage, kind, name, err) : -1;
    twin = gf_foreign_counterpart(word->text, kind);
    clause = twin != NULL && gf_foreign_is_clause(twin);
    return gf_fail(err, GF_MISUSED, "%s works on %s, but %s is %s%s%s%s", stage,
                   other && kind == GF_IMAGE ? "audio" : "images", name, kind_name(kind),
                   clause ? "; " : twin ? "; did you mean '" : "", twin ? twin : "", twin && !clause ? "'?" : "");
}

/* How an EXIF orientation turns an image: it is mirrored as stored, then rows and columns change places. */
struct turn {
    bool left, down, turned;
};

static struct turn turn_of(int lies)
{
    return (struct turn) { .left = lies == 2 || lies == 3 || lies == 7 || lies == 8,
                           .down = lies == 3 || lies == 4 || lies == 6 || lies == 7, .turned = lies >= 5 };
}

static void swap(int64_t *a, int64_t *b)
{
    const int64_t was = *a;

    *a = *b;
    *b = was;
}

static void swap_sides(struct gf_format *f)
{
    swap(&f->width, &f->units);
    swap(&f->original.width, &f->original.units);
    swap(&f->original.x, &f->original.y);
}

/* Mirrors the place of a part in its original. */
static void mirror(struct gf_format *f, struct turn t)
{
    struct gf_original *o = &f->original;

    if (t.left)
        o->x = o->width - o->x - f->width * o->shrunk;
    if (t.down)
        o->y = o->units - o->y - f->units * o->shrunk;
}

bool gf_chain_narrow(const struct gf_chain *chain, const struct gf_format *in, struct gf_format *part)
{
    const struct gf_stage *stage = chain->count > 0 ? chain->word[0].stage[in->kind] : NULL;
    const struct turn t = turn_of(in->orientation);

    *part = *in;
    if (in->kind != GF_IMAGE || in->original.width > 0 || stage == NULL || stage->narrow == NULL)
        return false;
    if (t.turned)
        swap_sides(part);
    if (!stage->narrow(chain->word[0].config[in->kind], part))
        return false;
    if (t.turned)
        swap_sides(part);
    if (part->original.shrunk == 1)
        mirror(part, t);
    return true;
}

struct gf_format gf_unpacked_format(const struct gf_format *f)
{
    struct gf_format out = *f;

    if (f->orientation >= 5)
        swap(&out.width, &out.units);
    out.orientation = 0;
    out.yuv = (struct gf_yuv) { .bits = f->yuv.used ? f->yuv.bits : 0 };     /* which tells that it was video */
    if (f->yuv.used) {
        out.type = GF_F32;
        out.bits = 32;
        out.maxval = 1;
    }
    return out;
}

/* Adds the exact move that turns an image upright, for an EXIF orientation from 2 to 8. */
static int set_upright(struct gf_build *b, struct gf_error *err)
{
    const struct turn t = turn_of(b->format.orientation);
    struct gf_format out = b->format;
    struct gf_move move = { .cx = t.left ? out.width - 1 : 0, .cy = t.down ? out.units - 1 : 0 };

    b->stage = "orientation";
    b->word = -1;
    out.orientation = b->format.orientation = 0;
    *(t.turned ? &move.xy : &move.xx) = t.left ? -1 : 1;
    *(t.turned ? &move.yx : &move.yy) = t.down ? -1 : 1;
    mirror(&out, t);
    if (t.turned)
        swap_sides(&out);
    return gf_build_op(b, &gf_op_move, &move, (struct gf_need) { .whole = t.turned || t.down }, &out, err);
}

/*
 * True if all values are levels of the input's depth: samples were only moved, picked or inverted,
 * or are black and white.
 */
static bool keeps_levels(const struct gf_binding *binding)
{
    for (int i = 0; i < binding->links; i++) {
        const struct gf_link *link = &binding->link[i];
        const struct gf_point_step *s = &link->point;

        if (link->kind == GF_LINK_POINT && s->kind != GF_POINT_PICK && s->kind != GF_POINT_THRESHOLD
            && !(s->kind == GF_POINT_AFFINE && s->a == -1 && s->b == 1))
            return false;
        if (link->kind == GF_LINK_OP && !link->op->keeps_layout)
            return false;
    }
    return true;
}

static enum gf_ends ends_of(const struct gf_binding *binding)
{
    return binding->tiling.width > 0 ? GF_ENDS_TILES
         : binding->drawing ? GF_ENDS_DRAWING : binding->table ? GF_ENDS_TABLE : GF_ENDS_SIGNAL;
}

/*
 * Returns how many sample frames a stage adds to the audio before it. `first` is its first link, for a
 * pipe of unknown length.
 */
static int64_t added_frames(const struct gf_build *b, const struct gf_format *before, int first)
{
    int64_t longer = 0;

    if (before->units >= 0 && b->format.units >= 0)
        return b->format.units - before->units;
    for (int i = first; i < b->binding->links; i++)
        if (b->binding->link[i].need.longer > longer)
            longer = b->binding->link[i].need.longer;
    return longer;
}

/* Refuses a result that is larger than --max-pixels, unless the input was as large. */
static int check_result(const struct gf_build *b, const struct gf_format *before, int first, struct gf_error *err)
{
    const struct gf_format *f = &b->format;
    const int64_t most = b->binding->options.max_pixels;
    int64_t pixels;

    if (most <= 0)
        return 0;
    if (f->kind == GF_AUDIO && added_frames(b, before, first) > most)
        return gf_fail(err, GF_FAILED, "%s: adds more than %lld sample frames;; raise --max-pixels to allow it",
                       b->stage, (long long)most);
    if (f->kind != GF_IMAGE || f->units < 0 || (f->width == before->width && f->units == before->units)
        || (!__builtin_mul_overflow(f->width, f->units, &pixels) && pixels <= most))
        return 0;
    return gf_fail(err, GF_FAILED,
                   "%s: its result of %lldx%lld has more than %lld pixels;; raise --max-pixels to allow it", b->stage,
                   (long long)f->width, (long long)f->units, (long long)most);
}

/* Binds one more word. */
static int bind_word(struct gf_build *b, int i, const char *name, struct gf_error *err)
{
    struct gf_binding *binding = b->binding;
    const struct gf_chain_word *word = &binding->chain->word[i];
    const enum gf_kind kind = binding->in.kind;
    const struct gf_stage *stage = word->stage[kind];
    const struct gf_format now = b->format;
    const int first = binding->links;

    binding->before[i] = now;
    if (stage == NULL)
        return wrong_kind(word, kind, name, err);
    if (binding->table)
        return gf_fail(err, GF_MISUSED, "%s: '%s' makes a table, so '%s' cannot follow it", name, b->stage, word->text);
    if (binding->tiling.width > 0)
        return gf_fail(err, GF_MISUSED, "'%s' writes files, so '%s' cannot follow it; make tile the last stage",
                       b->stage, word->text);
    b->stage = word->text;
    b->word = i;
    b->keeps_range = false;
    b->frames = gf_stage_frames(stage, word->config[kind]);
    if (stage->bind(word->config[kind], &now, b, err) != 0)
        return -1;
    if (ends_of(binding) != gf_stage_ends(stage, word->config[kind]))
        return gf_fail(err, GF_FAILED, "%s: internal error, the result is not what the descriptor says", word->text);
    b->ranged = b->ranged || (stage->range != GF_RANGE_KEPT && !b->keeps_range);
    b->revalued = b->revalued || !stage->keeps_values;
    return b->failed ? gf_fail_memory(err, word->text) : check_result(b, &now, first, err);
}

int gf_chain_list_sides(const struct gf_chain *chain, enum gf_kind kind, struct gf_side side[GF_CHAIN_SIDES],
                        int *sides, struct gf_error *err)
{
    *sides = 0;
    for (int i = 0; i < chain->count; i++) {
        const struct gf_chain_word *word = &chain->word[i];
        const struct gf_stage *const stage = word->stage[kind];
        /* what is inserted is part of the audio before stages see it */
        const struct gf_option *row = stage != NULL && stage->inserts == NULL ? stage->options : NULL;

        for (; row != NULL && row->name != NULL; row++) {
            const char *file = row->type == GF_OPTION_INPUT
                ? *(char *const *)((const char *)word->config[kind] + row->offset) : NULL;
            int k = 0;

            while (file != NULL && k < *sides && strcmp(side[k].file, file) != 0)
                k++;
            if (file == NULL || k < *sides)
                continue;
            if (file[0] == '\0' || strcmp(file, "-") == 0) {
                gf_fail(err, GF_MISUSED, "%s: missing the name of an %s file; only the input may be a pipe",
                        word->stage[kind]->name, kind == GF_AUDIO ? "audio" : "image");
                return gf_chain_fail_word(word, err);
            }
            if (k == GF_CHAIN_SIDES) {
                gf_fail(err, GF_MISUSED, "a chain can read at most %d files besides its input", GF_CHAIN_SIDES);
                return gf_chain_fail_word(word, err);
            }
            side[(*sides)++] = (struct gf_side) { .kind = kind, .file = file, .word = i };
        }
    }
    return 0;
}

/* Returns what stages see of floats that were made of integers: values between their levels, which are stored again. */
static struct gf_format as_made(const struct gf_format *in)
{
    struct gf_format f = *in;

    if (in->made_of_bits == 0)
        return f;
    f.type = in->kind == GF_AUDIO ? (in->made_of_bits <= 16 ? GF_S16 : GF_S32) : in->made_of_bits <= 8 ? GF_U8 : GF_U16;
    f.bits = in->made_of_bits < 8 ? 8 : in->made_of_bits;
    f.yuv.used = in->yuv.bits > 0;
    f.made_of_bits = 0;
    return f;
}

int gf_bind(struct gf_binding *binding, const struct gf_chain *chain, const struct gf_format *in,
            const struct gf_bind_options *options, const char *name, struct gf_error *err)
{
    struct gf_build build = { .binding = binding, .arena = &binding->arena, .format = *in };

    gf_binding_release(binding);
    binding->chain = chain;
    binding->options = *options;
    binding->words = chain == NULL ? 0 : options->words > 0 ? options->words : chain->count;
    binding->in = *in;
    binding->exits = 1;
    build.side = binding->options.side;
    build.sides = options->sides;
    build.format = as_made(in);
    if (in->orientation != 0 && set_upright(&build, err) != 0)
        return -1;
    for (int i = 0; i < binding->words; i++) {
        if (bind_word(&build, i, name, err) != 0)
            return gf_chain_fail_word(&chain->word[i], err);
        build.format.original = (struct gf_original) { 0 };
        memset(build.format.found, 0, sizeof build.format.found);
    }
    binding->out = build.format;
    if (binding->out.type == GF_U8 && binding->out.bits < 8 && !keeps_levels(binding))
        /* a format of packed bits would not have room for values between its levels */
        binding->out.bits = 8;
    for (int i = 0; i < options->sides; i++)
        binding->options.side[i].name = NULL;    /* another signal may have other files */
    binding->exit[0] = (struct gf_exit) { .links = binding->links, .words = binding->words, .format = binding->out,
                                          .ranged = build.ranged, .revalued = build.revalued };
    return 0;
}

int gf_binding_check_output(const struct gf_binding *binding, const struct gf_format *stored, struct gf_error *err)
{
    union gf_op_changed fitted;

    for (int i = 0; i < binding->links; i++) {
        const struct gf_link *link = &binding->link[i];

        if (link->fit != NULL && link->fit(link->params, &fitted, &binding->in, stored, err) != 0)
            return -1;
    }
    return 0;
}

struct gf_affine gf_binding_map(const struct gf_binding *binding, int links, bool upright)
{
    const int first = upright && binding->in.orientation != 0;
    const struct gf_original *o = first > 0 ? &binding->link[0].out.original : &binding->in.original;
    struct gf_affine map = gf_affine_identity();

    if (o->width > 0)
        map = (struct gf_affine) { .xx = o->shrunk, .yy = o->shrunk, .cx = (double)o->x, .cy = (double)o->y };
    for (int i = first; i < links; i++) {
        const struct gf_link *link = &binding->link[i];
        struct gf_affine step;

        if (link->kind != GF_LINK_OP || link->op->map == NULL)
            continue;
        link->op->map(link->params, &step);
        map = gf_affine_join(&step, &map);
    }
    return map;
}

bool gf_binding_only_moves(const struct gf_binding *binding, int links)
{
    for (int i = 0; i < links; i++) {
        const struct gf_link *link = &binding->link[i];

        if (link->kind == GF_LINK_POINT ? link->point.kind != GF_POINT_PICK : link->kind == GF_LINK_OP
            && !link->op->moves)
            return false;
    }
    return !binding->in.yuv.used && binding->in.made_of_bits == 0;
}

void gf_binding_release(struct gf_binding *binding)
{
    gf_arena_release(&binding->arena);
    free(binding->link);
    free(binding->masks.data);
    free(binding->tables.data);
    memset(binding, 0, sizeof *binding);
}
