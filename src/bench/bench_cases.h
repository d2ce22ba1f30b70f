/* A case for every operation: what --bench measures, and what --devices -v looks at. */
#ifndef GF_BENCH_BENCH_CASES_H
#define GF_BENCH_BENCH_CASES_H

#include "bench/bench_call.h"

/* In the order of the operations; ended by one without a name. */
extern const struct gf_bench_case gf_bench_image_cases[], gf_bench_audio_cases[];
/* Other calls of the same operations, which other kernels answer. */
extern const struct gf_bench_case gf_bench_variant_cases[];

/* Returns a list: 0 images, 1 audio, 2 examples of other operations, 3 variants. */
#define GF_BENCH_LISTS 3                 /* without variants */
const struct gf_bench_case *gf_bench_cases(int list);

/* The case of that name; NULL where there is none. */
const struct gf_bench_case *gf_bench_case_find(const char *name);

#endif
