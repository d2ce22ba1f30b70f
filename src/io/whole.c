/* Signals that are decoded as a whole, and given from memory. */
#include "io/whole.h"

#include <string.h>

int gf_whole_read_at(struct gf_reader *r, int64_t start, void *units, int64_t count, struct gf_error *err)
{
    const struct gf_whole *h = r->state;
    const size_t bytes = gf_unit_bytes(&r->format);

    (void)err;
    memcpy(units, h->samples + (size_t)start * bytes, (size_t)count * bytes);
    return 0;
}

int64_t gf_whole_read(struct gf_reader *r, void *units, int64_t count, struct gf_error *err)
{
    struct gf_whole *h = r->state;

    if (count > r->format.units - h->row)
        count = r->format.units - h->row;
    if (gf_whole_read_at(r, h->row, units, count, err) != 0)
        return -1;
    h->row += count;
    return count;
}

int gf_pictures_next(struct gf_pictures *p, struct gf_source *s, int64_t most, size_t (*length)(const unsigned char *b, size_t size),
                     const unsigned char **bytes, size_t *size, struct gf_error *err)
{
    if (!p->opened && gf_source_slurp(s, most, &p->bytes, &p->size, err) != 0)
        return -1;
    if (p->opened && p->at >= p->size)
        return 0;
    p->opened = true;
    *bytes = p->bytes + p->at;
    *size = length(*bytes, p->size - p->at);
    p->at += *size;
    return 1;
}
