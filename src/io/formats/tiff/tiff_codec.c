/* Refuses strips and tiles whose decoders need more memory than allowed, before libtiff decodes them.
 * Built if HAVE_TIFF. */
#include "io/formats/tiff/tiff_page.h"
#include "io/formats/tiff/tiff_stream.h"
#include "io/limits.h"

/* ---- any strip of a page ---- */

/* Returns the bytes of a strip or tile in rows of samples. */
static uint64_t decoded_bytes(const struct gf_tiff *p)
{
    return p->page.tiles ? TIFFTileSize64(p->t) : TIFFStripSize64(p->t);
}

uint64_t gf_tiff_codec_bytes(const struct gf_tiff *p)
{
    const uint64_t bytes = decoded_bytes(p);

    if (bytes >= UINT64_MAX / 64)
        return bytes;
    switch (gf_tiff_tag(p, TIFFTAG_COMPRESSION)) {
    case COMPRESSION_JBIG: return bytes + bytes / 2;         /* the image, and half of its rows at half the width */
    case COMPRESSION_LERC: return 2 * bytes;                 /* the samples and a mask */
    case COMPRESSION_PIXARLOG: return 2 * bytes;
    case COMPRESSION_WEBP: return 3 * bytes;                 /* the samples and 4 bytes for each pixel */
    default: return 0;
    }
}

/* ---- one strip ---- */

/* Finds the bytes of a strip or tile. They never reach beyond the file. */
static void find_stream(const struct gf_tiff *p, uint32_t part, struct gf_tiff_stream *s)
{
    const uint16_t compression = gf_tiff_tag(p, TIFFTAG_COMPRESSION);
    const bool mirrored = gf_tiff_tag(p, TIFFTAG_FILLORDER) == FILLORDER_LSB2MSB;
    const uint64_t size = (uint64_t)p->file.size;
    uint64_t *starts = NULL, *sizes = NULL;

    *s = (struct gf_tiff_stream) { .t = p->t };
    /* libtiff writes and reads JBIG the other way round, and JPEG as it is */
    s->mirrored = compression == COMPRESSION_JBIG ? !mirrored : mirrored && compression != COMPRESSION_JPEG;
    if (!TIFFGetField(p->t, p->page.tiles ? TIFFTAG_TILEOFFSETS : TIFFTAG_STRIPOFFSETS, &starts)
        || !TIFFGetField(p->t, p->page.tiles ? TIFFTAG_TILEBYTECOUNTS : TIFFTAG_STRIPBYTECOUNTS, &sizes)
        || starts == NULL || sizes == NULL || part >= p->page.parts || starts[part] >= size)
        return;
    s->start = starts[part];
    s->size = sizes[part] < size - s->start ? sizes[part] : size - s->start;
}

/* libtiff decodes the whole image in a strip, whatever its size is. */
static int check_jbig(struct gf_tiff *p, struct gf_tiff_stream *s, struct gf_error *err)
{
    const uint64_t most_width = (uint64_t)(p->page.tiles ? p->page.tile_width : p->page.width);
    const uint64_t row = (most_width + 7) / 8, most_height = row > 0 ? decoded_bytes(p) / row : 0;
    uint64_t width = 0, height = 0;

    if (!gf_tiff_jbig_size(s, &width, &height))
        return gf_fail(err, GF_FAILED, "%s: can't be decoded: its JBIG header is damaged", p->file.name);
    if (width > most_width || height > most_height)
        return gf_fail(err, GF_FAILED, "%s: can't be decoded: its JBIG header says %llux%llu, but the tags say "
                       "%llux%llu", p->file.name, (unsigned long long)width, (unsigned long long)height,
                       (unsigned long long)most_width, (unsigned long long)most_height);
    return 0;
}

/* Returns the memory that the contents of a strip make its decoder allocate. `room` is the memory that is left. */
static uint64_t stream_bytes(const struct gf_tiff *p, struct gf_tiff_stream *s, uint64_t room)
{
    const uint16_t compression = gf_tiff_tag(p, TIFFTAG_COMPRESSION);
    const uint64_t most = decoded_bytes(p);              /* more than this of a window is never used */
    uint64_t bytes;

    if (compression == COMPRESSION_JPEG)
        return gf_tiff_jpeg_bytes(s);
    if (most <= room || (compression != COMPRESSION_LZMA && compression != COMPRESSION_ZSTD))
        return 0;
    bytes = compression == COMPRESSION_LZMA ? gf_tiff_xz_bytes(s) : gf_tiff_zstd_bytes(s);
    return bytes < most ? bytes : most;
}

