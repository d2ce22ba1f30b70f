/* Reads a signal of unknown length to its end first, for stages that need the length. */
#ifndef GF_RUN_BUFFERED_READER_H
#define GF_RUN_BUFFERED_READER_H

#include "io/io.h"

/*
 * Keeps the current signal, or its first `most` units: up to `bytes` in memory, larger ones in an
 * unlinked file in $TMPDIR. After that its length is known and it can be read anywhere. The next
 * signal is read as usual.
 */
int gf_buffered_reader_fill(struct gf_reader *r, int64_t most, size_t bytes, struct gf_error *err) GF_MUST_CHECK;

#endif
