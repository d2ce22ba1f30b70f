/* Shared by stages that take a second image from a file. */
#ifndef GF_FILTERS_SIDE_INPUT_H
#define GF_FILTERS_SIDE_INPUT_H

#include "chain/stage.h"
#include "kernels/pixel/blend.h"

/* The row of options for a struct with a member `char *file`. */
#define GF_SIDE_INPUT_OPTION(config, what) \
    { .name = "file", .type = GF_OPTION_INPUT, .offset = offsetof(config, file), .required = true, .text = what }

/*
 * Opens FILE's image and fills in `b` for it and the signal; returns the number of the image, or
 * -1. `same_size` refuses another size. `widen` converts a gray signal to three channels first
 * if FILE has colors.
 */
int gf_side_input_open(const char *stage, const char *file, bool same_size, bool widen, struct gf_blend *b,
                       struct gf_build *build, struct gf_error *err) GF_MUST_CHECK;
/* Adds the operation. Column 0 and row 0 of the image are at (b->x, y) of the signal. */
int gf_side_input_blend(const struct gf_blend *b, int side, int64_t y, struct gf_build *build,
                        struct gf_error *err) GF_MUST_CHECK;

#endif
