/* Divides chains at stages that need more than one signal in order, and opens readers for them. */
#include "run/divided.h"

#include "base/memory_share.h"
#include "io/watch.h"
#include "run/buffered_reader.h"
#include "run/front.h"
#include "run/inserted_audio.h"
#include "run/kept_audio.h"
#include "run/split_audio.h"
#include "run/streamed.h"

#include <stdlib.h>
#include <string.h>

/* Returns true if a stage reads audio as it comes, and delivers it in another way. */
static bool streams(const struct gf_stage *stage)
{
    return stage->splits != NULL || stage->inserts != NULL;
}

/* Returns the stage for which the chain is divided: it works on frames in time, looks at images, or cuts audio. */
static const struct gf_stage *dividing_stage(const struct gf_chain_word *word)
{
    const struct gf_stage *const image = word->stage[GF_IMAGE], *const audio = word->stage[GF_AUDIO];
    const struct gf_frames need = gf_stage_frames(image, word->config[GF_IMAGE]);

    return gf_frames_used(&need) || gf_stage_looks(image, word->config[GF_IMAGE]) ? image
        : audio != NULL && (streams(audio) || gf_stage_keeps(audio, word->config[GF_AUDIO]) != NULL) ? audio : NULL;
}

/* Returns why a stage before this one cannot write files. */
static const char *why_divided(const struct gf_chain_word *word)
{
    const struct gf_stage *const stage = dividing_stage(word);

    return stage->splits != NULL ? "divides the audio" : stage->inserts != NULL ? "puts other audio into it"
        : stage->kind == GF_AUDIO ? "needs all of their result"
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
    int at = find_word(chain, 0);

    while (at < chain->count && streams(dividing_stage(&chain->word[at])))
        at = find_word(chain, at + 1);
    return at < chain->count ? dividing_stage(&chain->word[at]) : NULL;
}

const struct gf_stage *gf_divided_splitting_stage(const struct gf_divided *t)
{
    for (int i = 1; i < t->parts; i++) {
        const struct gf_stage *const stage = t->part[i].word[0].stage[GF_AUDIO];

        if (stage != NULL && stage->splits != NULL)
            return stage;
    }
    return NULL;
}

int gf_divided_make(struct gf_divided *t, const struct gf_chain **chain, struct gf_error *err)
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

/* Puts a part of the chain before a stage that reads audio as it comes. */
static int open_streamed(const struct gf_chain *part, const struct gf_chain_word *following, struct gf_worker *w,
                         struct gf_reader **reader, struct gf_watch *watch, const struct gf_divided_show *show,
                         struct gf_error *err)
{
    struct gf_chain *front;
    struct gf_reader *streamed;

    if (!show->explains && (*reader)->format.units == GF_UNKNOWN && w->limits.latency_ms == 0
        && gf_chain_wants_length(part, GF_AUDIO) >= 0
        && gf_buffered_reader_fill(*reader, GF_UNKNOWN,
                                   (size_t)gf_memory_take(GF_MEMORY_PIPE, &w->limits.memory_bytes), err) != 0)
        return -1;
    front = malloc(sizeof *front);
    if (front == NULL)
        return gf_fail_memory(err, (*reader)->name);
    *front = *part;
    streamed = gf_streamed_open(w->context, &w->limits, *reader, front, &w->sides, err);
    if (streamed == NULL) {
        free(front);
        return -1;
    }
    if ((*reader)->watch == NULL && (*reader)->source != NULL)
        (*reader)->watch = watch;
    *reader = streamed;
    streamed->unwatched = GF_WATCH_RANGE;        /* results may be outside of it, as in one chain */
    return show->plan(show->context, gf_streamed_worker(streamed), gf_streamed_writer(streamed), following, err);
}

/* Lets the last reader deliver the parts of the audio. */
static int open_split(const struct gf_chain_word *word, const struct gf_worker *w, struct gf_reader **reader,
                      struct gf_error *err)
{
    struct gf_splitting *const how = malloc(sizeof *how);
    struct gf_reader *split = NULL;

    if (how == NULL)
        return gf_fail_memory(err, (*reader)->name);
    if (word->stage[GF_AUDIO]->splits(word->config[GF_AUDIO], (*reader)->format.rate, how, err) != 0)
        gf_chain_fail_word(word, err);
    else
        split = gf_split_audio_open(*reader, how, gf_run_context_waiting_bytes(w->context, &w->limits), err);
    free(how);
    if (split != NULL)
        *reader = split;
    return split != NULL ? 0 : -1;
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

/* Lets the last reader deliver another recording within the audio. */
static int open_insertion(const struct gf_chain_word *word, const struct gf_worker *w, struct gf_reader **reader,
                          struct gf_error *err)
{
    const struct gf_insertion what = { word, &w->sides };
    struct gf_reader *const inserted = gf_inserted_audio_open(w->context, &w->limits, *reader, &what, err);

    if (inserted != NULL)
        *reader = inserted;
    return inserted != NULL ? 0 : -1;
}

/* Gives the last reader what an image stage needs. `before` are the stages before it. */
static int open_images(const struct gf_chain *before, const struct gf_chain_word *word, struct gf_worker *w,
                       struct gf_reader **reader, struct gf_watch *watch, const struct gf_divided_show *show,
                       struct gf_error *err)
{
    const bool looks = gf_stage_looks(word->stage[GF_IMAGE], word->config[GF_IMAGE]);

    return check_fields(*reader, word->stage[GF_IMAGE]->name, err) != 0
        || ((before->count > 0 || looks) && open_front(before, word, w, reader, watch, show, err) != 0)
        || (!looks && open_window(word, w, reader, show, err) != 0) ? -1 : 0;
}

/* Lets an audio stage change what the last reader delivers. `works` is false if no stage before it does anything. */
static int open_audio(const struct gf_chain *before, bool works, const struct gf_chain_word *word, struct gf_worker *w,
                      struct gf_reader **reader, struct gf_watch *watch, const struct gf_divided_show *show,
                      struct gf_error *err)
{
    const struct gf_stage *const stage = word->stage[GF_AUDIO];

    if (!works && show->plan != NULL && show->plan(show->context, NULL, NULL, word, err) != 0)
        return -1;
    if (streams(stage))
        return (works && open_streamed(before, word, w, reader, watch, show, err) != 0)
            || (stage->splits != NULL ? open_split(word, w, reader, err) : open_insertion(word, w, reader, err)) != 0
            ? -1 : 0;
    return check_latency(w, *reader, stage->name, err) != 0
        || (works && open_front(before, word, w, reader, watch, show, err) != 0)
        || open_kept(word, w, reader, show, err) != 0 ? -1 : 0;
}

int gf_divided_open(const struct gf_divided *t, struct gf_worker *w, struct gf_reader **reader,
                     struct gf_watch *watch, const struct gf_divided_show *show, struct gf_error *err)
{
    const enum gf_kind kind = (*reader)->format.kind;

    for (int i = 1; i < t->parts; i++) {
        const struct gf_chain *const before = &t->part[i - 1];
        const struct gf_chain_word *const word = &t->part[i].word[0];

        if (dividing_stage(word) != word->stage[kind])           /* a stage for another kind: binding it fails */
            return 0;
        /* after the first part, the first stage of a part has changed the audio, and does nothing more */
        if ((kind == GF_IMAGE ? open_images(before, word, w, reader, watch, show, err)
             : open_audio(before, before->count > (i > 1), word, w, reader, watch, show, err)) != 0)
            return -1;
    }
    return 0;
}
