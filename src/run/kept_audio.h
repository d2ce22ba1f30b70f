/* A reader of what remains of audio after a stage that cuts spans away. */
#ifndef GF_RUN_KEPT_AUDIO_H
#define GF_RUN_KEPT_AUDIO_H

#include "run/worker.h"

/*
 * Returns a reader that delivers what remains of the current recording of `r` after the stage `word`, and owns `r`. The
 * recording is read twice; it is kept first if `r` cannot read it again. The worker's memory is that of the second
 * reading. On failure the caller keeps `r`.
 */
struct gf_reader *gf_kept_audio_open(struct gf_worker *like, struct gf_reader *r, const struct gf_chain_word *word,
                                     struct gf_error *err) GF_MUST_CHECK;

#endif
