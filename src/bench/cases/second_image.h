/* Second images for random calls of operations that read one. */
#ifndef GF_BENCH_CASES_SECOND_IMAGE_H
#define GF_BENCH_CASES_SECOND_IMAGE_H

#include "bench/check/check_draw.h"

/* Draws a form that a second image may have. */
const struct gf_form *gf_second_image_form(struct gf_check *check);
/*
 * Makes some rows of an image of that form and width the second source of a trial. A second source
 * has no gaps.
 */
void gf_second_image_rows(struct gf_check *check, struct gf_trial *t, const struct gf_form *f, int64_t width,
                          struct gf_span rows);
/* Draws a second image of any size and place for `span` of the signal. Returns its form. */
const struct gf_form *gf_second_image_draw(struct gf_check *check, struct gf_trial *t, struct gf_span span);

#endif
