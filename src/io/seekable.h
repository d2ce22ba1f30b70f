/* Bytes of an input at any offset: of a file, or of a pipe that is in memory. */
#ifndef GF_IO_SEEKABLE_H
#define GF_IO_SEEKABLE_H

#include "io/source.h"

struct gf_seekable {
    const unsigned char *bytes;          /* all of a pipe; NULL: read the source */
    const struct gf_source *source;
    int64_t size;
};

/* Copies up to `size` bytes from offset `at`; fewer only at the end; -1. */
int64_t gf_seekable_read(const struct gf_seekable *in, int64_t at, void *to, size_t size, struct gf_error *err);

#endif
