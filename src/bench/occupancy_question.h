/* --occupancy: how many blocks of a kernel fit a multiprocessor, calculated without a GPU. */
#ifndef GF_BENCH_OCCUPANCY_QUESTION_H
#define GF_BENCH_OCCUPANCY_QUESTION_H

#include "base/error.h"

/* Prints the occupancy of the kernel that `text` describes, as "registers=64,shared=48K,block=256,arch=75". */
int gf_occupancy_answer(const char *text, struct gf_error *err) GF_MUST_CHECK;

#endif
