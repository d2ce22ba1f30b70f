/*
 * Writes WebP through libwebp. An image is collected in memory and encoded at the end. Of an animation, threads
 * encode several frames at once: the part of each that changed.
 *
 * The chunks around frames are our own, because WebPAnimEncoder of libwebpmux keeps all of them in memory until the
 * end: 250 lossless frames of 640x480 took 473 MB there, 1.8 MB more for each, and take 31 MB here.
 * Built if HAVE_WEBP.
 */
#include "io/formats/frames/webp.h"

#include "base/job_ring.h"
#include "io/bytes.h"
#include "io/fit.h"
#include "io/formats/frames/animation.h"

#include <stdlib.h>
#include <string.h>
#include <webp/encode.h>

/* Defaults of --quality, and of --compression for lossless images. */
#define QUALITY 75
#define EFFORT 6

#define MOST_ENCODERS 8          /* frames of an animation that are encoded at once */
#define WORK_BYTES 100           /* of libwebp for a pixel of a lossless frame, with its samples and its result */
#define FEW_PIXELS 16            /* blending is tried if more than one of so many pixels did not change */
#define MOST_TICKS 0xFFFFFF
#define PER_SECOND 1000          /* units of a duration */
#define MOST_PLAYS 65535

/* The changed part of a frame. */
struct frame {
    struct gf_canvas_place place;
    int ticks;
    unsigned char *samples;
    unsigned char *blended;      /* RGBA, transparent where nothing changed; NULL: not lossless */
    bool blends;                 /* it is drawn over the frames before it; tried if many pixels are the same */
    WebPMemoryWriter result;
    struct gf_error error;       /* if `failed` */
    bool failed;
};

struct canvas {
    size_t row_bytes;
    unsigned char *samples;
    int64_t row;                 /* next row to be written in order */
    /* of an animation */
    struct gf_animation all;
    unsigned char *before;       /* samples of the previous frame */
    int64_t start;               /* offset of the file */
    int ticks, plays;
    bool alpha;                  /* some frame has alpha */
    struct gf_meta meta;         /* of the first frame */
    WebPMemoryWriter first;      /* the first frame, encoded */
    struct gf_job_ring ring;
    struct gf_writer copy;               /* for threads, because the writer changes while they encode */
    int encoders;                /* 0: one image so far */
    struct frame frame[MOST_ENCODERS];
};

static int webp_fit(struct gf_writer *w, struct gf_format *f, struct gf_error *err)
{
    if (gf_fit_check_colours(w, f, err) != 0)
        return -1;
    if (w->options.compression >= 0 && w->options.quality > 0 && w->options.quality < 100)
        gf_warn(w->options.notices, "webp-lossless", w->name, "--compression makes WebP lossless, so --quality %d has "
                "no effect; leave out one of them", w->options.quality);
    f->channels = f->alpha ? 4 : 3;      /* gray is stored as RGB */
    return gf_fit_bytes(w, f, err);
}

static int begin_animation(struct gf_writer *w, struct gf_error *err);

static int open_canvas(struct gf_writer *w, struct gf_error *err)
{
    const struct gf_format *f = &w->format;
    struct canvas *c;

    if (f->units < 0)
        return gf_fail(err, GF_FAILED, "%s: WebP needs the height in advance", w->name);
    if (f->width > WEBP_MAX_DIMENSION || f->units > WEBP_MAX_DIMENSION)
        return gf_fail(err, GF_FAILED, "%s: %lldx%lld is too large for WebP (at most 16383x16383); try .png or .jpg",
                       w->name, (long long)f->width, (long long)f->units);
    c = calloc(1, sizeof *c);
    w->state = c;
    if (c == NULL)
        return gf_fail_memory(err, w->name);
    c->row_bytes = (size_t)f->width * (size_t)f->channels;
    c->start = gf_output_position(w->out);
    c->plays = w->shown.plays;
    c->copy = *w;
    WebPMemoryWriterInit(&c->first);
    return w->meta != NULL && gf_animation_is_timed(w) ? gf_meta_copy(&c->meta, w->meta, err) : 0;
}

