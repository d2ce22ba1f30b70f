/* Planar floats for C bodies: the blocks themselves, or scratch memory that is converted before or after. */
#ifndef GF_KERNELS_PLANAR_H
#define GF_KERNELS_PLANAR_H

#include "kernels/base/block.h"

/*
 * Returns units `part` of io->src as planar floats with io->load applied: the block itself if it is
 * that already, otherwise a copy in `scratch`.
 */
struct gf_block gf_planar_source(const struct gf_work *work, const struct gf_io *io, struct gf_span part,
                                 float *scratch);
/* Returns the floats of scratch that gf_planar_source() takes. */
size_t gf_planar_source_samples(const struct gf_io *io, int64_t units);

/* Returns memory for planar results of dst's shape: dst itself, or `scratch`, which gf_planar_finish() then stores. */
struct gf_block gf_planar_result(const struct gf_io *io, int channels, float *scratch);
size_t gf_planar_result_samples(const struct gf_io *io, int channels);
/*
 * Returns the bytes of scratch for both, the result and `part` of the source, if the operation keeps
 * the number of channels.
 */
size_t gf_planar_scratch_bytes(const struct gf_io *io, struct gf_span part);
/* Returns the scratch of a C body that needs nothing else and reads only the units of its result. */
gf_op_scratch gf_planar_scratch;
void gf_planar_finish(const struct gf_work *work, const struct gf_io *io, const struct gf_block *result);

#endif
