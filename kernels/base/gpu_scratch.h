/* GPU scratch: what CUDA bodies take from their stream's memory pool, by the same conditions as theirs. The plan counts it. */
#ifndef GF_KERNELS_GPU_SCRATCH_H
#define GF_KERNELS_GPU_SCRATCH_H

#include "kernels/base/op.h"

#define GF_GPU_SCRATCH_SMALL (INT64_C(4) << 10)      /* bytes: what else there is, and rounding */

/* Planes for a program before or after the operation; the second also counts planes for packed samples. */
gf_op_scratch gf_gpu_scratch_programs, gf_gpu_scratch_planes;

/* Of parts of them: so many channels' planes as wide as a block; those of what is read, `units` of it, and of the result. */
int64_t gf_gpu_plane_bytes(const struct gf_block *b, int channels, int64_t units);
int64_t gf_gpu_loaded_bytes(const struct gf_io *io, bool packed_too, int64_t units);
int64_t gf_gpu_stored_bytes(const struct gf_io *io, bool packed_too);
/* The channels between the programs. */
int gf_gpu_channels_at_work(const struct gf_io *io);

#endif
