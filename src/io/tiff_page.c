/* One page of a TIFF: what libtiff makes of it, strips or tiles, and its rows. */
#include "io/tiff_page.h"

#include <stdlib.h>
#include <string.h>

#include "io/formats.h"

/* ---- what a page is ---- */

uint16_t gf_tiff_tag(struct gf_tiff *p, uint32_t name)
{
    uint16_t value = 0;

    TIFFGetFieldDefaulted(p->t, name, &value);
    return value;
}

/* What its samples are; a few files forget to say it. */
static uint16_t colours_of(struct gf_tiff *p)
{
    uint16_t told;

    return TIFFGetField(p->t, TIFFTAG_PHOTOMETRIC, &told) ? told
         : gf_tiff_tag(p, TIFFTAG_SAMPLESPERPIXEL) >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK;
}

/* Whether its samples are taken as they are: gray or RGB of whole bytes. */
static bool is_plain(struct gf_tiff *p, uint16_t colours, uint16_t bits)
{
    const uint16_t compression = gf_tiff_tag(p, TIFFTAG_COMPRESSION);

    if (colours == PHOTOMETRIC_YCBCR && compression == COMPRESSION_JPEG) {
        TIFFSetField(p->t, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
        return bits == 8;
    }
    return (colours == PHOTOMETRIC_MINISBLACK || colours == PHOTOMETRIC_MINISWHITE || colours == PHOTOMETRIC_RGB) && bits % 8 == 0;
}

/* The type of its samples, if it is one of ours. */
static int find_type(struct gf_tiff *p, struct gf_format *f, uint16_t bits, struct gf_error *err)
{
    static const char *const words[] = { "", "", " signed", " floating-point", "", " complex", " complex" };
    const uint16_t kind = gf_tiff_tag(p, TIFFTAG_SAMPLEFORMAT);
    const bool whole = kind == SAMPLEFORMAT_UINT || kind == SAMPLEFORMAT_VOID || kind == 0;

    if (!(whole && bits <= 16) && !(kind == SAMPLEFORMAT_IEEEFP && bits == 32))
        return gf_fail(err, GF_FAILED, "%s: is a TIFF of %d%s bits a sample; 8, 16 and floating-point 32 are read", p->file.name,
                       bits, kind < 7 ? words[kind] : "");
    f->type = kind == SAMPLEFORMAT_IEEEFP ? GF_F32 : bits == 16 ? GF_U16 : GF_U8;
    f->maxval = f->type == GF_F32 ? 1 : f->type == GF_U16 ? 65535 : 255;
    f->bits = f->type == GF_F32 ? 32 : f->type == GF_U16 ? 16 : 8;
    return 0;
}

#define STRIP_BYTES (1 << 22)

/* Whether strips are taken as a whole: libtiff inflates small ones faster so than by rows. */
static bool in_strips(struct gf_tiff *p)
{
    const uint16_t compression = gf_tiff_tag(p, TIFFTAG_COMPRESSION);

    return (compression == COMPRESSION_ADOBE_DEFLATE || compression == COMPRESSION_DEFLATE) && TIFFStripSize64(p->t) <= STRIP_BYTES;
}

/* Which samples are alpha: the first that says so. */
static void find_alpha(struct gf_tiff *p, struct gf_format *f, int colours)
{
    uint16_t count = 0, *extra = NULL;

    TIFFGetFieldDefaulted(p->t, TIFFTAG_EXTRASAMPLES, &count, &extra);
    for (int i = 0; i < count && colours + i < p->page.pixel.samples && !f->alpha; i++) {
        if (extra[i] != EXTRASAMPLE_ASSOCALPHA && extra[i] != EXTRASAMPLE_UNASSALPHA)
            continue;
        f->alpha = true;
        p->page.pixel.premultiplied = extra[i] == EXTRASAMPLE_ASSOCALPHA;
        p->page.pixel.kept[colours] = colours + i;
    }
    f->channels = colours + f->alpha;
}

static int find_colours(struct gf_tiff *p, struct gf_format *f, struct gf_error *err)
{
    struct gf_tiff_page *page = &p->page;
    const uint16_t photometric = colours_of(p), bits = gf_tiff_tag(p, TIFFTAG_BITSPERSAMPLE);
    const bool gray = photometric == PHOTOMETRIC_MINISBLACK || photometric == PHOTOMETRIC_MINISWHITE;
    char why[1024] = "";

    page->pixel.samples = gf_tiff_tag(p, TIFFTAG_SAMPLESPERPIXEL);
    for (int i = 0; i < 4; i++)
        page->pixel.kept[i] = i;
    if (is_plain(p, photometric, bits) && page->pixel.samples >= (gray ? 1 : 3)) {
        page->way = page->planes || page->tiles || in_strips(p) ? GF_TIFF_BANDS : GF_TIFF_ROWS;
        page->pixel.flip = photometric == PHOTOMETRIC_MINISWHITE;
        if (find_type(p, f, bits, err) != 0)
            return -1;
        find_alpha(p, f, gray ? 1 : 3);
        page->pixel.bytes = gf_type_bytes(f->type);
        return 0;
    }
    page->way = GF_TIFF_COLOURS;
    if (!TIFFRGBAImageOK(p->t, why))
        return gf_fail(err, GF_FAILED, "%s: can't be decoded: %s", p->file.name, why);
    f->channels = gray ? 1 : 3;
    f->type = GF_U8;
    f->maxval = 255;
    f->bits = 8;
    return 0;
}

/* Sizes of what is decoded at once, and whether they are allowed. */
static int find_sizes(struct gf_tiff *p, const struct gf_format *f, struct gf_error *err)
{
    struct gf_tiff_page *page = &p->page;
    uint32_t rows = 0, width = 0;
    uint64_t part, band;

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
    band = (uint64_t)page->band_rows * (uint64_t)page->width * (page->way == GF_TIFF_COLOURS ? 4 : gf_type_bytes(f->type) * (uint64_t)f->channels);
    if (page->band_rows < 1 || part == 0 || (page->tiles && width == 0))
        return gf_fail(err, GF_FAILED, "%s: can't be decoded: its strips or tiles have no size", p->file.name);
    if (p->options.max_bytes > 0 && (part > (uint64_t)p->options.max_bytes || band > (uint64_t)p->options.max_bytes - part))
        return gf_fail(err, GF_FAILED, "%s: %lldx%lld takes more than %lld bytes; raise --max-memory to read it", p->file.name,
                       (long long)page->width, (long long)page->height, (long long)p->options.max_bytes);
    page->part_bytes = (size_t)part;
    page->band_bytes = (size_t)band;
    return 0;
}

int gf_tiff_page_begin(struct gf_tiff *p, struct gf_format *f, struct gf_error *err)
{
    uint32_t width = 0, height = 0;

    TIFFGetField(p->t, TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(p->t, TIFFTAG_IMAGELENGTH, &height);
    if (width == 0 || height == 0)
        return gf_fail(err, GF_FAILED, "%s: has no pixels", p->file.name);
    if (gf_check_size(p->file.name, width, height, 0, &p->options, err) != 0)
        return -1;
    p->page = (struct gf_tiff_page) { .width = width, .height = height, .tiles = TIFFIsTiled(p->t) != 0,
                                      .planes = gf_tiff_tag(p, TIFFTAG_PLANARCONFIG) == PLANARCONFIG_SEPARATE };
    p->page.planes = p->page.planes && gf_tiff_tag(p, TIFFTAG_SAMPLESPERPIXEL) > 1;
    *f = (struct gf_format) { .kind = GF_IMAGE, .width = width, .units = height };
    if (find_colours(p, f, err) != 0 || find_sizes(p, f, err) != 0)
        return -1;
    free(p->band);
    free(p->part);
    p->band = malloc(p->page.band_bytes + 1);
    p->part = malloc(p->page.part_bytes + 1);
    p->band_start = -1;
    return p->band != NULL && p->part != NULL ? 0 : gf_fail(err, GF_FAILED, "%s: does not fit in memory", p->file.name);
}

/* ---- bands ---- */

static int band_of_strips(struct gf_tiff *p, const struct gf_format *f, int64_t start, int64_t rows, struct gf_error *err)
{
    const struct gf_tiff_page *page = &p->page;

    for (int s = 0; s < (page->planes ? page->pixel.samples : 1); s++) {
        const uint32_t strip = TIFFComputeStrip(p->t, (uint32_t)start, (uint16_t)s);
        const tmsize_t want = (tmsize_t)(rows * page->width) * (tmsize_t)page->pixel.bytes * (page->planes ? 1 : page->pixel.samples);

        if (s > page->pixel.kept[f->channels - 1])
            break;
        if (TIFFReadEncodedStrip(p->t, strip, p->part, (tmsize_t)page->part_bytes) < want)
            return gf_tiff_fail(&p->file, "decoded", err);
        gf_tiff_copy(&page->pixel, f->channels, p->part, page->planes ? s : -1, p->band, (size_t)(rows * page->width));
    }
    return 0;
}

static int band_of_tiles(struct gf_tiff *p, const struct gf_format *f, int64_t start, int64_t rows, struct gf_error *err)
{
    const struct gf_tiff_page *page = &p->page;
    const size_t pixel = gf_type_bytes(f->type) * (size_t)f->channels;
    const size_t tile_pixel = page->pixel.bytes * (size_t)(page->planes ? 1 : page->pixel.samples);

    for (int64_t x = 0; x < page->width; x += page->tile_width) {
        const int64_t left = page->width - x, columns = left < page->tile_width ? left : page->tile_width;

        for (int s = 0; s < (page->planes ? page->pixel.samples : 1); s++) {
            if (TIFFReadTile(p->t, p->part, (uint32_t)x, (uint32_t)start, 0, (uint16_t)s) < 0)
                return gf_tiff_fail(&p->file, "decoded", err);
            for (int64_t y = 0; y < rows; y++)
                gf_tiff_copy(&page->pixel, f->channels, p->part + (size_t)(y * page->tile_width) * tile_pixel, page->planes ? s : -1,
                            p->band + (size_t)(y * page->width + x) * pixel, (size_t)columns);
        }
    }
    return 0;
}

/* Rows as libtiff colours them, upright or not: the chain turns them. */
static int band_of_colours(struct gf_tiff *p, const struct gf_format *f, int64_t start, int64_t rows, struct gf_error *err)
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
    for (size_t i = 0; i < count; i++) {             /* in place: a pixel never gets longer */
        const uint32_t v = raster[i];
        const unsigned char rgb[] = { TIFFGetR(v), TIFFGetG(v), TIFFGetB(v) };

        memcpy(p->band + i * (size_t)f->channels, rgb, (size_t)f->channels);
    }
    return 0;
}

static int fill_band(struct gf_tiff *p, const struct gf_format *f, int64_t row, struct gf_error *err)
{
    struct gf_tiff_page *page = &p->page;
    const int64_t start = row - row % page->band_rows, left = page->height - start;
    const int64_t rows = left < page->band_rows ? left : page->band_rows;

    if (p->band_start == start)
        return 0;
    p->band_start = -1;
    if ((page->way == GF_TIFF_COLOURS ? band_of_colours : page->tiles ? band_of_tiles : band_of_strips)(p, f, start, rows, err) != 0)
        return -1;
    p->band_start = start;
    return 0;
}

/* ---- rows ---- */

int64_t gf_tiff_page_read(struct gf_tiff *p, const struct gf_format *f, void *units, int64_t count, struct gf_error *err)
{
    struct gf_tiff_page *page = &p->page;
    const size_t row_bytes = gf_unit_bytes(f);
    unsigned char *to = units;

    if (count > page->height - page->row)
        count = page->height - page->row;
    for (int64_t i = 0; i < count; i++, page->row++, to += row_bytes) {
        if (page->way == GF_TIFF_ROWS) {
            if (TIFFReadScanline(p->t, p->part, (uint32_t)page->row, 0) != 1)
                return gf_tiff_fail(&p->file, "decoded", err);
            gf_tiff_copy(&page->pixel, f->channels, p->part, -1, to, (size_t)page->width);
        } else {
            if (fill_band(p, f, page->row, err) != 0)
                return -1;
            memcpy(to, p->band + (size_t)(page->row - p->band_start) * row_bytes, row_bytes);
        }
        gf_tiff_finish(&page->pixel, f, to, (size_t)page->width);
    }
    return count;
}
