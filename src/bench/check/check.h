/*
 * gpufilter-bench --check: every case, and many random calls, of every operation on every device.
 */
#ifndef GF_BENCH_CHECK_CHECK_H
#define GF_BENCH_CHECK_CHECK_H

#include "base/error.h"
#include "plan/plan.h"

#include <stdbool.h>
#include <stdint.h>

struct gf_check_request {
    const char *program;         /* its path, for the commands that repeat failed checks */
    /* selects checks such as "random conv, u8 rgb, cuda", as gf_bench_is_selected() does; NULL: all */
    const char *only;
    enum gf_device_choice where; /* GF_AUTO: both devices */
    int gpu;                     /* number of the GPU */
    bool quick;                  /* make fewer random calls */
    bool needs_gpu;              /* without a GPU its checks fail; otherwise they are skipped */
    uint64_t seed;
};

/*
 * Prints a line of TAP for each check, their number, and a summary. Sets the number of failures; -1
 * if no check was selected, and then it prints nothing.
 */
int gf_check_run(const struct gf_check_request *r, int *failures, struct gf_error *err) GF_MUST_CHECK;

#endif
