/* What stays in a device's memory from one job to the next: results of passes, and state that segments hand on. */
#ifndef GF_DEVICE_KEPT_H
#define GF_DEVICE_KEPT_H

#include "base/order.h"
#include "device/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* State of a pass, which its segments change in order. */
struct gf_kept_carry {
    void *memory;
    void *left;                  /* on a GPU: the event (cudaEvent_t) that the segment before has left it */
    struct gf_order order;
};

/* By the number of the pass. */
struct gf_kept {
    void *result[GF_PASSES];
    struct gf_kept_carry carry[GF_PASSES];
};

/* For struct gf_device_kind. */
int gf_kept_open_result(struct gf_device *d, int pass, size_t bytes, struct gf_error *err) GF_MUST_CHECK;
void gf_kept_close_result(struct gf_device *d, int pass);
int gf_kept_open_carry(struct gf_device *d, int pass, size_t bytes, struct gf_error *err) GF_MUST_CHECK;
void gf_kept_fail_carry(struct gf_device *d, int pass);
void gf_kept_close_carry(struct gf_device *d, int pass);

/* Waits until the segments before have left the state; it then belongs to the job, until gf_order_pass(). */
int gf_kept_wait(struct gf_kept_carry *c, const struct gf_job *job, struct gf_error *err) GF_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
