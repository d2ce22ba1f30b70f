/* Reads bytes at any offset of an input, or of a part of it that is in memory. */
#ifndef GF_IO_SEEKABLE_H
#define GF_IO_SEEKABLE_H

#include "io/source.h"

struct gf_seekable {
    const unsigned char *bytes;          /* NULL: read from `source` */
    const struct gf_source *source;
    int64_t size;
    int64_t from;                        /* offset of our byte 0 in `source` */
};

/* Copies up to `size` bytes from offset `at`, fewer only at the end. Returns their number, or -1. */
int64_t gf_seekable_read(const struct gf_seekable *in, int64_t at, void *to, size_t size, struct gf_error *err);

#endif
