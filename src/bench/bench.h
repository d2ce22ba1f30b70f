/* How fast operations are on this machine, beside copies, and beside the steps of lessons. */
#ifndef GF_BENCH_BENCH_H
#define GF_BENCH_BENCH_H

#include "base/error.h"
#include "io/io.h"
#include "plan/plan.h"

/* What is measured, on which device, and where the table goes. */
struct gf_bench_request {
    const char *program;                 /* messages begin with this name */
    const char *topic;                   /* an operation, a lesson, a stage or "all", :SIZE after it or not; NULL: all */
    enum gf_device_choice where;
    int gpu;                             /* its number, if where is GF_CUDA */
    int threads;                         /* of a CPU; 0: one for each core */
    int64_t memory_bytes;                /* at most; 0: as much as there is */
    const char *output;
    const struct gf_write_options *write;
    bool progress;                       /* shows on standard error what is being measured */
    bool quiet;                          /* no notes on standard error */
};

/* Measures, and writes the table. */
int gf_bench_run(const struct gf_bench_request *r, struct gf_error *err) GF_MUST_CHECK;

#endif
