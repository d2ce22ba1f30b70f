/* gpufilter-bench --check: every case, and many random calls, of every operation on every device. */
#ifndef GF_BENCH_CHECK_CHECK_H
#define GF_BENCH_CHECK_CHECK_H

#include <stdbool.h>
#include <stdint.h>

struct gf_check_request {
    const char *only;            /* a part or a pattern of "random conv, u8 rgb, cuda" or "blur 5x5, u8, cpu"; or = and all of it; NULL: all */
    bool quick;                  /* a few random calls instead of many */
    bool needs_gpu;              /* without a GPU its checks fail; else they are skipped */
    uint64_t seed;
};

/* Prints a line of TAP for each check, and their number. Returns how many failed; -1: nothing was asked for. */
int gf_check_run(const struct gf_check_request *r);

#endif
