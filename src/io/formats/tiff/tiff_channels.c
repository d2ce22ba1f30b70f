/* Decides how the samples of a TIFF page become channels, and rejects unsupported pages.
 * Built if HAVE_TIFF. */
#include "io/bytes.h"
#include "io/format.h"
#include "io/formats/tiff/tiff_page.h"
#include "io/metadata/icc.h"
#include "io/picked_channels.h"

#include <stdio.h>
#include <string.h>

/* ---- names for messages ---- */

static const char *photometric_word(uint16_t photometric)
{
    static const struct { uint16_t value; const char *word; } words[] = {
        { PHOTOMETRIC_MINISWHITE, "gray" }, { PHOTOMETRIC_MINISBLACK, "gray" }, { PHOTOMETRIC_RGB, "RGB" },
        { PHOTOMETRIC_PALETTE, "palette" }, { PHOTOMETRIC_MASK, "mask" }, { PHOTOMETRIC_SEPARATED, "CMYK" },
        { PHOTOMETRIC_YCBCR, "YCbCr" }, { PHOTOMETRIC_CIELAB, "Lab" }, { PHOTOMETRIC_ICCLAB, "ICC Lab" },
        { PHOTOMETRIC_ITULAB, "ITU Lab" }, { PHOTOMETRIC_LOGL, "LogL" }, { PHOTOMETRIC_LOGLUV, "LogLuv" },
        { 32803, "color filter array" }, { 34892, "linear raw" },
    };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].value == photometric)
            return words[i].word;
    return "unknown photometric";
}

/* Returns a name for a sample format, such as "signed". */
static const char *number_word(uint16_t sample_format)
{
    static const char *const words[] = { "unsigned", "unsigned", "signed", "floating-point", "unsigned",
                                         "complex", "complex" };

    return sample_format < 7 ? words[sample_format] : "unknown";
}

/* Rejects the page with a description of its variant. */
static int fail_variant(const struct gf_tiff *p, struct gf_error *err)
{
    const uint16_t compression = gf_tiff_tag(p, TIFFTAG_COMPRESSION);
    const TIFFCodec *codec = TIFFFindCODEC(compression);

    return gf_fail(err, GF_FAILED, "%s: TIFF with %d-bit %s %s samples, %d per pixel, compression %s, is not "
                   "supported; convert it with another program", p->file.name, p->page.bits,
                   number_word(p->page.sample_format), photometric_word(p->page.photometric), p->page.pixel.samples,
                   codec != NULL ? codec->name : "unknown");
}

/* ---- samples ---- */

static bool is_gray(const struct gf_tiff_page *page)
{
    return page->photometric == PHOTOMETRIC_MINISBLACK || page->photometric == PHOTOMETRIC_MINISWHITE;
}

static bool is_unsigned(const struct gf_tiff_page *page)
{
    return page->sample_format <= SAMPLEFORMAT_UINT || page->sample_format == SAMPLEFORMAT_VOID;
}

/* Sets the type of the decoded samples. Returns false if no type can represent them. */
static bool find_type(struct gf_tiff_page *page, struct gf_format *f)
{
    struct gf_tiff_pixel *pixel = &page->pixel;
    const bool real = page->sample_format == SAMPLEFORMAT_IEEEFP, is_signed = page->sample_format == SAMPLEFORMAT_INT;
    const int bits = pixel->bits = page->bits;

    if (is_unsigned(page) && bits >= 1 && bits <= 16) {
        pixel->coding = bits % 8 == 0 ? GF_TIFF_AS_IS : GF_TIFF_PACKED;
        f->type = bits <= 8 ? GF_U8 : GF_U16;
        f->maxval = (1u << bits) - 1;
        f->bits = bits;
    } else if ((is_signed && (bits == 8 || bits == 16)) || (real && (bits == 16 || bits == 32 || bits == 64))) {
        pixel->coding = is_signed ? bits == 8 ? GF_TIFF_S8 : GF_TIFF_S16
                                  : bits == 16 ? GF_TIFF_F16 : bits == 32 ? GF_TIFF_AS_IS : GF_TIFF_F64;
        f->type = GF_F32;
        f->maxval = 1;
        f->bits = 32;
    } else {
        return false;
    }
    pixel->bytes = gf_type_bytes(f->type);
    return true;
}

