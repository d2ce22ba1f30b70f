/* A pass: one flat block of plain data, which means the same at any address, in any process of the same build. */
#ifndef GF_PLAN_PASS_H
#define GF_PLAN_PASS_H

#include "base/error.h"
#include "base/signal.h"
#include "chain/build.h"
#include "kernels/operations.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_PASS_STEPS 64
#define GF_PASS_GRAIN 16                 /* bytes: parts start at multiples of it, as malloc()'s blocks do */

/* The second source of a step: one of the chain's side pictures. A job has its rows (struct gf_beside). */
struct gf_step_side {
    bool used;
    int number;                      /* index in gf_chain.side */
    int64_t shift;                   /* unit of the signal that corresponds to its row 0 */
    struct gf_format format;
};

/*
 * One operation at work, with the point programs that ride along. Its name, parameters and programs vary in length and stand
 * after the last step of the pass; `at` has their offsets in bytes from the address of this step, 0 if there is none.
 * Never copy a step, not even to a local variable: the copy's offsets lead to other memory. Copy the whole pass, of
 * gf_pass.bytes, or keep a pointer to the step. Read the parts only through the gf_step_ functions below.
 */
struct gf_step {
    int operation;                   /* its place in this build's list of all */
    struct {
        int32_t stage, params, load, store;
    } at;
    struct gf_format in, out;        /* the signal before and after it */
    struct gf_need need;
    struct gf_step_side side;
    bool planar;                     /* its result: rows of floats; else packed as out says */
    int64_t pitch_samples;           /* of its result */
    int64_t carry_at;                /* where its state stands in the pass's, if it carries some */
    int64_t history_at;              /* after the state: the last units of its result, which the next segment needs */
    int64_t history_units;
    int64_t lead_units;              /* if it carries state: first units of its result, which no later step reads */
    int64_t side_at;                 /* GPU: offset of its second source's rows in the lane's memory for them */
    int64_t strip_units;             /* CPU: units of its result that are made at a time, at most */
    int64_t window_units;            /* CPU: units of its result that are in memory at once */
    int64_t segment_units;           /* GPU: units of its result for a whole segment, at most */
};

enum gf_pass_end_kind {
    GF_END_FILE,                     /* the reader, the writer: packed samples */
    GF_END_RESIDENT,                 /* the whole signal in the device's memory */
    GF_END_NOWHERE                   /* only measured */
};

/* A measuring operation, stored after the last step: it reads the result of the pass and changes nothing. */
struct gf_pass_measure {
    bool used;
    int link;                        /* index in the chain's links */
    size_t result_bytes;             /* of a lane's counts, or of the records of one segment */
    int64_t kept_blocks;             /* blocks of the whole signal whose records are kept; a block has all channels */
    size_t kept_bytes;
};

/* The signal at the beginning or the end of a pass, and how it is stored there. */
struct gf_pass_end {
    enum gf_pass_end_kind end;
    struct gf_format format;
    bool planar;
    int64_t pitch_samples;
    bool spooled;                    /* resident, but on disk: it does not fit in memory */
    int64_t file_units;              /* frames of luma and chroma: what the writer takes for the whole; else 0 */
};

struct gf_pass {
    size_t bytes;                    /* size of the block: this, the steps, and the parts that they refer to */
    struct gf_pass_end from, to;
    int from_pass;                   /* which pass left what it starts from, where that is resident */
    int steps;
    struct gf_pass_measure measure;
    int tee, tee_link;               /* tee that it writes, from 1 (0: none), and the link of that tee */
    int64_t segment_units;           /* of the pass's output */
    int64_t strip_units;             /* CPU: units of the output made at a time */
    int lanes;
    int64_t in_units;                /* the most input units a segment needs */
    size_t lane_in_bytes;            /* packed input of a segment */
    size_t lane_out_bytes;           /* packed output of a segment */
    size_t lane_work_bytes;          /* results between operations, on the device */
    size_t lane_scratch_bytes;       /* scratch of the bodies; on a GPU, what they borrow */
    size_t lane_side_bytes;          /* GPU: rows of second sources, for a segment */
    size_t lane_region_bytes;        /* read from disk for one tile; 0 if the pass works in rows */
    size_t resident_bytes;           /* of `to`, if resident */
    size_t carry_bytes;              /* state that its segments pass on; 0: no step carries state */
    int carry_first, carry_last;     /* these carry state; steps before or after need not wait for other segments */
    int work_ahead;                  /* CPU: last step that makes its whole result before the turn; -1: none */
    int work_in_turn;                /* CPU: last step that does so in the turn; -1: strips run to the pass's end */
    struct gf_step step[];
};

static inline const void *gf_step_part(const struct gf_step *s, int32_t at)
{
    return at != 0 ? (const char *)s + at : NULL;
}

static inline const struct gf_operation *gf_step_op(const struct gf_step *s)
{
    return gf_operations[s->operation];
}

/* Returns the name of the step's stage, for --explain and --stats. */
static inline const char *gf_step_stage(const struct gf_step *s)
{
    return (const char *)gf_step_part(s, s->at.stage);
}

static inline const void *gf_step_params(const struct gf_step *s)
{
    return gf_step_part(s, s->at.params);
}

/* Return the point programs of a step; NULL if there is none. */
static inline const struct gf_point *gf_step_load(const struct gf_step *s)
{
    return (const struct gf_point *)gf_step_part(s, s->at.load);
}

static inline const struct gf_point *gf_step_store(const struct gf_step *s)
{
    return (const struct gf_point *)gf_step_part(s, s->at.store);
}

/* A step of an open pass: its parameters and programs are not in the block yet. */
struct gf_step_draft {
    struct gf_step step;
    const struct gf_operation *op;
    const char *stage;
    const void *params;              /* those of the stage, or `own` if the plan has changed them */
    struct gf_point load, store;
    union gf_op_changed own;
};

/*
 * Makes one block of *pass, of which only the members before `step` are set: appends `steps` and their parts,
 * and those of the measure if there is one. *pass changes.
 */
int gf_pass_close(struct gf_pass **pass, const struct gf_step_draft *steps, struct gf_error *err) GF_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
