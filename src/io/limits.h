/* The limits of --max-pixels and --max-memory. */
#ifndef GF_IO_LIMITS_H
#define GF_IO_LIMITS_H

#include "io/io.h"

/*
 * Refuses images that are empty, have too many pixels,
 * or need too much memory. Call it before allocating.
 */
int gf_limits_check_size(const char *name, int64_t width, int64_t height, int64_t pixel_bytes,
                         const struct gf_read_options *o, struct gf_error *err) GF_MUST_CHECK;
/* Fails for an image that needs `needs` bytes (0: unknown), more than --max-memory. */
int gf_limits_fail_image(const char *name, int64_t width, int64_t height, int64_t needs,
                         const struct gf_read_options *o, struct gf_error *err);

#endif
