/*
 * Finds further parts of a JPEG file: images after the main one, and parts that its markers list.
 * Built if HAVE_JPEG.
 */
#include "io/bytes.h"
#include "io/formats/jpeg/jpeg.h"
#include "io/metadata/xmp.h"

#include <string.h>

#define APP2 JPEG_APP0 + 2
#define APP11 JPEG_APP0 + 11
#define ENTRY_BYTES 12
#define IMAGE_BYTES 16
#define TAG_IMAGES 0xB002
#define CLASS_PREVIEW 1
#define CLASS_VIEW 2                     /* a view of a panorama or from another angle, which is an image of its own */

/*
 * Returns the list of images in a Multi-Picture index (CIPA DC-007), which has the structure of
 * EXIF, or NULL.
 */
static const unsigned char *find_list(const unsigned char *b, size_t size, bool *big, size_t *images)
{
    size_t at, entries, offset;

    *big = size > 0 && b[0] == 'M';
    if (size < 10 || (memcmp(b, "II*\0", 4) != 0 && memcmp(b, "MM\0*", 4) != 0))
        return NULL;
    at = gf_get32(b + 4, *big);
    if (at > size - 2)
        return NULL;
    entries = gf_get16(b + at, *big);
    for (at += 2; entries > 0 && size - at >= ENTRY_BYTES; entries--, at += ENTRY_BYTES) {
        if (gf_get16(b + at, *big) != TAG_IMAGES)
            continue;
        *images = gf_get32(b + at + 4, *big) / IMAGE_BYTES;
        offset = gf_get32(b + at + 8, *big);
        return offset <= size && *images <= (size - offset) / IMAGE_BYTES ? b + offset : NULL;
    }
    return NULL;
}

static void read_index(struct gf_jpeg_further *f, const unsigned char *b, size_t size)
{
    bool big;
    size_t images = 0;
    const unsigned char *list = find_list(b, size, &big, &images);

    if (list == NULL || images < 2)
        return;
    *f = (struct gf_jpeg_further) { .main_bytes = gf_get32(list + 4, big) };
    for (size_t i = 1; i < images && f->count < GF_JPEG_MOST_FURTHER; i++) {
        const uint32_t class = gf_get32(list + i * IMAGE_BYTES, big) >> 16 & 0xFF;

        if (class == CLASS_VIEW) {
            f->count = 0;
            return;
        }
        f->others = f->others || class != CLASS_PREVIEW;
        f->bytes[f->count++] = gf_get32(list + i * IMAGE_BYTES + 4, big);
    }
}

static bool begins_with(const unsigned char *b, size_t size, const void *with, size_t length)
{
    return size >= length && memcmp(b, with, length) == 0;
}

void gf_jpeg_note_part(int marker, const unsigned char *b, size_t size, struct gf_meta *m)
{
    static const char gain_map[] = "urn:iso:std:iso:ts:21496:-1", extended[] = "http://ns.adobe.com/xmp/extension/";

    if (marker == APP2 && begins_with(b, size, gain_map, sizeof gain_map))
        m->parts |= GF_PART_GAIN_MAP;
    else if (marker == APP11 && begins_with(b, size, "JP", 2) && size >= 16 && memcmp(b + 12, "jumb", 4) == 0)
        m->parts |= GF_PART_CREDENTIALS;
    else if (marker == JPEG_APP0 + 1 && begins_with(b, size, extended, sizeof extended))
        m->parts |= GF_PART_EXTENDED_XMP;
}

void gf_jpeg_take_parts(j_decompress_ptr d, struct gf_jpeg_further *f, struct gf_meta *m)
{
    *f = (struct gf_jpeg_further) { 0 };
    for (const struct jpeg_marker_struct *k = d->marker_list; k != NULL; k = k->next)
        if (k->marker == APP2 && begins_with(k->data, k->data_length, GF_JPEG_INDEX_NAME, 4))
            read_index(f, k->data + 4, k->data_length - 4);
    if (gf_xmp_has(m->xmp, m->xmp_bytes, "hdrgm:Version"))
        m->parts |= GF_PART_GAIN_MAP;
    if (gf_xmp_has(m->xmp, m->xmp_bytes, "GCamera:MotionPhoto")
        || gf_xmp_has(m->xmp, m->xmp_bytes, "GCamera:MicroVideo"))
        m->parts |= GF_PART_VIDEO;
    if (f->others && (m->parts & GF_PART_GAIN_MAP) == 0)
        m->parts |= GF_PART_IMAGES;
    gf_xmp_forget_parts(m->xmp, &m->xmp_bytes);
}
