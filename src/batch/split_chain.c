/* Divides chains at a stage that cuts recordings, and opens the readers of the parts. */
#include "batch/split_chain.h"

#include "base/memory_share.h"
#include "io/watch.h"
#include "run/buffered_reader.h"
#include "run/split_audio.h"
#include "run/streamed.h"

#include <stdlib.h>

/* Returns the index of the first such stage from a word on; chain->count if there is none. */
static int find_word(const struct gf_chain *chain, int from)
{
    for (int i = from; i < chain->count; i++)
        if (chain->word[i].stage[GF_AUDIO] != NULL && chain->word[i].stage[GF_AUDIO]->splits != NULL)
            return i;
    return chain->count;
}

static int check(const struct gf_chain *chain, int at, const struct gf_output_names *names, int inputs,
                 struct gf_error *err)
{
    const struct gf_stage *const stage = chain->word[at].stage[GF_AUDIO];

    if (find_word(chain, at + 1) < chain->count)
        return gf_fail(err, GF_MISUSED, "%s: the audio is divided already", stage->name);
    for (int i = 0; i < at; i++)
        if (gf_stage_keeps(chain->word[i].stage[GF_AUDIO], chain->word[i].config[GF_AUDIO]) != NULL)
            return gf_fail(err, GF_MISUSED, "%s: cannot be before %s, because both divide the audio;; write its result "
                           "to a file first", chain->word[i].text, stage->name);
    if (inputs > 1)
        return gf_fail(err, GF_MISUSED, "%s: makes several files of one input, but there are %d;; use --join for one "
                       "input, or a run for each", stage->name, inputs);
    if (names->folder || !gf_name_pattern_has_number(names->text))
        return gf_fail(err, GF_MISUSED, "%s: each part needs a name of its own, but -o is %s;; use {n}, such as "
                       "'part-{n:3}.wav'", stage->name, names->text);
    return gf_chain_check_files_before(chain, at, "divides the audio", err);
}

int gf_split_chain_divide(struct gf_split_chain *t, const struct gf_output_names *names, int inputs, unsigned kinds,
                          const struct gf_chain **chain, struct gf_error *err)
{
    const struct gf_chain *const typed = *chain;
    const int at = find_word(typed, 0);

    if (at == typed->count || kinds == 1u << GF_IMAGE)
        return 0;
    if (check(typed, at, names, inputs, err) != 0)
        return -1;
    t->stage = typed->word[at].stage[GF_AUDIO]->name;
    t->front.list_bytes = t->rest.list_bytes = typed->list_bytes;
    for (int i = 0; i < typed->count; i++) {
        struct gf_chain *const to = i < at ? &t->front : &t->rest;

        to->word[to->count++] = typed->word[i];
    }
    *chain = &t->rest;
    return 0;
}

/* Puts the stages before the cut before the reader. */
static int open_front(const struct gf_split_chain *t, struct gf_worker *w, struct gf_reader **reader,
                      struct gf_watch *watch, struct gf_error *err)
{
    struct gf_chain *const front = malloc(sizeof *front);
    struct gf_reader *streamed;

    if (front == NULL)
        return gf_fail_memory(err, t->stage);
    if ((*reader)->format.units == GF_UNKNOWN && w->limits.latency_ms == 0
        && gf_chain_wants_length(&t->front, GF_AUDIO) >= 0
        && gf_buffered_reader_fill(*reader, GF_UNKNOWN,
                                   (size_t)gf_memory_take(GF_MEMORY_PIPE, &w->limits.memory_bytes), err) != 0) {
        free(front);
        return -1;
    }
    *front = t->front;
    streamed = gf_streamed_open(w->context, &w->limits, *reader, front, &w->sides, err);
    if (streamed == NULL) {
        free(front);
        return -1;
    }
    (*reader)->watch = watch;
    streamed->lossy = (*reader)->lossy;
    streamed->unwatched = GF_WATCH_RANGE;        /* results may be outside of it, as in one chain */
    if (gf_meta_copy(&streamed->meta, &(*reader)->meta, err) != 0) {
        *reader = streamed;
        return -1;
    }
    *reader = streamed;
    return 0;
}

int gf_split_chain_open(const struct gf_split_chain *t, struct gf_worker *w, struct gf_reader **reader,
                        struct gf_watch *watch, const struct gf_binding **front, struct gf_error *err)
{
    const struct gf_chain_word *const word = &t->rest.word[0];
    struct gf_splitting *how;
    struct gf_reader *cut = NULL;

    if (t->stage == NULL || (*reader)->format.kind != GF_AUDIO)
        return 0;
    if (t->front.count > 0 && open_front(t, w, reader, watch, err) != 0)
        return -1;
    *front = t->front.count > 0 ? gf_streamed_binding(*reader) : NULL;
    how = malloc(sizeof *how);
    if (how == NULL)
        return gf_fail_memory(err, t->stage);
    if (word->stage[GF_AUDIO]->splits(word->config[GF_AUDIO], (*reader)->format.rate, how, err) != 0)
        gf_chain_fail_word(word, err);
    else
        cut = gf_split_audio_open(*reader, how, t->front.count == 0, err);
    free(how);
    if (cut == NULL)
        return -1;
    *reader = cut;
    return 0;
}
