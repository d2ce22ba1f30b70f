/* Reads the metadata of a TIFF page, and names metadata that is not kept. Built if HAVE_TIFF. */
#include "io/formats/tiff/tiff_exif.h"
#include "io/metadata/description.h"
#include "io/metadata/icc.h"
#include "io/metadata/meta_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int read_texts(struct gf_tiff *p, struct gf_meta *m, struct gf_error *err)
{
    for (const struct gf_tiff_text *t = gf_tiff_texts; t->key != NULL; t++) {
        const char *value = NULL;

        if (!TIFFGetField(p->t, t->tag, &value))
            continue;
        if (value == NULL)                       /* libtiff had no memory for the text, and says nothing */
            return gf_fail_memory(err, p->file.name);
        if (gf_tiff_count_metadata(p, strlen(value), err) != 0)
            return -1;
        if (value[0] != '\0' && gf_meta_text_add_bytes(m, t->key, value, strlen(value), err) != 0)
            return -1;
    }
    return 0;
}

static void read_resolution(struct gf_tiff *p, struct gf_meta *m)
{
    const uint16_t unit = gf_tiff_tag(p, TIFFTAG_RESOLUTIONUNIT);
    const double metres = unit == RESUNIT_INCH ? .0254 : .01;
    float x = 0, y = 0;

    m->measured = p->measured;
    m->per_centimetre = unit == RESUNIT_CENTIMETER;
    if (!TIFFGetField(p->t, TIFFTAG_XRESOLUTION, &x) || !TIFFGetField(p->t, TIFFTAG_YRESOLUTION, &y)
        || !(x > 0 && y > 0 && x < 1e9f && y < 1e9f))
        return;
    if (unit == RESUNIT_INCH || unit == RESUNIT_CENTIMETER) {
        m->x_per_metre = (double)x / metres;
        m->y_per_metre = (double)y / metres;
    } else if (unit == RESUNIT_NONE && (p->measured || x < 1 || x > 1 || y < 1 || y > 1)) {
        /* programs write 1 by 1 if they do not know the shape, unless a description has the unit */
        m->x_per_unit = (double)x;
        m->y_per_unit = (double)y;
    }
}

/* Reads what a description of all images, on the first page, means for the metadata of a page. */
static void read_description(struct gf_tiff *p, struct gf_meta *m, bool first)
{
    const enum gf_tiff_coding coding = p->page.pixel.coding;

    m->recoded = coding == GF_TIFF_S8 || coding == GF_TIFF_S16 || p->page.pixel.indexed || p->page.pixel.inks
               || p->page.pixel.flip != 0;
    for (int i = 0; first && i < m->texts; i++)
        if (strcmp(m->text[i].key, "Description") == 0 && gf_description_is(m->text[i].value)) {
            const int64_t end = gf_tiff_end(&p->file, &m->images);

            p->measured = gf_description_is_measured(m->text[i].value);
            if (p->file.base > 0 || (end < p->file.size && gf_tiff_find_next(&p->file, end) >= 0))
                m->images = -1;                          /* pages of other files are in the output, too */
        }
}

/* Lists metadata of the page that is not kept. */
static void list_dropped(struct gf_tiff *p, struct gf_meta *m)
{
    static const struct { uint32_t tag; const char *word; } kinds[] = {
        { TIFFTAG_RICHTIFFIPTC, "IPTC" }, { 34735, "GeoTIFF" }, { 50839, "ImageJ overlay" },
    };
    const int tags = TIFFGetTagListCount(p->t);

    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int i = 0; i < tags; i++)
            if (TIFFGetTagListEntry(p->t, i) == kinds[k].tag) {
                const size_t at = strlen(m->dropped);

                snprintf(m->dropped + at, sizeof m->dropped - at, "%s%s", at > 0 ? ", " : "", kinds[k].word);
                break;
            }
}

