/* Second images for random calls: rows of another picture, of another size and form. */
#include "bench/cases/second_image.h"

#include "bench/check/check_compare.h"

#include <string.h>

/* Units `rows` of a picture, packed without gaps as a second source always is. */
void gf_second_image_rows(struct gf_trial *t, const struct gf_form *f, int64_t width, struct gf_span rows)
{
    const bool aligned = gf_aligned;

    gf_aligned = true;
    t->io.beside = gf_block_of(f, f->channels, gf_src_bytes, width, rows);
    gf_aligned = aligned;
    gf_beside_size = gf_block_bytes(&t->io.beside);
    gf_fill_block(&t->io.beside, gf_beside_size, t->fill);
    memcpy(gf_beside_bytes, gf_src_bytes, gf_beside_size);
    t->io.beside.data = gf_beside_bytes + ((unsigned char *)t->io.beside.data - gf_src_bytes);
}

const struct gf_form *gf_second_image_form(void)
{
    static const int forms[] = { 0, 1, 2, 3, 4, 8, 9, 10, 16 };

    return &gf_forms[forms[gf_any(sizeof forms / sizeof *forms)]];
}

/*
 * A picture of any size around the signal's, the rows of it beside `span` of the signal, and a few more. Often it is stored as the
 * signal is, which bodies may have a way of their own for.
 */
const struct gf_form *gf_second_image_any(struct gf_trial *t, struct gf_span span)
{
    const struct gf_form *f = t->form->channels <= 4 && gf_any(2) ? t->form : gf_second_image_form();
    const int64_t width = gf_any(3) ? t->width : 1 + gf_any((uint32_t)(2 * t->width));
    const int64_t units = gf_any(3) ? t->units : 1 + gf_any((uint32_t)(2 * t->units));
    struct gf_span rows;

    t->io.beside_units = units;
    t->io.beside_shift = gf_any(2) ? 0 : (int64_t)gf_any((uint32_t)(3 * units)) - 2 * units;
    rows = (struct gf_span) { span.start - t->io.beside_shift - gf_any(3), span.end - t->io.beside_shift + gf_any(3) };
    rows.start = rows.start < 0 ? 0 : rows.start > units ? units : rows.start;
    rows.end = rows.end < rows.start ? rows.start : rows.end > units ? units : rows.end;
    gf_second_image_rows(t, f, width, rows);
    return f;
}
