/*
 * Writes TIFF through libtiff in strips: 8 and 16 bits and floats, several pages. Pages of a TIFF are compressed
 * as they were, because other programs may read few compressions. Built if HAVE_TIFF.
 */
#include "base/clones.h"
#include "io/fit.h"
#include "io/format.h"
#include "io/formats/deflate.h"
#include "io/formats/tiff/tiff_exif.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define STRIP_BYTES (INT64_C(1) << 18)
#define USUAL_LEVEL 6
/*
 * Larger images get 64-bit offsets, because their compressed size is not known in advance. LZW can make them half
 * as large again.
 */
#define BIG_BYTES (INT64_C(4000) << 20)
#define BIG_LZW   (BIG_BYTES / 3 * 2)

struct document {
    TIFF *t;
    struct gf_tiff_file file;
    bool big;                    /* offsets of 64 bits */
    bool in_order;               /* a pipe: the page is assembled in memory */
    unsigned char *strip;
    /* the strip, deflated here several times as fast as in libtiff; NULL: libtiff does it */
    unsigned char *packed;
    struct gf_deflate *deflate;  /* memory for that */
    int64_t strip_rows, rows;    /* rows per strip; rows in the current one */
    uint32_t next;               /* number of the next strip */
    struct gf_packing packing;   /* of the page */
};

static int tiff_fit(struct gf_writer *w, struct gf_format *f, struct gf_error *err)
{
    const int colours = gf_colours(f), depth = w->options.depth;

    if (colours > 4 || (f->alpha && colours != 1 && colours != 3))
        return gf_fail(err, GF_MISUSED, "%s: TIFF stores gray or RGB with alpha or one more channel, but there are %d "
                       "channels; add the stage channel to select some", w->name,
                       f->channels);
    if (depth == -32 || (depth == 0 && f->type == GF_F32)) {
        f->type = GF_F32;
        f->maxval = 1;
        f->bits = 32;
        return 0;
    }
    if (gf_fit_image(w, f, "tiff", err) != 0)
        return -1;
    f->maxval = f->type == GF_U8 ? 255 : 65535;
    f->bits = gf_maxval_bits(f->maxval);
    return 0;
}

static int fail_encode(struct document *d, struct gf_error *err)
{
    return gf_tiff_fail(&d->file, "encoded", err);
}

/* ---- tags of a page ---- */

/* Returns the number of color channels. A further channel is alpha or data. */
static int count_colours(const struct gf_format *f)
{
    return f->channels <= 2 ? 1 : 3;
}

/* The functions below return false if libtiff refuses a tag, mostly because memory is short. */
static bool put_layout(struct document *d, const struct gf_format *f)
{
    const uint16_t extra = f->alpha ? EXTRASAMPLE_UNASSALPHA : EXTRASAMPLE_UNSPECIFIED;
    const bool gray = count_colours(f) == 1;

    return TIFFSetField(d->t, TIFFTAG_IMAGEWIDTH, (uint32_t)f->width)
        && TIFFSetField(d->t, TIFFTAG_IMAGELENGTH, (uint32_t)f->units)
        && TIFFSetField(d->t, TIFFTAG_SAMPLESPERPIXEL, f->channels)
        && TIFFSetField(d->t, TIFFTAG_BITSPERSAMPLE, (int)gf_type_bytes(f->type) * 8)
        && TIFFSetField(d->t, TIFFTAG_SAMPLEFORMAT, f->type == GF_F32 ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT)
        && TIFFSetField(d->t, TIFFTAG_PHOTOMETRIC, gray ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB)
        && (f->channels <= count_colours(f) || TIFFSetField(d->t, TIFFTAG_EXTRASAMPLES, 1, &extra))
        && TIFFSetField(d->t, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG)
        && TIFFSetField(d->t, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT)
        && TIFFSetField(d->t, TIFFTAG_ROWSPERSTRIP, (uint32_t)d->strip_rows);
}

/* Returns the compression that a page keeps from its input, or 0. The others are lossy, or only for some types. */
static int kept_compression(int stored)
{
    static const int kept[] = { COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_PACKBITS,
                                COMPRESSION_ZSTD, COMPRESSION_LZMA };
    const int compression = stored == COMPRESSION_DEFLATE ? COMPRESSION_ADOBE_DEFLATE : stored;

    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (compression == kept[i])
            return TIFFIsCODECConfigured((uint16_t)compression) ? compression : 0;
    return 0;
}

