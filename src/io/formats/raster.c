/* Images in which each row can be decoded independently. Several may follow one another. */
#include "io/formats/raster.h"

#include "io/format.h"
#include "io/limits.h"

#include <stdlib.h>
#include <string.h>

static int fail_short(const struct gf_reader *r, struct gf_error *err)
{
    return gf_fail_cut(err, "%s: is cut short", r->name);
}

int gf_raster_begins(const struct gf_reader *r, int64_t offset, gf_raster_beginning *begins, struct gf_error *err)
{
    const struct gf_raster *p = r->state;
    const int64_t left = offset < p->size ? p->size - offset : 0;
    unsigned char b[GF_RASTER_BEGINNING] = { 0 };

    if (gf_raster_get(r, offset, b, left < (int64_t)sizeof b ? left : (int64_t)sizeof b, err) != 0)
        return -1;
    return left > 0 && begins(b);
}

/* Moves to the image after this one. Returns 1, 0 if there is none, or -1. */
static int begin_next(struct gf_reader *r, gf_raster_beginning *begins, struct gf_error *err)
{
    struct gf_raster *p = r->state;
    unsigned char first[sizeof r->rest.first];
    int64_t there;
    int more;

    free(p->unpacked);
    p->unpacked = NULL;
    r->random = false;
    p->base += p->end;
    p->size -= p->end;
    p->end = p->row = 0;
    more = gf_raster_begins(r, 0, begins, err);
    if (more != 0)
        return more;
    there = p->size < (int64_t)sizeof first ? p->size : (int64_t)sizeof first;
    if (gf_raster_get(r, 0, first, there, err) != 0)
        return -1;
    gf_reader_keep_rest(r, first, p->size);
    return 0;
}

int gf_raster_begin(struct gf_reader *r, gf_raster_beginning *begins, struct gf_error *err)
{
    struct gf_raster *p = r->state;
    size_t size = 0;

    if (p->opened)
        return begin_next(r, begins, err);
    p->opened = true;
    if (r->source->random) {
        p->size = r->source->size;
        return 1;
    }
    if (gf_source_slurp(r->source, r->options->max_bytes, &p->bytes, &size, err) != 0)
        return -1;
    p->size = (int64_t)size;
    return 1;
}

int gf_raster_get(const struct gf_reader *r, int64_t offset, void *to, int64_t size, struct gf_error *err)
{
    const struct gf_raster *p = r->state;
    int64_t got = size;

    if (offset < 0 || size < 0 || size > p->size || offset > p->size - size)
        return fail_short(r, err);
    if (p->bytes != NULL)
        memcpy(to, p->bytes + p->base + offset, (size_t)size);
    else
        got = gf_source_read_at(r->source, p->base + offset, to, (size_t)size, err);
    return got == size ? 0 : got < 0 ? -1 : fail_short(r, err);
}

struct gf_raster_line *gf_raster_line(int64_t rows, size_t bytes)
{
    struct gf_raster_line *line = malloc(sizeof *line + bytes + 1);

    if (line == NULL)
        return NULL;
    line->rows = rows;
    for (int i = 0; i < GF_RASTER_PLANES; i++)
        line->ahead[i].size = 0;
    return line;
}

/* Reads a part of the file that contains these bytes: they begin it, or end it if rows are read upwards. */
static int read_ahead(const struct gf_reader *r, struct gf_raster_ahead *a, int64_t rows, int64_t offset, int64_t size,
                      struct gf_error *err)
{
    const struct gf_raster *p = r->state;
    const bool upwards = a->size > 0 && offset < a->at;
    const int64_t fit = GF_RASTER_AHEAD / size, want = (rows < 1 ? 1 : rows < fit ? rows : fit) * size;
    const int64_t from = !upwards ? offset : offset + size > want ? offset + size - want : 0;
    const int64_t end = upwards ? offset + size : p->size - from > want ? from + want : p->size;

    a->size = 0;
    if (gf_raster_get(r, from, a->bytes, end - from, err) != 0)
        return -1;
    a->at = from;
    a->size = end - from;
    return 0;
}

int gf_raster_get_row(const struct gf_reader *r, struct gf_raster_line *line, int plane, int64_t offset, void *to,
                      int64_t size, struct gf_error *err)
{
    const struct gf_raster *p = r->state;
    struct gf_raster_ahead *a = &line->ahead[plane];

    if (p->bytes != NULL || size <= 0 || size > GF_RASTER_AHEAD / 2 || offset < 0 || offset > p->size - size)
        return gf_raster_get(r, offset, to, size, err);
    if ((offset < a->at || offset + size > a->at + a->size || a->size == 0)
        && read_ahead(r, a, line->rows, offset, size, err) != 0)
        return -1;
    memcpy(to, a->bytes + (offset - a->at), (size_t)size);
    return 0;
}

