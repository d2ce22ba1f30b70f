/* Reads one page of a TIFF: its layout, strips, tiles and rows. Built if HAVE_TIFF. */
#include "io/formats/tiff/tiff_page.h"

#include "io/format.h"
#include "io/limits.h"
#include "io/metadata/icc.h"

#include <stdlib.h>
#include <string.h>

/* ---- layout ---- */

#define STRIP_BYTES (1 << 22)
#define MOST_SIZE (UINT64_C(1) << 60)            /* sums of these do not overflow */

/*
 * Returns true if strips are read as a whole. libtiff decompresses small deflated strips faster
 * this way, and cannot decode JBIG in rows. In PackBits of some programs, runs of bits and indexes cross rows.
 */
static bool in_strips(struct gf_tiff *p)
{
    const uint16_t compression = gf_tiff_tag(p, TIFFTAG_COMPRESSION);

    if (compression == COMPRESSION_JBIG || (compression == COMPRESSION_PACKBITS && p->page.pixel.indexed))
        return true;
    return (compression == COMPRESSION_ADOBE_DEFLATE || compression == COMPRESSION_DEFLATE)
        && TIFFStripSize64(p->t) <= STRIP_BYTES;
}

/* Returns the bytes of `columns` pixels as libtiff returns them. */
static size_t stored_bytes(const struct gf_tiff_page *page, int64_t columns)
{
    const size_t samples = (size_t)columns * (size_t)(page->planes ? 1 : page->pixel.samples);

    return page->pixel.coding == GF_TIFF_PACKED ? (samples * (size_t)page->bits + 7) / 8
         : samples * (size_t)page->bits / 8;
}

/* Sets the buffer sizes, and checks that they are within the limits. */
static int find_sizes(struct gf_tiff *p, struct gf_error *err)
{
    struct gf_tiff_page *page = &p->page;
    uint32_t rows = 0, width = 0;
    uint64_t part, band, loose = 0, codec = gf_tiff_codec_bytes(p);

    if (page->tiles) {
        TIFFGetField(p->t, TIFFTAG_TILEWIDTH, &width);
        TIFFGetField(p->t, TIFFTAG_TILELENGTH, &rows);
        part = TIFFTileSize64(p->t);
    } else {
        TIFFGetFieldDefaulted(p->t, TIFFTAG_ROWSPERSTRIP, &rows);
        part = page->way == GF_TIFF_ROWS ? TIFFScanlineSize64(p->t) : TIFFStripSize64(p->t);
    }
    page->tile_width = width;
    page->band_rows = page->way == GF_TIFF_ROWS ? 1 : rows < page->height ? rows : page->height;
    band = page->way == GF_TIFF_STRIPS ? 0 : (uint64_t)page->band_rows * (uint64_t)page->width
         * (page->way == GF_TIFF_COLOURS ? 4 : page->pixel.bytes * (uint64_t)page->pixel.channels);
    if (page->pixel.coding != GF_TIFF_AS_IS)
        loose = (uint64_t)page->width * (page->planes ? 1 : (uint64_t)page->pixel.samples) * page->pixel.bytes;
    if (page->band_rows < 1 || part == 0 || (page->tiles && width == 0))
        return gf_fail(err, GF_FAILED, "%s: can't be decoded: its strips or tiles have no size", p->file.name);
    if (page->way != GF_TIFF_COLOURS && !page->tiles && part < stored_bytes(page, page->width))
        return gf_fail(err, GF_FAILED, "%s: can't be decoded: its rows are too short", p->file.name);
    if (loose >= MOST_SIZE || part >= MOST_SIZE || band >= MOST_SIZE || codec >= MOST_SIZE)
        return gf_limits_fail_image(p->file.name, page->width, page->height, 0, &p->options, err);
    page->needed_bytes = loose + part + band + codec;
    if (p->options.max_bytes > 0 && page->needed_bytes > (uint64_t)p->options.max_bytes)
        return gf_limits_fail_image(p->file.name, page->width, page->height, (int64_t)page->needed_bytes,
                                    &p->options, err);
    page->part_bytes = (size_t)part;
    page->band_bytes = (size_t)band;
    page->loose_bytes = (size_t)loose;
    return 0;
}

void gf_tiff_page_end(struct gf_tiff *p)
{
    free(p->band);
    free(p->part);
    free(p->samples);
    free(p->inks);
    p->band = p->part = p->samples = p->inks = NULL;
}

