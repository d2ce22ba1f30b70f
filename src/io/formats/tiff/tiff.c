/* Reads TIFF through libtiff, page by page. Built if HAVE_TIFF. */
#define _GNU_SOURCE
#include "io/format.h"
#include "io/formats/tiff/tiff_page.h"
#include "io/metadata/icc.h"
#include "io/reader_choice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns true for directories that are not pages: smaller versions of a page, and masks. */
static bool is_auxiliary(struct gf_tiff *p)
{
    uint32_t kind = 0;

    return TIFFGetField(p->t, TIFFTAG_SUBFILETYPE, &kind) && (kind & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK)) != 0;
}

static int open_file(struct gf_tiff *p, struct gf_error *err)
{
    p->t = gf_tiff_open(&p->file, "rm");
    return p->t != NULL ? 1 : gf_tiff_fail(&p->file, "decoded", err);
}

static int first_page(struct gf_tiff *p, struct gf_error *err)
{
    size_t size = 0;

    p->file = (struct gf_tiff_file) { .name = p->file.name, .source = p->source, .size = p->source->size,
                                      .most_bytes = p->options.max_bytes };
    if (!p->source->random) {
        p->file.source = NULL;
        if (gf_source_slurp(p->source, p->options.max_bytes, &p->file.bytes, &size, err) != 0)
            return -1;
        p->file.size = (int64_t)size;
    }
    return open_file(p, err);
}

/* Moves to the first page of another file, if one follows in the input. Its offsets are from its own beginning. */
static int next_file(struct gf_reader *r, struct gf_error *err)
{
    struct gf_tiff *p = r->state;
    unsigned char first[sizeof r->rest.first] = { 0 };
    int64_t pages, next, there;
    const int64_t end = gf_tiff_end(&p->file, &pages);

    if (end >= p->file.size || p->stray)
        return 0;
    next = gf_tiff_find_next(&p->file, end);
    if (next < 0) {
        there = gf_tiff_read_at(&p->file, end, first, sizeof first);
        if (there < 0)
            return gf_tiff_fail(&p->file, "decoded", err);
        if (p->file.size - end > GF_TIFF_UNUSED_BYTES || gf_reader_other_image(first, (size_t)there) != NULL)
            gf_reader_keep_rest(r, first, p->file.size - end);
        return 0;
    }
    TIFFClose(p->t);
    p->file.base += next;
    p->file.size -= next;
    p->file.at = 0;
    p->measured = false;
    p->stored_bytes = p->metadata_bytes = 0;
    gf_tiff_forget(&p->file);
    return open_file(p, err);
}

static int tiff_next(struct gf_reader *r, struct gf_error *err)
{
    struct gf_tiff *p = r->state;
    bool first = p->t == NULL, uncounted;
    int more = 1;

    p->notices = r->notices;
    gf_tiff_forget(&p->file);
    if (first)
        more = first_page(p, err);
    else
        do
            more = TIFFReadDirectory(p->t);
        while (more == 1 && is_auxiliary(p));
    if (p->file.failed || (more == 0 && p->file.text[0] != '\0'))
        return gf_tiff_fail(&p->file, "decoded", err);
    if (more == 0 && p->file.looped)
        gf_warn(r->notices, "tiff-loop", r->name, "its list of pages returns to an earlier page; each is read once");
    if (more == 0) {
        more = next_file(r, err);
        first = more == 1;
    }
    if (more <= 0)
        return more;
    if (p->file.lost[0] != '\0')
        return gf_fail(err, GF_FAILED, "%s: can't be decoded: its tag %s is damaged or cut short", r->name,
                       p->file.lost);
    if (gf_tiff_page_begin(p, &r->format, err) != 0 || gf_tiff_take_meta(p, &r->meta, &r->format, first, err) != 0)
        return -1;
    if (first)
        gf_tiff_warn_stack(p);
    uncounted = p->file.uncounted;
    gf_tiff_forget(&p->file);                       /* other errors up to here have no effect on the page */
    p->stray = p->stray || uncounted;
    if (uncounted)
        snprintf(p->file.damage, sizeof p->file.damage, "the sizes of its strips are wrong, and are calculated");
    p->file.in_pixels = true;
    return 1;
}

static void tiff_close(struct gf_reader *r)
{
    struct gf_tiff *p = r->state;

    if (p->t != NULL)
        TIFFClose(p->t);
    free(p->file.bytes);
    gf_tiff_page_end(p);
    gf_icc_close(p->icc);
}

static int64_t tiff_read(struct gf_reader *r, void *units, int64_t count, struct gf_error *err)
{
    return gf_tiff_page_read(r->state, &r->format, units, count, err);
}

static const struct gf_reader_ops tiff_ops = {
    .next = tiff_next, .read = tiff_read, .close = tiff_close,
    .opening = GF_LABOUR_FILE, .reading = GF_LABOUR_CODE, .warns_of_inks = true,
};

static int tiff_open(struct gf_reader *r, struct gf_source *s, const struct gf_read_options *o, struct gf_error *err)
{
    struct gf_tiff *p;

    if (gf_reader_begin(r, s, o, &tiff_ops, sizeof *p, err) != 0)
        return -1;
    p = r->state;
    p->source = s;
    p->options = *o;
    p->file.name = r->name;
    return 0;
}

static int tiff_match(struct gf_source *s, struct gf_error *err)
{
    const unsigned char *b;
    const int64_t size = gf_source_peek(s, 4, &b, err);

    return size < 4 ? (size < 0 ? -1 : 0) : gf_tiff_begins(b);
}

const struct gf_file_format gf_file_format_tiff = {
    .name = "tiff", .title = "TIFF", .endings = { "tif" }, .kinds = 1 << GF_IMAGE, .match = tiff_match,
    .open = tiff_open, .hardened = true, .picks = true, .counted = true, .image = &gf_write_tiff, .sequence = true,
    .notes = { "TIFF", "1 to 16 bits, signed, floats; up to 4 channels; pages",
               "IPTC, GeoTIFF; finer palettes and 64-bit floats; a CMYK profile that is not used",
               "more channels without --channels; 32-bit integers, Lab, LogLuv; a palette that is cut short" },
};