/* Uses a CMYK profile, with --icc convert, to convert to sRGB while reading. */
static int use_profile(struct gf_tiff *p, struct gf_meta *m, const struct gf_format *f, struct gf_error *err)
{
    gf_icc_close(p->icc);
    p->icc = NULL;
    if (p->page.pixel.inks && m->icc == NULL)
        gf_warn(p->notices, "plain-inks", p->file.name, GF_PLAIN_INKS);
    if (!p->page.pixel.inks || m->icc == NULL)
        return 0;
    if (!p->options.srgb) {
        gf_warn(p->notices, "cmyk-profile", p->file.name, "its CMYK is converted to RGB without its color profile%s",
                gf_icc_is_there() ? "; --icc convert uses it" : "");
        return 0;
    }
    p->icc = gf_icc_open(m->icc, m->icc_bytes, GF_ICC_INKS, f, p->file.name, err);
    return p->icc != NULL ? gf_meta_set_icc(m, NULL, 0, err) : -1;
}

/* Scales samples of unusual depths to 8 or 16 bits, because profiles expect the full range. */
static void widen_samples(struct gf_tiff *p, const struct gf_meta *m, struct gf_format *f)
{
    const uint32_t full = f->type == GF_U8 ? 255 : 65535;

    if (!p->options.srgb || m->icc == NULL || p->page.pixel.coding != GF_TIFF_PACKED || f->maxval == full)
        return;
    p->page.pixel.narrow = f->maxval;
    f->maxval = full;
    f->bits = f->type == GF_U8 ? 8 : 16;
}

int gf_tiff_take_meta(struct gf_tiff *p, struct gf_meta *m, struct gf_format *f, bool first, struct gf_error *err)
{
    uint16_t orientation = 0;
    uint32_t icc_bytes = 0, xmp_bytes = 0;
    void *icc = NULL, *xmp = NULL;

    m->packing = (struct gf_packing) { gf_tiff_tag(p, TIFFTAG_COMPRESSION), gf_tiff_tag(p, TIFFTAG_PREDICTOR) };
    m->orientation = TIFFGetField(p->t, TIFFTAG_ORIENTATION, &orientation) ? orientation : 0;
    if (read_texts(p, m, err) != 0)
        return -1;
    read_description(p, m, first);
    read_resolution(p, m);
    list_dropped(p, m);
    if (!TIFFGetField(p->t, TIFFTAG_ICCPROFILE, &icc_bytes, &icc))
        icc_bytes = 0;
    if (!TIFFGetField(p->t, TIFFTAG_XMLPACKET, &xmp_bytes, &xmp))
        xmp_bytes = 0;
    if ((icc_bytes > 0 && icc == NULL) || (xmp_bytes > 0 && xmp == NULL))
        return gf_fail_memory(err, p->file.name);
    if (gf_tiff_count_metadata(p, (uint64_t)icc_bytes + xmp_bytes, err) != 0)
        return -1;
    if ((icc_bytes > 0 && gf_meta_set_icc(m, icc, icc_bytes, err) != 0)
        || (xmp_bytes > 0 && gf_meta_set_xmp(m, xmp, xmp_bytes, err) != 0))
        return -1;
    if (gf_tiff_exif_read(p, m, err) != 0)
        return -1;
    widen_samples(p, m, f);
    if (p->file.ignored[0] != '\0')
        gf_warn(p->notices, "tiff-metadata", p->file.name, "its tag %s is damaged, and is lost or shortened",
                p->file.ignored);
    return use_profile(p, m, f, err);
}

void gf_tiff_warn_stack(struct gf_tiff *p)
{
    const char *text = NULL, *count;
    long images;

    if (!TIFFGetField(p->t, TIFFTAG_IMAGEDESCRIPTION, &text) || text == NULL || strncmp(text, "ImageJ=", 7) != 0
        || !TIFFLastDirectory(p->t))
        return;
    count = strstr(text, "\nimages=");
    images = count != NULL ? strtol(count + 8, NULL, 10) : 0;
    p->stray = p->stray || images > 1;
    if (images > 1)
        gf_warn(p->notices, "tiff-stack", p->file.name, "claims %ld images, but describes only the first, and only "
                "that is read; save the stack as OME-TIFF or as single pages", images);
}