int gf_tiff_page_begin(struct gf_tiff *p, struct gf_format *f, struct gf_error *err)
{
    uint32_t width = 0, height = 0;

    TIFFGetField(p->t, TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(p->t, TIFFTAG_IMAGELENGTH, &height);
    if (gf_limits_check_size(p->file.name, width, height, 0, &p->options, err) != 0)
        return -1;
    p->page = (struct gf_tiff_page) { .width = width, .height = height, .tiles = TIFFIsTiled(p->t) != 0,
                                      .planes = gf_tiff_tag(p, TIFFTAG_PLANARCONFIG) == PLANARCONFIG_SEPARATE };
    p->page.planes = p->page.planes && gf_tiff_tag(p, TIFFTAG_SAMPLESPERPIXEL) > 1;
    *f = (struct gf_format) { .kind = GF_IMAGE, .width = width, .units = height };
    if (gf_tiff_find_channels(p, f, err) != 0)
        return -1;
    if (p->page.way == GF_TIFF_ROWS && (p->page.planes || p->page.tiles))
        p->page.way = GF_TIFF_BANDS;
    else if (p->page.way == GF_TIFF_ROWS && in_strips(p))
        p->page.way = GF_TIFF_STRIPS;
    if (find_sizes(p, err) != 0 || gf_tiff_count_parts(p, err) != 0)
        return -1;
    gf_tiff_page_end(p);
    p->band = malloc(p->page.band_bytes + 1);
    p->part = calloc(p->page.part_bytes + 1, 1);         /* libtiff leaves gaps after some damage */
    p->samples = malloc(p->page.loose_bytes + 1);
    p->inks = malloc(p->page.pixel.inks ? (size_t)width * (size_t)p->page.pixel.channels * p->page.pixel.bytes : 1);
    p->band_start = p->checked_part = -1;
    return p->band != NULL && p->part != NULL && p->samples != NULL && p->inks != NULL
         ? 0 : gf_fail_memory(err, p->file.name);
}

/* ---- bands ---- */

/* Decodes pixels from libtiff and stores their channels at `to`. */
static void store_pixels(struct gf_tiff *p, const unsigned char *from, int plane, int64_t columns, unsigned char *to)
{
    const struct gf_tiff_pixel *pixel = &p->page.pixel;

    if (pixel->coding != GF_TIFF_AS_IS) {
        gf_tiff_decode(pixel, from, (size_t)columns * (size_t)(plane < 0 ? pixel->samples : 1), p->samples);
        from = p->samples;
    }
    gf_tiff_copy(pixel, from, plane, to, (size_t)columns);
}

static bool is_kept(const struct gf_tiff_pixel *pixel, int sample)
{
    bool taken = false;

    for (int c = 0; c < pixel->channels; c++)
        taken = taken || pixel->kept[c] == sample;
    return taken;
}

/* Makes the rest of a strip or tile 0 if it ends early, as many faxes do. libtiff does not change it. */
static void clear_part(struct gf_tiff *p)
{
    if (p->page.pixel.indexed)
        memset(p->part, 0, p->page.part_bytes);
}

/* Decodes `rows` rows of a strip. */
static int read_strip(struct gf_tiff *p, uint32_t strip, int64_t rows, struct gf_error *err)
{
    const size_t wanted = (size_t)rows * stored_bytes(&p->page, p->page.width);

    clear_part(p);
    return TIFFReadEncodedStrip(p->t, strip, p->part, (tmsize_t)p->page.part_bytes) < (tmsize_t)wanted
         ? gf_tiff_fail(&p->file, "decoded", err) : 0;
}

static int band_of_strips(struct gf_tiff *p, int64_t start, int64_t rows, struct gf_error *err)
{
    const struct gf_tiff_page *page = &p->page;
    const size_t row = stored_bytes(page, page->width);
    const size_t to_row = (size_t)page->width * page->pixel.bytes * (size_t)page->pixel.channels;

    for (int s = 0; s < (page->planes ? page->pixel.samples : 1); s++) {
        const uint32_t strip = TIFFComputeStrip(p->t, (uint32_t)start, (uint16_t)s);

        if (page->planes && !is_kept(&page->pixel, s))
            continue;
        if (read_strip(p, strip, rows, err) != 0)
            return -1;
        for (int64_t y = 0; y < rows; y++)
            store_pixels(p, p->part + (size_t)y * row, page->planes ? s : -1, page->width,
                         p->band + (size_t)y * to_row);
    }
    return 0;
}

static int band_of_tiles(struct gf_tiff *p, int64_t start, int64_t rows, struct gf_error *err)
{
    const struct gf_tiff_page *page = &p->page;
    const size_t pixel = page->pixel.bytes * (size_t)page->pixel.channels, row = stored_bytes(page, page->tile_width);

    for (int64_t x = 0; x < page->width; x += page->tile_width) {
        const int64_t left = page->width - x, columns = left < page->tile_width ? left : page->tile_width;

        for (int s = 0; s < (page->planes ? page->pixel.samples : 1); s++) {
            if (page->planes && !is_kept(&page->pixel, s))
                continue;
            clear_part(p);
            if (TIFFReadTile(p->t, p->part, (uint32_t)x, (uint32_t)start, 0, (uint16_t)s)
                < (tmsize_t)((size_t)rows * row))
                return gf_tiff_fail(&p->file, "decoded", err);
            for (int64_t y = 0; y < rows; y++)
                store_pixels(p, p->part + (size_t)y * row, page->planes ? s : -1, columns,
                             p->band + (size_t)(y * page->width + x) * pixel);
        }
    }
    return 0;
}

/* Reads a band through libtiff's RGBA conversion. The orientation is kept; the chain applies it. */
static int band_of_colours(struct gf_tiff *p, int64_t start, int64_t rows, struct gf_error *err)
{
    const size_t count = (size_t)(rows * p->page.width);
    uint32_t *raster = (uint32_t *)(void *)p->band;
    TIFFRGBAImage image;
    char why[1024] = "";
    int got;

    if (!TIFFRGBAImageBegin(&image, p->t, 1, why))
        return gf_fail(err, GF_FAILED, "%s: can't be decoded: %s", p->file.name, why);
    image.req_orientation = image.orientation;
    image.row_offset = (int)start;
    got = TIFFRGBAImageGet(&image, raster, (uint32_t)p->page.width, (uint32_t)rows);
    TIFFRGBAImageEnd(&image);
    if (!got)
        return gf_tiff_fail(&p->file, "decoded", err);
    for (size_t i = 0; i < count; i++) {             /* in place: pixels become shorter */
        const uint32_t v = raster[i];
        const unsigned char rgb[] = { TIFFGetR(v), TIFFGetG(v), TIFFGetB(v) };

        memcpy(p->band + i * (size_t)p->page.pixel.channels, rgb, (size_t)p->page.pixel.channels);
    }
    return 0;
}

static int fill_band(struct gf_tiff *p, int64_t row, struct gf_error *err)
{
    struct gf_tiff_page *page = &p->page;
    const int64_t start = row - row % page->band_rows, left = page->height - start;
    const int64_t rows = left < page->band_rows ? left : page->band_rows;
    int result;

    if (p->band_start == start)
        return 0;
    p->band_start = -1;
    if (gf_tiff_check_band(p, start, err) != 0)
        return -1;
    if (page->way == GF_TIFF_COLOURS)
        result = band_of_colours(p, start, rows, err);
    else if (page->way == GF_TIFF_STRIPS)
        result = read_strip(p, TIFFComputeStrip(p->t, (uint32_t)start, 0), rows, err);
    else
        result = (page->tiles ? band_of_tiles : band_of_strips)(p, start, rows, err);
    if (result != 0)
        return -1;
    p->band_start = start;
    return 0;
}

/* ---- rows ---- */

int gf_tiff_check_damage(struct gf_tiff *p, struct gf_error *err)
{
    /* libtiff continues after some errors, too */
    const char *text = p->file.damage[0] != '\0' ? p->file.damage : p->file.text;

    if (text[0] == '\0')
        return 0;
    if (gf_tiff_is_cut(text))
        return gf_fail(err, GF_FAILED, "%s: can't be decoded: %s", p->file.name, text);
    gf_warn(p->notices, "tiff-damaged", p->file.name, "is damaged and is read as far as possible: %s", text);
    return 0;
}

static int read_row(struct gf_tiff *p, unsigned char *to, struct gf_error *err)
{
    const struct gf_tiff_page *page = &p->page;
    const size_t bytes = (size_t)page->width * page->pixel.bytes * (size_t)page->pixel.channels;

    if (page->way == GF_TIFF_ROWS) {
        if (gf_tiff_check_part(p, TIFFComputeStrip(p->t, (uint32_t)page->row, 0), err) != 0)
            return -1;
        clear_part(p);
        if (TIFFReadScanline(p->t, p->part, (uint32_t)page->row, 0) != 1)
            return gf_tiff_fail(&p->file, "decoded", err);
        store_pixels(p, p->part, -1, page->width, to);
        return 0;
    }
    if (fill_band(p, page->row, err) != 0)
        return -1;
    if (page->way == GF_TIFF_STRIPS) {
        store_pixels(p, p->part + (size_t)(page->row - p->band_start) * stored_bytes(page, page->width), -1,
                     page->width, to);
        return 0;
    }
    memcpy(to, p->band + (size_t)(page->row - p->band_start) * bytes, bytes);
    return 0;
}

int64_t gf_tiff_page_read(struct gf_tiff *p, const struct gf_format *f, void *units, int64_t count,
                          struct gf_error *err)
{
    struct gf_tiff_page *page = &p->page;
    const bool inks = page->pixel.inks;
    unsigned char *to = units;

    if (count > page->height - page->row)
        count = page->height - page->row;
    for (int64_t i = 0; i < count; i++, page->row++, to += gf_unit_bytes(f)) {
        if (read_row(p, inks ? p->inks : to, err) != 0)
            return -1;
        if (inks && p->icc != NULL)
            gf_icc_convert(p->icc, p->inks, to, page->width);
        else if (inks)
            gf_tiff_mix_inks(&page->pixel, p->inks, to, (size_t)page->width);
        gf_tiff_finish(&page->pixel, f, to, (size_t)page->width);
    }
    return gf_tiff_check_damage(p, err) == 0 ? count : -1;
}
