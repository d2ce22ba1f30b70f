/* Measures the rooflines of devices, prints them below the devices, and writes the first to an output. */
#ifndef GF_BENCH_ROOFLINE_REPORT_H
#define GF_BENCH_ROOFLINE_REPORT_H

#include "device/device.h"
#include "io/io.h"

/* The output of a report, and its limits; all zero: none. */
struct gf_roofline_report {
    struct gf_writer *writer;            /* of the first roofline; NULL: none, or written */
    int threads;                         /* of a CPU; 0: one for each core */
    int64_t memory_bytes;                /* --memory; 0: not given */
};

/* Creates the output before anything is measured. `path` NULL: no output. */
int gf_roofline_report_open(struct gf_roofline_report *r, const char *path, const struct gf_write_options *write,
                            struct gf_error *err) GF_MUST_CHECK;
/*
 * Measures an open device, and prints its roofline. `name` is for people; NULL: so many CPU threads.
 * Without an output, a failure is only printed.
 */
int gf_roofline_report_device(struct gf_roofline_report *r, struct gf_device *d, int threads, const char *name,
                              struct gf_error *err) GF_MUST_CHECK;
/* Measures the CPU with r->threads. */
int gf_roofline_report_cpu(struct gf_roofline_report *r, struct gf_error *err) GF_MUST_CHECK;
/* Removes an output that was not written. */
void gf_roofline_report_close(struct gf_roofline_report *r);

#endif
