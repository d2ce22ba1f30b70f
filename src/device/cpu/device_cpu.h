/*
 * Shared by the parts of the CPU device: device_cpu.c (memory), _lane.c (lanes), _sweep.c (strips
 * through a chain).
 */
#ifndef GF_CPU_DEVICE_CPU_H
#define GF_CPU_DEVICE_CPU_H

#include "device/kept.h"

struct gf_cpu_state {
    struct gf_pools pools;
    int64_t pools_number;                /* goes up with each signal, because measurements change the tables */
    struct gf_kept kept;
};

/* The most recent units of a step's result. */
struct gf_cpu_window {
    struct gf_block block;
    int64_t room_units;
};

struct gf_cpu_lane {
    const struct gf_pass *pass;
    struct gf_cpu_window window[GF_PASS_STEPS];
    char *work_memory;
    struct gf_work work;
    bool scratch_ready;
    int64_t pools_number;                /* of the pools for which it is ready */
    void *result;                        /* counts so far, or the records of one segment */
    const struct gf_job *job;
    struct gf_kept_carry *carry;         /* state that the pass carries */
    void *own_state;                     /* a copy of it for the current job, which has passed it on; or NULL */
    double busy[GF_PASS_STEPS + 1];      /* seconds in each step of the current segment, for --stats and --trace */
    int64_t bytes[GF_PASS_STEPS + 1];
    /* the current job */
    struct gf_block in, out;
    struct gf_pass_walk walk;
    struct gf_block frame[GF_MOST_FRAMES];       /* the window of the current step, if it has one */
};

int gf_cpu_lane_open(struct gf_lane *lane, const struct gf_pass *pass, struct gf_error *err) GF_MUST_CHECK;
void gf_cpu_lane_close(struct gf_lane *lane);
int gf_cpu_lane_run(struct gf_lane *lane, const struct gf_job *job, struct gf_error *err) GF_MUST_CHECK;
int gf_cpu_lane_result(struct gf_lane *lane, void *result, size_t bytes, struct gf_error *err) GF_MUST_CHECK;
int gf_cpu_lane_sums(struct gf_lane *lane, uint64_t *counts, int rows, int bins, struct gf_error *err) GF_MUST_CHECK;

/* Computes units of the result of step k into `dst`, and first what it needs of earlier steps. */
int gf_cpu_produce(struct gf_lane *lane, int k, const struct gf_block *dst, struct gf_error *err) GF_MUST_CHECK;
/* Computes all units of step k's result that the segment needs, a strip at a time. */
int gf_cpu_make_all(struct gf_lane *lane, int k, struct gf_error *err) GF_MUST_CHECK;
/* Calls a body; `index` is that of the step, or the number of steps for the measure. */
int gf_cpu_run_body(struct gf_lane *lane, int index, const struct gf_operation *op, const struct gf_io *io,
                    const void *params,
                    struct gf_error *err) GF_MUST_CHECK;
gf_kept_copy gf_cpu_copy;
/* Returns true if the result of step k passes through a window of the lane. */
static inline bool gf_cpu_has_window(const struct gf_pass *pass, int k)
{
    return k < pass->steps - 1 || pass->to.end == GF_END_NOWHERE;
}

#endif
