/* Keeps the markers of a JPEG that have metadata, as far as the limits allow.
 * Built if HAVE_JPEG. */
#include "io/formats/jpeg/jpeg_reader.h"

#include <string.h>

/* A file with more markers is an attack; 4096 of the longest hold 256 MB. */
#define MOST_MARKERS 4096
#define HEAD_BYTES 64                    /* enough to recognize a marker */

static unsigned char next_byte(j_decompress_ptr d)
{
    if (d->src->bytes_in_buffer == 0)
        d->src->fill_input_buffer(d);
    d->src->bytes_in_buffer--;
    return *d->src->next_input_byte++;
}

static void read_bytes(j_decompress_ptr d, unsigned char *to, size_t size)
{
    while (size > 0) {
        size_t n;

        if (d->src->bytes_in_buffer == 0)
            d->src->fill_input_buffer(d);
        n = size < d->src->bytes_in_buffer ? size : d->src->bytes_in_buffer;
        memcpy(to, d->src->next_input_byte, n);
        d->src->next_input_byte += n;
        d->src->bytes_in_buffer -= n;
        to += n;
        size -= n;
    }
}

/* Returns true if a marker has metadata that is used, by its first bytes. */
static bool is_used(int marker, const unsigned char *b, size_t size)
{
    static const struct {
        int marker;
        const char *name;
        size_t bytes;
    } used[] = {
        { JPEG_APP0 + 1, GF_JPEG_EXIF_NAME "\0", 6 },
        { JPEG_APP0 + 1, GF_JPEG_XMP_NAME, sizeof GF_JPEG_XMP_NAME },
        { JPEG_APP0 + 2, GF_JPEG_PROFILE_NAME, sizeof GF_JPEG_PROFILE_NAME },
        { JPEG_APP0 + 2, GF_JPEG_INDEX_NAME, sizeof GF_JPEG_INDEX_NAME },
        { JPEG_APP0 + 13, GF_JPEG_RESOURCES_NAME, sizeof GF_JPEG_RESOURCES_NAME },
        { JPEG_COM, "", 0 },
    };

    for (size_t i = 0; i < sizeof used / sizeof *used; i++)
        if (used[i].marker == marker && size >= used[i].bytes && memcmp(b, used[i].name, used[i].bytes) == 0)
            return true;
    return false;
}

/* Adds a marker to the list. Returns the place for its content. */
static unsigned char *add_marker(struct gf_jpeg_in *p, size_t size)
{
    struct gf_jpeg_markers *k = &p->markers;
    j_decompress_ptr d = &p->d;
    struct jpeg_marker_struct *added;

    if (++k->kept > MOST_MARKERS) {
        gf_fail(p->errors.err, GF_FAILED, "%s: has more than %d markers with metadata, the most that are read",
                p->errors.name, MOST_MARKERS);
        gf_jpeg_leave(&p->errors);
    }
    if (gf_meta_check_room(k->meta, k->bytes + sizeof *added + size, p->errors.err) != 0)
        gf_jpeg_leave(&p->errors);
    k->bytes += sizeof *added + size;
    added = d->mem->alloc_large((j_common_ptr)d, JPOOL_IMAGE, sizeof *added + size);
    *added = (struct jpeg_marker_struct) { .marker = (UINT8)d->unread_marker, .original_length = (unsigned)size,
                                           .data_length = (unsigned)size, .data = (JOCTET *)(added + 1) };
    if (k->last != NULL)
        k->last->next = added;
    else
        d->marker_list = added;
    k->last = added;
    return added->data;
}

/* Processes a marker, of which libjpeg has read the number: reads its length and its content. */
static boolean take_marker(j_decompress_ptr d)
{
    struct gf_jpeg_in *p = d->client_data;
    struct gf_jpeg_markers *k = &p->markers;
    const int marker = d->unread_marker, high = next_byte(d);
    const size_t stated = (size_t)(high << 8 | next_byte(d)), size = stated > 2 ? stated - 2 : 0;
    const size_t head_bytes = k->meta != NULL ? size < HEAD_BYTES ? size : HEAD_BYTES : 0;
    unsigned char head[HEAD_BYTES], *to;
    bool used;

    read_bytes(d, head, head_bytes);
    if (k->meta != NULL)
        gf_jpeg_note_part(marker, head, head_bytes, k->meta);
    used = k->meta != NULL && is_used(marker, head, head_bytes);
    if (used && marker == JPEG_COM && ++k->comments > GF_META_MOST_TEXTS) {
        k->meta->parts |= GF_PART_LONG_TEXT;
        used = false;
    }
    if (used) {
        to = add_marker(p, size);
        memcpy(to, head, head_bytes);
        read_bytes(d, to + head_bytes, size - head_bytes);
    } else if (size > head_bytes) {
        d->src->skip_input_data(d, (long)(size - head_bytes));
    }
    return TRUE;
}

void gf_jpeg_keep_markers(j_decompress_ptr d)
{
    static const int markers[] = { JPEG_APP0 + 1, JPEG_APP0 + 2, JPEG_APP0 + 11, JPEG_APP0 + 13, JPEG_COM };

    for (size_t i = 0; i < sizeof markers / sizeof *markers; i++)
        jpeg_set_marker_processor(d, markers[i], take_marker);
}
