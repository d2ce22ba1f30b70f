/* Decodes a part of a JPEG, or a reduced image, without the work for the rest.
 * Built if HAVE_JPEG. */
#include "io/formats/jpeg/jpeg_reader.h"

#include <string.h>

/*
 * Columns that are decoded on each side of a part. libjpeg interpolates chroma between neighbors, so the columns at
 * the edges of what it decodes would differ from those of the whole image.
 */
#define MARGIN 32
#define EOI 0xD9
#define RST0 0xD0
#define RST7 0xD7
#define BYTES_AT_ONCE (1 << 16)

void gf_jpeg_narrow(struct gf_reader *r, const struct gf_format *part)
{
    struct gf_jpeg_in *p = r->state;

    if (p->started || !p->made)
        return;
    p->d.scale_num = 1;
    p->d.scale_denom = (unsigned)part->original.shrunk;
    r->format = *part;
}

/* Leaves out columns, except a margin. */
static void leave_out_columns(struct gf_jpeg_in *p, JDIMENSION x, JDIMENSION width)
{
    struct jpeg_decompress_struct *d = &p->d;
    JDIMENSION from = x > MARGIN ? x - MARGIN : 0;
    JDIMENSION count = d->output_width - x - width > MARGIN ? x + width + MARGIN - from : d->output_width - from;

    if (count < d->output_width)
        jpeg_crop_scanline(d, &from, &count);
    p->left_out = x - from;
    p->wide = d->mem->alloc_sarray((j_common_ptr)d, JPOOL_IMAGE, d->output_width * 4, 1)[0];
}

void gf_jpeg_start_part(struct gf_jpeg_in *p, const struct gf_format *f)
{
    const struct gf_original *o = &f->original;

    p->end_row = (JDIMENSION)(o->y + f->units);
    if (f->width < (int64_t)p->d.output_width)
        leave_out_columns(p, (JDIMENSION)o->x, (JDIMENSION)f->width);
    if (o->y > 0)
        jpeg_skip_scanlines(&p->d, (JDIMENSION)o->y);
}

/* Returns the offset after the end marker of the scan that continues at `at`; 0 if anything else ends it. */
static int64_t find_end(const struct gf_source *s, int64_t at, struct gf_error *err)
{
    unsigned char b[BYTES_AT_ONCE];
    bool marker = false;                 /* the last byte was FF */
    int64_t got;

    while ((got = gf_source_read_at(s, at, b, sizeof b, err)) > 0) {
        for (const unsigned char *next = b, *end = b + got; next < end; next++) {
            if (!marker) {
                next = memchr(next, 0xFF, (size_t)(end - next));
                if (next == NULL)
                    break;
                marker = true;
            } else if (*next == EOI) {
                return at + (next - b) + 1;
            } else if (*next != 0xFF) {
                if (*next != 0 && (*next < RST0 || *next > RST7))
                    return 0;
                marker = false;
            }
        }
        at += got;
    }
    return got;
}

int gf_jpeg_skip_rest(struct gf_jpeg_in *p, struct gf_error *err)
{
    struct jpeg_decompress_struct *d = &p->d;
    const JDIMENSION rows = d->output_height - d->output_scanline;
    const int64_t at = p->source->position + (int64_t)(p->lent - p->feed.bytes_in_buffer);
    JSAMPROW row;
    int64_t end = 0;

    if (rows == 0)
        return 0;
    if (p->source->random && !p->errors.cut && !p->keeps_data && d->unread_marker == 0)
        end = find_end(p->source, at, err);
    if (end < 0)
        return -1;
    if (end > 0) {
        p->lent = p->feed.bytes_in_buffer = 0;
        jpeg_abort_decompress(d);
        return gf_source_skip(p->source, end - p->source->position, err) < 0 ? -1 : 1;
    }
    /* libjpeg would not even look at the rest of the data if it skipped the last row, too */
    row = d->mem->alloc_sarray((j_common_ptr)d, JPOOL_IMAGE, d->output_width * 4, 1)[0];
    if (rows > 1)
        jpeg_skip_scanlines(d, rows - 1);
    jpeg_read_scanlines(d, &row, 1);
    return 0;
}
