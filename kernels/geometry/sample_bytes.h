/* Samples of packed bytes at transformed positions, for the C bodies of sample and warp. */
#ifndef GF_KERNELS_SAMPLE_BYTES_H
#define GF_KERNELS_SAMPLE_BYTES_H

#include "kernels/geometry/sample_rows.h"

/* Returns true if a call goes from packed bytes to packed bytes, with no program. */
bool gf_sample_bytes_fits(const struct gf_io *io, const struct gf_sample *s);
void gf_sample_bytes_run(const struct gf_io *io, const struct gf_sample *s);

/* Returns the job of such a call. */
struct gf_sample_job gf_sample_bytes_job(const struct gf_io *io, const struct gf_sample *s);
/*
 * Computes n pixels of row y from column x on, whose neighbors are all in the source, at places[at] and after; offsets
 * count from row `first` of the source.
 */
void gf_sample_bytes_piece(const struct gf_sample_job *j, const struct gf_sample_places *places, int64_t at, int64_t n,
                           int64_t first, int64_t x, int64_t y);
/* The other parts of a row, as struct gf_sample_parts has them. */
gf_sample_part gf_sample_bytes_border, gf_sample_bytes_background;

#endif
