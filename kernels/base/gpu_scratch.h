/*
 * GPU scratch: memory that CUDA bodies take from their stream's pool. The plan counts it by the
 * same conditions.
 */
#ifndef GF_KERNELS_GPU_SCRATCH_H
#define GF_KERNELS_GPU_SCRATCH_H

#include "kernels/base/op.h"

#define GF_GPU_SCRATCH_SMALL (INT64_C(4) << 10)      /* bytes for small buffers and rounding */

/*
 * Return the bytes of planes for a program before or after the operation; the second also counts
 * planes for packed samples.
 */
gf_op_scratch gf_gpu_scratch_programs, gf_gpu_scratch_planes;

/*
 * Return the bytes of `channels` planes as wide as a block, of the planes for `units` of the
 * source, and of those for the result.
 */
int64_t gf_gpu_plane_bytes(const struct gf_block *b, int channels, int64_t units);
int64_t gf_gpu_loaded_bytes(const struct gf_io *io, bool packed_too, int64_t units);
int64_t gf_gpu_stored_bytes(const struct gf_io *io, bool packed_too);

#endif
