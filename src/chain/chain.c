/*
 * Binds configured stages to one signal as a list of operations; chain_build.c adds what each stage
 * requests.
 */
#include "chain/chain.h"

#include "kernels/geometry/move.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void forget_binding(struct gf_chain *chain)
{
    chain->bound = NULL;
    gf_build_rewind(chain);
    chain->links = 0;
    chain->masks.count = chain->tables.count = 0;
    chain->table = chain->drawing = false;
    chain->tees = chain->sides = 0;
    chain->remark[0] = '\0';
    chain->ranged = false;
    chain->binned = chain->clears = NULL;
    chain->above = NULL;
    chain->above_db = 0;
}

static int wrong_kind(const struct gf_chain_word *word, enum gf_kind kind, const char *name, struct gf_error *err)
{
    char stage[64];
    bool other = word->stage[kind == GF_IMAGE ? GF_AUDIO : GF_IMAGE] != NULL;
    struct gf_error again = { 0 };
    const char *twin;

    snprintf(stage, sizeof stage, "%.*s", (int)strcspn(word->text, ":"), word->text);
    /* the options are right for the other kind only, so report what is wrong for this one */
    if (word->config[kind] != NULL) {
        const struct gf_stage *s = gf_stage_find(stage, kind);
        const char *colon = strchr(word->text, ':');

        if (gf_options_parse(s->options, stage, colon ? colon + 1 : NULL, word->config[kind], &again) != 0) {
            *err = again;
            return -1;
        }
    }
    twin = gf_stage_counterpart(stage, kind);
    return gf_fail(err, GF_MISUSED, "%s works on %s, but %s is %s%s%s%s", stage,
                   other && kind == GF_IMAGE ? "audio" : "images", name, kind == GF_IMAGE ? "an image" : "audio",
                   twin ? "; did you mean '" : "", twin ? twin : "", twin ? "'?" : "");
}

/* Adds the exact move that turns an image upright, for an EXIF orientation from 2 to 8. */
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
    return gf_build_op(b, &gf_op_move, &move, (struct gf_need) { .whole = turned || down }, &out, err);
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

/*
 * True if all values are levels of the input's depth: samples were only moved, picked or inverted,
 * or are black and white.
 */
static bool keeps_levels(const struct gf_chain *chain)
{
    for (int i = 0; i < chain->links; i++) {
        const struct gf_chain_link *link = &chain->link[i];
        const struct gf_point_step *s = &link->point;

        if (link->kind == GF_LINK_POINT && s->kind != GF_POINT_PICK && s->kind != GF_POINT_THRESHOLD
            && !(s->kind == GF_POINT_AFFINE && s->a == -1 && s->b == 1))
            return false;
        if (link->kind == GF_LINK_OP && !link->op->keeps_layout)
            return false;
    }
    return true;
}

static enum gf_ends ends_of(const struct gf_chain *chain)
{
    return chain->drawing ? GF_ENDS_DRAWING : chain->table ? GF_ENDS_TABLE : GF_ENDS_SIGNAL;
}

/* Binds one more word. */
static int bind_word(const struct gf_chain_word *word, struct gf_build *build, const struct gf_format *in,
                     const char *name,
                     struct gf_error *err)
{
    const struct gf_format now = build->format;

    if (word->stage[in->kind] == NULL)
        return wrong_kind(word, in->kind, name, err);
    if (build->chain->table)
        return gf_fail(err, GF_MISUSED, "%s: '%s' makes a table, so '%s' cannot follow it", name,
                       build->stage, word->text);
    build->stage = word->text;
    build->keeps_range = false;
    if (word->stage[in->kind]->bind(word->config[in->kind], &now, build, err) != 0)
        return -1;
    if (ends_of(build->chain) != word->stage[in->kind]->ends)
        return gf_fail(err, GF_FAILED, "%s: internal error, the result is not what the descriptor says", word->text);
    build->chain->ranged = build->chain->ranged || (word->stage[in->kind]->range != GF_RANGE_KEPT
                                                    && !build->keeps_range);
    return build->failed ? gf_fail_memory(err, word->text) : 0;
}

enum gf_ends gf_chain_ends(const struct gf_chain *chain)
{
    const struct gf_chain_word *last = chain->words > 0 ? &chain->word[chain->words - 1] : NULL;

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
        const struct gf_chain_word *word = &chain->word[i];

        if (bind_word(word, &build, in, name, err) != 0) {
            if (word->origin != NULL)
                gf_error_place(err, word->origin->place, word->origin->from);
            return -1;
        }
    }
    chain->out = build.format;
    if (chain->out.type == GF_U8 && chain->out.bits < 8 && !keeps_levels(chain))
        /* a format of packed bits would not have room for values between its levels */
        chain->out.bits = 8;
    chain->bound = chain->arena;
    return 0;
}

int gf_chain_fit(struct gf_chain *chain, const struct gf_format *stored, struct gf_error *err)
{
    for (int i = 0; i < chain->links; i++) {
        const struct gf_chain_link *link = &chain->link[i];

        if (link->fit != NULL && link->fit(link->params, &chain->in, stored, err) != 0)
            return -1;
    }
    return 0;
}

void gf_chain_release(struct gf_chain *chain)
{
    forget_binding(chain);
    for (int i = 0; i < chain->words; i++) {
        struct gf_chain_word *word = &chain->word[i];

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
