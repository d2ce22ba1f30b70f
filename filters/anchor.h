/* The option `at=`, shared by the stages that have something lie at a corner, at a side or in the middle. */
#ifndef GF_FILTERS_ANCHOR_H
#define GF_FILTERS_ANCHOR_H

#include "chain/option.h"

extern const char *const gf_anchors[];

/* A row for a struct that holds `int at`. */
#define GF_ANCHOR_OPTION(config, what) \
    { .name = "at", .type = GF_OPTION_CHOICE, .offset = offsetof(config, at), .choices = gf_anchors, .key_only = true, .text = what }

/* The first column of something so wide, in so wide a room, `distance` inward from there; of the middle, to the right. */
int64_t gf_anchor_column(int at, int64_t room, int64_t width, int64_t distance);
/* The first row, likewise. */
int64_t gf_anchor_row(int at, int64_t room, int64_t height, int64_t distance);

#endif
