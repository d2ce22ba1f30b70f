/* GPU scratch: the most bytes that each CUDA body takes from its stream's memory pool. The plan counts them. */
#ifndef GF_KERNELS_GPU_SCRATCH_H
#define GF_KERNELS_GPU_SCRATCH_H

#include "kernels/base/op.h"

/* Planes for a program before or after the operation; the second also counts planes for packed samples. */
gf_op_scratch gf_gpu_scratch_programs, gf_gpu_scratch_planes;
/* The memory of single operations, with the planes that they borrow. */
gf_op_scratch gf_gpu_scratch_box, gf_gpu_scratch_conv, gf_gpu_scratch_fftconv, gf_gpu_scratch_hysteresis;
gf_op_scratch gf_gpu_scratch_limit, gf_gpu_scratch_loudness, gf_gpu_scratch_prefix, gf_gpu_scratch_rank;
gf_op_scratch gf_gpu_scratch_recur, gf_gpu_scratch_resample, gf_gpu_scratch_resize, gf_gpu_scratch_scan, gf_gpu_scratch_seams;

#endif