static int webp_begin(struct gf_writer *w, struct gf_error *err)
{
    struct canvas *c = w->state;
    unsigned char *spare;

    if (c == NULL && open_canvas(w, err) != 0)
        return -1;
    c = w->state;
    if (gf_animation_begin_image(&c->all, w, err) != 0 || (c->all.images == 2 && begin_animation(w, err) != 0))
        return -1;
    c->ticks = gf_animation_ticks(&c->all, w, PER_SECOND, MOST_TICKS);
    spare = c->before;
    c->before = c->samples;
    c->samples = spare != NULL ? spare : malloc(c->row_bytes * (size_t)w->format.units + 1);
    if (c->samples == NULL)
        return gf_fail_memory_hint(err, w->name, "try .pam or .ppm");
    c->row = 0;
    w->random = true;
    return 0;
}

static int webp_write_at(struct gf_writer *w, int64_t start, const void *units, int64_t count, struct gf_error *err)
{
    struct canvas *c = w->state;

    if (start < 0 || count > w->format.units - start)
        return gf_fail(err, GF_FAILED, "%s: more rows than the image has", w->name);
    memcpy(c->samples + (size_t)start * c->row_bytes, units, (size_t)count * c->row_bytes);
    return 0;
}

static int webp_write(struct gf_writer *w, const void *units, int64_t count, struct gf_error *err)
{
    struct canvas *c = w->state;

    if (webp_write_at(w, c->row, units, count, err) != 0)
        return -1;
    c->row += count;
    return 0;
}

/* ---- encoding ---- */

static bool is_lossless(const struct gf_write_options *o)
{
    return o->quality == 100 || o->compression >= 0;
}

/* Sets up the encoder. --quality 100 and --compression select lossless encoding. */
static bool configure(const struct gf_write_options *o, WebPConfig *config)
{
    const bool lossless = is_lossless(o);

    if (!WebPConfigInit(config))
        return false;
    config->quality = (float)(o->quality > 0 ? o->quality : QUALITY);
    config->thread_level = o->threads > 1;       /* the file stays the same */
    config->exact = lossless;            /* keeps the colors of transparent pixels */
    return !lossless || WebPConfigLosslessPreset(config, o->compression >= 0 ? o->compression : EFFORT);
}

/* Encodes packed samples of a size. */
static int encode(const struct gf_writer *w, const unsigned char *samples, int64_t width, int64_t rows, int channels,
                  WebPMemoryWriter *to, struct gf_error *err)
{
    WebPConfig config;
    WebPPicture p;
    int ok;

    if (!configure(&w->options, &config) || !WebPPictureInit(&p))
        return gf_fail(err, GF_FAILED, "%s: the installed libwebp is not compatible with this program; rebuild "
                       "gpufilter", w->name);
    p.width = (int)width;
    p.height = (int)rows;
    p.use_argb = config.lossless;
    p.writer = WebPMemoryWrite;
    p.custom_ptr = to;
    ok = (channels == 4 ? WebPPictureImportRGBA : WebPPictureImportRGB)(&p, samples, p.width * channels)
        && WebPEncode(&config, &p);
    WebPPictureFree(&p);
    if (ok)
        return 0;
    if (p.error_code == VP8_ENC_ERROR_PARTITION0_OVERFLOW || p.error_code == VP8_ENC_ERROR_PARTITION_OVERFLOW)
        return gf_fail(err, GF_FAILED, "%s: the image is too complex for WebP;; try a lower --quality", w->name);
    /* the output is memory, so a failed write means that memory is short */
    if (p.error_code == VP8_ENC_ERROR_OUT_OF_MEMORY || p.error_code == VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY
        || p.error_code == VP8_ENC_ERROR_BAD_WRITE || p.error_code == VP8_ENC_OK)   /* the import failed */
        return gf_fail_memory_hint(err, w->name, "try .pam or .ppm");
    return gf_fail(err, GF_FAILED, "%s: libwebp can't encode the image: error %d", w->name, (int)p.error_code);
}

