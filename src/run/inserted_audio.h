/* A recording within another one. */
#ifndef GF_RUN_INSERTED_AUDIO_H
#define GF_RUN_INSERTED_AUDIO_H

#include "chain/chain.h"
#include "io/io.h"
#include "run/sides.h"

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
