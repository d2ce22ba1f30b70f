/* A signal whose length only its end tells, read to that end first: for stages that have to know. */
#ifndef GF_KEPT_H
#define GF_KEPT_H

#include "io/io.h"

/*
 * Keeps the signal at hand in an unlinked file in $TMPDIR; from then on its length is known and
 * it can be read anywhere. The next one comes as it would have come.
 */
int gf_reader_keep(struct gf_reader *r, struct gf_error *err) GF_MUST_CHECK;

#endif
