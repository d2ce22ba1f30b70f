/*
 * Writes PNG of 1 to 16 bits, still and animated. Several threads filter and compress bands of rows. A still image is
 * written row by row. When a second one comes, the first becomes a frame: chunks are inserted before its data.
 */
#define _GNU_SOURCE
#include "base/job_ring.h"
#include "base/memory_share.h"
#include "io/fit.h"
#include "io/formats/frames/animation.h"
#include "io/formats/png/png.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* band boundaries depend only on this and the image, so that output does not depend on threads */
#define BAND_BYTES ((size_t)512 << 10)
#define MOST_ROW_BYTES ((size_t)1 << 30) /* so that any row fits into a chunk, even uncompressed */

/* Consecutive rows in their three forms: stored, filtered, compressed. */
struct band {
    bool first, last;
    bool of_frame;                       /* its chunk has a sequence number: */
    uint32_t sequence;
    int64_t count;
    unsigned char *rows;         /* the row before the band, then its own rows */
    unsigned char *filtered, *packed;
    size_t packed_bytes;                 /* 0: there was not enough memory */
    uint32_t adler, crc;
};

struct encoder {
    /* bytes of a row of samples; of a stored row; of a stored pixel, at least 1 */
    size_t unit_bytes, row_bytes, pixel_bytes;
    struct gf_format image;      /* what is encoded: the image, or the part of it that changed */
    int64_t band_rows, row;      /* the next row to be written */
    int level;
    uint32_t adler;              /* of all bands that were written */
    int bands, threads;
    struct band *band;
    struct gf_job_ring ring;     /* bands are filled, compressed, written */
    pthread_mutex_t lock;        /* protects the members below */
    int spares;
    struct gf_deflate *spare[GF_JOB_RING_THREADS + 1];   /* compressors that no thread uses now */
    /* of an animation */
    struct gf_animation all;
    struct gf_shown first;       /* the duration of the first frame */
    int64_t data;                /* offset of the data of the first image, or of the chunks inserted before it */
    uint32_t sequence;           /* of the next chunk */
    unsigned char *samples, *before;     /* of the current frame; of the one before it. NULL: not kept */
    int64_t kept_rows;
};

/* ---- bands ---- */

/* Returns a compressor that no thread uses; NULL: a new one is needed. */
static struct gf_deflate *take_spare(struct encoder *e)
{
    struct gf_deflate *spare;

    pthread_mutex_lock(&e->lock);
    spare = e->spares > 0 ? e->spare[--e->spares] : NULL;
    pthread_mutex_unlock(&e->lock);
    return spare;
}

static void give_spare(struct encoder *e, struct gf_deflate *spare)
{
    if (spare == NULL)
        return;
    pthread_mutex_lock(&e->lock);
    e->spare[e->spares++] = spare;       /* one for each thread at most */
    pthread_mutex_unlock(&e->lock);
}

static void compress_band(struct encoder *e, struct band *b)
{
    const size_t size = (size_t)b->count * (e->row_bytes + 1);
    struct gf_deflate *deflate = take_spare(e);
    unsigned char number[4];
    size_t at = 0;

    gf_png_filter(b->rows + e->row_bytes, e->row_bytes, b->count, e->pixel_bytes, b->filtered);
    b->adler = gf_adler32(1, b->filtered, size);
    if (b->first) {                              /* the header of the zlib stream */
        b->packed[at++] = 0x78;
        b->packed[at++] = e->level == 0 ? 0x01 : e->level > 6 ? 0xDA : 0x9C;
    }
    b->packed_bytes = gf_deflate_next(&deflate, b->filtered, size, e->level, b->last, b->packed + at);
    give_spare(e, deflate);
    if (b->packed_bytes > 0)
        b->packed_bytes += at;
    gf_put32(number, b->sequence);
    b->crc = b->of_frame ? gf_crc32(gf_crc32(0, "fdAT", 4), number, 4) : gf_crc32(0, "IDAT", 4);
    b->crc = gf_crc32(b->crc, b->packed, b->packed_bytes);
}

