/*
 * The plan: what will be done, in which pieces, with how much memory and where. Pure
 * arithmetic on a bound chain; it touches no device and no file.
 */
#ifndef GF_PLAN_PLAN_H
#define GF_PLAN_PLAN_H

#include "plan/pass.h"

struct gf_chain;

#define GF_PASSES 64
#define GF_PITCH_SAMPLES 128         /* rows of images between operations are padded to a multiple: 512 bytes */

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
    struct gf_pass *pass[GF_PASSES];
    int64_t host_bytes, device_bytes;    /* at once, at most */
    bool kept;                           /* passes keep lanes and memory for the next signal; else each frees its own */
    double cpu_seconds, cuda_seconds;    /* estimates, for auto */
    bool cpu_measured, cuda_measured;    /* by measured rates */
    const char *why;                     /* reason for this device: a text of the program's own */
    int latency_ms;                      /* as limits have it, for --explain */
};

enum gf_device_choice { GF_AUTO, GF_CPU, GF_CUDA };

/*
 * Plans `chain`, which is bound, for output that is stored as `out` (NULL: it ends in a
 * table). *plan is all zero, or was made before; gf_plan_release() frees it, and leaves it empty.
 */
int gf_plan_make(struct gf_plan *plan, const struct gf_chain *chain, const struct gf_format *out,
                 const struct gf_limits *limits, enum gf_device_choice where,
                 const struct gf_device_facts *cpu, const struct gf_device_facts *cuda,
                 struct gf_error *err) GF_MUST_CHECK;

void gf_plan_release(struct gf_plan *plan);

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
