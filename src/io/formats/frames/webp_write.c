/* Writes WebP through libwebp. An image is collected in memory and encoded at the end.
 * Built if HAVE_WEBP. */
#include "io/formats/frames/webp.h"

#include "io/fit.h"

#include <stdlib.h>
#include <string.h>
#include <webp/encode.h>

/* Defaults of --quality, and of --compression for lossless images. */
#define QUALITY 75
#define EFFORT 6

struct canvas {
    size_t row_bytes;
    unsigned char *samples;
    int64_t row;                 /* next row to be written in order */
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

static int webp_begin(struct gf_writer *w, struct gf_error *err)
{
    const struct gf_format *f = &w->format;
    struct canvas *c;

    if (w->state != NULL)
        return gf_fail_second_image(w, err);
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
    c->samples = malloc(c->row_bytes * (size_t)f->units + 1);
    if (c->samples == NULL)
        return gf_fail_memory_hint(err, w->name, "try .pam or .ppm");
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

/* Sets up the encoder. --quality 100 and --compression select lossless encoding. */
static bool configure(const struct gf_write_options *o, WebPConfig *config)
{
    const bool lossless = o->quality == 100 || o->compression >= 0;

    if (!WebPConfigInit(config))
        return false;
    config->quality = (float)(o->quality > 0 ? o->quality : QUALITY);
    config->thread_level = o->threads > 1;       /* the file stays the same */
    config->exact = lossless;            /* keeps the colors of transparent pixels */
    return !lossless || WebPConfigLosslessPreset(config, o->compression >= 0 ? o->compression : EFFORT);
}

static int encode(struct gf_writer *w, WebPMemoryWriter *to, struct gf_error *err)
{
    const struct canvas *c = w->state;
    WebPConfig config;
    WebPPicture p;
    int ok;

    if (!configure(&w->options, &config) || !WebPPictureInit(&p))
        return gf_fail(err, GF_FAILED, "%s: the installed libwebp is not compatible with this program; rebuild "
                       "gpufilter", w->name);
    p.width = (int)w->format.width;
    p.height = (int)w->format.units;
    p.use_argb = config.lossless;
    p.writer = WebPMemoryWrite;
    p.custom_ptr = to;
    ok = (w->format.channels == 4 ? WebPPictureImportRGBA : WebPPictureImportRGB)(&p, c->samples, (int)c->row_bytes)
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

static void put_le(unsigned char *b, size_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        b[i] = (unsigned char)(value >> 8 * i);
}

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
    put_le(head + 4, size, 4);
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

    put_le(head + 4, sizeof head - 8 + chunks + size - from, 4);
    head[20] = (unsigned char)((icc_bytes > 0 ? FLAG_ICC : 0) | (m->exif_bytes > 0 ? FLAG_EXIF : 0) |
                               (m->xmp_bytes > 0 ? FLAG_XMP : 0) | (has_alpha(b, size) ? FLAG_ALPHA : 0));
    put_le(head + 24, (size_t)w->format.width - 1, 3);
    put_le(head + 27, (size_t)w->format.units - 1, 3);
    if (gf_output_write(w->out, head, sizeof head, err) != 0 || put_chunk(w->out, "ICCP", m->icc, icc_bytes, err) != 0)
        return -1;
    if (gf_output_write(w->out, b + from, size - from, err) != 0
        || put_chunk(w->out, "EXIF", m->exif, m->exif_bytes, err) != 0)
        return -1;
    return put_chunk(w->out, "XMP ", m->xmp, m->xmp_bytes, err);
}

static int webp_end(struct gf_writer *w, struct gf_error *err)
{
    struct canvas *c = w->state;
    const size_t icc_bytes = w->meta != NULL && gf_meta_has_icc_for(w->meta, 3) ? w->meta->icc_bytes : 0;
    const bool more = icc_bytes > 0 || (w->meta != NULL && w->meta->exif_bytes + w->meta->xmp_bytes > 0);
    WebPMemoryWriter m;
    int result;

    WebPMemoryWriterInit(&m);
    result = encode(w, &m, err);
    if (result == 0 && more)
        result = put_with_meta(w, m.mem, m.size, icc_bytes, err);
    else if (result == 0)
        result = gf_output_write(w->out, m.mem, m.size, err);
    WebPMemoryWriterClear(&m);
    free(c->samples);
    c->samples = NULL;
    return result;
}

static void webp_release(struct gf_writer *w)
{
    struct canvas *c = w->state;

    if (c != NULL)
        free(c->samples);
    free(c);
}

const struct gf_writer_ops gf_write_webp = {
    .name = "webp", .kind = GF_IMAGE, .profile = true, .exif_bytes = UINT32_MAX,
    .xmp_bytes = UINT32_MAX,
    .heeds = GF_HEEDS_DEPTH | GF_HEEDS_QUALITY | GF_HEEDS_COMPRESSION,
    .fit = webp_fit, .begin = webp_begin, .write = webp_write, .write_at = webp_write_at,
    .end = webp_end, .release = webp_release, .writing = GF_LABOUR_COPY, .ending = GF_LABOUR_CODE,
};
