/* What CUDA bodies borrow from their stream's pool of memory while they work: bytes at most, which the plan counts. */
#ifndef GF_KERNELS_GPU_SCRATCH_H
#define GF_KERNELS_GPU_SCRATCH_H

#include "kernels/base/op.h"

/* Planes where a program stands before or behind; and for packed samples, too. */
gf_op_scratch gf_gpu_scratch_programs, gf_gpu_scratch_planes;
/* And what an operation needs besides. */
gf_op_scratch gf_gpu_scratch_box, gf_gpu_scratch_conv, gf_gpu_scratch_fftconv, gf_gpu_scratch_hysteresis;
gf_op_scratch gf_gpu_scratch_limit, gf_gpu_scratch_loudness, gf_gpu_scratch_prefix, gf_gpu_scratch_rank;
gf_op_scratch gf_gpu_scratch_recur, gf_gpu_scratch_resample, gf_gpu_scratch_resize, gf_gpu_scratch_seams;

#endif
