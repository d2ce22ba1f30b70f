/* Samples of packed bytes or floats at transformed positions, for the C bodies of sample and warp. */
#ifndef GF_KERNELS_SAMPLE_PACKED_H
#define GF_KERNELS_SAMPLE_PACKED_H

#include "kernels/geometry/sample_rows.h"

/*
 * Returns how the parts of rows are computed if a call goes from packed bytes to packed bytes, or from packed floats to
 * packed floats, with no program; otherwise NULL.
 */
const struct gf_sample_parts *gf_sample_packed_parts(const struct gf_io *io, const struct gf_sample *s);
/* Returns true if there are such parts for a format. Its 8-bit results of a linear sampling will be coarse. */
bool gf_sample_packed_at_once(const struct gf_sample *s, const struct gf_format *f);
/* Returns the job of such a call. */
struct gf_sample_job gf_sample_packed_job(const struct gf_io *io, const struct gf_sample *s);

#endif
