/* Second images for random calls of operations that have one. */
#ifndef GF_BENCH_CASES_SECOND_IMAGE_H
#define GF_BENCH_CASES_SECOND_IMAGE_H

#include "bench/check/check_draw.h"

/* Any form that a second image may have. */
const struct gf_form *gf_second_image_form(void);
/* Makes rows of such an image, so many columns wide, the second source of a trial. */
void gf_second_image_rows(struct gf_trial *t, const struct gf_form *f, int64_t width, struct gf_span rows);
/* Makes a picture of any size, around the signal's, the second source for `span` of the signal; returns its form. */
const struct gf_form *gf_second_image_any(struct gf_trial *t, struct gf_span span);

#endif
