/* Results: a value for each series, size and field, and notes. */
#ifndef GF_BENCH_BENCH_RESULTS_H
#define GF_BENCH_BENCH_RESULTS_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

#define GF_BENCH_SIZES 12                /* 1 K to 256 M samples, each four times the one before, need 10 */
#define GF_BENCH_LEAST 1024
#define GF_BENCH_MOST (INT64_C(256) << 20)
#define GF_BENCH_SERIES 64
#define GF_BENCH_NOTES 64

/* Fields of a result. */
enum { GF_BENCH_US, GF_BENCH_RATE, GF_BENCH_SHARE, GF_BENCH_SAMPLES, GF_BENCH_FIELDS };

/* A series is one way to do the work at several sizes: a copy, an operation, a step of a lesson. */
struct gf_bench_results {
    const char *axis;                    /* what varies; NULL: the number of samples */
    bool axis_linear;                    /* of drawings */
    const char *unit;                    /* of GF_BENCH_RATE; NULL: GB/s, of which a copy's are known, too */
    bool draw_time;                      /* a drawing shows GF_BENCH_US instead of GF_BENCH_RATE */
    int64_t size[GF_BENCH_SIZES];        /* values of the axis */
    int64_t samples[GF_BENCH_SIZES];     /* with an axis: the number of samples at each */
    int sizes;
    char name[GF_BENCH_SERIES][120];
    int series;
    double value[GF_BENCH_SERIES][GF_BENCH_SIZES][GF_BENCH_FIELDS];
    bool progress;                       /* show the current measurement on standard error */
    bool incomplete;                     /* some measurements failed; notes say which */
    char note[GF_BENCH_NOTES][400];
    int notes;
    int explanations;                    /* so many notes, the first ones, explain series, as "NAME: …" */
};

/* Adds a series without values. Returns its number. */
int gf_bench_results_add(struct gf_bench_results *r, const char *name);
/*
 * Sets the fields of a result from the seconds, the bytes moved, and the rate of a copy in bytes
 * per second.
 */
void gf_bench_results_put(struct gf_bench_results *r, int series, int size, double seconds, double moved,
                          double copy_rate);
/*
 * Returns true, and adds a note, if a call took so long that larger sizes should not be measured.
 */
bool gf_bench_results_is_slow(struct gf_bench_results *r, int series, int size);
void gf_bench_results_note(struct gf_bench_results *r, const char *format, ...) GF_PRINTF(2, 3);
/* Shows the next series and size on standard error, if r->progress is set. */
void gf_bench_results_announce(const struct gf_bench_results *r, int series, int size);
/* Returns the median. Sorts the times. */
double gf_bench_results_median(double *seconds, int count);

#endif
