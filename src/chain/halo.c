/* The halo of a chain: the input around a piece of its result that the piece depends on. */
#include "chain/halo.h"

#include "chain/stage.h"

#include <string.h>

#define STEP_MOST (INT64_C(1) << 31)

static int64_t common_multiple(int64_t a, int64_t b)
{
    int64_t x = a, y = b;

    while (y != 0) {
        const int64_t rest = x % y;

        x = y;
        y = rest;
    }
    return a / x * b;
}

/* Returns true if the stage works on a smaller image in between, and would not with a radius. */
static bool wants_radius(const struct gf_link *link)
{
    char name[32];
    const struct gf_stage *stage;

    if (link->in.kind != GF_IMAGE || link->in.width == link->out.width)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(link->stage, ":"), link->stage);
    stage = gf_stage_find(name, GF_IMAGE);
    for (const struct gf_option *row = stage != NULL ? stage->options : NULL; row != NULL && row->name != NULL; row++)
        if (strcmp(row->name, "radius") == 0)
            return true;
    return false;
}

static int refuse(const struct gf_link *link, const char *why, struct gf_error *err)
{
    const char *whole = link->in.kind == GF_IMAGE ? "image" : "recording";

    return gf_fail(err, GF_FAILED, "%s %s, so it has no halo; %srun the chain on the whole %s", link->stage, why,
                   wants_radius(link) ? "give it a radius=, or " : "", whole);
}

/* Returns why pieces cannot go through an operation, or NULL. Fills in the columns that it reads. */
static const char *obstacle(const struct gf_link *link, struct gf_reach *reach)
{
    const struct gf_need *need = &link->need;
    const bool image = link->in.kind == GF_IMAGE, scales = (need->times > 1 ? need->times : 1)
                                                           != (need->per > 1 ? need->per : 1);

    if (link->side != NULL)
        return "reads a second input";
    if (need->carry_bytes > 0)
        return image ? "uses all rows above each row" : "uses all frames before each frame";
    if (link->in.width != link->out.width || link->in.units != link->out.units || scales
        || need->shift != 0 || need->longer != 0 || need->most != 0)
        return image ? "changes the size of the image, if only in between, or moves it"
            : "changes the rate or length, if only in between, or moves frames";
    if (need->whole)
        return image ? "uses the whole image for each row" : "uses the whole recording for each frame";
    if (link->op->reach == NULL || !link->op->reach(link->params, reach))
        return image ? "depends on positions in the image" : "depends on positions in the recording";
    return NULL;
}

/* Joins what one operation demands to the columns and the step of those before it. */
static int add(const struct gf_link *link, struct gf_halo *halo, struct gf_error *err)
{
    const int64_t grain = link->need.grain > 1 ? link->need.grain : 1;
    struct gf_reach reach = { 0 };
    const char *why = obstacle(link, &reach);

    if (why != NULL)
        return refuse(link, why, err);
    halo->left += reach.left;
    halo->right += reach.right;
    halo->step = common_multiple(common_multiple(halo->step, grain), reach.step > 1 ? reach.step : 1);
    return halo->step <= STEP_MOST ? 0 : refuse(link, "works in blocks that do not fit those of other stages", err);
}

/* Returns n, which may be negative, rounded up to a multiple of the grain. */
static int64_t rounded(int64_t n, int64_t grain)
{
    return grain > 1 ? n + gf_modulo(-n, grain) : n;
}

static int find(const struct gf_binding *binding, struct gf_halo *halo, struct gf_error *err)
{
    *halo = (struct gf_halo) { .step = 1 };
    for (int i = 0; i < binding->links; i++) {
        const struct gf_link *link = &binding->link[i];

        if (link->kind == GF_LINK_MEASURE)
            return refuse(link, "measures the whole input", err);
        if (link->kind == GF_LINK_OP && add(link, halo, err) != 0)
            return -1;
    }
    /* a piece begins and ends at multiples of the step, and therefore of each grain */
    for (int i = binding->links - 1; i >= 0; i--) {
        const struct gf_link *link = &binding->link[i];

        if (link->kind == GF_LINK_OP) {
            halo->before = rounded(halo->before, link->need.grain) + link->need.before;
            halo->after = rounded(halo->after, link->need.grain) + link->need.after;
        }
    }
    halo->before = rounded(halo->before, halo->step);
    return 0;
}

static bool same_floats(const struct gf_binding_floats *a, const struct gf_binding_floats *b)
{
    return a->count == b->count && (a->count == 0 || memcmp(a->data, b->data, (size_t)a->count * sizeof *a->data) == 0);
}

/* Returns true if two operations that have a reach need the same input. */
static bool same_input(const struct gf_link *a, const struct gf_link *b)
{
    struct gf_reach p = { 0 }, q = { 0 };

    return obstacle(a, &p) == NULL && obstacle(b, &q) == NULL && p.left == q.left && p.right == q.right
        && p.step == q.step && a->need.before == b->need.before && a->need.after == b->need.after
        && a->need.grain == b->need.grain;
}

static bool same_link(const struct gf_link *a, const struct gf_link *b)
{
    return a->kind == b->kind && a->op == b->op && (a->kind != GF_LINK_OP || same_input(a, b));
}

/*
 * Returns the first link that does not do the same in the other binding, or NULL: another operation, or the same one on
 * other input or with other weights. Other parameters have gaps between their members, so that bytes may differ.
 */
static const struct gf_link *find_difference(const struct gf_binding *binding, const struct gf_binding *other)
{
    int i = 0;

    while (i < binding->links && i < other->links && same_link(&binding->link[i], &other->link[i]))
        i++;
    if (i < binding->links)
        return &binding->link[i];
    if (i < other->links)
        return &other->link[i];
    return i == 0 || same_floats(&binding->masks, &other->masks) ? NULL : &binding->link[i - 1];
}

/* Fails unless the chain does the same with a signal of another size. */
static int check_other_size(const struct gf_binding *binding, int64_t width, int64_t units, struct gf_error *err)
{
    struct gf_binding other = { 0 };
    struct gf_format in = binding->in;
    const struct gf_link *differs;
    struct gf_halo ignored;
    int result;

    in.width = width;
    in.units = units;
    result = gf_bind(&other, binding->chain, &in, &binding->options, "array", err) != 0 ? -1
             : find(&other, &ignored, err);
    differs = result == 0 ? find_difference(binding, &other) : NULL;
    if (differs != NULL)
        result = refuse(differs, "works in another way on smaller pieces", err);
    gf_binding_release(&other);
    return result;
}

/*
 * A piece has another size than the whole, to which a stage such as resize:640x480 changes nothing, or is smaller, so
 * that a stage is fast in another way. So the chain is also bound to a slightly larger signal and to a small piece.
 */
int gf_halo_of(const struct gf_binding *binding, struct gf_halo *halo, struct gf_error *err)
{
    const struct gf_format *in = &binding->in;
    const bool image = in->kind == GF_IMAGE, known = in->units != GF_UNKNOWN;
    int64_t width, units;

    if (find(binding, halo, err) != 0)
        return -1;
    width = image ? halo->left + 1 + halo->right : in->width;
    units = halo->before + halo->step + halo->after;
    return check_other_size(binding, in->width + image, in->units + known, err) != 0 ? -1
        : check_other_size(binding, width < in->width ? width : in->width,
                           !known || units < in->units ? units : in->units, err);
}
