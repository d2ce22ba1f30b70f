/* Files that other programs read. */
#ifndef GF_IO_UNSUPPORTED_H
#define GF_IO_UNSUPPORTED_H

#include "io/source.h"

/* Says of a source that no reader knows what it is, by its ending or by its content, and which program reads it; always -1. */
int gf_fail_unsupported(struct gf_source *s, const char *name, struct gf_error *err);

#endif
