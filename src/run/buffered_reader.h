/* A signal whose length only its end tells, read to that end first: for stages that have to know. */
#ifndef GF_RUN_BUFFERED_READER_H
#define GF_RUN_BUFFERED_READER_H

#include "io/io.h"

/*
 * Keeps the signal at hand, or its first `most` units: up to `bytes` in memory, where there are more in
 * an unlinked file in $TMPDIR. From then on its length is known and it can be read anywhere. The next one
 * comes as it would have come.
 */
int gf_buffered_reader_fill(struct gf_reader *r, int64_t most, size_t bytes, struct gf_error *err) GF_MUST_CHECK;

#endif
