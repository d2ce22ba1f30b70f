/* Checks what a run sends to the process that stays, as input from an enemy: a decoder of the run may be taken over. */
#ifndef GF_STAY_STAY_CHECK_H
#define GF_STAY_STAY_CHECK_H

#include "device/stay/stay_messages.h"

/* The bytes that the process keeps for each pass of a device, and the pass of a job. */
struct gf_stay_kept {
    const size_t *result, *state;
    int pass;
};

/* Returns the bytes of the host that a job reads and writes; 0: none. They are at job->host_in and host_out. */
size_t gf_stay_bytes_in(const struct gf_pass *pass, struct gf_span in);
size_t gf_stay_bytes_out(const struct gf_pass *pass, struct gf_span out, int ahead);

int gf_stay_check_lane(const struct gf_stay_lane *request, struct gf_error *err) GF_MUST_CHECK;
/*
 * Checks a pass of `bytes`: its structure, the parameters of its operations, and that the memory of its lanes is what
 * the plan computes. It is for a device with pools of so many floats.
 */
int gf_stay_check_pass(const struct gf_pass *pass, size_t bytes, bool cuda, const struct gf_pools *pools,
                       struct gf_error *err) GF_MUST_CHECK;
/* Checks a job, without its memory in the host, for a pass that has been checked. */
int gf_stay_check_job(const struct gf_job *job, const struct gf_stay_kept *kept, struct gf_error *err) GF_MUST_CHECK;
int gf_stay_check_sums(const struct gf_pass *pass, const struct gf_stay_counts *request,
                       struct gf_error *err) GF_MUST_CHECK;

#endif