static void compress_slot(void *argument, int slot)
{
    struct encoder *e = argument;

    compress_band(e, &e->band[slot]);
}

/* Writes a band as one IDAT or fdAT chunk. The last chunk ends with the Adler-32 of all bands. */
static int put_band(struct gf_writer *w, const struct band *b, struct gf_error *err)
{
    struct encoder *e = w->state;
    unsigned char head[12], tail[8], *end = tail;
    const size_t numbers = b->of_frame ? 4 : 0;
    uint32_t crc = b->crc;

    e->adler = gf_adler32_join(e->adler, b->adler, (size_t)b->count * (e->row_bytes + 1));
    if (b->packed_bytes == 0)
        return gf_fail_memory(err, w->name);
    memcpy(gf_put32(head, (uint32_t)(b->packed_bytes + numbers) + (b->last ? 4 : 0)), b->of_frame ? "fdAT" : "IDAT", 4);
    gf_put32(head + 8, b->sequence);
    if (b->last) {
        end = gf_put32(tail, e->adler);
        crc = gf_crc32(crc, tail, 4);
    }
    end = gf_put32(end, crc);
    if (gf_output_write(w->out, head, 8 + numbers, err) != 0
        || gf_output_write(w->out, b->packed, b->packed_bytes, err) != 0)
        return -1;
    return gf_output_write(w->out, tail, (size_t)(end - tail), err);
}

/* Writes the oldest band, after waiting until it is compressed. */
static int write_oldest(struct gf_writer *w, struct gf_error *err)
{
    struct encoder *e = w->state;
    const int result = put_band(w, &e->band[gf_job_ring_oldest(&e->ring)], err);

    gf_job_ring_release(&e->ring);
    return result;
}

/*
 * Hands over the current band for compression and prepares the next, which begins with the last row
 * of this one.
 */
static int submit_band(struct gf_writer *w, struct gf_error *err)
{
    struct encoder *e = w->state;
    struct band *b = &e->band[gf_job_ring_next(&e->ring)];
    const unsigned char *last = b->rows + (size_t)b->count * e->row_bytes;
    struct band *next;

    b->of_frame = e->all.images > 1;
    b->sequence = b->of_frame ? e->sequence++ : 0;
    gf_job_ring_submit(&e->ring);
    if (gf_job_ring_next(&e->ring) < 0 && write_oldest(w, err) != 0)
        return -1;
    next = &e->band[gf_job_ring_next(&e->ring)];
    memmove(next->rows, last, e->row_bytes);     /* it may be the same band */
    next->first = false;
    next->count = 0;
    return 0;
}

/* Packs samples of 1, 2 or 4 bits, the first one in the highest bits. */
static void pack_row(const struct gf_format *f, const unsigned char *from, unsigned char *to)
{
    const int per_byte = 8 / f->bits;

    for (int64_t x = 0; x < f->width; x += per_byte) {
        unsigned byte = 0;

        for (int i = 0; i < per_byte; i++)
            byte = byte << f->bits | (x + i < f->width ? from[x + i] : 0u);
        *to++ = (unsigned char)byte;
    }
}

static size_t stored_row_bytes(const struct gf_format *f)
{
    return f->bits < 8 ? ((size_t)f->width * (size_t)f->bits + 7) / 8 : gf_unit_bytes(f);
}

/* Converts a row to the layout of PNG. 16-bit samples are big-endian. */
static void store_row(const struct gf_format *f, const unsigned char *from, unsigned char *to, size_t size)
{
    const uint16_t *wide = (const uint16_t *)(const void *)from;

    if (f->bits < 8) {
        pack_row(f, from, to);
        return;
    }
    if (f->type == GF_U8) {
        memcpy(to, from, size);
        return;
    }
    for (size_t i = 0; i < size / 2; i++) {
        to[2 * i] = (unsigned char)(wide[i] >> 8);
        to[2 * i + 1] = (unsigned char)wide[i];
    }
}