/*
 * Chooses how a page is compressed: by --compression, or as in the input, or deflated with a predictor, because
 * differences of similar neighbors compress better. Few programs read the predictor for floats.
 */
static struct gf_packing choose_packing(const struct gf_writer *w)
{
    const bool floats = w->format.type == GF_F32;
    const int kept = w->options.compression < 0 ? kept_compression(w->packing.compression) : 0;
    struct gf_packing p = { kept != 0 ? kept : COMPRESSION_ADOBE_DEFLATE,
                            floats ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL };

    if (w->options.compression == 0 || !TIFFIsCODECConfigured((uint16_t)p.compression))
        p.compression = COMPRESSION_NONE;
    if (p.compression == COMPRESSION_NONE || p.compression == COMPRESSION_PACKBITS
        || (kept != 0 && (w->packing.predictor <= PREDICTOR_NONE || (floats && w->packing.predictor != p.predictor))))
        p.predictor = PREDICTOR_NONE;
    return p;
}

static bool put_compression(struct document *d, int level)
{
    return TIFFSetField(d->t, TIFFTAG_COMPRESSION, d->packing.compression)
        && (d->packing.predictor == PREDICTOR_NONE || TIFFSetField(d->t, TIFFTAG_PREDICTOR, d->packing.predictor))
        && (level <= 0 || d->packing.compression == COMPRESSION_NONE || TIFFSetField(d->t, TIFFTAG_ZIPQUALITY, level));
}

static bool put_resolution(struct document *d, const struct gf_meta *m)
{
    const bool metric = m->x_per_metre > 0 && m->y_per_metre > 0;
    const uint16_t unit = !metric ? RESUNIT_NONE : m->per_centimetre ? RESUNIT_CENTIMETER : RESUNIT_INCH;
    const double length = m->per_centimetre ? .01 : .0254;

    if (!metric && !(m->x_per_unit > 0 && m->y_per_unit > 0))
        return true;
    return TIFFSetField(d->t, TIFFTAG_RESOLUTIONUNIT, unit)
        && TIFFSetField(d->t, TIFFTAG_XRESOLUTION, metric ? m->x_per_metre * length : m->x_per_unit)
        && TIFFSetField(d->t, TIFFTAG_YRESOLUTION, metric ? m->y_per_metre * length : m->y_per_unit);
}

/* Sets a tag with bytes, or with a text if size is 0. Without memory for a copy, libtiff says nothing. */
static bool put_bytes(struct document *d, uint32_t tag, const void *bytes, uint32_t size)
{
    uint32_t got = 0;
    const void *copy = NULL;

    if (size == 0)
        return TIFFSetField(d->t, tag, bytes) && TIFFGetField(d->t, tag, &copy) && copy != NULL;
    return TIFFSetField(d->t, tag, size, bytes) && TIFFGetField(d->t, tag, &got, &copy) && copy != NULL;
}

static bool put_meta(struct document *d, const struct gf_writer *w)
{
    const struct gf_meta *m = w->meta;
    const int colours = count_colours(&w->format);
    bool done, damaged = false;

    if (m == NULL)
        return true;
    done = put_resolution(d, m)
        && (!gf_meta_has_icc_for(m, colours) || put_bytes(d, TIFFTAG_ICCPROFILE, m->icc, (uint32_t)m->icc_bytes))
        && (m->xmp_bytes == 0 || m->xmp_bytes >= UINT32_MAX
            || put_bytes(d, TIFFTAG_XMLPACKET, m->xmp, (uint32_t)m->xmp_bytes));
    for (int i = m->texts - 1; i >= 0; i--) {        /* of two texts with the same key, the first is kept */
        const char *key = strcmp(m->text[i].key, "Comment") == 0 ? "Description" : m->text[i].key;

        for (const struct gf_tiff_text *t = gf_tiff_texts; t->key != NULL; t++)
            if (strcmp(t->key, key) == 0)
                done = done && put_bytes(d, t->tag, m->text[i].value, 0);
    }
    done = done && gf_tiff_exif_write(d->t, &d->file, m, d->big, &damaged);
    if (damaged)
        gf_warn(w->options.notices, "tiff-exif", w->name, "some EXIF of its input is damaged, or has a type that "
                "TIFF cannot store, and is lost");
    return done;
}

