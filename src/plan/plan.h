/*
 * The plan: what will be done, in which pieces, with how much memory and where. Pure
 * arithmetic on a bound chain; it touches no device and no file.
 */
#ifndef GF_PLAN_PLAN_H
#define GF_PLAN_PLAN_H

#include "base/error.h"
#include "base/signal.h"
#include "chain/side_picture.h"
#include "chain/stage.h"
#include "kernels/base/op.h"

struct gf_chain;

#define GF_PASS_STEPS 64
#define GF_PASSES 64
#define GF_PITCH_SAMPLES 128         /* rows of images between operations are padded to a multiple: 512 bytes */

/* One operation at work, with the point programs that ride along. */
struct gf_step {
    const struct gf_operation *op;
    const char *stage;               /* whose it is, for --explain and --stats */
    const void *params;
    struct gf_format in, out;        /* the signal before and behind it */
    struct gf_need need;
    struct gf_point load, store;
    bool planar;                     /* its result: rows of floats; else packed as out says */
    int64_t pitch_samples;           /* of its result */
    int64_t carry_at;                /* where its state stands in the pass's, if it carries some */
    int64_t history_at;              /* and behind it the last units of its result, which the next segment looks back to */
    int64_t history_units;
    int64_t lead_units;              /* the first units of a result that carries, which nothing behind it looks at */
    const struct gf_side_picture *side; /* its second source, which is the chain's; or NULL */
    int64_t side_shift;
    int64_t side_at;                 /* GPU: where its rows stand in a lane's memory for such */
    int64_t strip_units;             /* CPU: units of its result that are made at a time, at most */
    int64_t window_units;            /* CPU: and that are in memory at once */
    int64_t segment_units;           /* GPU: units of its result for a whole segment, at most */
    union gf_op_changed own;         /* where params are not the stage's, but changed by the plan */
};

enum gf_pass_end_kind {
    GF_END_FILE,                     /* the reader, the writer: packed samples */
    GF_END_RESIDENT,                 /* the whole signal in the device's memory */
    GF_END_NOWHERE                   /* only measured */
};

/* A measuring operation: it reads what the pass hands on, and changes nothing. */
struct gf_pass_measure {
    bool used;
    struct gf_step step;
    int link;                        /* which of the chain's links it is */
    size_t result_bytes;             /* of a lane's counts, or of the records of one segment */
    int64_t kept_blocks;             /* of the whole signal: records that are kept, of all channels at once */
    size_t kept_bytes;
};

/* What is in memory at an end of a pass. */
struct gf_pass_end {
    enum gf_pass_end_kind end;
    struct gf_format format;
    bool planar;
    int64_t pitch_samples;
    bool spooled;                    /* resident, but on disk: it does not fit in memory */
    int64_t file_units;              /* frames of luma and chroma: what the writer takes for the whole; else 0 */
};

struct gf_pass {
    struct gf_pass_end from, to;
    int from_pass;                   /* which pass left what it starts from, where that is resident */
    int steps;
    struct gf_step step[GF_PASS_STEPS];
    struct gf_pass_measure measure;
    const char *tee;                 /* the file it writes beside the way of the signal, which tee_index-th of the chain; or NULL */
    int tee_index;
    int64_t segment_units;           /* of the pass's output */
    int64_t strip_units;             /* CPU: units of the output made at a time */
    int lanes;
    int64_t in_units;                /* the most input units a segment needs */
    size_t lane_in_bytes;            /* packed input of a segment */
    size_t lane_out_bytes;           /* packed output of a segment */
    size_t lane_work_bytes;          /* results between operations, on the device */
    size_t lane_scratch_bytes;       /* scratch of the bodies; on a GPU, what they borrow */
    size_t lane_side_bytes;          /* GPU: rows of second sources, for a segment */
    size_t lane_region_bytes;        /* of what a lane reads from disk for one tile; 0 where it works in rows */
    size_t resident_bytes;           /* of `to`, if resident */
    size_t carry_bytes;              /* of state that its segments hand on; 0: none of its steps carries */
    int carry_first, carry_last;     /* which do: steps before the first and behind the last need not wait for other segments */
    int work_ahead;                  /* CPU: the last step whose result is made for all of the segment before the turn; -1: none */
    int work_in_turn;                /* CPU: and the last that is, during the turn; -1: strips go through to the end of the pass */
};

