/* Checks and notes for --channels, which selects channels of an image. */
#ifndef GF_IO_PICKED_CHANNELS_H
#define GF_IO_PICKED_CHANNELS_H

#include "io/io.h"

/* Refuses channel numbers above `have`. */
int gf_picked_channels_check(const struct gf_picked_channels *picked, int have, const char *name,
                             struct gf_error *err) GF_MUST_CHECK;
/* Adds a note that lists the channels of `have` that are left out. */
void gf_picked_channels_note(const struct gf_picked_channels *picked, int have, const char *name,
                             struct gf_notices *notices);

#endif