/* ---- the writer ---- */

static int open_document(struct gf_writer *w, struct gf_error *err)
{
    const struct gf_format *f = &w->format;
    const int64_t most = w->packing.compression == COMPRESSION_LZW ? BIG_LZW : BIG_BYTES;
    struct document *d = calloc(1, sizeof *d);

    if (d == NULL)
        return gf_fail_memory(err, w->name);
    w->state = d;
    d->in_order = !gf_output_random(w->out);
    d->file = (struct gf_tiff_file) { .name = w->name, .out = d->in_order ? NULL : w->out,
                                      .base = gf_output_position(w->out) };
    d->big = (int64_t)gf_unit_bytes(f) > most / (f->units > 0 ? f->units : 1);
    d->t = gf_tiff_open(&d->file, d->big ? "w8" : "w");
    return d->t != NULL ? 0 : fail_encode(d, err);
}

/*
 * Allocates a strip, and a buffer for its deflated form. Strips are deflated here up to the default level, but
 * not with the predictor for floats; above that level, libtiff's library compresses better.
 */
static int make_strip(struct document *d, const struct gf_format *f, int level)
{
    const size_t bytes = (size_t)d->strip_rows * gf_unit_bytes(f);

    free(d->strip);
    free(d->packed);
    d->strip = malloc(bytes);
    d->packed = NULL;
    if (d->strip == NULL)
        return -1;
    if (d->packing.compression != COMPRESSION_ADOBE_DEFLATE || d->packing.predictor == PREDICTOR_FLOATINGPOINT
        || level > USUAL_LEVEL || !gf_deflate_in_pieces())
        return 0;
    d->packed = malloc(gf_deflate_room(bytes) + 6);
    return d->packed != NULL ? 0 : -1;
}

static int tiff_begin(struct gf_writer *w, struct gf_error *err)
{
    const struct gf_format *f = &w->format;
    struct document *d = w->state;
    int64_t rows;

    if (f->units < 0)
        return gf_fail(err, GF_FAILED, "%s: TIFF needs the height in advance", w->name);
    if (f->width > UINT32_MAX || f->units > UINT32_MAX)
        return gf_fail(err, GF_FAILED, "%s: %lldx%lld is too large for TIFF; try .pam", w->name, (long long)f->width,
                       (long long)f->units);
    if (d != NULL && d->in_order)
        return gf_fail(err, GF_FAILED, "%s: a TIFF on a pipe has only one image; write several images to a file",
                       w->name);
    if (d == NULL && open_document(w, err) != 0)
        return -1;
    d = w->state;
    rows = STRIP_BYTES / (int64_t)gf_unit_bytes(f);
    d->strip_rows = rows < 1 ? 1 : rows > f->units ? f->units : rows;
    d->rows = 0;
    d->next = 0;
    d->packing = choose_packing(w);
    if (make_strip(d, f, w->options.compression) != 0)
        return gf_fail_memory(err, w->name);
    errno = 0;
    if (!put_layout(d, f) || !put_compression(d, w->options.compression) || !put_meta(d, w))
        return fail_encode(d, err);
    return 0;
}

/* Compresses the strip to a zlib stream in d->packed. Returns its size, or 0 if memory is short. */
static tmsize_t deflate_strip(struct document *d, size_t size, int level)
{
    const uint32_t sum = gf_adler32(1, d->strip, size);
    tmsize_t n = (tmsize_t)gf_deflate_next(&d->deflate, d->strip, size, level, true, d->packed + 2);

    if (n == 0)
        return 0;
    d->packed[0] = 0x78;
    d->packed[1] = 0x9C;
    n += 2;
    for (int shift = 24; shift >= 0; shift -= 8)
        d->packed[n++] = (unsigned char)(sum >> shift);
    return n;
}

static int put_strip(struct gf_writer *w, struct gf_error *err)
{
    struct document *d = w->state;
    const size_t size = (size_t)d->rows * gf_unit_bytes(&w->format);
    const tmsize_t packed = d->rows > 0 && d->packed != NULL ? deflate_strip(d, size, w->options.compression) : 0;
    tmsize_t written = 0;

    if (d->rows > 0 && d->packed != NULL && packed == 0)
        return gf_fail_memory(err, w->name);
    if (packed > 0)
        written = TIFFWriteRawStrip(d->t, d->next++, d->packed, packed);
    else if (d->rows > 0)
        written = TIFFWriteEncodedStrip(d->t, d->next++, d->strip, (tmsize_t)size);
    if (written != (packed > 0 ? packed : (tmsize_t)size) || d->file.failed)
        return fail_encode(d, err);
    d->rows = 0;
    return 0;
}