static void warn_samples(const struct gf_tiff *p)
{
    const enum gf_tiff_coding coding = p->page.pixel.coding;

    if (coding == GF_TIFF_S8 || coding == GF_TIFF_S16)
        gf_warn(p->notices, "tiff-signed", p->file.name, "signed %d-bit samples become floats of -1 to 1, divided by "
                "%d; integer outputs clip negative ones, --depth f32 keeps them", p->page.bits,
                coding == GF_TIFF_S8 ? 128 : 32768);
    if (coding == GF_TIFF_F64)
        gf_warn(p->notices, "tiff-f64", p->file.name, "64-bit floats become 32-bit floats, with a precision of "
                "about 7 digits");
}

/* ---- channels ---- */

/* Returns the first sample that is declared as alpha, or -1. */
static int find_alpha(const struct gf_tiff *p, int colours, bool *premultiplied)
{
    uint16_t count = 0, *extra = NULL;

    TIFFGetFieldDefaulted(p->t, TIFFTAG_EXTRASAMPLES, &count, &extra);
    for (int i = 0; i < count && p->page.pixel.samples - count + i >= 0; i++) {
        const int sample = p->page.pixel.samples - count + i;

        if (sample < colours || (extra[i] != EXTRASAMPLE_ASSOCALPHA && extra[i] != EXTRASAMPLE_UNASSALPHA))
            continue;
        *premultiplied = extra[i] == EXTRASAMPLE_ASSOCALPHA;
        return sample;
    }
    return -1;
}

/* Selects the channels of --channels. */
static int pick_channels(struct gf_tiff *p, struct gf_format *f, int alpha, bool premultiplied, struct gf_error *err)
{
    struct gf_tiff_pixel *pixel = &p->page.pixel;
    const struct gf_picked_channels *picked = &p->options.channels;

    if (gf_picked_channels_check(picked, pixel->samples, p->file.name, err) != 0)
        return -1;
    pixel->channels = f->channels = picked->count;
    for (int c = 0; c < picked->count; c++) {
        pixel->kept[c] = picked->number[c] - 1;
        if (p->page.photometric == PHOTOMETRIC_MINISWHITE && pixel->kept[c] == 0)
            pixel->flip |= 1u << c;
    }
    f->alpha = picked->count % 2 == 0 && alpha >= 0 && pixel->kept[picked->count - 1] == alpha;
    pixel->premultiplied = f->alpha && premultiplied;
    gf_picked_channels_note(picked, pixel->samples, p->file.name, p->notices);
    return 0;
}

static int fail_many(const struct gf_tiff *p, int alpha, struct gf_error *err)
{
    const int samples = p->page.pixel.samples;
    char which[40] = "";

    if (alpha >= 0)
        snprintf(which, sizeof which, ", number %d is alpha", alpha + 1);
    return gf_fail(err, GF_FAILED, "%s: has %d channels (%s%s), but an image has at most 4;; --channels %s selects up "
                   "to four of them", p->file.name, samples, photometric_word(p->page.photometric), which,
                   p->page.pixel.inks ? "1,2,3,4" : "1,2,3");
}

/* Selects all channels, or rejects the page. An image has at most four. */
static int use_all_channels(struct gf_tiff *p, struct gf_format *f, int colours, int alpha, bool premultiplied,
                            struct gf_error *err)
{
    struct gf_tiff_pixel *pixel = &p->page.pixel;
    const int samples = pixel->samples, others = samples - colours - (alpha >= 0);

    pixel->inks = colours == 4;
    f->channels = samples - pixel->inks;
    f->alpha = alpha >= 0;
    if (f->channels > 4 && p->options.headers)
        return 0;
    if (f->channels > 4 || (alpha >= 0 && (alpha != samples - 1 || f->channels % 2 != 0))
        || (pixel->inks && others > 0))
        return fail_many(p, alpha, err);
    if (colours == 1 && others >= 2)
        gf_warn(p->notices, "tiff-gray-channels", p->file.name,
                "its %d gray channels are read as %s; --channels selects some of them, in any order", others + 1,
                others == 2 ? "red, green and blue" : "red, green, blue and data");
    pixel->channels = samples;
    pixel->premultiplied = f->alpha && premultiplied;
    pixel->flip = p->page.photometric == PHOTOMETRIC_MINISWHITE;
    return 0;
}

/* ---- colors of 8 bits: palettes, gray of few bits, YCbCr ---- */

/*
 * Returns true if a palette has colors that need more than 8 bits. Programs store 8-bit colors
 * times 257, times 256, or unscaled.
 */
static bool is_deep_palette(const struct gf_tiff *p)
{
    uint16_t *map[3] = { NULL, NULL, NULL };

    if (!TIFFGetField(p->t, TIFFTAG_COLORMAP, &map[0], &map[1], &map[2]))
        return false;
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < 1 << p->page.bits; i++)
            if (map[c][i] > 255 && map[c][i] % 256 != 0 && map[c][i] % 257 != 0)
                return true;
    return false;
}

