/* What the stages share that take a second picture, from a file. */
#ifndef GF_FILTERS_SIDE_INPUT_H
#define GF_FILTERS_SIDE_INPUT_H

#include "chain/stage.h"
#include "kernels/pixel/blend.h"

/* A row for a struct that holds `char *file`. */
#define GF_SIDE_INPUT_OPTION(config, what) \
    { .name = "file", .type = GF_OPTION_INPUT, .offset = offsetof(config, file), .required = true, .text = what }

/*
 * Finds FILE's picture and fills in what `b` has to know of it and of the signal; the number of the picture, or -1.
 * Where it has colours and the signal is gray, `widen` makes three channels of that first. `same_size` refuses another size.
 */
int gf_side_input_open(const char *stage, const char *file, bool same_size, bool widen, struct gf_blend *b,
                       struct gf_build *build, struct gf_error *err) GF_MUST_CHECK;
/* Adds the operation; column 0 and row 0 of the picture lie at (b->x, y) of the signal. */
int gf_side_input_blend(const struct gf_blend *b, int side, int64_t y, struct gf_build *build,
                        struct gf_error *err) GF_MUST_CHECK;

#endif
