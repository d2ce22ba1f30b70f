/* The options of gpufilter-bench. */
#ifndef GF_BENCH_BENCH_OPTIONS_H
#define GF_BENCH_BENCH_OPTIONS_H

#include "cli/cli_options.h"

extern const struct gf_cli_option gf_bench_options[];    /* ended by a row without a name */

#endif