/* Fills the table of gray values of 1, 2 or 4 bits, which become 8 bits. */
static void fill_grays(struct gf_tiff_page *page)
{
    const int most = (1 << page->bits) - 1;

    for (int i = 0; i <= most; i++)
        page->pixel.colors[i][0] = (unsigned char)((page->photometric == PHOTOMETRIC_MINISWHITE ? most - i : i) * 255
                                                   / most);
}

/* Fills the table with the palette. Of 16 bits, the upper 8 are used, as in libtiff. */
static int fill_palette(struct gf_tiff *p, struct gf_error *err)
{
    const int count = 1 << p->page.bits;
    uint16_t *map[3] = { NULL, NULL, NULL };
    bool wide = false;

    if (!TIFFGetField(p->t, TIFFTAG_COLORMAP, &map[0], &map[1], &map[2]))
        return gf_fail(err, GF_FAILED, "%s: can't be decoded: its palette has no colors", p->file.name);
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < count; i++)
            wide = wide || map[c][i] > 255;
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < count; i++)
            p->page.pixel.colors[i][c] = (unsigned char)(wide ? map[c][i] >> 8 : map[c][i]);
    if (is_deep_palette(p))
        gf_warn(p->notices, "tiff-8-bits", p->file.name,
                "its palette has 16-bit colors, which become 8 bits per sample");
    if (!wide)
        gf_warn(p->notices, "tiff-dark-palette", p->file.name,
                "the colors of its palette are at most 255 of 65535; they are read as 8-bit colors");
    return 0;
}

/* Decides how samples become gray or RGB of 8 bits: by a table, or through libtiff. */
static int find_way(struct gf_tiff *p, bool gray, bool palette, struct gf_error *err)
{
    struct gf_tiff_page *page = &p->page;
    char why[1024] = "";

    page->way = gray || palette ? GF_TIFF_ROWS : GF_TIFF_COLOURS;
    if (page->way == GF_TIFF_COLOURS)
        return TIFFRGBAImageOK(p->t, why) ? 0
             : gf_fail(err, GF_FAILED, "%s: can't be decoded: %s", p->file.name, why);
    page->pixel.indexed = true;
    page->pixel.bits = page->bits;
    page->pixel.coding = page->bits == 8 ? GF_TIFF_AS_IS : GF_TIFF_PACKED;
    if (palette)
        return fill_palette(p, err);
    fill_grays(page);
    return 0;
}

/* Handles palettes, gray of less than 8 bits, and YCbCr, which become 8 bits of gray or RGB. */
static int find_converted(struct gf_tiff *p, struct gf_format *f, struct gf_error *err)
{
    struct gf_tiff_page *page = &p->page;
    const int bits = page->bits;
    const bool small = bits == 1 || bits == 2 || bits == 4;
    const bool palette = page->photometric == PHOTOMETRIC_PALETTE && (small || bits == 8) && page->pixel.samples == 1;
    const bool gray = is_gray(page) && small && page->pixel.samples == 1;
    const bool three = page->pixel.samples == 3 && bits == 8 && page->photometric == PHOTOMETRIC_YCBCR;

    if (!is_unsigned(page) || !(palette || gray || three))
        return fail_variant(p, err);
    if (find_way(p, gray, palette, err) != 0)
        return -1;
    page->pixel.channels = f->channels = gray ? 1 : 3;
    page->pixel.bytes = 1;
    f->type = GF_U8;
    f->maxval = 255;
    f->bits = 8;
    if (p->options.channels.count == 0)
        return 0;
    if (gray && p->options.channels.count == 1)
        return gf_picked_channels_check(&p->options.channels, 1, p->file.name, err);
    return gf_fail(err, GF_FAILED, "%s: --channels works with gray, RGB and CMYK of 8 bits or more, but the samples "
                   "are %s of %d bit%s",
                   p->file.name, photometric_word(page->photometric), bits, bits == 1 ? "" : "s");
}

/* ---- the whole page ---- */

static uint64_t read_number(const struct gf_tiff *p, uint64_t at, int bytes)
{
    const thandle_t handle = TIFFClientdata(p->t);
    unsigned char b[8] = { 0 };

    if (TIFFGetSeekProc(p->t)(handle, at, SEEK_SET) != at || TIFFGetReadProc(p->t)(handle, b, bytes) != bytes)
        return 0;
    return gf_get_number(b, bytes, TIFFIsBigEndian(p->t) != 0);
}

/*
 * Checks what libtiff does not: it reads 8-bit indexes as gray without a warning if the palette is missing,
 * and regards a page as the last one if the offset of the next is cut off.
 */