/* Encodes rows that are `pitch` bytes apart. */
static int put_rows(struct gf_writer *w, const unsigned char *from, size_t pitch, int64_t count, struct gf_error *err)
{
    struct encoder *e = w->state;

    for (; count > 0; count--, from += pitch) {
        struct band *b = &e->band[gf_job_ring_next(&e->ring)];

        b->count++;
        store_row(&e->image, from, b->rows + (size_t)b->count * e->row_bytes, e->row_bytes);
        b->last = ++e->row == e->image.units;
        if ((b->last || b->count == e->band_rows) && submit_band(w, err) != 0)
            return -1;
    }
    return 0;
}

static int png_write(struct gf_writer *w, const void *units, int64_t count, struct gf_error *err)
{
    struct encoder *e = w->state;
    const bool encodes = e->all.images < 2;

    if (count > w->format.units - (encodes ? e->row : e->kept_rows))
        return gf_fail(err, GF_FAILED, "%s: more rows than the image has", w->name);
    if (e->samples != NULL) {
        memcpy(e->samples + (size_t)e->kept_rows * e->unit_bytes, units, (size_t)count * e->unit_bytes);
        e->kept_rows += count;
    }
    return encodes ? put_rows(w, units, e->unit_bytes, count, err) : 0;
}

static int write_all(struct gf_writer *w, struct gf_error *err)
{
    struct encoder *e = w->state;

    while (gf_job_ring_oldest(&e->ring) >= 0)
        if (write_oldest(w, err) != 0)
            return -1;
    return 0;
}

/* ---- frames of an animation ---- */

#define CHUNK_BYTES 12                   /* of a chunk, without its data */
#define ACTL_BYTES 8
#define FCTL_BYTES 26
#define INSERTED_BYTES (2 * CHUNK_BYTES + ACTL_BYTES + FCTL_BYTES)

/* Makes a chunk from data that is in its place already. Returns the byte after it. */
static unsigned char *close_chunk(unsigned char *chunk, const char *type, size_t size)
{
    memcpy(gf_put32(chunk, (uint32_t)size), type, 4);
    return gf_put32(chunk + 8 + size, gf_crc32(0, chunk + 4, size + 4));
}

/* Makes the acTL chunk: the number of frames, and how often they play. */
static unsigned char *make_actl(const struct encoder *e, unsigned char *chunk)
{
    gf_put32(gf_put32(chunk + 8, (uint32_t)e->all.images), (uint32_t)e->first.plays);
    return close_chunk(chunk, "acTL", ACTL_BYTES);
}

/* Makes an fcTL chunk. A duration that is no fraction of 16-bit numbers is rounded, to `thousandths` of a second. */
static unsigned char *make_fctl(struct encoder *e, const struct gf_canvas_place *p, struct gf_shown shown,
                                int thousandths, unsigned char *chunk)
{
    const int common = (int)gf_common_divisor(shown.count, shown.per_second);    /* the input states a duration */
    unsigned char *at = gf_put32(chunk + 8, e->sequence++);

    shown.count /= common;
    shown.per_second /= common;
    if (shown.count > UINT16_MAX || shown.per_second > UINT16_MAX) {
        shown.count = thousandths <= UINT16_MAX ? thousandths : thousandths / 1000;
        shown.per_second = thousandths <= UINT16_MAX ? 1000 : 1;
    }
    at = gf_put32(gf_put32(at, (uint32_t)p->width), (uint32_t)p->height);
    at = gf_put32(gf_put32(at, (uint32_t)p->x), (uint32_t)p->y);
    gf_put32(at, (uint32_t)shown.count << 16 | (uint32_t)shown.per_second);
    at[4] = at[5] = 0;                   /* it stays, and replaces what is there */
    return close_chunk(chunk, "fcTL", FCTL_BYTES);
}

/* Moves what is written from an offset on to a later one. Returns -1 if that fails. */
static int move_data(struct gf_writer *w, int64_t from, int64_t end, int64_t by, struct gf_error *err)
{
    unsigned char bytes[16384];

    while (end > from) {
        const int64_t size = end - from < (int64_t)sizeof bytes ? end - from : (int64_t)sizeof bytes;

        end -= size;
        if (gf_output_read_at(w->out, end, bytes, (size_t)size) != size)
            return gf_fail_system(err, errno, "%s: can't be read back", w->name);
        if (gf_output_write_at(w->out, end + by, bytes, (size_t)size, err) != 0)
            return -1;
    }
    return 0;
}

