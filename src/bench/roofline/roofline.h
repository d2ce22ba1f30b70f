/*
 * The roofline of a device (Williams, Waterman and Patterson, 2009): no operation is faster than
 * memory delivers its samples, nor than the device multiplies and adds.
 */
#ifndef GF_BENCH_ROOFLINE_H
#define GF_BENCH_ROOFLINE_H

#include "base/error.h"
#include "device/device.h"
#include "table/table.h"

#define GF_ROOFLINE_POINTS 32

/* An operation as it was measured. */
struct gf_roofline_point {
    char name[80];
    double flop, samples, bytes;         /* of a call: operations, samples that it reads, least bytes that it moves */
    double seconds;
};

struct gf_roofline {
    char device[200];                    /* for people */
    int64_t samples;                     /* of each call */
    double bytes_per_second, flop_per_second;    /* the two ceilings */
    struct gf_roofline_point point[GF_ROOFLINE_POINTS];
    int points;
};

/* Returns operations per byte at which both ceilings meet; 0 if they are unknown. */
double gf_roofline_ridge(const struct gf_roofline *r);
/* Returns the most operations per second for so many operations per byte. */
double gf_roofline_limit(const struct gf_roofline *r, double flop_per_byte);

/* Fields of its table, where operations are channels. */
enum { GF_ROOF_SAMPLE, GF_ROOF_BYTE, GF_ROOF_RATE, GF_ROOF_LIMIT, GF_ROOF_SHARE, GF_ROOF_FIELDS };

/* The ceilings, of memory and of arithmetic: `own` of a table. */
struct gf_roofs {
    double gbytes, gflops;
};

/* A roofline as a table, with all its memory. */
struct gf_roofline_table {
    struct gf_table table;
    struct gf_roofs roofs;
    char source[240];
    const char *names[GF_ROOFLINE_POINTS];
    double values[GF_ROOFLINE_POINTS * GF_ROOF_FIELDS];
    char note[4][300];
    const char *notes[5];
};
void gf_roofline_tabulate(const struct gf_roofline *r, struct gf_roofline_table *t);
/* Its drawing: operations per second over operations per byte, both as logarithms, below the two ceilings. */
extern const struct gf_table_kind gf_roofline_kind;
/* Prints the ceilings and the operations, indented, for people. */
void gf_roofline_print(const struct gf_roofline *r);

/*
 * Returns with how many samples a roofline is measured: far more than a cache has room for, if `bytes`
 * of memory suffice, and at most `most` unless that is 0.
 */
int64_t gf_roofline_samples(bool cuda, int64_t most, int64_t bytes);
/*
 * Measures the ceilings of an open device, and the operations whose cases count their arithmetic,
 * with planes of so many floats. `threads` are for a CPU. Sets r->device beforehand.
 */
int gf_roofline_measure(struct gf_device *d, int threads, int64_t samples, bool progress, struct gf_roofline *r,
                        struct gf_error *err) GF_MUST_CHECK;

#endif