int gf_tiff_check_part(struct gf_tiff *p, uint32_t part, struct gf_error *err)
{
    const struct gf_tiff_page *page = &p->page;
    const uint64_t most = p->options.max_bytes > 0 ? (uint64_t)p->options.max_bytes : UINT64_MAX;
    const uint64_t room = most - page->needed_bytes;
    struct gf_tiff_stream s;
    uint64_t bytes;

    if (p->checked_part == (int64_t)part)
        return 0;
    find_stream(p, part, &s);
    if (gf_tiff_tag(p, TIFFTAG_COMPRESSION) == COMPRESSION_JBIG && check_jbig(p, &s, err) != 0)
        return -1;
    bytes = stream_bytes(p, &s, room);
    if (p->file.failed)
        return gf_tiff_fail(&p->file, "decoded", err);
    if (bytes > room)
        return gf_limits_fail_image(p->file.name, page->width, page->height,
                                    bytes < INT64_MAX / 2 ? (int64_t)(page->needed_bytes + bytes) : 0,
                                    &p->options, err);
    p->checked_part = part;
    return 0;
}

int gf_tiff_check_band(struct gf_tiff *p, int64_t start, struct gf_error *err)
{
    const struct gf_tiff_page *page = &p->page;
    const int64_t step = page->tiles ? page->tile_width : page->width;

    for (int sample = 0; sample < (page->planes ? page->pixel.samples : 1); sample++)
        for (int64_t x = 0; x < page->width; x += step) {
            const uint32_t part = page->tiles ? TIFFComputeTile(p->t, (uint32_t)x, (uint32_t)start, 0, (uint16_t)sample)
                                : TIFFComputeStrip(p->t, (uint32_t)start, (uint16_t)sample);

            if (gf_tiff_check_part(p, part, err) != 0)
                return -1;
        }
    return 0;
}

/* ---- all strips, and metadata ---- */

#define LEAST_BYTES (UINT64_C(16) << 20)
#define TIMES 100

/*
 * Strips, tiles and metadata may share bytes of the file: programs write empty tiles and profiles once. Each use
 * is read anew, though. An honest file stays far below 100 times its size: the lists of its tiles already take
 * 12 bytes for each tile, or 16, and empty tiles are short.
 */
static bool is_shared_too_often(const struct gf_tiff *p, uint64_t bytes)
{
    return bytes > LEAST_BYTES && bytes / TIMES > (uint64_t)p->file.size;
}

int gf_tiff_count_parts(struct gf_tiff *p, struct gf_error *err)
{
    const uint64_t size = (uint64_t)p->file.size, one = decoded_bytes(p);
    uint64_t *starts = NULL, *sizes = NULL;

    p->page.parts = p->page.tiles ? TIFFNumberOfTiles(p->t) : TIFFNumberOfStrips(p->t);
    if (!TIFFGetField(p->t, p->page.tiles ? TIFFTAG_TILEOFFSETS : TIFFTAG_STRIPOFFSETS, &starts)
        || !TIFFGetField(p->t, p->page.tiles ? TIFFTAG_TILEBYTECOUNTS : TIFFTAG_STRIPBYTECOUNTS, &sizes)
        || starts == NULL || sizes == NULL)
        return 0;
    for (uint32_t i = 0; i < p->page.parts; i++) {
        const uint64_t left = starts[i] < size ? size - starts[i] : 0, bytes = sizes[i] < left ? sizes[i] : left;

        p->stored_bytes += bytes < one ? 0 : bytes - one;    /* --max-pixels limits the samples */
    }
    if (!is_shared_too_often(p, p->stored_bytes))
        return 0;
    return gf_fail(err, GF_FAILED, "%s: can't be decoded: its strips or tiles share the same bytes too often, and are "
                   "more than %d times as long as the file", p->file.name, TIMES);
}

int gf_tiff_count_metadata(struct gf_tiff *p, uint64_t bytes, struct gf_error *err)
{
    p->metadata_bytes += bytes;
    if (!is_shared_too_often(p, p->metadata_bytes))
        return 0;
    return gf_fail(err, GF_FAILED, "%s: its pages share the same metadata too often: together it is more than %d times "
                   "as long as the file;; --images N reads only the first pages", p->file.name, TIMES);
}
