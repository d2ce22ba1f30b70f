/* Checks what joined inputs exclude, adds the stages that give images a size, and divides chains at joining stages. */
#include "batch/joined.h"

#include "base/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

/* Fails if a name has a field that comes from the name of the input. The images of a joined input have numbers. */
static int check_name(const char *what, const char *text, struct gf_error *err)
{
    char *const one = gf_name_pattern_fill(text, "a/b.c", -1, 1);
    char *const other = gf_name_pattern_fill(text, "d/e.f", -1, 1);
    int result = 0;

    if (one == NULL || other == NULL)
        result = gf_fail_memory(err, what);
    else if (strcmp(one, other) != 0)
        result = gf_fail(err, GF_MISUSED, "%s: %s has the name of an input in it, but all inputs make one output;; "
                         "leave out {stem}, {ext} and {dir}", what, text);
    free(one);
    free(other);
    return result;
}

static int check_stage(const struct gf_stage *stage, const void *config, struct gf_error *err)
{
    for (const struct gf_option *row = stage->options; row != NULL && row->name != NULL; row++) {
        const char *name = row->type == GF_OPTION_INPUT || row->type == GF_OPTION_OUTPUT
            ? *(char *const *)(const void *)((const char *)config + row->offset) : NULL;

        if (name != NULL && check_name(stage->name, name, err) != 0)
            return -1;
    }
    return 0;
}

/* Fails if several images would go to one file of a format that stores one. The writer decides about other names. */
static int check_format(const struct gf_output_names *names, struct gf_error *err)
{
    const char *format = names->to != NULL ? names->to : gf_path_extension(names->text);

    if (gf_name_pattern_has_number(names->text))
        return 0;
    if (names->to == NULL && gf_writer_check_frames(names->text, err) != 0)
        return -1;
    if (names->to == NULL && !gf_writer_takes(names->text, GF_IMAGE, false))
        return 0;
    return gf_writer_is_sequence(format) || gf_writer_is_terminal(format) ? 0
        : gf_fail(err, GF_MISUSED, "%s: %s stores only one image, but --join makes one output of all inputs;; "
                  "use .y4m, .tif or .pam, or {n} in the name for one file per image", names->text, format);
}

int gf_joined_check(const struct gf_output_names *names, int inputs, bool images, const struct gf_chain *chain,
                    struct gf_error *err)
{
    const struct gf_stage *const stage = gf_joined_stage(chain);

    if (names->folder)
        return gf_fail(err, GF_MISUSED, "%s: is a folder, but all inputs make one output;; name a file%s", names->text,
                       stage != NULL ? "" : ", or use {n} in the name for one file per image");
    if (check_name("-o", names->text, err) != 0)
        return -1;
    for (int i = 0; i < chain->count; i++)
        if (chain->word[i].stage[GF_IMAGE] != NULL
            && check_stage(chain->word[i].stage[GF_IMAGE], chain->word[i].config[GF_IMAGE], err) != 0)
            return -1;
    return inputs < 2 || stage != NULL || gf_chain_ends(chain) != GF_ENDS_SIGNAL || !images ? 0
        : check_format(names, err);
}

/* ---- joining stages ---- */

/* Returns the index of the first joining stage from a word on; chain->count if there is none. */
static int find_word(const struct gf_chain *chain, int from)
{
    for (int i = from; i < chain->count; i++)
        if (chain->word[i].stage[GF_IMAGE] != NULL && chain->word[i].stage[GF_IMAGE]->joins != NULL)
            return i;
    return chain->count;
}

const struct gf_stage *gf_joined_stage(const struct gf_chain *chain)
{
    const int at = find_word(chain, 0);

    return at < chain->count ? chain->word[at].stage[GF_IMAGE] : NULL;
}

/* Fails if a stage cannot be before a joining stage, or there are two of those. */
static int check_front(const struct gf_joined *j, const struct gf_chain *chain, int at, struct gf_error *err)
{
    const char *const name = chain->word[at].stage[GF_IMAGE]->name;
    const int other = find_word(chain, at + 1);

    if (other < chain->count)
        return gf_fail(err, GF_MISUSED, "%s: %s has made one image of all before, so there is nothing to join",
                       chain->word[other].stage[GF_IMAGE]->name, name);
    if (j->join == GF_JOIN_FIT || j->join == GF_JOIN_PAD)
        return gf_fail(err, GF_MISUSED, "%s: joins the images itself, so --join=fit and pad have no effect;; use the "
                       "stages resize and pad before %s", name, name);
    return gf_chain_check_files_before(chain, at, "joins images", err);
}

