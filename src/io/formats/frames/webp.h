/* The WebP writer, for its descriptor. */
#ifndef GF_FORMATS_WEBP_H
#define GF_FORMATS_WEBP_H

#include "io/format.h"

extern const struct gf_writer_ops gf_write_webp;

#endif
