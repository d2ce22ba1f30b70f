/* Many recordings as one: one after another, with a crossfade or without. */
#ifndef GF_RUN_JOINED_AUDIO_H
#define GF_RUN_JOINED_AUDIO_H

#include "base/spool.h"
#include "run/audio_parts.h"

struct gf_joined_audio {
    struct gf_audio_parts parts;
    int count;                           /* of the parts, as many as follow one another */
    int at;                              /* the current one */
    int64_t done;                        /* frames of it that were read */
    bool fades, linear;
    int64_t fade_frames;                 /* with a crossfade: its length, */
    struct gf_spool_queue held;          /* the last frames, which may become part of the next one, */
    float *tail, *head;                  /* and a piece of them and of that one */
};

/*
 * Returns a reader of the recordings of `first`, which is open, and of the files options->joined, one after another.
 * All get the sample rate and the channels of the first. It owns `first`. The headers of all files are read first, so
 * that none is missed later. Returns NULL on failure, and closes `first`.
 */
struct gf_reader *gf_joined_audio_open(const struct gf_run_context *context, const struct gf_limits *limits,
                                       struct gf_reader *first, const struct gf_read_options *options,
                                       struct gf_error *err) GF_MUST_CHECK;

/* Begins with the parts, which are described, and sets the format of the result. */
int gf_joined_audio_begin(struct gf_joined_audio *j, struct gf_error *err) GF_MUST_CHECK;
int64_t gf_joined_audio_read(struct gf_joined_audio *j, void *units, int64_t count, struct gf_error *err) GF_MUST_CHECK;
void gf_joined_audio_release(struct gf_joined_audio *j);

#endif