/* Makes the first image, which has been written, the first frame, and removes the end of the file. */
static int begin_animation(struct gf_writer *w, struct gf_error *err)
{
    struct encoder *e = w->state;
    const struct gf_canvas_place all = { 0, 0, w->format.width, w->format.units };
    const int64_t end = gf_output_position(w->out) - CHUNK_BYTES;
    unsigned char chunks[INSERTED_BYTES];

    if (!gf_output_random(w->out))
        return gf_fail(err, GF_FAILED, "%s: an animated PNG on a pipe is impossible, because it begins with the number "
                       "of its frames; name a file with -o, or use -t gif", w->name);
    make_fctl(e, &all, e->first, (int)e->all.ticks, make_actl(e, chunks));
    gf_output_set_position(w->out, end + INSERTED_BYTES);
    return move_data(w, e->data, end, INSERTED_BYTES, err) != 0 ? -1
        : gf_output_write_at(w->out, e->data, chunks, sizeof chunks, err);
}

/* Begins a frame after the first. Its samples are kept, to find what changes. */
static int begin_frame(struct gf_writer *w, struct gf_error *err)
{
    struct encoder *e = w->state;
    unsigned char *spare = e->before;

    if (gf_animation_begin_image(&e->all, w, err) != 0 || (e->all.images == 2 && begin_animation(w, err) != 0))
        return -1;
    e->before = e->samples;
    e->samples = spare != NULL ? spare : malloc(e->unit_bytes * (size_t)w->format.units + 1);
    e->kept_rows = 0;
    return e->samples != NULL ? 0 : gf_fail_memory(err, w->name);
}

/* Encodes the part of a frame that changed. */
static int end_frame(struct gf_writer *w, struct gf_error *err)
{
    struct encoder *e = w->state;
    struct gf_canvas_place p = gf_animation_changed(e->before, e->samples, w->format.width, w->format.units,
                                                    e->pixel_bytes);
    const int thousandths = gf_animation_ticks(&e->all, w, 1000, INT32_MAX);
    struct band *band = &e->band[gf_job_ring_next(&e->ring)];
    unsigned char chunk[CHUNK_BYTES + FCTL_BYTES];

    if (p.width == 0)                    /* nothing changed, but a frame has at least one pixel */
        p = (struct gf_canvas_place) { 0, 0, 1, 1 };
    make_fctl(e, &p, gf_animation_shown(w), thousandths, chunk);
    if (gf_output_write(w->out, chunk, sizeof chunk, err) != 0)
        return -1;
    e->image.width = p.width;
    e->image.units = p.height;
    e->row_bytes = stored_row_bytes(&e->image);
    e->row = 0;
    e->adler = 1;
    band->first = true;
    band->count = 0;
    memset(band->rows, 0, e->row_bytes);
    return put_rows(w, e->samples + (size_t)p.y * e->unit_bytes + (size_t)p.x * e->pixel_bytes, e->unit_bytes,
                    p.height, err) != 0 ? -1 : write_all(w, err);
}

static int put_end(struct gf_writer *w, struct gf_error *err)
{
    return gf_png_put_chunk(w->out, "IEND", NULL, 0, err);
}

static int png_end(struct gf_writer *w, struct gf_error *err)
{
    const struct encoder *e = w->state;

    if (e->all.images > 1)
        return end_frame(w, err);
    return write_all(w, err) != 0 ? -1 : put_end(w, err);
}

/* Ends an animation, whose number of frames is now known. */
static int png_finish(struct gf_writer *w, struct gf_error *err)
{
    const struct encoder *e = w->state;
    unsigned char chunk[CHUNK_BYTES + ACTL_BYTES];

    if (e == NULL)
        return 0;
    gf_animation_end(&e->all, w);
    if (e->all.images < 2)
        return 0;
    make_actl(e, chunk);
    return put_end(w, err) != 0 ? -1 : gf_output_write_at(w->out, e->data, chunk, sizeof chunk, err);
}

