/* Reads QOI row by row, from files and pipes. A stream may have several images. */
#include "io/formats/qoi.h"

#include "io/bytes.h"
#include "io/format.h"
#include "io/limits.h"

#include <stdlib.h>
#include <string.h>

/* Chunks are shorter than the end marker, so this many bytes can be read wherever a chunk may begin. */
#define MOST_CHUNK_BYTES 5

struct qoi {
    int64_t row;                 /* next row to be read */
    bool opened;
    unsigned run;                /* remaining pixels of the current run */
    struct gf_qoi_pixel last;
    struct gf_qoi_pixel seen[GF_QOI_SEEN];
};

static int fail_short(const struct gf_reader *r, struct gf_error *err)
{
    const struct qoi *q = r->state;

    return gf_fail(err, GF_FAILED, "%s: is cut short after row %lld of %lld", r->name, (long long)q->row,
                   (long long)r->format.units);
}

/* ---- the header ---- */

static int read_header(struct gf_reader *r, struct gf_error *err)
{
    unsigned char head[GF_QOI_HEAD_BYTES];
    const int64_t got = gf_source_read(r->source, head, sizeof head, err);
    const int64_t width = gf_get32(head + 4, true), height = gf_get32(head + 8, true);

    if (got < (int64_t)sizeof head)
        return got < 0 ? -1 : gf_fail(err, GF_FAILED, "%s: ends in its header", r->name);
    if (memcmp(head, GF_QOI_MAGIC, 4) != 0)
        return gf_fail(err, GF_FAILED, "%s: is not a QOI image", r->name);
    if (head[12] != 3 && head[12] != 4)
        return gf_fail(err, GF_FAILED, "%s: can't be decoded: its header says %d channels; must be 3 or 4",
                       r->name, head[12]);
    if (head[13] == 1)
        gf_warn(r->notices, "qoi-linear", r->name, "its header says that values are linear, but they are read as sRGB; "
                "add the stage srgb");
    if (gf_limits_check_size(r->name, width, height, 0, r->options, err) != 0
        || gf_limits_check_size(r->name, width, 1, head[12], r->options, err) != 0)
        return -1;
    r->format = (struct gf_format) { .kind = GF_IMAGE, .type = GF_U8, .bits = 8, .maxval = 255, .channels = head[12],
                                     .alpha = head[12] == 4, .width = width, .units = height };
    return 0;
}

/* ---- pixels ---- */

/*
 * Decodes a chunk for one pixel, of at most MOST_CHUNK_BYTES bytes. `p` is the previous pixel at
 * first, then the new one.
 */
static inline const unsigned char *decode_pixel(const unsigned char *b, struct gf_qoi_pixel *p,
                                                const struct gf_qoi_pixel *seen)
{
    const unsigned c = *b++;

    if (c == GF_QOI_RGB || c == GF_QOI_RGBA) {
        *p = (struct gf_qoi_pixel) { b[0], b[1], b[2], c == GF_QOI_RGBA ? b[3] : p->a };
        return b + (c == GF_QOI_RGBA ? 4 : 3);
    }
    switch (c & 0xC0) {
    case GF_QOI_INDEX:
        *p = seen[c];
        return b;
    case GF_QOI_DIFF:
        p->r = (uint8_t)(p->r + (c >> 4 & 3) - 2);
        p->g = (uint8_t)(p->g + (c >> 2 & 3) - 2);
        p->b = (uint8_t)(p->b + (c & 3) - 2);
        return b;
    default: {                           /* luma: a difference of green; red and blue relative to it */
        const unsigned green = (c & 63) - 32, byte = *b++;

        p->r = (uint8_t)(p->r + green + (byte >> 4) - 8);
        p->g = (uint8_t)(p->g + green);
        p->b = (uint8_t)(p->b + green + (byte & 15) - 8);
        return b;
    }
    }
}

static inline void put_pixel(uint8_t *to, struct gf_qoi_pixel p, int channels)
{
    to[0] = p.r;
    to[1] = p.g;
    to[2] = p.b;
    if (channels == 4)
        to[3] = p.a;
}

/*
 * Decodes pixels up to `end`, or until the next chunk might extend beyond `limit`. Advances *bytes
 * and *to.
 */
static inline void decode_some(struct qoi *q, const unsigned char **bytes, const unsigned char *limit, uint8_t **to,
                               const uint8_t *end, int channels)
{
    struct gf_qoi_pixel last = q->last;
    const unsigned char *b = *bytes;
    uint8_t *at = *to;
    unsigned run = q->run;

    while (at < end) {
        if (run == 0 && limit - b < MOST_CHUNK_BYTES)
            break;
        if (run == 0 && (*b & 0xC0) == GF_QOI_RUN && *b < GF_QOI_RGB) {
            run = (*b++ & 63u) + 1;
            q->seen[gf_qoi_place(last)] = last;
        } else if (run == 0) {
            b = decode_pixel(b, &last, q->seen);
            q->seen[gf_qoi_place(last)] = last;
            put_pixel(at, last, channels);
            at += channels;
            continue;
        }
        for (; run > 0 && at < end; run--, at += channels)
            put_pixel(at, last, channels);
    }
    q->last = last;
    q->run = run;
    *bytes = b;
    *to = at;
}

