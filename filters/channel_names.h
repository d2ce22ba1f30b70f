/* What the channels of a signal are called in tables. */
#ifndef GF_FILTERS_CHANNEL_NAMES_H
#define GF_FILTERS_CHANNEL_NAMES_H

#include "chain/stage.h"

/* One name a channel: y, r g b, a; or 1, 2, … The build owns them; NULL where memory ran out. */
const char *const *gf_channel_names(const struct gf_format *f, struct gf_build *build);

#endif
