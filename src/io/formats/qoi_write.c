/* Writes QOI row by row, each pixel as the shortest possible chunk. */
#include "io/bytes.h"
#include "io/fit.h"
#include "io/format.h"
#include "io/formats/qoi.h"

#include <stdlib.h>
#include <string.h>

#define PIXELS_AT_ONCE 8192

struct qoi_out {
    unsigned run;                /* pixels of the current run, not written yet */
    struct gf_qoi_pixel last;
    struct gf_qoi_pixel seen[GF_QOI_SEEN];
    /* room for the chunks of so many pixels, and of a run before them */
    unsigned char bytes[PIXELS_AT_ONCE * 5 + 1];
};

static int qoi_fit(struct gf_writer *w, struct gf_format *f, struct gf_error *err)
{
    return gf_fit_check_colours(w, f, err) != 0 ? -1 : gf_fit_bytes(w, f, err);
}

static int qoi_begin(struct gf_writer *w, struct gf_error *err)
{
    const struct gf_format *f = &w->format;
    unsigned char head[GF_QOI_HEAD_BYTES] = GF_QOI_MAGIC;
    struct qoi_out *q;

    if (w->state != NULL)
        return gf_fail_second_image(w, err);
    if (f->units < 0)
        return gf_fail(err, GF_FAILED, "%s: QOI needs the height in advance", w->name);
    if (f->width > UINT32_MAX || f->units > UINT32_MAX)
        return gf_fail(err, GF_FAILED, "%s: %lldx%lld is too large for QOI; try .pam or .ppm", w->name,
                       (long long)f->width, (long long)f->units);
    q = calloc(1, sizeof *q);
    if (q == NULL)
        return gf_fail_memory(err, w->name);
    w->state = q;
    q->last.a = 255;
    gf_put32(gf_put32(head + 4, (uint32_t)f->width), (uint32_t)f->units);
    head[12] = f->alpha ? 4 : 3;         /* QOI has no gray */
    return gf_output_write(w->out, head, sizeof head, err);
}

/*
 * Encodes a small difference from the previous pixel in one or two bytes. Returns NULL if that is
 * not enough.
 */
static inline unsigned char *put_difference(unsigned char *to, struct gf_qoi_pixel p, struct gf_qoi_pixel last)
{
    const int red = (int8_t)(p.r - last.r), green = (int8_t)(p.g - last.g), blue = (int8_t)(p.b - last.b);
    const unsigned r = (unsigned)(red + 2), g = (unsigned)(green + 2), b = (unsigned)(blue + 2);
    const unsigned beside_r = (unsigned)((int8_t)(red - green) + 8), beside_b = (unsigned)((int8_t)(blue - green) + 8);
    const unsigned luma = (unsigned)(green + 32);

    if (r < 4 && g < 4 && b < 4) {
        *to++ = (unsigned char)(GF_QOI_DIFF | r << 4 | g << 2 | b);
        return to;
    }
    if (luma >= 64 || beside_r >= 16 || beside_b >= 16)
        return NULL;
    *to++ = (unsigned char)(GF_QOI_LUMA | luma);
    *to++ = (unsigned char)(beside_r << 4 | beside_b);
    return to;
}

/* Encodes a pixel that differs from the previous one. */
static inline unsigned char *put_pixel(struct qoi_out *q, unsigned char *to, struct gf_qoi_pixel p,
                                       struct gf_qoi_pixel last)
{
    const unsigned place = gf_qoi_place(p);
    unsigned char *end;

    if (memcmp(&q->seen[place], &p, sizeof p) == 0) {
        *to++ = (unsigned char)(GF_QOI_INDEX | place);
        return to;
    }
    q->seen[place] = p;
    end = p.a == last.a ? put_difference(to, p, last) : NULL;
    if (end != NULL)
        return end;
    *to++ = p.a == last.a ? GF_QOI_RGB : GF_QOI_RGBA;
    memcpy(to, &p, 4);
    return to + (p.a == last.a ? 3 : 4);
}

static inline unsigned char *put_run(unsigned char *to, unsigned run)
{
    *to++ = (unsigned char)(GF_QOI_RUN | (run - 1));
    return to;
}

/* Returns a pixel as RGBA. */
static inline struct gf_qoi_pixel get_pixel(const uint8_t *from, int channels)
{
    switch (channels) {
    case 1:
        return (struct gf_qoi_pixel) { from[0], from[0], from[0], 255 };
    case 2:
        return (struct gf_qoi_pixel) { from[0], from[0], from[0], from[1] };
    case 3:
        return (struct gf_qoi_pixel) { from[0], from[1], from[2], 255 };
    default:
        return (struct gf_qoi_pixel) { from[0], from[1], from[2], from[3] };
    }
}

/* Encodes `count` pixels. The last run stays open, because the next pixels may extend it. */
static inline unsigned char *encode(struct qoi_out *q, const uint8_t *from, size_t count, int channels)
{
    struct gf_qoi_pixel last = q->last;
    unsigned char *to = q->bytes;
    unsigned run = q->run;

    for (size_t i = 0; i < count; i++, from += channels) {
        const struct gf_qoi_pixel p = get_pixel(from, channels);

        if (memcmp(&p, &last, sizeof p) == 0) {
            if (++run == GF_QOI_MOST_RUN) {
                to = put_run(to, run);
                run = 0;
            }
            continue;
        }
        if (run > 0)
            to = put_run(to, run);
        run = 0;
        to = put_pixel(q, to, p, last);
        last = p;
    }
    q->last = last;
    q->run = run;
    return to;
}

/* Calls encode() with a constant number of channels, so that the compiler makes a loop for each. */
static const unsigned char *encode_some(struct qoi_out *q, const uint8_t *from, size_t count, int channels)
{
    return channels == 1 ? encode(q, from, count, 1) : channels == 2 ? encode(q, from, count, 2)
         : channels == 3 ? encode(q, from, count, 3) : encode(q, from, count, 4);
}

static int qoi_write(struct gf_writer *w, const void *units, int64_t count, struct gf_error *err)
{
    struct qoi_out *q = w->state;
    const int channels = w->format.channels;
    const uint8_t *from = units;
    size_t left = (size_t)count * (size_t)w->format.width;

    while (left > 0) {
        const size_t n = left < PIXELS_AT_ONCE ? left : PIXELS_AT_ONCE;
        const unsigned char *end = encode_some(q, from, n, channels);

        if (gf_output_write(w->out, q->bytes, (size_t)(end - q->bytes), err) != 0)
            return -1;
        from += n * (size_t)channels;
        left -= n;
    }
    return 0;
}

static int qoi_end(struct gf_writer *w, struct gf_error *err)
{
    struct qoi_out *q = w->state;
    unsigned char *to = q->run > 0 ? put_run(q->bytes, q->run) : q->bytes;

    memset(to, 0, GF_QOI_END_BYTES);
    to[GF_QOI_END_BYTES - 1] = 1;
    return gf_output_write(w->out, q->bytes, (size_t)(to - q->bytes) + GF_QOI_END_BYTES, err);
}

const struct gf_writer_ops gf_write_qoi = {
    .name = "qoi", .kind = GF_IMAGE, .heeds = GF_HEEDS_DEPTH, .fit = qoi_fit, .begin = qoi_begin, .write = qoi_write,
    .end = qoi_end, .release = gf_writer_free_state,
    .writing = GF_LABOUR_CODE,
};
