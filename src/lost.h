/* Warns about metadata of an input that its output loses. */
#ifndef GF_LOST_H
#define GF_LOST_H

#include "io/io.h"

/* For an image that is written with `w`, before that begins. */
void gf_lost_warn(const struct gf_reader *r, const struct gf_writer *w);

#endif
