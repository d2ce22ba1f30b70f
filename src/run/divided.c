/* Divides chains at stages that need more than one signal in order, and opens readers for them. */
#include "run/divided.h"

#include "io/watch.h"
#include "run/front.h"
#include "run/kept_audio.h"

#include <stdlib.h>
#include <string.h>

/* Returns the stage for which the chain is divided: it works on frames in time, looks at images, or cuts audio. */
static const struct gf_stage *dividing_stage(const struct gf_chain_word *word)
{
    const struct gf_stage *const image = word->stage[GF_IMAGE], *const audio = word->stage[GF_AUDIO];
    const struct gf_frames need = gf_stage_frames(image, word->config[GF_IMAGE]);

    return gf_frames_used(&need) || gf_stage_looks(image, word->config[GF_IMAGE]) ? image
        : gf_stage_keeps(audio, word->config[GF_AUDIO]) != NULL ? audio : NULL;
}

/* Returns why a stage before this one cannot write files. */
static const char *why_divided(const struct gf_chain_word *word)
{
    return dividing_stage(word)->kind == GF_AUDIO ? "needs all of their result"
        : gf_stage_looks(word->stage[GF_IMAGE], word->config[GF_IMAGE]) ? "looks at the whole image first"
        : "works on several frames";
}

/* Returns the index of the next such stage from a word on; chain->count if there is none. */
static int find_word(const struct gf_chain *chain, int from)
{
    while (from < chain->count && dividing_stage(&chain->word[from]) == NULL)
        from++;
    return from < chain->count ? from : chain->count;
}

const struct gf_stage *gf_divided_stage(const struct gf_chain *chain)
{
    const int at = find_word(chain, 0);

    return at < chain->count ? dividing_stage(&chain->word[at]) : NULL;
}

int gf_divided_split(struct gf_divided *t, const struct gf_chain **chain, struct gf_error *err)
{
    const struct gf_chain *const typed = *chain;
    int parts = 1;

    for (int i = find_word(typed, 0); i < typed->count; i = find_word(typed, i + 1), parts++)
        if (gf_chain_check_files_before(typed, i, why_divided(&typed->word[i]), err) != 0)
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
    if (show->plan != NULL
        && show->plan(show->context, gf_front_worker(front), gf_front_writer(front), following, err) != 0)
        return -1;
    if (!show->explains)
        return gf_reader_next(front, err) == 1 ? 0 : -1;
    front->format = gf_front_worker(front)->task.outputs.stored[0];
    return 0;
}

/* Fails if audio would have to wait for its end. */
static int check_latency(const struct gf_worker *w, const struct gf_reader *r, const char *stage, struct gf_error *err)
{
    return w->limits.latency_ms == 0 ? 0
        : gf_fail(err, GF_MISUSED, "--latency: %s needs all of %s before the first sample is written;; remove this "
                  "stage or --latency", stage, r->name);
}

/* Lets the last reader deliver what a stage does not cut away; --explain reads nothing, so nothing is cut. */
static int open_kept(const struct gf_chain_word *word, struct gf_worker *w, struct gf_reader **reader,
                     const struct gf_divided_show *show, struct gf_error *err)
{
    struct gf_reader *const cut = show->explains ? *reader : gf_kept_audio_open(w, *reader, word, err);

    if (cut != NULL)
        *reader = cut;
    return cut != NULL ? 0 : -1;
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
    const enum gf_kind kind = (*reader)->format.kind;

    for (int i = 1; i < t->parts; i++) {
        const struct gf_chain *const before = &t->part[i - 1];
        const struct gf_chain_word *const word = &t->part[i].word[0];
        const int first = kind == GF_AUDIO && i > 1;             /* it has cut the audio, and does nothing more */
        const char *stage;
        bool looks;

        if (dividing_stage(word) != word->stage[kind])           /* a stage for another kind: binding it fails */
            return 0;
        stage = word->stage[kind]->name;
        looks = gf_stage_looks(word->stage[GF_IMAGE], word->config[GF_IMAGE]);
        if ((kind == GF_IMAGE ? check_fields(*reader, stage, err) : check_latency(w, *reader, stage, err)) != 0
            || ((before->count > first || looks) && open_front(before, word, w, reader, watch, show, err) != 0)
            || (!looks && (kind == GF_IMAGE ? open_window : open_kept)(word, w, reader, show, err) != 0))
            return -1;
    }
    return 0;
}
