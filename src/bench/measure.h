/*
 * Measures how fast operations and the steps of lessons are on this machine, compared with copies.
 */
#ifndef GF_BENCH_MEASURE_H
#define GF_BENCH_MEASURE_H

#include "base/error.h"
#include "io/io.h"
#include "plan/plan.h"

/* The operation to measure, the device, and the output for the table. */
struct gf_bench_request {
    const char *program;                 /* messages begin with this name */
    /* an operation, a lesson, a stage or "all", with or without :SIZE; NULL: all */
    const char *topic;
    enum gf_device_choice where;
    int gpu;                             /* number of the GPU, if `where` is GF_CUDA */
    int threads;                         /* threads on a CPU; 0: one for each core */
    int64_t memory_bytes;                /* limit of memory; 0: what the machine has */
    const char *output;
    const struct gf_write_options *write;
    bool progress;                       /* show the current measurement on standard error */
    bool quiet;                          /* print no notes on standard error */
};

/* Measures, and writes the table. */
int gf_bench_run(const struct gf_bench_request *r, struct gf_error *err) GF_MUST_CHECK;

#endif
