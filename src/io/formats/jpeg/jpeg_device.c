/*
 * JPEG through the codec of a device. libjpeg has read the header; this file finds the coded image
 * and decides whether the codec may decode it. Built if HAVE_JPEG.
 */
#include "io/bytes.h"
#include "io/formats/jpeg/jpeg_reader.h"

#include <stdlib.h>
#include <string.h>

#define SOI 0xD8
#define EOI 0xD9
#define SOS 0xDA
#define HEADER_BYTES (INT64_C(1) << 20)  /* more metadata than this is unusual */
#define FIRST_BYTES (INT64_C(1) << 20)   /* most files are smaller */

static bool stands_alone(unsigned char marker)
{
    return marker <= 0x01 || (marker >= 0xD0 && marker <= EOI);
}

/* Returns the offset of the segment's marker code at or after `at`; 0 if there is none with a length. */
static size_t find_segment(const unsigned char *b, size_t size, size_t at)
{
    if (at >= size || b[at] != 0xFF)
        return 0;
    while (at < size && b[at] == 0xFF)               /* fill bytes may precede a marker */
        at++;
    return size - at < 3 || stands_alone(b[at]) ? 0 : at;
}

/* Returns the offset after the scan that begins at `at`, with its end marker; 0 without one. */
static size_t find_end(const unsigned char *b, size_t size, size_t at)
{
    const unsigned char *mark;

    while (at < size && (mark = memchr(b + at, 0xFF, size - at)) != NULL) {
        at = (size_t)(mark - b) + 1;
        while (at < size && b[at] == 0xFF)
            at++;
        if (at < size && b[at] == EOI)
            return at + 1;
        if (at >= size || (b[at] != 0 && !(b[at] >= 0xD0 && b[at] < SOI)))
            return 0;
        at++;
    }
    return 0;
}

size_t gf_jpeg_coded_bytes(const unsigned char *b, size_t size)
{
    size_t at = 2;
    unsigned char marker;

    if (size < 2 || b[0] != 0xFF || b[1] != SOI)
        return 0;
    do {
        at = find_segment(b, size, at);
        if (at == 0)
            return 0;
        marker = b[at++];
        at += gf_get16(b + at, true);
    } while (marker != SOS);
    return find_end(b, size, at);
}

/* Returns true if decoders agree on what the image means. */
static bool is_plain(const struct jpeg_decompress_struct *d)
{
    const jpeg_component_info *c = d->comp_info;
    const int factors = c[0].h_samp_factor * 10 + c[0].v_samp_factor;

    if (d->progressive_mode || d->arith_code || d->data_precision != 8 || jpeg_has_multiple_scans((j_decompress_ptr)d))
        return false;
    if (d->num_components == 1)
        return d->jpeg_color_space == JCS_GRAYSCALE && factors == 11;
    return d->num_components == 3 && d->jpeg_color_space == JCS_YCbCr
        && (factors == 11 || factors == 21 || factors == 22)
        && c[1].h_samp_factor == 1 && c[1].v_samp_factor == 1 && c[2].h_samp_factor == 1 && c[2].v_samp_factor == 1;
}

/* Returns the most bytes that a usual file needs for the current image. */
static int64_t most_bytes(const struct gf_jpeg_in *p)
{
    const int64_t left = p->source->size - p->begin;
    const int64_t usual = HEADER_BYTES + (int64_t)p->d.image_width * p->d.image_height * p->d.num_components;

    return left < usual ? left : usual;
}

/*
 * Reads the current image to its end, in steps because its length is unknown, and sets
 * p->coded_bytes; 0 if the end is not found, or if memory is short. The caller frees *bytes.
 */
static int read_coded(struct gf_jpeg_in *p, unsigned char **bytes, struct gf_error *err)
{
    const int64_t most = most_bytes(p);

    *bytes = NULL;
    p->coded_bytes = 0;
    for (int64_t size = 0, got = 0; p->coded_bytes == 0 && got == size && size < most;) {
        unsigned char *more;
        int64_t n;

        size = size == 0 ? FIRST_BYTES : 2 * size;
        size = size < most ? size : most;
        more = realloc(*bytes, (size_t)size);
        if (more == NULL) {
            gf_fail_memory_bytes(err, (size_t)size, NULL);
            return 0;
        }
        *bytes = more;
        n = gf_source_read_at(p->source, p->begin + got, more + got, (size_t)(size - got), err);
        if (n < 0)
            return -1;
        got += n;
        p->coded_bytes = (int64_t)gf_jpeg_coded_bytes(more, (size_t)got);
    }
    return 0;
}

/* Sets p->samples if the codec decodes the image. */
static int decode(struct gf_jpeg_in *p, struct gf_jpeg_codec *codec, const struct gf_format *f, struct gf_error *err)
{
    unsigned char *bytes;
    int done = read_coded(p, &bytes, err);

    if (done == 0 && p->coded_bytes > 0)
        done = codec->ops->decode(codec, bytes, (size_t)p->coded_bytes, f, &p->samples, err);
    free(bytes);
    if (done != 1)
        p->samples = NULL;
    return done < 0 ? -1 : 0;
}

static void *in_place(const struct gf_reader *r, int64_t start)
{
    const struct gf_jpeg_in *p = r->state;

    return (unsigned char *)p->samples + (size_t)start * gf_unit_bytes(&r->format);
}

int gf_jpeg_use_codec(struct gf_reader *r, struct gf_jpeg_codec *codec, struct gf_error *err)
{
    struct gf_jpeg_in *p = r->state;

    if (p->started || r->random || r->format.original.width > 0 || r->icc != NULL || !p->source->random
        || !is_plain(&p->d))
        return 0;
    if (decode(p, codec, &r->format, err) != 0)
        return -1;
    if (p->samples == NULL)
        return 0;
    p->host_ops = r->ops;
    p->device_ops = *r->ops;
    p->device_ops.read = NULL;
    p->device_ops.use_codec = NULL;
    p->device_ops.in_place = in_place;
    r->ops = &p->device_ops;
    r->random = r->passing = true;
    return 0;
}

int gf_jpeg_leave_device(struct gf_reader *r, struct gf_error *err)
{
    struct gf_jpeg_in *p = r->state;

    p->lent = p->feed.bytes_in_buffer = 0;       /* the position of the source counts none of these bytes */
    jpeg_abort_decompress(&p->d);
    p->samples = NULL;
    r->ops = p->host_ops;
    r->random = r->passing = false;
    return gf_source_skip(p->source, p->begin + p->coded_bytes - p->source->position, err) < 0 ? -1 : 0;
}