#define DIFFER(name, ctype)                                                                                  \
    GF_CLONES                                                                                                \
    static void name(const ctype *restrict from, int64_t n, int channels, ctype *restrict to)                \
    {                                                                                                        \
        for (int64_t i = channels; i < n; i++)                                                               \
            to[i] = (ctype)(from[i] - from[i - channels]);                                                   \
    }
DIFFER(differ_u8, uint8_t)
DIFFER(differ_u16, uint16_t)
#undef DIFFER

/* Converts rows to differences from the previous pixel. The first pixel is copied. */
static void store_differences(const struct gf_format *f, const unsigned char *from, int64_t rows, unsigned char *to)
{
    const size_t row_bytes = gf_unit_bytes(f);

    for (int64_t y = 0; y < rows; y++, from += row_bytes, to += row_bytes) {
        memcpy(to, from, (size_t)f->channels * gf_type_bytes(f->type));
        if (f->type == GF_U8)
            differ_u8(from, f->width * f->channels, f->channels, to);
        else
            differ_u16((const uint16_t *)(const void *)from, f->width * f->channels, f->channels,
                       (uint16_t *)(void *)to);
    }
}

/* Writes rows. They are copied, because libtiff computes differences in place. */
static int tiff_write(struct gf_writer *w, const void *units, int64_t count, struct gf_error *err)
{
    struct document *d = w->state;
    const size_t row_bytes = gf_unit_bytes(&w->format);
    const unsigned char *from = units;

    while (count > 0) {
        const int64_t room = d->strip_rows - d->rows, rows = count < room ? count : room;

        if (d->packed != NULL && d->packing.predictor == PREDICTOR_HORIZONTAL)
            store_differences(&w->format, from, rows, d->strip + (size_t)d->rows * row_bytes);
        else
            memcpy(d->strip + (size_t)d->rows * row_bytes, from, (size_t)rows * row_bytes);
        from += (size_t)rows * row_bytes;
        d->rows += rows;
        count -= rows;
        if (d->rows == d->strip_rows && put_strip(w, err) != 0)
            return -1;
    }
    return 0;
}

static int tiff_end(struct gf_writer *w, struct gf_error *err)
{
    struct document *d = w->state;

    if (put_strip(w, err) != 0)
        return -1;
    if (!TIFFWriteDirectory(d->t) || d->file.failed)
        return fail_encode(d, err);
    if (d->in_order)
        return gf_output_write(w->out, d->file.bytes, (size_t)d->file.size, err);
    gf_output_set_position(w->out, d->file.base + d->file.size);
    return 0;
}

/* Releases the writer. libtiff must not write more of an incomplete page. */
static void tiff_release(struct gf_writer *w)
{
    struct document *d = w->state;

    if (d == NULL)
        return;
    d->file.failed = true;
    d->file.out = NULL;
    d->file.size = 0;
    if (d->t != NULL)
        TIFFCleanup(d->t);
    free(d->file.bytes);
    free(d->strip);
    free(d->packed);
    gf_deflate_free(d->deflate);
    free(d);
}

/* Returns true if there is a tag for the key of a text. */
static bool keeps_text(const struct gf_text *text)
{
    const char *key = strcmp(text->key, "Comment") == 0 ? "Description" : text->key;

    for (const struct gf_tiff_text *t = gf_tiff_texts; t->key != NULL; t++)
        if (strcmp(t->key, key) == 0)
            return true;
    return false;
}

const struct gf_writer_ops gf_write_tiff = {
    .name = "tiff", .kind = GF_IMAGE, .profile = true, .pixel_shape = true, .exif_bytes = UINT32_MAX - 1,
    .xmp_bytes = UINT32_MAX - 1, .keeps_text = keeps_text, .heeds = GF_HEEDS_DEPTH | GF_HEEDS_COMPRESSION,
    .fit = tiff_fit, .begin = tiff_begin, .write = tiff_write, .end = tiff_end,
    .release = tiff_release, .writing = GF_LABOUR_CODE, .ending = GF_LABOUR_CODE,
};