unsigned char *gf_raster_load(const struct gf_reader *r, int64_t offset, int64_t size, struct gf_error *err)
{
    const struct gf_raster *p = r->state;
    unsigned char *bytes;

    if (offset < 0 || size < 0 || size > p->size || offset > p->size - size) {
        fail_short(r, err);
        return NULL;
    }
    if (gf_meta_check_room(&r->meta, (size_t)size, err) != 0)
        return NULL;
    bytes = malloc((size_t)size + 1);
    if (bytes == NULL)
        gf_fail_memory(err, r->name);
    if (bytes != NULL && gf_raster_get(r, offset, bytes, size, err) != 0) {
        free(bytes);
        bytes = NULL;
    }
    return bytes;
}

int gf_raster_unpack(struct gf_reader *r, int64_t width, int64_t height, int64_t pixel_bytes, struct gf_error *err)
{
    struct gf_raster *p = r->state;

    if (gf_limits_check_size(r->name, width, height, pixel_bytes, r->options, err) != 0)
        return -1;
    p->unpacked = calloc((size_t)(width * height), (size_t)pixel_bytes);
    return p->unpacked != NULL ? 0 : gf_fail_memory(err, r->name);
}

void gf_raster_close(struct gf_reader *r)
{
    struct gf_raster *p = r->state;

    free(p->bytes);
    free(p->unpacked);
}

int gf_raster_read_at(struct gf_reader *r, int64_t start, void *units, int64_t count, struct gf_error *err)
{
    const struct gf_raster *p = r->state;
    struct gf_raster_line *line = gf_raster_line(count, p->line_bytes);
    int result = 0;

    if (line == NULL)
        return gf_fail_memory(err, r->name);
    for (int64_t i = 0; result == 0 && i < count; i++, line->rows--)
        result = p->decode(r, start + i, line, (char *)units + (size_t)i * gf_unit_bytes(&r->format), err);
    free(line);
    return result;
}

int64_t gf_raster_read(struct gf_reader *r, void *units, int64_t count, struct gf_error *err)
{
    struct gf_raster *p = r->state;

    if (count > r->format.units - p->row)
        count = r->format.units - p->row;
    if (gf_raster_read_at(r, p->row, units, count, err) != 0)
        return -1;
    p->row += count;
    return count;
}

int gf_raster_find_alpha(const struct gf_reader *r, const struct gf_raster_pixels *p, struct gf_error *err)
{
    struct gf_raster_line *line = gf_raster_line(p->height, (size_t)(p->width * p->bytes));
    unsigned char any = 0, all = p->mask;
    int result = line != NULL ? 0 : gf_fail_memory(err, r->name);

    for (int64_t row = 0; result == 0 && row < p->height && (any == 0 || (all == p->mask && !p->declared)); row++) {
        const unsigned char *last = p->find_row(r, row, line, err);

        result = last != NULL ? 0 : -1;
        line->rows--;
        for (int64_t x = 0; result == 0 && x < p->width; x++) {
            any |= last[x * p->bytes + p->bytes - 1];
            all &= last[x * p->bytes + p->bytes - 1];
        }
        any &= p->mask;
    }
    free(line);
    if (result == 0 && any != 0 && all != p->mask && !p->declared)
        gf_warn(r->notices, "alpha-undeclared", r->name,
                "the last byte of each pixel is interpreted as alpha, although its header does not say so; "
                "alpha:off drops it");
    return result == 0 ? any != 0 : -1;
}

/* Reads more bytes ahead if the buffer is used up. Returns 1, 0 at the end of the file, or -1. */
static int look_ahead(const struct gf_reader *r, struct gf_raster_cursor *c, struct gf_error *err)
{
    const struct gf_raster *p = r->state;
    const int64_t left = p->size - c->at;

    if (c->next < c->there)
        return 1;
    c->next = c->there = 0;
    if (left <= 0)
        return 0;
    c->there = left < (int64_t)sizeof c->ahead ? (int)left : (int)sizeof c->ahead;
    if (gf_raster_get(r, c->at, c->ahead, c->there, err) == 0)
        return 1;
    c->there = 0;
    return -1;
}

int gf_raster_byte(const struct gf_reader *r, struct gf_raster_cursor *c, struct gf_error *err)
{
    if (c->next == c->there) {
        const int more = look_ahead(r, c, err);

        if (more != 1)
            return more == 0 ? -1 : -2;
    }
    c->at++;
    return c->ahead[c->next++];
}

int gf_raster_take(const struct gf_reader *r, struct gf_raster_cursor *c, unsigned char *to, size_t size,
                   struct gf_error *err)
{
    while (size > 0) {
        const int more = look_ahead(r, c, err);
        size_t n;

        if (more != 1)
            return more == 0 ? fail_short(r, err) : -1;
        n = (size_t)(c->there - c->next) < size ? (size_t)(c->there - c->next) : size;
        memcpy(to, c->ahead + c->next, n);
        c->next += (int)n;
        c->at += (int64_t)n;
        to += n;
        size -= n;
    }
    return 0;
}
