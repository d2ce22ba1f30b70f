/* A second recording after the end of the first, as `cat A B` leaves it: nobody reads it. */
#ifndef GF_FORMATS_SECOND_RECORDING_H
#define GF_FORMATS_SECOND_RECORDING_H

#include "io/io.h"
#include "io/source.h"

#define GF_SECOND_RECORDING_BYTES 65536  /* that are looked at */

/* Whether another recording begins somewhere in these bytes. */
bool gf_second_recording_begins(const unsigned char *bytes, size_t size);
/* Looks after byte `from` of a random source, otherwise ahead of its position; warns about what it finds. */
int gf_second_recording_check(struct gf_reader *r, struct gf_source *s, int64_t from, struct gf_error *err) GF_MUST_CHECK;

#endif
