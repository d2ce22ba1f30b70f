/* The options of gpufilter-bench. */
#ifndef GF_BENCH_BENCH_OPTIONS_H
#define GF_BENCH_BENCH_OPTIONS_H

#include "cli/cli_options.h"

/* Options that struct gf_request has no members for. */
struct gf_bench_more_options {
    bool quick;
    bool seeded;                 /* --seed was given */
    int seed;
    const char *occupancy;       /* the kernel that --occupancy describes, or NULL */
};

extern struct gf_bench_more_options gf_bench_more_options;

extern const struct gf_cli_option gf_bench_options[];    /* ended by a row without a name */

#endif
