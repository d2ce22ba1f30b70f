/* Gives recordings the sample rate and the number of channels of another one, as they are read. */
#ifndef GF_RUN_EVENED_H
#define GF_RUN_EVENED_H

#include "io/io.h"
#include "run/run_context.h"

/*
 * Returns a reader of the current recording of `r` that has this rate and so many channels, after a note about the
 * change; `r` itself if it has them. It owns `r`. `like` names what the recording is made like, for messages. Returns
 * NULL on failure, and closes `r`.
 */
struct gf_reader *gf_evened_open(const struct gf_run_context *context, const struct gf_limits *limits,
                                 struct gf_reader *r, int32_t rate, int channels, const char *like,
                                 struct gf_error *err) GF_MUST_CHECK;

#endif