/* ---- the file: RIFF chunks of even lengths ---- */

#define FLAG_ICC 0x20
#define FLAG_ALPHA 0x10
#define FLAG_EXIF 0x08
#define FLAG_XMP 0x04
#define FLAG_ANIMATION 0x02

static size_t even(size_t size)
{
    return size + (size & 1);
}

static int put_chunk(struct gf_output *out, const char *name, const void *bytes, size_t size, struct gf_error *err)
{
    unsigned char head[8];

    if (size == 0)
        return 0;
    memcpy(head, name, 4);
    gf_put_number(head + 4, size, 4, false);
    if (gf_output_write(out, head, sizeof head, err) != 0 || gf_output_write(out, bytes, size, err) != 0)
        return -1;
    return (size & 1) != 0 ? gf_output_write(out, "", 1, err) : 0;
}

/* Returns true if the result of libwebp has alpha, in the extended or the lossless form. */
static bool has_alpha(const unsigned char *b, size_t size)
{
    if (size > 20 && memcmp(b + 12, "VP8X", 4) == 0)
        return (b[20] & FLAG_ALPHA) != 0;
    return size > 24 && memcmp(b + 12, "VP8L", 4) == 0 && (b[24] & 0x10) != 0;
}

static size_t chunk_bytes(size_t size)
{
    return size > 0 ? 8 + even(size) : 0;
}

/* Writes the result of libwebp in the extended form, with metadata. */
static int put_with_meta(struct gf_writer *w, const unsigned char *b, size_t size, size_t icc_bytes,
                         struct gf_error *err)
{
    const struct gf_meta *m = w->meta;
    const bool is_long = memcmp(b + 12, "VP8X", 4) == 0;
    const size_t from = is_long ? 12 + 18 : 12;
    const size_t chunks = chunk_bytes(icc_bytes) + chunk_bytes(m->exif_bytes) + chunk_bytes(m->xmp_bytes);
    unsigned char head[12 + 18] = "RIFF\0\0\0\0WEBPVP8X\012";

    gf_put_number(head + 4, sizeof head - 8 + chunks + size - from, 4, false);
    head[20] = (unsigned char)((icc_bytes > 0 ? FLAG_ICC : 0) | (m->exif_bytes > 0 ? FLAG_EXIF : 0) |
                               (m->xmp_bytes > 0 ? FLAG_XMP : 0) | (has_alpha(b, size) ? FLAG_ALPHA : 0));
    gf_put_number(head + 24, (size_t)w->format.width - 1, 3, false);
    gf_put_number(head + 27, (size_t)w->format.units - 1, 3, false);
    if (gf_output_write(w->out, head, sizeof head, err) != 0 || put_chunk(w->out, "ICCP", m->icc, icc_bytes, err) != 0)
        return -1;
    if (gf_output_write(w->out, b + from, size - from, err) != 0
        || put_chunk(w->out, "EXIF", m->exif, m->exif_bytes, err) != 0)
        return -1;
    return put_chunk(w->out, "XMP ", m->xmp, m->xmp_bytes, err);
}

/* ---- frames of an animation ---- */

#define HEAD_BYTES (12 + 18)             /* RIFF, its length, WEBP, VP8X */
#define FRAME_HEAD_BYTES 16
#define FLAG_REPLACE 2                   /* a frame is not blended with those before it */

static size_t icc_bytes_of(const struct canvas *c)
{
    return gf_meta_has_icc_for(&c->meta, 3) ? c->meta.icc_bytes : 0;
}