/* ---- begin and end ---- */

/*
 * Returns 1, 2 or 4 if a gray image is to be stored with so many bits, by --depth or like its
 * input; otherwise 0.
 */
static int few_bits(const struct gf_writer *w, const struct gf_format *f)
{
    const int bits = w->options.depth != 0 ? w->options.depth : f->bits;
    const bool few = bits == 1 || bits == 2 || bits == 4;

    if (!few || f->channels != 1)
        return 0;
    if (w->options.depth != 0 || (f->type == GF_U8 && (f->maxval == 255 || f->maxval == (1u << bits) - 1)))
        return bits;
    return 0;
}

static int png_fit(struct gf_writer *w, struct gf_format *f, struct gf_error *err)
{
    if (gf_fit_check_colours(w, f, err) != 0)
        return -1;
    if (few_bits(w, f) > 0) {
        f->bits = few_bits(w, f);
        f->type = GF_U8;
        f->maxval = (1u << f->bits) - 1;
        return 0;
    }
    if (w->options.depth > 0 && w->options.depth < 8)
        return gf_fail(err, GF_MISUSED, "%s: %d-bit PNG must be gray without alpha; add the stages gray alpha:off",
                       w->name, w->options.depth);
    if (gf_fit_image(w, f, "png", err) != 0)
        return -1;
    f->maxval = f->type == GF_U8 ? 255 : 65535;
    f->bits = gf_maxval_bits(f->maxval);
    return 0;
}

/* Reduces bands and threads to fit into memory. Band boundaries do not change. */
static void limit_bands(struct encoder *e, int64_t memory_bytes)
{
    const size_t rows = (size_t)e->band_rows, size = rows * (e->row_bytes + 1);
    const size_t band = (rows + 1) * e->row_bytes + size + gf_deflate_room(size);
    const int64_t most = gf_memory_share(GF_MEMORY_BANDS, memory_bytes) / (int64_t)band;

    if (memory_bytes <= 0 || e->bands <= most)
        return;
    e->bands = most > 2 ? (int)most : 1;
    e->threads = e->threads < e->bands ? e->threads : e->bands - 1;
}

/*
 * Sets the rows of a band and the number of bands. Without a compressor for pieces, one band has
 * all rows.
 */
static void set_bands(struct encoder *e, const struct gf_write_options *o, const struct gf_format *f)
{
    const size_t pitch = e->row_bytes + 1;
    int64_t all;

    e->level = o->compression;
    e->band_rows = pitch < BAND_BYTES ? (int64_t)(BAND_BYTES / pitch) : 1;
    if (e->level != 0 && !gf_deflate_in_pieces()) {
        if ((size_t)f->units <= MOST_ROW_BYTES / pitch)
            e->band_rows = f->units;
        else
            e->level = 0;
    }
    all = gf_ceil_div(f->units, e->band_rows);
    e->threads = o->threads < all ? o->threads : (int)all;
    e->threads = e->threads > GF_JOB_RING_THREADS ? GF_JOB_RING_THREADS : e->threads > 1 ? e->threads : 0;
    e->bands = e->threads > 0 ? 2 * e->threads + 2 : 1;
    e->bands = e->bands < all ? e->bands : (int)all;
    limit_bands(e, o->memory_bytes);
}

static int make_bands(struct encoder *e)
{
    const size_t rows = (size_t)e->band_rows, size = rows * (e->row_bytes + 1);

    e->band = calloc((size_t)e->bands, sizeof *e->band);
    for (int i = 0; e->band != NULL && i < e->bands; i++) {
        struct band *b = &e->band[i];

        b->rows = calloc(rows + 1, e->row_bytes);
        b->filtered = malloc(size);
        b->packed = malloc(gf_deflate_room(size) + 2);
        if (b->rows == NULL || b->filtered == NULL || b->packed == NULL)
            return -1;
    }
    return e->band == NULL ? -1 : 0;
}

