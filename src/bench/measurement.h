/* A measurement: its request, its open device, its results, and the output for them. */
#ifndef GF_BENCH_MEASUREMENT_H
#define GF_BENCH_MEASUREMENT_H

#include "bench/bench_results.h"
#include "bench/lessons/lesson_page.h"
#include "device/device.h"
#include "io/io.h"
#include "kernels/lessons/lesson.h"
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

/* An open device, the output, and the results. */
struct gf_measurement {
    struct gf_device device;
    bool cuda;
    int threads;                         /* used on a CPU */
    char where[200], facts[512];         /* the device, for people: its name, and all that is known */
    int64_t ceiling;                     /* bytes that a call may use, on the device and on the host */
    struct gf_bench_results results;
    struct gf_writer *writer;            /* of the table */
    struct gf_lesson_page *page;         /* or a page of tables */
};

/* Opens the requested GPU, or the first one; otherwise the CPU. */
int gf_measurement_open(struct gf_measurement *m, const struct gf_bench_request *r, struct gf_error *err) GF_MUST_CHECK;
/*
 * Creates the output before measurements, which may take minutes, so that its errors are reported at
 * once. `several` lessons need a page.
 */
int gf_measurement_output(struct gf_measurement *m, const struct gf_bench_request *r, bool several,
                          struct gf_error *err) GF_MUST_CHECK;
/* Writes the results, or adds them to the page. `lesson` may be NULL. */
int gf_measurement_write(struct gf_measurement *m, const char *name, const struct gf_lesson *lesson,
                         struct gf_error *err) GF_MUST_CHECK;
/* Gives the output its name. */
int gf_measurement_commit(struct gf_measurement *m, struct gf_error *err) GF_MUST_CHECK;
/* Closes all that is open; an output that was not committed leaves no trace. */
void gf_measurement_close(struct gf_measurement *m);

#endif
