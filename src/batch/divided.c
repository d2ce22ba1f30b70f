/* Divides chains at stages that work on frames in time or look at images, and opens readers for them. */
#include "batch/divided.h"

#include "io/watch.h"
#include "run/front.h"

#include <stdlib.h>
#include <string.h>

static bool word_looks(const struct gf_chain_word *word)
{
    return gf_stage_looks(word->stage[GF_IMAGE], word->config[GF_IMAGE]);
}

/* Returns the index of the next such stage from a word on; chain->count if there is none. */
static int find_word(const struct gf_chain *chain, int from)
{
    for (int i = from; i < chain->count; i++) {
        const struct gf_frames need = gf_stage_frames(chain->word[i].stage[GF_IMAGE], chain->word[i].config[GF_IMAGE]);

        if (gf_frames_used(&need) || word_looks(&chain->word[i]))
            return i;
    }
    return chain->count;
}

const struct gf_stage *gf_divided_stage(const struct gf_chain *chain)
{
    const int at = find_word(chain, 0);

    return at < chain->count ? chain->word[at].stage[GF_IMAGE] : NULL;
}

int gf_divided_split(struct gf_divided *t, const struct gf_chain **chain, struct gf_error *err)
{
    const struct gf_chain *const typed = *chain;
    int parts = 1;

    for (int i = find_word(typed, 0); i < typed->count; i = find_word(typed, i + 1))
        if (parts++, gf_chain_check_files_before(typed, i, word_looks(&typed->word[i])
                                                 ? "looks at the whole image first" : "works on several frames",
                                                 err) != 0)
            return -1;
    if (parts == 1)
        return 0;
    t->typed = typed;
    t->parts = parts;
    t->part = calloc((size_t)parts, sizeof *t->part);
    if (t->part == NULL)
        return gf_fail_memory(err, NULL);
    for (int i = 0, part = 0; i < typed->count; i++) {
        struct gf_chain *const to = &t->part[i == find_word(typed, i) ? ++part : part];

        to->word[to->count++] = typed->word[i];
        to->list_bytes = typed->list_bytes;
    }
    *chain = &t->part[parts - 1];
    return 0;
}

void gf_divided_release(struct gf_divided *t)
{
    free(t->part);                       /* the chain of the run owns the words */
    *t = (struct gf_divided) { 0 };
}

/* Each field is a part of a frame, and that at its place is in the image after the next one. */
static int check_fields(const struct gf_reader *r, const char *stage, struct gf_error *err)
{
    return !r->format.yuv.fields ? 0
        : gf_fail(err, GF_MISUSED, "%s: --interlaced fields makes images of fields, but %s compares whole frames;; "
                  "leave out this option", r->name, stage);
}

/* Puts a part of the chain before a stage. */
static int open_front(const struct gf_chain *part, const struct gf_chain_word *following, struct gf_worker *w,
                      struct gf_reader **reader, struct gf_watch *watch, const struct gf_divided_show *show,
                      struct gf_error *err)
{
    struct gf_reader *const front = gf_front_open(w, *reader, part, following, err);

    if (front == NULL)
        return -1;
    if ((*reader)->watch == NULL && (*reader)->source != NULL)
        (*reader)->watch = watch;
    *reader = front;
    front->unwatched = GF_WATCH_RANGE;           /* results may be outside of it, as in one chain */
    if (show->plan(show->context, gf_front_worker(front), gf_front_writer(front), following, err) != 0)
        return -1;
    if (!show->explains)
        return gf_reader_next(front, err) == 1 ? 0 : -1;
    front->format = gf_front_worker(front)->task.outputs.stored[0];
    return 0;
}

/* Gives the last reader a window for a stage. */
static int open_window(const struct gf_chain_word *word, struct gf_worker *w, struct gf_reader **reader,
                       const struct gf_divided_show *show, struct gf_error *err)
{
    const struct gf_stage *const stage = word->stage[GF_IMAGE];
    const struct gf_frames need = gf_stage_frames(stage, word->config[GF_IMAGE]);
    struct gf_reader *window;

    if (show->explains) {                        /* no image is read */
        if (need.rate[0] > 0)
            memcpy((*reader)->format.yuv.rate, need.rate, sizeof need.rate);
        return 0;
    }
    window = gf_window_open(*reader, stage->name, need, w->context, &w->limits, err);

    if (window == NULL)
        return -1;
    window->unwatched = (*reader)->unwatched;
    *reader = window;
    return 0;
}

int gf_divided_open(const struct gf_divided *t, struct gf_worker *w, struct gf_reader **reader,
                     struct gf_watch *watch, const struct gf_divided_show *show, struct gf_error *err)
{
    if ((*reader)->format.kind != GF_IMAGE)
        return 0;
    for (int i = 1; i < t->parts; i++) {
        const struct gf_chain *const before = &t->part[i - 1];
        const struct gf_chain_word *const word = &t->part[i].word[0];
        const char *const stage = word->stage[GF_IMAGE]->name;

        if (check_fields(*reader, stage, err) != 0
            || ((before->count > 0 || word_looks(word))
                && open_front(before, word, w, reader, watch, show, err) != 0)
            || (!word_looks(word) && open_window(word, w, reader, show, err) != 0))
            return -1;
    }
    return 0;
}
