/* Results of measurements as a table. */
#ifndef GF_BENCH_BENCH_TABLE_H
#define GF_BENCH_BENCH_TABLE_H

#include "bench/bench_results.h"
#include "bench/speed_table.h"
#include "table/table.h"

/* A table with its memory. It refers to the results, too. */
struct gf_bench_table {
    struct gf_table table;
    struct gf_speeds speeds;
    char source[300];                    /* what was measured, and where; set before gf_bench_table_make() */
    const char *names[GF_BENCH_SERIES], *notes[GF_BENCH_NOTES + 1];
    const char *fields[GF_BENCH_FIELDS];
    double *values;
};

int gf_bench_table_make(const struct gf_bench_results *found, struct gf_bench_table *t,
                        struct gf_error *err) GF_MUST_CHECK;
void gf_bench_table_release(struct gf_bench_table *t);

#endif
