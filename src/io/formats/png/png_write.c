/* Writes PNG of 1 to 16 bits. Several threads filter and compress bands of rows. */
#define _GNU_SOURCE
#include "base/job_ring.h"
#include "base/memory_share.h"
#include "io/fit.h"
#include "io/formats/png/png.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* band boundaries depend only on this and the image, so that output does not depend on threads */
#define BAND_BYTES ((size_t)512 << 10)
#define MOST_ROW_BYTES ((size_t)1 << 30) /* so that any row fits into a chunk, even uncompressed */

/* Consecutive rows in their three forms: stored, filtered, compressed. */
struct band {
    bool first, last;
    int64_t count;
    unsigned char *rows;         /* the row before the band, then its own rows */
    unsigned char *filtered, *packed;
    size_t packed_bytes;                 /* 0: there was not enough memory */
    uint32_t adler, crc;
};

struct encoder {
    /* bytes of a row of samples; of a stored row; of a stored pixel, at least 1 */
    size_t unit_bytes, row_bytes, pixel_bytes;
    int64_t band_rows, row;      /* the next row to be written */
    int level;
    uint32_t adler;              /* of all bands that were written */
    int bands, threads;
    struct band *band;
    struct gf_job_ring ring;     /* bands are filled, compressed, written */
    pthread_mutex_t lock;        /* protects the members below */
    int spares;
    struct gf_deflate *spare[GF_JOB_RING_THREADS + 1];   /* compressors that no thread uses now */
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
    b->crc = gf_crc32(gf_crc32(0, "IDAT", 4), b->packed, b->packed_bytes);
}

static void compress_slot(void *argument, int slot)
{
    struct encoder *e = argument;

    compress_band(e, &e->band[slot]);
}

/* Writes a band as one IDAT chunk. The last chunk ends with the Adler-32 of all bands. */
static int put_band(struct gf_writer *w, const struct band *b, struct gf_error *err)
{
    struct encoder *e = w->state;
    unsigned char head[8], tail[8], *end = tail;
    uint32_t crc = b->crc;

    e->adler = gf_adler32_join(e->adler, b->adler, (size_t)b->count * (e->row_bytes + 1));
    if (b->packed_bytes == 0)
        return gf_fail_memory(err, w->name);
    memcpy(gf_put32(head, (uint32_t)b->packed_bytes + (b->last ? 4 : 0)), "IDAT", 4);
    if (b->last) {
        end = gf_put32(tail, e->adler);
        crc = gf_crc32(crc, tail, 4);
    }
    end = gf_put32(end, crc);
    if (gf_output_write(w->out, head, 8, err) != 0 || gf_output_write(w->out, b->packed, b->packed_bytes, err) != 0)
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
    const struct band *b = &e->band[gf_job_ring_next(&e->ring)];
    const unsigned char *last = b->rows + (size_t)b->count * e->row_bytes;
    struct band *next;

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

static int png_write(struct gf_writer *w, const void *units, int64_t count, struct gf_error *err)
{
    struct encoder *e = w->state;
    const unsigned char *from = units;

    if (count > w->format.units - e->row)
        return gf_fail(err, GF_FAILED, "%s: more rows than the image has", w->name);
    for (; count > 0; count--, from += e->unit_bytes) {
        struct band *b = &e->band[gf_job_ring_next(&e->ring)];

        b->count++;
        store_row(&w->format, from, b->rows + (size_t)b->count * e->row_bytes, e->row_bytes);
        b->last = ++e->row == w->format.units;
        if ((b->last || b->count == e->band_rows) && submit_band(w, err) != 0)
            return -1;
    }
    return 0;
}

static int png_end(struct gf_writer *w, struct gf_error *err)
{
    struct encoder *e = w->state;

    while (gf_job_ring_oldest(&e->ring) >= 0)
        if (write_oldest(w, err) != 0)
            return -1;
    return gf_png_put_chunk(w->out, "IEND", NULL, 0, err);
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

static int png_begin(struct gf_writer *w, struct gf_error *err)
{
    const struct gf_format *f = &w->format;
    struct encoder *e;

    if (w->state != NULL)
        return gf_fail_second_image(w, err);
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
    e->row_bytes = f->bits < 8 ? ((size_t)f->width * (size_t)f->bits + 7) / 8 : e->unit_bytes;
    e->pixel_bytes = (size_t)f->channels * gf_type_bytes(f->type);
    e->adler = 1;
    set_bands(e, &w->options, f);
    if (make_bands(e) != 0 || gf_job_ring_open(&e->ring, e->threads, e->bands, compress_slot, e) != 0)
        return gf_fail_memory_hint(err, w->name, "try .pam or .ppm");
    e->band[0].first = true;
    return put_header(w, err);
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
    free(e);
}

const struct gf_writer_ops gf_write_png = {
    .name = "png", .kind = GF_IMAGE, .profile = true, .colour_chunks = true, .pixel_shape = true,
    .keeps_text = gf_png_keeps_text,
    .exif_bytes = GF_PNG_MOST_BESIDE - 1, .xmp_bytes = GF_PNG_MOST_BESIDE - 1, .iptc_bytes = GF_PNG_MOST_BESIDE / 4,
    .heeds = GF_HEEDS_DEPTH | GF_HEEDS_COMPRESSION, .fit = png_fit, .begin = png_begin, .write = png_write,
    .end = png_end, .release = png_release, .writing = GF_LABOUR_CODE, .ending = GF_LABOUR_CODE,
};
