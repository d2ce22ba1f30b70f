/* Many recordings as one: one after another, with a crossfade or without, or all at the same time. */
#ifndef GF_RUN_JOINED_AUDIO_H
#define GF_RUN_JOINED_AUDIO_H

#include "io/io.h"
#include "run/run_context.h"

/*
 * Returns a reader of the recordings of `first`, which is open, and of the files options->joined, as options->join
 * says. All get the sample rate and the channels of the first. It owns `first`. The headers of all files are read
 * first, so that none is missed later. Returns NULL on failure, and closes `first`.
 */
struct gf_reader *gf_joined_audio_open(const struct gf_run_context *context, const struct gf_limits *limits,
                                       struct gf_reader *first, const struct gf_read_options *options,
                                       struct gf_error *err) GF_MUST_CHECK;

#endif
