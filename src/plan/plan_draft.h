/* A plan while it is drawn up: the open pass, the signal behind it, and point steps that have no place yet. */
#ifndef GF_PLAN_PLAN_DRAFT_H
#define GF_PLAN_PLAN_DRAFT_H

#include "plan/plan.h"

struct gf_draft {
    const struct gf_chain *chain;
    struct gf_plan *plan;
    struct gf_pass *pass;            /* the open one: its own members alone */
    struct gf_step_draft *step;      /* its steps, and its measure behind them */
    int tees;                        /* so far */
    struct gf_format now;            /* the signal; its type says how it is stored while packed */
    bool planar;
    struct gf_point pending;
    struct gf_format behind;         /* the signal behind what is pending */
    const char *pending_stage;
    bool fuses;
};

/* What an operation can do on the device that is planned for. */
const struct gf_op_device *gf_draft_can(const struct gf_draft *d, const struct gf_operation *op);
/* The signal as it stands, where a pass begins with it or ends in it. */
struct gf_pass_end gf_draft_pass_end(const struct gf_draft *d, enum gf_pass_end_kind end);
/* The signal once the pending program has run. */
struct gf_format gf_draft_behind(const struct gf_draft *d);
/* Fails, with the reason. */
int gf_draft_too_long(struct gf_error *err);

int gf_draft_open_pass(struct gf_draft *d, enum gf_pass_end_kind from, struct gf_error *err) GF_MUST_CHECK;
/* Ends the open pass: the signal as it stands goes `to` there, and the pass becomes one block. */
int gf_draft_close_pass(struct gf_draft *d, enum gf_pass_end_kind to, struct gf_error *err) GF_MUST_CHECK;
/* Closes the open pass with the whole signal in memory, and opens the next one from there. */
int gf_draft_keep_whole(struct gf_draft *d, struct gf_error *err) GF_MUST_CHECK;

/* A step of the open pass, behind the others; NULL where there are too many. What comes out of it is told when it ends. */
struct gf_step_draft *gf_draft_new_step(struct gf_draft *d, const struct gf_operation *op, const char *stage,
                                        struct gf_error *err) GF_MUST_CHECK;
/* The signal behind step s is `out`, planar or packed. */
void gf_draft_end_step(struct gf_draft *d, struct gf_step_draft *s, const struct gf_format *out, bool planar);

/* A step of its own for what is pending, and for unpacking. `packed`: the type to store in, or NULL for planar. */
int gf_draft_point(struct gf_draft *d, const struct gf_format *packed, struct gf_error *err) GF_MUST_CHECK;
/* Lets the pending program ride in the store of the last operation, where there is one that can carry it. */
bool gf_draft_ride(struct gf_draft *d) GF_MUST_CHECK;
/* Brings the signal to where an operation can read it: nothing pending, planar unless it takes packed samples. */
int gf_draft_settle(struct gf_draft *d, bool takes_packed, struct gf_error *err) GF_MUST_CHECK;
/* Nothing is pending any more: it has its place, or is taken back. */
void gf_draft_forget(struct gf_draft *d);

#endif
