/* The monotonic clock, for measuring intervals. */
#define _GNU_SOURCE
#include "base/clock.h"

#include <time.h>

double gf_clock_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
