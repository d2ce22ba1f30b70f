/* Detects a second recording after the first, as in the output of `cat A B`. It is not read. */
#ifndef GF_FORMATS_SECOND_RECORDING_H
#define GF_FORMATS_SECOND_RECORDING_H

#include "io/io.h"
#include "io/source.h"

#define GF_SECOND_RECORDING_BYTES 65536  /* number of bytes that are searched */

/* Returns true if another recording begins anywhere in these bytes. */
bool gf_second_recording_begins(const unsigned char *bytes, size_t size);
/*
 * Warns about a second recording. Searches after byte `from` of a file, or ahead of the current
 * position of a pipe.
 */
int gf_second_recording_check(struct gf_reader *r, struct gf_source *s, int64_t from,
                              struct gf_error *err) GF_MUST_CHECK;

#endif
