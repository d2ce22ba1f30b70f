/* Many recordings at the same time, as one: --mix. */
#ifndef GF_RUN_MIXED_AUDIO_H
#define GF_RUN_MIXED_AUDIO_H

#include "io/io.h"
#include "run/run_context.h"

/* Like gf_joined_audio_open(), but the recordings begin together, and each is divided by their number. */
struct gf_reader *gf_mixed_audio_open(const struct gf_run_context *context, const struct gf_limits *limits,
                                      struct gf_reader *first, const struct gf_read_options *options,
                                      struct gf_error *err) GF_MUST_CHECK;

#endif
