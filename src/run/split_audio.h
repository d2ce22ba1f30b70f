/* A reader that divides a recording into several. */
#ifndef GF_RUN_SPLIT_AUDIO_H
#define GF_RUN_SPLIT_AUDIO_H

#include "chain/splitting.h"
#include "io/io.h"

/*
 * Returns a reader whose recordings are the parts of that of `r`, which it owns. Audio that waits for the end of a
 * silence is on disk if it is more than `most` bytes. On failure the caller keeps `r`.
 */
struct gf_reader *gf_split_audio_open(struct gf_reader *r, const struct gf_splitting *how, size_t most,
                                      struct gf_error *err) GF_MUST_CHECK;

#endif
