/* The option `at=`, shared by stages that place a rectangle at a corner, a side or the center. */
#ifndef GF_FILTERS_ANCHOR_H
#define GF_FILTERS_ANCHOR_H

#include "chain/option.h"

extern const char *const gf_anchors[];
#define GF_ANCHOR_CENTER 4               /* index of "center" */

/* The row of options for a struct with a member `int at`. */
#define GF_ANCHOR_OPTION(config, what)                                                              \
    { .name = "at", .type = GF_OPTION_CHOICE, .offset = offsetof(config, at), .choices = gf_anchors, \
      .key_only = true, .text = what }

/*
 * Returns the first column of a rectangle of this width in this room, moved inward by
 * `distance`; to the right if it is centered.
 */
int64_t gf_anchor_column(int at, int64_t room, int64_t width, int64_t distance);
/* Returns the first row; if it is centered, it is moved down by `distance`. */
int64_t gf_anchor_row(int at, int64_t room, int64_t height, int64_t distance);

#endif
