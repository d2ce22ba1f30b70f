/* Error messages for files that only other programs read. */
#ifndef GF_IO_UNSUPPORTED_H
#define GF_IO_UNSUPPORTED_H

#include "io/source.h"

/*
 * Fails for a source in an unknown format, with advice
 * which program can convert it. Always returns -1.
 */
int gf_fail_unsupported(struct gf_source *s, const char *name, struct gf_error *err);

#endif