/* Makes the header of an animation whose chunks have so many bytes. */
static void make_head(const struct gf_writer *w, size_t size, unsigned char head[HEAD_BYTES])
{
    const struct canvas *c = w->state;

    memcpy(head, "RIFF\0\0\0\0WEBPVP8X\012\0\0\0\0\0\0\0", 24);
    gf_put_number(head + 4, size, 4, false);
    head[20] = (unsigned char)(FLAG_ANIMATION | (icc_bytes_of(c) > 0 ? FLAG_ICC : 0)
                               | (c->meta.exif_bytes > 0 ? FLAG_EXIF : 0) | (c->meta.xmp_bytes > 0 ? FLAG_XMP : 0)
                               | (c->alpha ? FLAG_ALPHA : 0));
    gf_put_number(head + 24, (size_t)w->format.width - 1, 3, false);
    gf_put_number(head + 27, (size_t)w->format.units - 1, 3, false);
}

/* Writes a frame as it comes from libwebp. */
static int put_frame(struct gf_writer *w, const struct gf_canvas_place *p, int ticks, bool blends,
                     const WebPMemoryWriter *m, struct gf_error *err)
{
    struct canvas *c = w->state;
    const size_t from = memcmp(m->mem + 12, "VP8X", 4) == 0 ? HEAD_BYTES : 12;
    unsigned char head[8 + FRAME_HEAD_BYTES] = "ANMF";

    c->alpha = c->alpha || has_alpha(m->mem, m->size);
    gf_put_number(head + 4, FRAME_HEAD_BYTES + m->size - from, 4, false);
    gf_put_number(head + 8, (size_t)p->x / 2, 3, false);
    gf_put_number(head + 11, (size_t)p->y / 2, 3, false);
    gf_put_number(head + 14, (size_t)p->width - 1, 3, false);
    gf_put_number(head + 17, (size_t)p->height - 1, 3, false);
    gf_put_number(head + 20, (size_t)ticks, 3, false);
    head[23] = blends ? 0 : FLAG_REPLACE;
    return gf_output_write(w->out, head, sizeof head, err) != 0 ? -1
        : gf_output_write(w->out, m->mem + from, m->size - from, err);
}

static void encode_slot(void *argument, int slot)
{
    struct canvas *c = argument;
    struct frame *f = &c->frame[slot];

    WebPMemoryWriter other;

    f->failed = encode(&c->copy, f->samples, f->place.width, f->place.height, c->copy.format.channels, &f->result,
                       &f->error) != 0;
    if (f->failed || !f->blends)
        return;
    WebPMemoryWriterInit(&other);
    f->failed = encode(&c->copy, f->blended, f->place.width, f->place.height, 4, &other, &f->error) != 0;
    f->blends = !f->failed && other.size < f->result.size;
    if (f->blends) {
        WebPMemoryWriterClear(&f->result);
        f->result = other;
    } else {
        WebPMemoryWriterClear(&other);
    }
}

static int open_encoders(struct gf_writer *w, struct gf_error *err)
{
    struct canvas *c = w->state;
    const size_t bytes = c->row_bytes * (size_t)w->format.units;
    const int64_t each = w->format.width * w->format.units * WORK_BYTES;
    int encoders = w->options.threads < MOST_ENCODERS ? w->options.threads : MOST_ENCODERS;

    if (w->options.memory_bytes > 0 && encoders > w->options.memory_bytes / each)
        encoders = (int)(w->options.memory_bytes / each);
    c->encoders = encoders > 1 ? encoders : 1;
    for (int i = 0; i < c->encoders; i++) {
        WebPMemoryWriterInit(&c->frame[i].result);
        c->frame[i].samples = malloc(bytes);
        if (is_lossless(&w->options))
            c->frame[i].blended = malloc(4 * (size_t)(w->format.width * w->format.units));
        if (c->frame[i].samples == NULL || (is_lossless(&w->options) && c->frame[i].blended == NULL))
            return gf_fail_memory(err, w->name);
    }
    return gf_job_ring_open(&c->ring, c->encoders > 1 ? c->encoders : 0, c->encoders, encode_slot, c) != 0
        ? gf_fail_memory(err, w->name) : 0;
}

