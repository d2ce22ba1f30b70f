/* Many recordings as one: one after another, with a crossfade or without, one within another, or all at once. */
#ifndef GF_RUN_JOINED_AUDIO_H
#define GF_RUN_JOINED_AUDIO_H

#include "chain/chain.h"
#include "io/io.h"
#include "run/sides.h"

/*
 * Returns a reader of the recordings of `first`, which is open, and of the files options->joined, as options->join
 * says. All get the sample rate and the channels of the first. It owns `first`. The headers of all files are read
 * first, so that none is missed later. Returns NULL on failure, and closes `first`.
 */
struct gf_reader *gf_joined_audio_open(const struct gf_run_context *context, const struct gf_limits *limits,
                                       struct gf_reader *first, const struct gf_read_options *options,
                                       struct gf_error *err) GF_MUST_CHECK;

/* A stage that inserts, and how files besides the input are opened. */
struct gf_insertion {
    const struct gf_chain_word *word;
    const struct gf_sides *sides;
};

/*
 * Returns a reader of one recording of `r` after another with that of a stage in each, which gets the sample rate and
 * the channels of `r`. It owns `r`. On failure the caller keeps `r`.
 */
struct gf_reader *gf_inserted_audio_open(const struct gf_run_context *context, const struct gf_limits *limits,
                                         struct gf_reader *r, const struct gf_insertion *what,
                                         struct gf_error *err) GF_MUST_CHECK;

#endif
