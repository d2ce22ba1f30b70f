/* Reads TIFF through libtiff: strips and tiles, page after page. */
#define _GNU_SOURCE
#include "io/tiff.h"

#include "io/formats.h"
#include "io/text.h"

#include <stdlib.h>
#include <string.h>

/* How the rows of a page come out of libtiff. */
enum way {
    BY_ROWS,                     /* strips of whole pixels: row by row */
    BY_BANDS,                    /* planes, or tiles: a row of strips or tiles at once */
    BY_COLOURS                   /* what libtiff turns into red, green and blue: the same, of 8 bits */
};

struct page {
    enum way way;
    int64_t width, height, row;          /* the next one to give */
    struct gf_tiff_pixel pixel;
    bool planes, tiles;
    int64_t tile_width, band_rows;       /* rows of a strip or tile */
    size_t band_bytes, part_bytes;       /* what is kept of it, and what libtiff decodes at once */
};

struct tiff {
    TIFF *t;
    struct gf_tiff_file file;
    struct gf_source *source;
    struct gf_read_options options;
    struct page page;
    unsigned char *band, *part;
    int64_t band_start;                  /* rows that the band has now; -1: none */
};

/* ---- what a page is ---- */

static uint16_t tag(struct tiff *p, uint32_t name)
{
    uint16_t value = 0;

    TIFFGetFieldDefaulted(p->t, name, &value);
    return value;
}

/* What its samples are; a few files forget to say it. */
static uint16_t colours_of(struct tiff *p)
{
    uint16_t told;

    return TIFFGetField(p->t, TIFFTAG_PHOTOMETRIC, &told) ? told
         : tag(p, TIFFTAG_SAMPLESPERPIXEL) >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK;
}