static int check_directory(const struct gf_tiff *p, struct gf_error *err)
{
    const bool big = read_number(p, 2, 2) == 43;
    const uint64_t start = TIFFCurrentDirOffset(p->t), entries = read_number(p, start, big ? 8 : 2);
    const uint64_t size = (uint64_t)p->file.size;
    uint64_t at = start + (big ? 8 : 2);

    for (uint64_t i = 0; i < entries && i < 65536; i++, at += big ? 20 : 12)
        if (p->page.photometric != PHOTOMETRIC_PALETTE && read_number(p, at, 2) == TIFFTAG_PHOTOMETRIC
            && read_number(p, at + (big ? 12 : 8), 2) == PHOTOMETRIC_PALETTE)
            return gf_fail(err, GF_FAILED, "%s: can't be decoded: its palette has no colors", p->file.name);
    if (at > size || size - at < (big ? 8 : 4))
        gf_warn(p->notices, "tiff-directory", p->file.name,
                "its directory is cut short; if more pages follow, they are not read");
    return 0;
}

/*
 * Returns the photometric tag. A few files have none, so it is derived from the number of samples.
 */
static uint16_t find_photometric(const struct gf_tiff *p)
{
    const bool rgb = gf_tiff_tag(p, TIFFTAG_SAMPLESPERPIXEL) >= 3;
    uint16_t value;

    if (TIFFGetField(p->t, TIFFTAG_PHOTOMETRIC, &value))
        return value;
    gf_warn(p->notices, "tiff-photometric", p->file.name,
            "its tag PhotometricInterpretation is missing; it is read as %s",
            rgb ? "RGB" : "gray, in which 0 is black");
    return rgb ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK;
}

/* Returns the number of color samples, or 0 for pages that become 8 bits of gray or RGB. */
static int count_colours(struct gf_tiff *p)
{
    struct gf_tiff_page *page = &p->page;
    const bool alone = page->pixel.samples == 1 && page->bits < 8 && 8 % page->bits == 0;

    if (page->photometric == PHOTOMETRIC_YCBCR && gf_tiff_tag(p, TIFFTAG_COMPRESSION) == COMPRESSION_JPEG
        && !page->planes && page->bits == 8) {
        return TIFFSetField(p->t, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB) ? 3 : 0;
    }
    if (page->photometric == PHOTOMETRIC_SEPARATED && p->options.channels.count > 0)
        return 1;                                    /* CMYK samples are selected as stored */
    if (page->photometric == PHOTOMETRIC_SEPARATED && gf_tiff_tag(p, TIFFTAG_INKSET) == INKSET_CMYK
        && page->bits % 8 == 0)
        return is_unsigned(page) ? 4 : 0;
    return is_gray(page) && !(alone && is_unsigned(page)) ? 1 : page->photometric == PHOTOMETRIC_RGB ? 3 : 0;
}

int gf_tiff_find_channels(struct gf_tiff *p, struct gf_format *f, struct gf_error *err)
{
    struct gf_tiff_page *page = &p->page;
    bool premultiplied = false;
    uint32_t depth = 1;
    int colours, alpha;

    page->photometric = find_photometric(p);
    page->bits = gf_tiff_tag(p, TIFFTAG_BITSPERSAMPLE);
    page->sample_format = gf_tiff_tag(p, TIFFTAG_SAMPLEFORMAT);
    page->pixel.samples = gf_tiff_tag(p, TIFFTAG_SAMPLESPERPIXEL);
    for (int i = 0; i < GF_TIFF_TAKEN; i++)
        page->pixel.kept[i] = i;
    if (page->bits == 0 || page->pixel.samples == 0)
        return fail_variant(p, err);
    if (TIFFGetFieldDefaulted(p->t, TIFFTAG_IMAGEDEPTH, &depth) && depth != 1)
        return gf_fail(err, GF_FAILED, "%s: has %lu slices in depth, but only flat images are supported", p->file.name,
                       (unsigned long)depth);
    if (check_directory(p, err) != 0)
        return -1;
    colours = count_colours(p);
    if (colours == 0 || page->pixel.samples < colours)
        return find_converted(p, f, err);
    if (!find_type(page, f))
        return fail_variant(p, err);
    page->way = GF_TIFF_ROWS;
    alpha = find_alpha(p, colours, &premultiplied);
    if ((p->options.channels.count > 0 ? pick_channels(p, f, alpha, premultiplied, err)
                                       : use_all_channels(p, f, colours, alpha, premultiplied, err)) != 0)
        return -1;
    warn_samples(p);
    return 0;
}
