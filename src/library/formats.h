/* Formats of arrays as callers of libgpufilter describe them. */
#ifndef GF_LIBRARY_FORMATS_H
#define GF_LIBRARY_FORMATS_H

#include "base/error.h"
#include "base/signal.h"
#include "library/gpufilter.h"

/* Sets type, bits and maxval. Returns false if such a signal has no such samples. */
bool gf_library_set_type(struct gf_format *f, int type, int bits, uint32_t maxval);
int gf_library_read_format(struct gf_format *f, const gpufilter_format *given, const char *name,
                           struct gf_error *err) GF_MUST_CHECK;
/* Fills in a struct of the caller, whose floats have 16 bits if `half`. */
int gf_library_write_format(gpufilter_format *to, const struct gf_format *f, bool half,
                            struct gf_error *err) GF_MUST_CHECK;
/*
 * Describes frames in planes; f->yuv stays unused if `given` is NULL. Sets *states_matrix to true if the matrix does
 * not depend on the number of rows.
 */
int gf_library_read_video(struct gf_format *f, const gpufilter_video *given, bool *states_matrix,
                          struct gf_error *err) GF_MUST_CHECK;

#endif