/* Whether its samples are taken as they are: gray or RGB of whole bytes. */
static bool is_plain(struct tiff *p, uint16_t colours, uint16_t bits)
{
    const uint16_t compression = tag(p, TIFFTAG_COMPRESSION);

    if (colours == PHOTOMETRIC_YCBCR && compression == COMPRESSION_JPEG) {
        TIFFSetField(p->t, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
        return bits == 8;
    }
    return (colours == PHOTOMETRIC_MINISBLACK || colours == PHOTOMETRIC_MINISWHITE || colours == PHOTOMETRIC_RGB) && bits % 8 == 0;
}

/* The type of its samples, if it is one of ours. */
static int find_type(struct tiff *p, struct gf_format *f, uint16_t bits, struct gf_error *err)
{
    static const char *const words[] = { "", "", " signed", " floating-point", "", " complex", " complex" };
    const uint16_t kind = tag(p, TIFFTAG_SAMPLEFORMAT);
    const bool whole = kind == SAMPLEFORMAT_UINT || kind == SAMPLEFORMAT_VOID || kind == 0;

    if (!(whole && bits <= 16) && !(kind == SAMPLEFORMAT_IEEEFP && bits == 32))
        return gf_fail(err, GF_FAILED, "%s: is a TIFF of %d%s bits a sample; 8, 16 and floating-point 32 are read", p->file.name,
                       bits, kind < 7 ? words[kind] : "");
    f->type = kind == SAMPLEFORMAT_IEEEFP ? GF_F32 : bits == 16 ? GF_U16 : GF_U8;
    f->maxval = f->type == GF_F32 ? 1 : f->type == GF_U16 ? 65535 : 255;
    f->bits = f->type == GF_F32 ? 32 : f->type == GF_U16 ? 16 : 8;
    return 0;
}

/* Which samples are alpha: the first that says so. */
static void find_alpha(struct tiff *p, struct gf_format *f, int colours)
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

static int find_colours(struct tiff *p, struct gf_format *f, struct gf_error *err)
{
    struct page *page = &p->page;
    const uint16_t photometric = colours_of(p), bits = tag(p, TIFFTAG_BITSPERSAMPLE);
    const bool gray = photometric == PHOTOMETRIC_MINISBLACK || photometric == PHOTOMETRIC_MINISWHITE;
    char why[1024] = "";

    page->pixel.samples = tag(p, TIFFTAG_SAMPLESPERPIXEL);
    for (int i = 0; i < 4; i++)
        page->pixel.kept[i] = i;
    if (is_plain(p, photometric, bits) && page->pixel.samples >= (gray ? 1 : 3)) {
        page->way = page->planes || page->tiles ? BY_BANDS : BY_ROWS;
        page->pixel.flip = photometric == PHOTOMETRIC_MINISWHITE;
        if (find_type(p, f, bits, err) != 0)
            return -1;
        find_alpha(p, f, gray ? 1 : 3);
        page->pixel.bytes = gf_type_bytes(f->type);
        return 0;
    }
    page->way = BY_COLOURS;
    if (!TIFFRGBAImageOK(p->t, why))
        return gf_fail(err, GF_FAILED, "%s: can't be decoded: %s", p->file.name, why);
    f->channels = gray ? 1 : 3;
    f->type = GF_U8;
    f->maxval = 255;
    f->bits = 8;
    return 0;
}

/* Sizes of what is decoded at once, and whether they are allowed. */
static int find_sizes(struct tiff *p, const struct gf_format *f, struct gf_error *err)
{
    struct page *page = &p->page;
    uint32_t rows = 0, width = 0;
    uint64_t part, band;

    if (page->tiles) {
        TIFFGetField(p->t, TIFFTAG_TILEWIDTH, &width);
        TIFFGetField(p->t, TIFFTAG_TILELENGTH, &rows);
        part = TIFFTileSize64(p->t);
    } else {
        TIFFGetFieldDefaulted(p->t, TIFFTAG_ROWSPERSTRIP, &rows);
        part = page->way == BY_ROWS ? TIFFScanlineSize64(p->t) : TIFFStripSize64(p->t);
    }
    page->tile_width = width;
    page->band_rows = page->way == BY_ROWS ? 1 : rows < page->height ? rows : page->height;
    band = (uint64_t)page->band_rows * (uint64_t)page->width * (page->way == BY_COLOURS ? 4 : gf_type_bytes(f->type) * (uint64_t)f->channels);
    if (page->band_rows < 1 || part == 0 || (page->tiles && width == 0))
        return gf_fail(err, GF_FAILED, "%s: can't be decoded: its strips or tiles have no size", p->file.name);
    if (p->options.max_bytes > 0 && (part > (uint64_t)p->options.max_bytes || band > (uint64_t)p->options.max_bytes - part))
        return gf_fail(err, GF_FAILED, "%s: %lldx%lld takes more than %lld bytes; raise --max-memory to read it", p->file.name,
                       (long long)page->width, (long long)page->height, (long long)p->options.max_bytes);
    page->part_bytes = (size_t)part;
    page->band_bytes = (size_t)band;
    return 0;
}

static int look_at_page(struct gf_reader *r, struct gf_error *err)
{
    struct tiff *p = r->state;
    uint32_t width = 0, height = 0;

    TIFFGetField(p->t, TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(p->t, TIFFTAG_IMAGELENGTH, &height);
    if (width == 0 || height == 0)
        return gf_fail(err, GF_FAILED, "%s: has no pixels", r->name);
    if (gf_check_size(r->name, width, height, 0, &p->options, err) != 0)
        return -1;
    p->page = (struct page) { .width = width, .height = height, .tiles = TIFFIsTiled(p->t) != 0,
                              .planes = tag(p, TIFFTAG_PLANARCONFIG) == PLANARCONFIG_SEPARATE };
    p->page.planes = p->page.planes && tag(p, TIFFTAG_SAMPLESPERPIXEL) > 1;
    r->format = (struct gf_format) { .kind = GF_IMAGE, .width = width, .units = height };
    if (find_colours(p, &r->format, err) != 0 || find_sizes(p, &r->format, err) != 0)
        return -1;
    free(p->band);
    free(p->part);
    p->band = malloc(p->page.band_bytes + 1);
    p->part = malloc(p->page.part_bytes + 1);
    p->band_start = -1;
    return p->band != NULL && p->part != NULL ? 0 : gf_fail(err, GF_FAILED, "%s: does not fit in memory", r->name);
}

/* ---- bands ---- */

static int band_of_strips(struct tiff *p, const struct gf_format *f, int64_t start, int64_t rows, struct gf_error *err)
{
    const struct page *page = &p->page;

    for (int s = 0; s < page->pixel.samples; s++) {
        const uint32_t strip = TIFFComputeStrip(p->t, (uint32_t)start, (uint16_t)s);
        const tmsize_t want = (tmsize_t)(rows * page->width) * (tmsize_t)page->pixel.bytes;

        if (s > page->pixel.kept[f->channels - 1])
            break;
        if (TIFFReadEncodedStrip(p->t, strip, p->part, (tmsize_t)page->part_bytes) < want)
            return gf_tiff_fail(&p->file, "decoded", err);
        gf_tiff_copy(&page->pixel, f->channels, p->part, s, p->band, (size_t)(rows * page->width));
    }
    return 0;
}

static int band_of_tiles(struct tiff *p, const struct gf_format *f, int64_t start, int64_t rows, struct gf_error *err)
{
    const struct page *page = &p->page;
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
static int band_of_colours(struct tiff *p, const struct gf_format *f, int64_t start, int64_t rows, struct gf_error *err)
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

static int fill_band(struct tiff *p, const struct gf_format *f, int64_t row, struct gf_error *err)
{
    struct page *page = &p->page;
    const int64_t start = row - row % page->band_rows, left = page->height - start;
    const int64_t rows = left < page->band_rows ? left : page->band_rows;

    if (p->band_start == start)
        return 0;
    p->band_start = -1;
    if ((page->way == BY_COLOURS ? band_of_colours : page->tiles ? band_of_tiles : band_of_strips)(p, f, start, rows, err) != 0)
        return -1;
    p->band_start = start;
    return 0;
}

/* ---- the reader ---- */

static int64_t tiff_read(struct gf_reader *r, void *units, int64_t count, struct gf_error *err)
{
    struct tiff *p = r->state;
    struct page *page = &p->page;
    const size_t row_bytes = gf_unit_bytes(&r->format);
    unsigned char *to = units;

    if (count > page->height - page->row)
        count = page->height - page->row;
    for (int64_t i = 0; i < count; i++, page->row++, to += row_bytes) {
        if (page->way == BY_ROWS) {
            if (TIFFReadScanline(p->t, p->part, (uint32_t)page->row, 0) != 1)
                return gf_tiff_fail(&p->file, "decoded", err);
            gf_tiff_copy(&page->pixel, r->format.channels, p->part, -1, to, (size_t)page->width);
        } else {
            if (fill_band(p, &r->format, page->row, err) != 0)
                return -1;
            memcpy(to, p->band + (size_t)(page->row - p->band_start) * row_bytes, row_bytes);
        }
        gf_tiff_finish(&page->pixel, &r->format, to, (size_t)page->width);
    }
    return count;
}

static int take_text(struct tiff *p, struct gf_meta *m, struct gf_error *err)
{
    for (const struct gf_tiff_text *t = gf_tiff_texts; t->key != NULL; t++) {
        const char *value = NULL;

        if (TIFFGetField(p->t, t->tag, &value) && value != NULL && value[0] != '\0'
            && gf_meta_add_found(m, t->key, value, strlen(value), err) != 0)
            return -1;
    }
    return 0;
}

static int take_meta(struct tiff *p, struct gf_meta *m, struct gf_error *err)
{
    const uint16_t unit = tag(p, TIFFTAG_RESOLUTIONUNIT);
    const double metres = unit == RESUNIT_INCH ? .0254 : .01;
    uint32_t icc_bytes = 0, xmp_bytes = 0;
    float x = 0, y = 0;
    void *icc = NULL, *xmp = NULL;

    m->orientation = tag(p, TIFFTAG_ORIENTATION);
    if ((unit == RESUNIT_INCH || unit == RESUNIT_CENTIMETER) && TIFFGetField(p->t, TIFFTAG_XRESOLUTION, &x)
        && TIFFGetField(p->t, TIFFTAG_YRESOLUTION, &y) && x > 0 && y > 0 && x < 1e9 && y < 1e9) {
        m->x_per_metre = (double)x / metres;
        m->y_per_metre = (double)y / metres;
    }
    if (TIFFGetField(p->t, TIFFTAG_ICCPROFILE, &icc_bytes, &icc) && icc_bytes > 0
        && gf_meta_set_icc(m, icc, icc_bytes, err) != 0)
        return -1;
    if (TIFFGetField(p->t, TIFFTAG_XMLPACKET, &xmp_bytes, &xmp) && xmp_bytes > 0 && gf_meta_set_xmp(m, xmp, xmp_bytes, err) != 0)
        return -1;
    return take_text(p, m, err);
}

/* Smaller versions of a page, and masks for it, are no pages. */
static bool is_aside(struct tiff *p)
{
    uint32_t kind = 0;

    return TIFFGetField(p->t, TIFFTAG_SUBFILETYPE, &kind) && (kind & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK)) != 0;
}

static int first_page(struct tiff *p, struct gf_error *err)
{
    size_t size = 0;

    p->file = (struct gf_tiff_file) { .name = p->file.name, .source = p->source, .size = p->source->size };
    if (!p->source->random) {
        p->file.source = NULL;
        if (gf_source_slurp(p->source, p->options.max_bytes, &p->file.bytes, &size, err) != 0)
            return -1;
        p->file.size = (int64_t)size;
    }
    p->t = gf_tiff_open(&p->file, "rm");
    return p->t != NULL ? 1 : gf_tiff_fail(&p->file, "decoded", err);
}

static int tiff_next(struct gf_reader *r, struct gf_error *err)
{
    struct tiff *p = r->state;
    int more = 1;

    p->file.text[0] = '\0';
    if (p->t == NULL)
        more = first_page(p, err);
    else
        do
            more = TIFFReadDirectory(p->t);
        while (more == 1 && is_aside(p));
    if (more == 0 && (p->file.failed || p->file.text[0] != '\0'))
        return gf_tiff_fail(&p->file, "decoded", err);
    if (more <= 0)
        return more;
    if (look_at_page(r, err) != 0 || take_meta(p, &r->meta, err) != 0)
        return -1;
    p->file.text[0] = '\0';              /* what was said so far has done no harm */
    return 1;
}

static void tiff_close(struct gf_reader *r)
{
    struct tiff *p = r->state;

    if (p->t != NULL)
        TIFFClose(p->t);
    free(p->file.bytes);
    free(p->band);
    free(p->part);
    free(p);
}

static const struct gf_reader_ops tiff_ops = {
    .name = "tiff", .next = tiff_next, .read = tiff_read, .close = tiff_close,
    .opening = GF_LABOUR_FILE, .reading = GF_LABOUR_CODE,
};

static int tiff_open(struct gf_reader *r, struct gf_source *s, const struct gf_read_options *o, struct gf_error *err)
{
    struct tiff *p = calloc(1, sizeof *p);

    if (p == NULL)
        return gf_fail(err, GF_FAILED, "%s: out of memory", r->name);
    p->source = s;
    p->options = *o;
    p->file.name = r->name;
    r->ops = &tiff_ops;
    r->state = p;
    return 0;
}

/* Both byte orders, of 32 and 64 bits. */
static int tiff_match(struct gf_source *s, struct gf_error *err)
{
    static const char signatures[4][5] = { "II*\0", "MM\0*", "II+\0", "MM\0+" };
    const unsigned char *b;
    const int64_t size = gf_source_peek(s, 4, &b, err);
    int found = size < 0 ? -1 : 0;

    for (int i = 0; size >= 4 && i < 4; i++)
        found |= memcmp(b, signatures[i], 4) == 0;
    return found;
}

const struct gf_read_format gf_read_tiff = {
    .name = "tiff", .endings = (const char *const[]) { "tif", NULL }, .match = tiff_match, .open = tiff_open,
};