static int put_header(struct gf_writer *w, struct gf_error *err)
{
    static const unsigned char colour_types[] = { 0, 0, 4, 2, 6 };
    const struct gf_format *f = &w->format;
    unsigned char header[13] = { 0 };

    gf_put32(gf_put32(header, (uint32_t)f->width), (uint32_t)f->units);
    header[8] = (unsigned char)f->bits;
    header[9] = colour_types[f->channels];
    if (gf_output_write(w->out, GF_PNG_SIGNATURE, 8, err) != 0
        || gf_png_put_chunk(w->out, "IHDR", header, sizeof header, err) != 0)
        return -1;
    return gf_png_put_meta(w, err);
}

/* Notes what an animation needs, if the image may be its first frame. */
static int note_first(struct gf_writer *w, struct gf_error *err)
{
    struct encoder *e = w->state;

    e->data = gf_output_position(w->out);
    e->first = gf_animation_shown(w);
    if (gf_animation_begin_image(&e->all, w, err) != 0)
        return -1;
    gf_animation_ticks(&e->all, w, 1000, INT32_MAX);
    if (!gf_animation_is_timed(w) || w->options.numbered || !gf_output_random(w->out))
        return 0;
    e->samples = malloc(e->unit_bytes * (size_t)w->format.units + 1);
    return e->samples != NULL ? 0 : gf_fail_memory(err, w->name);
}

static int png_begin(struct gf_writer *w, struct gf_error *err)
{
    const struct gf_format *f = &w->format;
    struct encoder *e;

    if (w->state != NULL)
        return begin_frame(w, err);
    if (f->units < 0)
        return gf_fail(err, GF_FAILED, "%s: PNG needs the height in advance", w->name);
    if (f->width > INT32_MAX || f->units > INT32_MAX || gf_unit_bytes(f) >= MOST_ROW_BYTES)
        return gf_fail(err, GF_FAILED, "%s: %lldx%lld is too large for PNG; try .pam or .ppm", w->name,
                       (long long)f->width, (long long)f->units);
    e = calloc(1, sizeof *e);
    w->state = e;
    if (e == NULL)
        return gf_fail_memory(err, w->name);
    pthread_mutex_init(&e->lock, NULL);
    e->unit_bytes = gf_unit_bytes(f);
    e->image = *f;
    e->row_bytes = stored_row_bytes(f);
    e->pixel_bytes = (size_t)f->channels * gf_type_bytes(f->type);
    e->adler = 1;
    set_bands(e, &w->options, f);
    if (make_bands(e) != 0 || gf_job_ring_open(&e->ring, e->threads, e->bands, compress_slot, e) != 0)
        return gf_fail_memory_hint(err, w->name, "try .pam or .ppm");
    e->band[0].first = true;
    return put_header(w, err) != 0 ? -1 : note_first(w, err);
}

static void png_release(struct gf_writer *w)
{
    struct encoder *e = w->state;

    if (e == NULL)
        return;
    gf_job_ring_close(&e->ring);
    for (int i = 0; e->band != NULL && i < e->bands; i++) {
        free(e->band[i].rows);
        free(e->band[i].filtered);
        free(e->band[i].packed);
    }
    while (e->spares > 0)
        gf_deflate_free(e->spare[--e->spares]);
    pthread_mutex_destroy(&e->lock);
    free(e->band);
    free(e->samples);
    free(e->before);
    free(e);
}

const struct gf_writer_ops gf_write_png = {
    .name = "png", .kind = GF_IMAGE, .profile = true, .colour_chunks = true, .pixel_shape = true, .animation = true,
    .keeps_text = gf_png_keeps_text,
    .exif_bytes = GF_PNG_MOST_BESIDE - 1, .xmp_bytes = GF_PNG_MOST_BESIDE - 1, .iptc_bytes = GF_PNG_MOST_BESIDE / 4,
    .heeds = GF_HEEDS_DEPTH | GF_HEEDS_COMPRESSION, .fit = png_fit, .begin = png_begin, .write = png_write,
    .end = png_end, .finish = png_finish, .release = png_release, .writing = GF_LABOUR_CODE, .ending = GF_LABOUR_CODE,
};
