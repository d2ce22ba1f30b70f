/* Reads TIFF through libtiff: page after page, and what stands beside them. */
#define _GNU_SOURCE
#include "io/tiff_page.h"

#include "io/formats.h"
#include "io/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int take_text(struct gf_tiff *p, struct gf_meta *m, struct gf_error *err)
{
    for (const struct gf_tiff_text *t = gf_tiff_texts; t->key != NULL; t++) {
        const char *value = NULL;

        if (TIFFGetField(p->t, t->tag, &value) && value != NULL && value[0] != '\0'
            && gf_meta_add_found(m, t->key, value, strlen(value), err) != 0)
            return -1;
    }
    return 0;
}

static int take_meta(struct gf_tiff *p, struct gf_meta *m, struct gf_error *err)
{
    const uint16_t unit = gf_tiff_tag(p, TIFFTAG_RESOLUTIONUNIT);
    const double metres = unit == RESUNIT_INCH ? .0254 : .01;
    uint16_t orientation = 0;
    uint32_t icc_bytes = 0, xmp_bytes = 0;
    float x = 0, y = 0;
    void *icc = NULL, *xmp = NULL;

    m->orientation = TIFFGetField(p->t, TIFFTAG_ORIENTATION, &orientation) ? orientation : 0;
    if ((unit == RESUNIT_INCH || unit == RESUNIT_CENTIMETER) && TIFFGetField(p->t, TIFFTAG_XRESOLUTION, &x)
        && TIFFGetField(p->t, TIFFTAG_YRESOLUTION, &y) && x > 0 && y > 0 && x < 1e9 && y < 1e9) {
        m->x_per_metre = (double)x / metres;
        m->y_per_metre = (double)y / metres;
    }
    if (unit == RESUNIT_NONE && TIFFGetField(p->t, TIFFTAG_XRESOLUTION, &x) && TIFFGetField(p->t, TIFFTAG_YRESOLUTION, &y)
        && x >= 1 && y >= 1 && x < 1e9F && y < 1e9F && fabsf(x - y) >= 1) {
        m->density[0] = (uint32_t)x;
        m->density[1] = (uint32_t)y;
    }
    if (TIFFGetField(p->t, TIFFTAG_ICCPROFILE, &icc_bytes, &icc) && icc_bytes > 0
        && gf_meta_set_icc(m, icc, icc_bytes, err) != 0)
        return -1;
    if (TIFFGetField(p->t, TIFFTAG_XMLPACKET, &xmp_bytes, &xmp) && xmp_bytes > 0 && gf_meta_set_xmp(m, xmp, xmp_bytes, err) != 0)
        return -1;
    return take_text(p, m, err);
}

/* Smaller versions of a page, and masks for it, are no pages. */
static bool is_aside(struct gf_tiff *p)
{
    uint32_t kind = 0;

    return TIFFGetField(p->t, TIFFTAG_SUBFILETYPE, &kind) && (kind & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK)) != 0;
}

static int first_page(struct gf_tiff *p, struct gf_error *err)
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
    struct gf_tiff *p = r->state;
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
    if (gf_tiff_page_begin(p, &r->format, err) != 0 || take_meta(p, &r->meta, err) != 0)
        return -1;
    p->file.text[0] = '\0';              /* what was said so far has done no harm */
    return 1;
}

static void tiff_close(struct gf_reader *r)
{
    struct gf_tiff *p = r->state;

    if (p->t != NULL)
        TIFFClose(p->t);
    free(p->file.bytes);
    free(p->band);
    free(p->part);
    free(p);
}

static int64_t tiff_read(struct gf_reader *r, void *units, int64_t count, struct gf_error *err)
{
    return gf_tiff_page_read(r->state, &r->format, units, count, err);
}

static const struct gf_reader_ops tiff_ops = {
    .name = "tiff", .next = tiff_next, .read = tiff_read, .close = tiff_close,
    .opening = GF_LABOUR_FILE, .reading = GF_LABOUR_CODE,
};

static int tiff_open(struct gf_reader *r, struct gf_source *s, const struct gf_read_options *o, struct gf_error *err)
{
    struct gf_tiff *p = gf_reader_state(r, &tiff_ops, sizeof *p, err);

    if (p == NULL)
        return -1;
    p->source = s;
    p->options = *o;
    p->file.name = r->name;
    return 0;
}

/* Both byte orders, of 32 and 64 bits. */
static int tiff_match(struct gf_source *s, struct gf_error *err)
{
    static const char signatures[4][5] = { "II*\0", "MM\0*", "II+\0", "MM\0+" };
    int found = 0;

    for (int i = 0; i < 4 && found == 0; i++)
        found = gf_source_begins(s, signatures[i], 4, err);
    return found;
}

const struct gf_read_format gf_read_tiff = {
    .name = "tiff", .endings = (const char *const[]) { "tif", NULL }, .match = tiff_match, .open = tiff_open,
};
