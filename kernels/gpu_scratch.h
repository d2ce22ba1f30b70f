/* What CUDA bodies borrow from their stream's pool of memory while they work: bytes at most, which the plan counts. */
#ifndef GF_BORROW_H
#define GF_BORROW_H

#include "kernels/base/op.h"

/* Planes where a program stands before or behind; and for packed samples, too. */
gf_op_scratch gf_borrow_programs, gf_borrow_planes_of_all;
/* And what an operation needs besides. */
gf_op_scratch gf_borrow_box, gf_borrow_connect, gf_borrow_conv, gf_borrow_fftconv, gf_borrow_limit, gf_borrow_loudness, gf_borrow_prefix,
              gf_borrow_rank, gf_borrow_recur, gf_borrow_resample, gf_borrow_resize, gf_borrow_seams;

#endif
