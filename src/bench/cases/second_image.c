/* Second images for random calls: rows of an image of another size and form. */
#include "bench/cases/second_image.h"

#include "bench/check/check_compare.h"

#include <string.h>

void gf_second_image_rows(struct gf_check *check, struct gf_trial *t, const struct gf_form *f, int64_t width,
                          struct gf_span rows)
{
    const bool aligned = check->aligned;

    check->aligned = true;
    t->io.beside = gf_draw_block(check, f, f->channels, check->src, width, rows);
    check->aligned = aligned;
    check->second_bytes = gf_check_block_bytes(&t->io.beside);
    gf_draw_samples(check, &t->io.beside, check->second_bytes, t->fill);
    memcpy(check->second, check->src, check->second_bytes);
    t->io.beside.data = check->second + ((unsigned char *)t->io.beside.data - check->src);
}

const struct gf_form *gf_second_image_form(struct gf_check *check)
{
    static const int forms[] = { 0, 1, 2, 3, 4, 8, 9, 10, 16 };

    return &gf_forms[forms[gf_draw(check, sizeof forms / sizeof *forms)]];
}

/* Often both images have the same form, for which some bodies have a special case. */
const struct gf_form *gf_second_image_draw(struct gf_check *check, struct gf_trial *t, struct gf_span span)
{
    const struct gf_form *f = t->form->channels <= 4 && gf_draw(check, 2) ? t->form : gf_second_image_form(check);
    const int64_t width = gf_draw(check, 3) ? t->width : 1 + gf_draw(check, (uint32_t)(2 * t->width));
    const int64_t units = gf_draw(check, 3) ? t->units : 1 + gf_draw(check, (uint32_t)(2 * t->units));
    struct gf_span rows;

    t->io.beside_units = units;
    t->io.beside_shift = gf_draw(check, 2) ? 0 : (int64_t)gf_draw(check, (uint32_t)(3 * units)) - 2 * units;
    rows = (struct gf_span) { span.start - t->io.beside_shift - gf_draw(check, 3),
                              span.end - t->io.beside_shift + gf_draw(check, 3) };
    rows.start = rows.start < 0 ? 0 : rows.start > units ? units : rows.start;
    rows.end = rows.end < rows.start ? rows.start : rows.end > units ? units : rows.end;
    gf_second_image_rows(check, t, f, width, rows);
    return f;
}
