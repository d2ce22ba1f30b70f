/* Names the channels of a signal in tables. */
#ifndef GF_FILTERS_CHANNEL_NAMES_H
#define GF_FILTERS_CHANNEL_NAMES_H

#include "chain/stage.h"

/*
 * Returns one name for each channel: y, r g b, a; or 1, 2, … The build owns them. NULL: out of
 * memory.
 */
const char *const *gf_channel_names(const struct gf_format *f, struct gf_build *build);

#endif