struct gf_limits {
    int64_t memory_bytes;            /* --memory: ceiling on the host, and on each device; 0: none given */
    int64_t segment_bytes;           /* --segment; 0: the plan's choice */
    int lanes;                       /* --lanes, of each device; 0 */
    int threads;                     /* -j; 0: as many as cores */
    int latency_ms;                  /* --latency: of sound, the most that a segment may hold; 0: any */
    int devices;                     /* GPUs that share the work; 0 is one */
    bool again;                      /* the input can be read a second time */
    int64_t pool_bytes;              /* the plan's own: what the chain's weights and tables take of the memory, of any device … */
    int64_t list_bytes;              /* … and of the host's, as they were read */
    int64_t side_bytes;              /* … and the pictures beside it, those that are not on disk */
};

/* What a device is, as far as planning goes. */
struct gf_device_facts {
    bool present;
    bool fuses;                      /* programs ride inside operations; convolution along both ways is one step */
    int cores;
    int64_t memory_bytes;            /* its own; of a CPU, the host's; 0 where nobody knows */
    double start_seconds;            /* until it is ready */
    double copy_bytes_per_second;    /* to and from it; 0: nothing to copy */
    double work_bytes_per_second;    /* of its result, that a light operation makes */
    double conv_bytes_per_second;    /* of its result times weights, that a convolution makes; 0: six times the above */
    bool measured;                   /* the rates; else they are assumed */
};

struct gf_plan {
    bool cuda;
    struct gf_format in, out;        /* what the reader gives, what the writer takes */
    int passes;
    struct gf_pass pass[GF_PASSES];
    int64_t host_bytes, device_bytes;    /* at once, at most */
    bool kept;                           /* the memory of all passes, from one signal to the next; else each pass leaves room for those behind it */
    double cpu_seconds, cuda_seconds;    /* estimates, for auto */
    bool cpu_measured, cuda_measured;    /* by measured rates */
    const char *why;                     /* this device */
    int latency_ms;                      /* as limits have it, for --explain */
    int sides;                           /* pictures beside the signal, which are the chain's */
    const struct gf_side_picture *side;
};

enum gf_device_choice { GF_AUTO, GF_CPU, GF_CUDA };

/*
 * Plans `chain`, which is bound, for output that is stored as `out` (NULL: it ends in a
 * table). The plan borrows from the chain.
 */
int gf_plan_make(struct gf_plan *plan, const struct gf_chain *chain, const struct gf_format *out,
                 const struct gf_limits *limits, enum gf_device_choice where,
                 const struct gf_device_facts *cpu, const struct gf_device_facts *cuda,
                 struct gf_error *err) GF_MUST_CHECK;

/* The second source of a step, as its operation finds it: rows `rows` of it at `data`. */
void gf_step_beside(const struct gf_step *s, struct gf_span rows, const void *data, struct gf_io *io);

/* Units of its input that a step needs for `out` of its output; `in_units` is all there is. */
struct gf_span gf_need_span(const struct gf_need *need, struct gf_span out, int64_t in_units);
/* Whether a pass does nothing: what it was to keep can be read again. */
static inline bool gf_pass_is_idle(const struct gf_pass *pass)
{
    return pass->to.end == GF_END_NOWHERE && !pass->measure.used;
}

/* The last pass that starts from what pass p leaves; p where none does. */
int gf_plan_last_reader(const struct gf_plan *plan, int p);

/* Whether a pass works on what stays in one device's memory: the whole signal, or the state that segments hand on. */
static inline bool gf_pass_stays(const struct gf_pass *pass)
{
    return pass->from.end == GF_END_RESIDENT || pass->to.end == GF_END_RESIDENT || pass->carry_bytes > 0;
}

/* Returns the length of the signal after a step, given the length before it. */
int64_t gf_step_output_units(const struct gf_step *step, int64_t in_units);

/* What a segment takes of each signal in a pass. */
struct gf_pass_walk {
    int64_t length[GF_PASS_STEPS + 1];       /* of the signal before each step, and of the result */
    struct gf_span span[GF_PASS_STEPS + 1];  /* units of it that the segment looks at */
    struct gf_span made[GF_PASS_STEPS];      /* and which of a step's result it makes: what carries goes on where the segment before ended */
};

/*
 * Fills *walk for a segment that goes through the first `steps` of a pass; `out` is in units of what they make. The
 * segment before ended where `out` begins.
 */
void gf_pass_fill_walk_to(const struct gf_pass *pass, int steps, struct gf_span out, int64_t in_units,
                          struct gf_pass_walk *walk);
/*
 * The place-th segment of a pass, which has no end yet, and through how many steps it goes. What carries
 * state has to make its lead too: that comes first, in segments which end at the step that carries.
 */
struct gf_span gf_pass_segment(const struct gf_pass *pass, int64_t place, int *steps);
int64_t gf_pass_units(const struct gf_pass *pass, int64_t in_units);
int64_t gf_pass_units_to(const struct gf_pass *pass, int steps, int64_t in_units);

#endif
