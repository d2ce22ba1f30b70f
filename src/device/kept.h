/* Device memory that is kept from one job to the next: results of passes, and state that segments pass on. */
#ifndef GF_DEVICE_KEPT_H
#define GF_DEVICE_KEPT_H

#include "base/order.h"
#include "device/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The state of a pass. Its segments change it in order. */
struct gf_kept_carry {
    void *memory;
    void *left;                  /* GPU: a cudaEvent_t, recorded when the previous segment is done with the state */
    struct gf_order order;
};

/* Both arrays are indexed by the number of the pass. */
struct gf_kept {
    void *result[GF_PASSES];
    struct gf_kept_carry carry[GF_PASSES];
};

/* Allocates memory for the whole result of a pass, unless it is open already. */
int gf_kept_open_result(struct gf_device *d, int pass, size_t bytes, struct gf_error *err) GF_MUST_CHECK;
void gf_kept_close_result(struct gf_device *d, int pass);
/*
 * Allocates the state that segments pass on. Call it before the first segment of each signal. Lanes
 * wait for their turn before the first step with state and pass it on after the last.
 * gf_kept_fail_carry() makes waiting lanes give up.
 */
int gf_kept_open_carry(struct gf_device *d, int pass, size_t bytes, struct gf_error *err) GF_MUST_CHECK;
void gf_kept_fail_carry(struct gf_device *d, int pass);
void gf_kept_close_carry(struct gf_device *d, int pass);

/*
 * Waits until earlier segments have finished with the state. It then belongs to the job until
 * gf_order_pass().
 */
int gf_kept_wait(struct gf_kept_carry *c, const struct gf_job *job, struct gf_error *err) GF_MUST_CHECK;

/* Copies within a device's memory; on a GPU, `stream` is the cudaStream_t for the copy. */
typedef int gf_kept_copy(void *stream, void *to, const void *from, size_t bytes, struct gf_error *err);

/*
 * Copies units of a step's result from the history in the state to `block` if `recall`, otherwise
 * from `block`.
 */
int gf_kept_copy_history(struct gf_kept_carry *c, const struct gf_step *s, struct gf_span units,
                         const struct gf_block *block,
                         bool recall, gf_kept_copy *copy, void *stream, struct gf_error *err) GF_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