static int read_row(struct gf_reader *r, uint8_t *to, struct gf_error *err)
{
    struct qoi *q = r->state;
    const int channels = r->format.channels;
    const uint8_t *end = to + gf_unit_bytes(&r->format);

    while (to < end) {
        const unsigned char *bytes, *at;
        const int64_t there = gf_source_peek(r->source, MOST_CHUNK_BYTES, &bytes, err);

        if (there < 0 || (there < MOST_CHUNK_BYTES && q->run == 0))
            return there < 0 ? -1 : fail_short(r, err);
        at = bytes;
        if (channels == 4)
            decode_some(q, &at, bytes + there, &to, end, 4);
        else
            decode_some(q, &at, bytes + there, &to, end, 3);
        if (at > bytes && gf_source_skip(r->source, at - bytes, err) < 0)
            return -1;
    }
    return 0;
}

/* Reads the end marker after the last pixel. */
static int read_end(struct gf_reader *r, struct gf_error *err)
{
    static const unsigned char wanted[GF_QOI_END_BYTES] = { [GF_QOI_END_BYTES - 1] = 1 };
    unsigned char end[GF_QOI_END_BYTES];
    const int64_t got = gf_source_read(r->source, end, sizeof end, err);

    if (got < (int64_t)sizeof end)
        return got < 0 ? -1 : gf_fail(err, GF_FAILED, "%s: is cut short after its last row", r->name);
    if (memcmp(end, wanted, sizeof end) == 0)
        return 0;
    return gf_fail(err, GF_FAILED, "%s: is damaged: the end marker after its last row is missing", r->name);
}

/* ---- the reader ---- */

static int64_t qoi_read(struct gf_reader *r, void *units, int64_t count, struct gf_error *err)
{
    struct qoi *q = r->state;
    const int64_t left = r->format.units - q->row;

    if (count > left)
        count = left;
    for (int64_t i = 0; i < count; i++, q->row++)
        if (read_row(r, (uint8_t *)units + (size_t)i * gf_unit_bytes(&r->format), err) != 0)
            return -1;
    return count > 0 && q->row == r->format.units && read_end(r, err) != 0 ? -1 : count;
}

/* Skips the remaining rows of the image. */
static int skip_image(struct gf_reader *r, struct gf_error *err)
{
    struct qoi *q = r->state;
    uint8_t *row = q->row < r->format.units ? malloc(gf_unit_bytes(&r->format)) : NULL;
    int64_t got = 1;

    if (q->row < r->format.units && row == NULL)
        return gf_fail_memory(err, r->name);
    while (got == 1 && q->row < r->format.units)
        got = qoi_read(r, row, 1, err);
    free(row);
    return got < 0 ? -1 : 0;
}

static int begins(struct gf_source *s, struct gf_error *err)
{
    return gf_source_begins(s, GF_QOI_MAGIC, 4, err);
}

static int qoi_next(struct gf_reader *r, struct gf_error *err)
{
    struct qoi *q = r->state;

    if (q->opened) {                     /* data after an image that is not another image is ignored */
        const int more = skip_image(r, err) == 0 ? begins(r->source, err) : -1;

        if (more != 1)
            return more;
    }
    q->opened = true;
    q->row = 0;
    q->run = 0;
    q->last = (struct gf_qoi_pixel) { .a = 255 };
    memset(q->seen, 0, sizeof q->seen);
    return read_header(r, err) == 0 ? 1 : -1;
}

static const struct gf_reader_ops qoi_ops = {
    .next = qoi_next, .read = qoi_read,
    .opening = GF_LABOUR_FILE, .reading = GF_LABOUR_CODE,
};

static int qoi_open(struct gf_reader *r, struct gf_source *s, const struct gf_read_options *o, struct gf_error *err)
{
    return gf_reader_begin(r, s, o, &qoi_ops, sizeof(struct qoi), err);
}

const struct gf_file_format gf_file_format_qoi = {
    .name = "qoi", .title = "QOI", .kinds = 1 << GF_IMAGE, .streams = GF_STREAMS_BOTH, .signature = { GF_QOI_MAGIC },
    .open = qoi_open, .hardened = true, .image = &gf_write_qoi,
    .notes = { "QOI", "samples", "metadata on writing", NULL },
};
