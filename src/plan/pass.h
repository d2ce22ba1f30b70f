/* A pass: one flat block of plain data that is valid at any address, in any process of the same build. */
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
#define GF_PASS_GRAIN 16                 /* bytes: parts start at multiples of it, as blocks from malloc() do */

/* The second source of a step: one of the chain's second images. A job has its rows (struct gf_beside). */
struct gf_step_side {
    bool used;
    int number;                      /* index in gf_chain.side */
    int64_t shift;                   /* unit of the signal that corresponds to its row 0 */
    struct gf_format format;
};

/* The images of a window, in the format in which the step reads them. A job has them (struct gf_job). */
struct gf_step_frames {
    bool used;
    int before, after;
    bool luma;                       /* only their brightness */
    struct gf_format format;
};

/*
 * One operation at work, with the point programs fused into it. Its name, parameters and programs
 * vary in length and follow the last step of the pass; `at` has their offsets in bytes from the
 * address of this step, or 0 if there is none.
 * Never copy a step, not even to a local variable: the offsets of the copy would lead to other
 * memory. Copy the whole pass (gf_pass.bytes), or keep a pointer to the step. Read the parts only
 * through the gf_step_ functions below.
 */
struct gf_step {
    int operation;                   /* index in this build's list of operations */
    struct {
        int32_t stage, params, load, store;
    } at;
    struct gf_format in, out;        /* the signal before and after the step */
    struct gf_need need;
    struct gf_step_side side;
    struct gf_step_frames frames;
    bool planar;                     /* the result is rows of floats; otherwise it is packed as `out` says */
    int64_t pitch_samples;           /* samples from one row of the result to the next */
    int64_t carry_at;                /* offset of the step's state in the state of the pass, if it carries state */
    /* offset after the state: the last units of the result, which the next segment needs */
    int64_t history_at;
    int64_t history_units;
    int64_t lead_units;              /* if it carries state: first units of the result, which no later step reads */
    int64_t side_at;                 /* GPU: offset of the rows of its second source in the lane's memory */
    int64_t strip_units;             /* CPU: most units of the result computed at a time */
    int64_t window_units;            /* CPU: units of the result in memory at once */
    int64_t segment_units;           /* GPU: most units of the result for a whole segment */
};

enum gf_pass_end_kind {
    GF_END_FILE,                     /* the reader or the writer: packed samples */
    GF_END_RESIDENT,                 /* the whole signal in the device's memory */
    GF_END_NOWHERE                   /* only measured, not stored */
};

/*
 * A measuring operation, stored after the last step. It reads the result of the pass and changes
 * nothing.
 */
struct gf_pass_measure {
    bool used;
    int link;                        /* index in the chain's links */
    size_t result_bytes;             /* bytes of a lane's counts, or of the records of one segment */
    int64_t units;                   /* only so many units from the start count, if it only measures; 0: all */
    int64_t kept_blocks;             /* blocks of the whole signal whose records are kept; a block has all channels */
    size_t kept_bytes;
};

/* The signal at the beginning or the end of a pass, and where it is stored. */
struct gf_pass_end {
    enum gf_pass_end_kind end;
    struct gf_format format;
    bool planar;
    int64_t pitch_samples;
    bool spooled;                    /* resident, but on disk because it does not fit in memory */
    /* if frames are luma and chroma: units that the writer takes as one frame; otherwise 0 */
    int64_t file_units;
};

struct gf_pass {
    size_t bytes;                    /* size of the block: this struct, the steps and their parts */
    struct gf_pass_end from, to;
    int from_pass;                   /* if its input is resident: the pass that produced it */
    int steps;
    struct gf_pass_measure measure;
    int plane;                       /* 1 to 3: it reads and writes this plane of a frame; 0: the whole signal */
    int exit;                        /* the exit of the chain that it writes; 0: the result, or none */
    int64_t segment_units;           /* units of the pass's output in a segment */
    int64_t strip_units;             /* CPU: units of the output computed at a time */
    int lanes;
    int64_t in_units;                /* most input units of a segment */
    size_t lane_in_bytes;            /* packed input of a segment */
    size_t lane_out_bytes;           /* packed output of a segment */
    size_t lane_work_bytes;          /* results between operations, on the device */
    size_t lane_scratch_bytes;       /* scratch of the bodies; on a GPU, what they borrow */
    bool keeps_scratch;              /* CPU: no more than one step has any, so it stays from call to call */
    size_t lane_side_bytes;          /* GPU: rows of second sources for a segment */
    size_t lane_frame_bytes;         /* GPU: images of a window */
    size_t lane_region_bytes;        /* what one tile reads from disk; 0 if the pass works in rows */
    size_t resident_bytes;           /* size of the output, if it is resident */
    size_t carry_bytes;              /* state that its segments pass on; 0 if no step carries state */
    /* steps that carry state; the steps before and after need not wait for other segments */
    int carry_first, carry_last;
    int work_ahead;                  /* CPU: last step computed whole before the segment's turn; -1: none */
    /* CPU: last step computed whole in its turn; -1: strips run to the end of the pass */
    int work_in_turn;
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

/* A step of an open pass. Its parameters and programs are not in the block yet. */
struct gf_step_draft {
    struct gf_step step;
    const struct gf_operation *op;
    const char *stage;
    const void *params;              /* parameters of the stage, or `own` if the plan has changed them */
    struct gf_point load, store;
    union gf_op_changed own;
    bool at_once;                    /* from packed samples to packed samples */
};

/*
 * Makes one block of *pass: appends `steps` and their parts, and the measure if there is one. Only
 * the members before `step` must be set. *pass changes.
 */
int gf_pass_close(struct gf_pass **pass, const struct gf_step_draft *steps, struct gf_error *err) GF_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
