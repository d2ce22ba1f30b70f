/* Reads bytes at any offset of an input, or of a part of it that is in memory. */
#include "io/seekable.h"

#include <string.h>

int64_t gf_seekable_read(const struct gf_seekable *in, int64_t at, void *to, size_t size, struct gf_error *err)
{
    const int64_t left = at >= 0 && at < in->size ? in->size - at : 0;
    const size_t count = (int64_t)size < left ? size : (size_t)left;

    if (count == 0)
        return 0;
    if (in->bytes == NULL)
        return gf_source_read_at(in->source, in->from + at, to, count, err);
    memcpy(to, in->bytes + at, count);
    return (int64_t)count;
}