/* Replaces the still image, which has been written, by an animation that begins with it. */
static int begin_animation(struct gf_writer *w, struct gf_error *err)
{
    struct canvas *c = w->state;
    const struct gf_canvas_place all = { 0, 0, w->format.width, w->format.units };
    unsigned char head[HEAD_BYTES], control[6] = { 0 };
    int result;

    if (!gf_output_random(w->out))
        return gf_fail(err, GF_FAILED, "%s: an animated WebP on a pipe is impossible, because it begins with its size; "
                       "name a file with -o, or use -t gif", w->name);
    if (open_encoders(w, err) != 0)
        return -1;
    make_head(w, 0, head);
    gf_put_number(control + 4, (size_t)(c->plays < MOST_PLAYS ? c->plays : MOST_PLAYS), 2, false);
    gf_output_set_position(w->out, c->start);
    result = gf_output_write(w->out, head, sizeof head, err) != 0
        || put_chunk(w->out, "ICCP", c->meta.icc, icc_bytes_of(c), err) != 0
        || put_chunk(w->out, "ANIM", control, sizeof control, err) != 0
        || put_frame(w, &all, c->ticks, false, &c->first, err) != 0;
    WebPMemoryWriterClear(&c->first);
    return result != 0 ? -1 : 0;
}

/* Writes the oldest frame, after waiting until it is encoded. */
static int write_oldest(struct gf_writer *w, struct gf_error *err)
{
    struct canvas *c = w->state;
    struct frame *f = &c->frame[gf_job_ring_oldest(&c->ring)];
    int result = -1;

    if (f->failed)
        *err = f->error;
    else
        result = put_frame(w, &f->place, f->ticks, f->blends, &f->result, err);
    WebPMemoryWriterClear(&f->result);
    gf_job_ring_release(&c->ring);
    return result;
}

/*
 * Prepares a frame to be blended: pixels that did not change become transparent, and so compress well. Returns false
 * if these are few, or if another pixel is not opaque.
 */
static bool prepare_blended(const struct canvas *c, struct frame *f, size_t pixel)
{
    const unsigned char *from = f->samples;
    unsigned char *to = f->blended;
    int64_t same = 0;

    for (int64_t y = f->place.y; to != NULL && y < f->place.y + f->place.height; y++) {
        const unsigned char *before = c->before + (size_t)y * c->row_bytes + (size_t)f->place.x * pixel;

        for (int64_t x = 0; x < f->place.width; x++, from += pixel, before += pixel, to += 4) {
            const bool kept = memcmp(from, before, pixel) == 0;

            if (!kept && pixel == 4 && from[3] != 255)
                return false;
            memset(to, 0, 4);
            if (!kept) {
                memcpy(to, from, 3);
                to[3] = 255;
            }
            same += kept;
        }
    }
    return same * FEW_PIXELS > f->place.width * f->place.height;
}

/* Hands the part of the current frame that changed to a thread. Its place has even offsets. */
static int submit_frame(struct gf_writer *w, struct gf_error *err)
{
    struct canvas *c = w->state;
    const size_t pixel = (size_t)w->format.channels;
    struct gf_canvas_place p = gf_animation_changed(c->before, c->samples, w->format.width, w->format.units, pixel);
    struct frame *f;

    if (gf_job_ring_next(&c->ring) < 0 && write_oldest(w, err) != 0)
        return -1;
    f = &c->frame[gf_job_ring_next(&c->ring)];
    p.width = p.width > 0 ? p.width + (p.x & 1) : 1;     /* nothing changed, but a frame has at least one pixel */
    p.height = p.height > 0 ? p.height + (p.y & 1) : 1;
    p.x &= ~INT64_C(1);
    p.y &= ~INT64_C(1);
    f->place = p;
    f->ticks = c->ticks;
    for (int64_t y = 0; y < p.height; y++)
        memcpy(f->samples + (size_t)(y * p.width) * pixel,
               c->samples + (size_t)(p.y + y) * c->row_bytes + (size_t)p.x * pixel, (size_t)p.width * pixel);
    f->blends = prepare_blended(c, f, pixel);
    gf_job_ring_submit(&c->ring);
    return 0;
}

