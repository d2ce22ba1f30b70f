/* The channels that --channels picks of an image. */
#ifndef GF_IO_PICKED_CHANNELS_H
#define GF_IO_PICKED_CHANNELS_H

#include "io/io.h"

/* Refuses --channels that name a channel beyond `have`. */
int gf_picked_channels_check(const struct gf_picked_channels *picked, int have, const char *name, struct gf_error *err) GF_MUST_CHECK;
/* Notes which of `have` channels are left out, if any are. */
void gf_picked_channels_note(const struct gf_picked_channels *picked, int have, const char *name, struct gf_notices *notices);

#endif