/* Appends stages that the user did not write to a chain. Errors about them begin with `place`. */
static int append_stages(struct gf_joined *j, struct gf_chain *chain, const char *place, const char *const *words,
                         int count, struct gf_error *err)
{
    snprintf(j->place, sizeof j->place, "%s", place);
    j->origin[0] = j->origin[1] = (struct gf_chain_origin) { j->place, j->place, NULL };
    if (gf_chain_parse(&j->added, words, j->origin, count, 1u << GF_IMAGE, err) != 0
        || gf_chain_load(&j->added, NULL, err) != 0)
        return -1;
    if (chain->count + count > GF_CHAIN_STAGES)
        return gf_fail(err, GF_MISUSED, "%s: adds %d stages to %d, but a chain has %d at most", place, count,
                       chain->count, GF_CHAIN_STAGES);
    for (int i = 0; i < count; i++)
        chain->word[chain->count++] = j->added.word[i];
    return 0;
}

/* Appends a stage that gives images the size of tiles. */
static int add_size(struct gf_joined *j, struct gf_error *err)
{
    struct gf_joining *const how = &j->gathering.how;
    char text[80], place[32];
    const char *const words[] = { text };

    if (how->kind != GF_JOINING_TILES || (how->width == 0 && how->height == 0))
        return 0;
    if (how->width < 0)
        return gf_fail(err, GF_MISUSED, "%s: size= must be the size of a tile, such as 200x150, not a share",
                       j->gathering.stage);
    how->width = how->width > 0 ? how->width : how->height;      /* one side is that of a square */
    how->height = how->height > 0 ? how->height : how->width;
    snprintf(text, sizeof text, "resize:%lldx%lld,fit=inside", (long long)how->width, (long long)how->height);
    snprintf(place, sizeof place, "%.20s: size=", j->gathering.stage);
    return append_stages(j, &j->front, place, words, 1, err);
}

int gf_joined_split(struct gf_joined *j, struct gf_run_context *context, struct gf_error *err)
{
    const struct gf_chain *const chain = context->chain;
    const int at = find_word(chain, 0);
    const struct gf_chain_word *const word = &chain->word[at];

    if (at == chain->count)
        return 0;
    if (check_front(j, chain, at, err) != 0)
        return -1;
    j->join = GF_JOIN_ON;
    j->gathering.typed = chain;
    j->gathering.front = &j->front;
    j->gathering.stage = word->stage[GF_IMAGE]->name;
    word->stage[GF_IMAGE]->joins(word->config[GF_IMAGE], &j->gathering.how);
    j->front.list_bytes = j->rest.list_bytes = chain->list_bytes;
    for (int i = 0; i < at; i++)
        j->front.word[j->front.count++] = chain->word[i];
    if (add_size(j, err) != 0)
        return -1;
    if (j->front.count == GF_CHAIN_STAGES)
        return gf_fail(err, GF_MISUSED, "%s: is stage %d, but a chain has %d at most", j->gathering.stage,
                       GF_CHAIN_STAGES + 1, GF_CHAIN_STAGES);
    j->front.word[j->front.count++] = *word;
    for (int i = at + 1; i < chain->count; i++)
        j->rest.word[j->rest.count++] = chain->word[i];
    context->chain = &j->rest;
    return 0;
}

/* ---- sizes ---- */

int gf_joined_set_size(struct gf_joined *j, struct gf_run_context *context, const struct gf_format *first,
                       struct gf_error *err)
{
    char fit[80], pad[80];
    const char *const words[] = { fit, pad };
    const int skipped = j->join == GF_JOIN_PAD;

    if (context->sized != NULL || (j->join != GF_JOIN_FIT && j->join != GF_JOIN_PAD))
        return 0;
    snprintf(fit, sizeof fit, "resize:%lldx%lld,fit=inside", (long long)first->width, (long long)first->units);
    snprintf(pad, sizeof pad, "pad:size=%lldx%lld,at=center", (long long)first->width, (long long)first->units);
    j->sized = *context->chain;
    if (append_stages(j, &j->sized, "--join", words + skipped, 2 - skipped, err) != 0)
        return -1;
    context->width = first->width;
    context->height = first->units;
    context->sized = &j->sized;
    return 0;
}

void gf_joined_release(struct gf_joined *j)
{
    gf_chain_release(&j->added);                 /* the chain of the run owns its other words */
}