static int webp_end(struct gf_writer *w, struct gf_error *err)
{
    struct canvas *c = w->state;
    const size_t icc_bytes = w->meta != NULL && gf_meta_has_icc_for(w->meta, 3) ? w->meta->icc_bytes : 0;
    const bool more = icc_bytes > 0 || (w->meta != NULL && w->meta->exif_bytes + w->meta->xmp_bytes > 0);
    WebPMemoryWriter *m = &c->first;
    int result;

    if (c->encoders > 0)
        return submit_frame(w, err);
    result = encode(w, c->samples, w->format.width, w->format.units, w->format.channels, m, err);
    if (result == 0 && more)
        result = put_with_meta(w, m->mem, m->size, icc_bytes, err);
    else if (result == 0)
        result = gf_output_write(w->out, m->mem, m->size, err);
    if (gf_animation_is_timed(w))        /* another frame may follow */
        return result;
    WebPMemoryWriterClear(m);
    free(c->samples);
    c->samples = NULL;
    return result;
}

/* Ends an animation: writes its last frames and metadata, and completes the header. */
static int webp_finish(struct gf_writer *w, struct gf_error *err)
{
    struct canvas *c = w->state;
    unsigned char head[HEAD_BYTES];
    int64_t size;

    if (c == NULL)
        return 0;
    gf_animation_end(&c->all, w);
    if (c->encoders == 0)
        return 0;
    while (gf_job_ring_oldest(&c->ring) >= 0)
        if (write_oldest(w, err) != 0)
            return -1;
    if (put_chunk(w->out, "EXIF", c->meta.exif, c->meta.exif_bytes, err) != 0
        || put_chunk(w->out, "XMP ", c->meta.xmp, c->meta.xmp_bytes, err) != 0)
        return -1;
    size = gf_output_position(w->out) - c->start;
    if (size - 8 > UINT32_MAX - 1)
        return gf_fail(err, GF_FAILED, "%s: an animation of more than 4 GB is too large for WebP; try .apng", w->name);
    make_head(w, (size_t)size - 8, head);
    return gf_output_write_at(w->out, c->start, head, sizeof head, err);
}

static void webp_release(struct gf_writer *w)
{
    struct canvas *c = w->state;

    if (c == NULL)
        return;
    gf_job_ring_close(&c->ring);
    for (int i = 0; i < c->encoders; i++) {
        free(c->frame[i].samples);
        free(c->frame[i].blended);
        WebPMemoryWriterClear(&c->frame[i].result);
    }
    WebPMemoryWriterClear(&c->first);
    gf_meta_release(&c->meta);
    free(c->samples);
    free(c->before);
    free(c);
}

const struct gf_writer_ops gf_write_webp = {
    .name = "webp", .kind = GF_IMAGE, .profile = true, .animation = true, .exif_bytes = UINT32_MAX,
    .xmp_bytes = UINT32_MAX,
    .heeds = GF_HEEDS_DEPTH | GF_HEEDS_QUALITY | GF_HEEDS_COMPRESSION,
    .fit = webp_fit, .begin = webp_begin, .write = webp_write, .write_at = webp_write_at,
    .end = webp_end, .finish = webp_finish, .release = webp_release, .writing = GF_LABOUR_COPY,
    .ending = GF_LABOUR_CODE,
};
