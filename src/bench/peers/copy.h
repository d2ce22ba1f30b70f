/* Times plain copies in memory, the limit of stages that do little with each sample. */
#ifndef GF_BENCH_PEERS_COPY_H
#define GF_BENCH_PEERS_COPY_H

#include "base/error.h"

/* Measures the seconds in which so many threads copy `bytes` together with memcpy(), warm: the median of nine runs. */
int gf_copy_time(size_t bytes, int threads, double *seconds, struct gf_error *err) GF_MUST_CHECK;

#endif
