/*
 * Binds configured stages to one signal as a list of operations; build.c adds what each stage
 * requests.
 */
#include "chain/binding_planes.h"
#include "chain/foreign.h"

#include "kernels/geometry/move.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void forget_binding(struct gf_binding *binding)
{
    gf_binding_drop_planes(binding);
    binding->bound = NULL;
    gf_build_rewind(binding);
    binding->links = 0;
    binding->masks.count = binding->tables.count = 0;
    binding->table = binding->drawing = false;
    binding->tees = binding->sides = 0;
    binding->remark[0] = '\0';
    binding->ranged = binding->revalued = false;
    binding->binned = binding->clears = NULL;
    binding->above = NULL;
    binding->above_db = 0;
}

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

static int wrong_kind(const struct gf_chain_word *word, enum gf_kind kind, const char *name, struct gf_error *err)
{
    char stage[64];
    bool other = word->stage[kind == GF_IMAGE ? GF_AUDIO : GF_IMAGE] != NULL, clause;
    struct gf_error again = { 0 };
    const char *twin;

    snprintf(stage, sizeof stage, "%.*s", (int)strcspn(word->text, ":"), word->text);
    /* the options are right for the other kind only, so report what is wrong for this one */
    if (word->config[kind] != NULL) {
        const struct gf_stage *s = gf_stage_find(stage, kind);
        const char *colon = strchr(word->text, ':');

        if (gf_options_parse(s->options, stage, colon ? colon + 1 : NULL, word->config[kind], &again) != 0
            || gf_options_load(s->options, stage, word->config[kind], &again) != 0) {
            *err = again;
            return other ? explain_options(word, stage, kind, name, err) : -1;
        }
    }
    twin = gf_foreign_counterpart(stage, kind);
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

/* Adds the exact move that turns an image upright, for an EXIF orientation from 2 to 8. */
static int set_upright(struct gf_build *b, struct gf_error *err)
{
    const struct turn t = turn_of(b->format.orientation);
    struct gf_format out = b->format;
    struct gf_move move = { .cx = t.left ? out.width - 1 : 0, .cy = t.down ? out.units - 1 : 0 };

    b->stage = "orientation";
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
    return binding->drawing ? GF_ENDS_DRAWING : binding->table ? GF_ENDS_TABLE : GF_ENDS_SIGNAL;
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
    const int64_t most = b->binding->max_pixels;
    int64_t pixels;

    if (most <= 0)
        return 0;
    if (f->kind == GF_AUDIO && added_frames(b, before, first) > most)
        return gf_fail(err, GF_FAILED, "%s: adds more than %lld sample frames; raise --max-pixels to allow it",
                       b->stage, (long long)most);
    if (f->kind != GF_IMAGE || f->units < 0 || (f->width == before->width && f->units == before->units)
        || (!__builtin_mul_overflow(f->width, f->units, &pixels) && pixels <= most))
        return 0;
    return gf_fail(err, GF_FAILED,
                   "%s: its result of %lldx%lld has more than %lld pixels; raise --max-pixels to allow it", b->stage,
                   (long long)f->width, (long long)f->units, (long long)most);
}

/* Binds one more word. */
static int bind_word(const struct gf_chain_word *word, struct gf_build *build, const struct gf_format *in,
                     const char *name,
                     struct gf_error *err)
{
    const struct gf_format now = build->format;
    const int first = build->binding->links;

    if (word->stage[in->kind] == NULL)
        return wrong_kind(word, in->kind, name, err);
    if (build->binding->table)
        return gf_fail(err, GF_MISUSED, "%s: '%s' makes a table, so '%s' cannot follow it", name,
                       build->stage, word->text);
    build->stage = word->text;
    build->keeps_range = false;
    if (word->stage[in->kind]->bind(word->config[in->kind], &now, build, err) != 0)
        return -1;
    if (ends_of(build->binding) != word->stage[in->kind]->ends)
        return gf_fail(err, GF_FAILED, "%s: internal error, the result is not what the descriptor says", word->text);
    build->binding->ranged = build->binding->ranged || (word->stage[in->kind]->range != GF_RANGE_KEPT
                                                    && !build->keeps_range);
    build->binding->revalued = build->binding->revalued || !word->stage[in->kind]->keeps_values;
    return build->failed ? gf_fail_memory(err, word->text) : check_result(build, &now, first, err);
}

void gf_binding_begin(struct gf_binding *binding, const struct gf_chain *chain)
{
    memset(binding, 0, sizeof *binding);
    binding->chain = chain;
    binding->words = chain->count;
}

int gf_bind(struct gf_binding *binding, const struct gf_format *in, const char *name, struct gf_error *err)
{
    struct gf_build build = { .binding = binding, .format = *in };

    forget_binding(binding);
    binding->in = *in;
    if (in->orientation != 0 && set_upright(&build, err) != 0)
        return -1;
    for (int i = 0; i < binding->words; i++) {
        const struct gf_chain_word *word = &binding->chain->word[i];

        binding->before[i] = build.format;
        if (bind_word(word, &build, in, name, err) != 0) {
            if (word->origin != NULL)
                gf_error_place(err, word->origin->place, word->origin->from);
            return -1;
        }
        build.format.original = (struct gf_original) { 0 };
    }
    binding->out = build.format;
    if (binding->out.type == GF_U8 && binding->out.bits < 8 && !keeps_levels(binding))
        /* a format of packed bits would not have room for values between its levels */
        binding->out.bits = 8;
    binding->bound = binding->arena;
    return 0;
}

int gf_binding_fit(struct gf_binding *binding, const struct gf_format *stored, struct gf_error *err)
{
    for (int i = 0; i < binding->links; i++) {
        const struct gf_link *link = &binding->link[i];

        if (link->fit != NULL && link->fit(link->params, &binding->in, stored, err) != 0)
            return -1;
    }
    for (int k = 0; k < 2; k++) {
        const struct gf_format plane = gf_planes_format(stored, k > 0);

        if (binding->plane[k] != NULL && gf_binding_fit(binding->plane[k], &plane, err) != 0)
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

void gf_binding_release(struct gf_binding *binding)
{
    forget_binding(binding);
    free(binding->link);
    free(binding->masks.data);
    free(binding->tables.data);
    memset(binding, 0, sizeof *binding);
}
