/* The monotonic clock, for measuring intervals. */
#ifndef GF_BASE_CLOCK_H
#define GF_BASE_CLOCK_H

#ifdef __cplusplus
extern "C" {
#endif

/* Returns seconds on the monotonic clock. */
double gf_clock_seconds(void);

#ifdef __cplusplus
}
#endif
#endif
