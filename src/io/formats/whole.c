/* Reads units of a signal that was decoded as a whole, from memory. */
#include "io/formats/whole.h"

#include <string.h>

int gf_whole_read_at(struct gf_reader *r, int64_t start, void *units, int64_t count, struct gf_error *err)
{
    const struct gf_whole *whole = r->state;
    const size_t bytes = gf_unit_bytes(&r->format);

    (void)err;
    memcpy(units, whole->samples + (size_t)start * bytes, (size_t)count * bytes);
    return 0;
}

int64_t gf_whole_read(struct gf_reader *r, void *units, int64_t count, struct gf_error *err)
{
    struct gf_whole *whole = r->state;

    if (count > r->format.units - whole->row)
        count = r->format.units - whole->row;
    if (gf_whole_read_at(r, whole->row, units, count, err) != 0)
        return -1;
    whole->row += count;
    return count;
}
