/* A plan in the making: the open pass, the signal after it, and point steps that are not assigned yet. */
#ifndef GF_PLAN_PLAN_DRAFT_H
#define GF_PLAN_PLAN_DRAFT_H

#include "plan/plan.h"

struct gf_link;

struct gf_draft {
    const struct gf_binding *binding;
    const struct gf_outputs *outputs;
    const struct gf_format *out;     /* what the writer takes; NULL: a table */
    struct gf_plan *plan;
    struct gf_pass *pass;            /* the open pass; its steps are in `step` until it is closed */
    struct gf_step_draft *step;      /* steps of the open pass, and its measure after them */
    struct gf_format now;            /* the signal; its type says how it is stored while it is packed */
    bool planar;
    struct gf_point pending;
    struct gf_format after_program;       /* the signal after the pending program */
    const char *pending_stage;
    bool fuses;
    bool plane;                      /* the signal is a plane of a frame, which a segment may hold whole */
};

/* Returns what an operation can do on the device of the plan. */
const struct gf_op_device *gf_draft_can(const struct gf_draft *d, const struct gf_operation *op);
/* Returns true if the operation can read packed samples from where the signal is now. */
bool gf_draft_takes_packed(const struct gf_draft *d, const struct gf_link *link);
/* Returns true if an operation on a CPU can read a whole plane from the frame, without a copy in memory. */
bool gf_draft_reads_plane(const struct gf_draft *d, const struct gf_link *link);
/* Describes the current signal as the beginning or the end of a pass. */
struct gf_pass_end gf_draft_pass_end(const struct gf_draft *d, enum gf_pass_end_kind end);
/* Returns the format of the signal after the pending program. */
struct gf_format gf_draft_after_program(const struct gf_draft *d);
/* Fails because the chain needs too many passes or operations. */
int gf_draft_too_long(struct gf_error *err);

int gf_draft_open_pass(struct gf_draft *d, enum gf_pass_end_kind from, struct gf_error *err) GF_MUST_CHECK;
/* Closes the open pass, which leaves the current signal at `to`, and makes it one block. */
int gf_draft_close_pass(struct gf_draft *d, enum gf_pass_end_kind to, struct gf_error *err) GF_MUST_CHECK;
/* Closes the open pass with the whole signal in memory; the next pass starts from it. */
int gf_draft_keep_whole(struct gf_draft *d, struct gf_error *err) GF_MUST_CHECK;

/* Appends a step to the open pass; NULL if there are too many. gf_draft_end_step() sets its result. */
struct gf_step_draft *gf_draft_new_step(struct gf_draft *d, const struct gf_operation *op, const char *stage,
                                        struct gf_error *err) GF_MUST_CHECK;
/* Sets the result of step s: `out`, planar or packed. */
void gf_draft_end_step(struct gf_draft *d, struct gf_step_draft *s, const struct gf_format *out, bool planar);

/* Adds a step for the pending program, and for unpacking. `packed`: the format to store, or NULL for planar. */
int gf_draft_point(struct gf_draft *d, const struct gf_format *packed, struct gf_error *err) GF_MUST_CHECK;
/* Moves the pending program into the store of the last operation; false if that cannot run it. */
bool gf_draft_ride(struct gf_draft *d) GF_MUST_CHECK;
/*
 * Makes the signal readable for an operation: no pending program, and planar unless it reads packed
 * samples.
 */
int gf_draft_settle(struct gf_draft *d, bool takes_packed, struct gf_error *err) GF_MUST_CHECK;
/* Clears the pending program, which has been assigned or is not needed. */
void gf_draft_forget(struct gf_draft *d);

#endif
