/*
 * The plan: what will be done, in which pieces, with how much memory, and on which device. It is
 * pure arithmetic on a binding and touches no device and no file.
 */
#ifndef GF_PLAN_PLAN_H
#define GF_PLAN_PLAN_H

#include "plan/pass.h"

struct gf_binding;
struct gf_outputs;

#define GF_PASSES 64
#define GF_PITCH_SAMPLES 128         /* rows of images between operations are padded to a multiple of 512 bytes */

/* The limits that the user sets. */
struct gf_limits {
    int64_t memory_bytes;            /* --memory: limit for the host and for each device; 0: not given */
    int64_t segment_bytes;           /* --segment; 0: the plan chooses */
    int lanes;                       /* --lanes of each device; 0: the plan chooses */
    int threads;                     /* -j; 0: one for each core */
    int latency_ms;                  /* --latency: longest segment of audio; 0: no limit */
    int max_seconds;                 /* --max-seconds: CPU time of the process; 0: no limit */
    int64_t max_pixels;              /* --max-pixels: refuse stages with larger results; 0: no limit */
    bool untrusted;                  /* --untrusted excludes GPUs, which --device did not choose */
    int video;                       /* --video: enum gf_video_choice */
};

/* Facts about a signal's source and output that matter for the speed. */
struct gf_source_facts {
    int64_t signals;                 /* images of the input, if its size shows how many; 0: one */
    bool again;                      /* the input can be read a second time */
    bool on_device;                  /* source and output are in the memory of the device: nothing is copied */
    bool decodes, encodes;           /* a thread decodes all of the input; a thread encodes all of the output */
};

/* The facts about a device that planning needs. */
struct gf_device_facts {
    bool present;
    /* point programs run inside operations; a convolution along both axes is one step */
    bool fuses;
    int cores;
    int64_t memory_bytes;            /* of the device; for a CPU, of the host; 0 if unknown */
    double start_seconds;            /* until it is ready */
    double copy_bytes_per_second;    /* to and from the device; 0 if nothing has to be copied */
    double work_bytes_per_second;    /* bytes of result that a light operation produces */
    double conv_bytes_per_second;    /* bytes of result times weights of a convolution; 0: ten times the light rate */
    bool measured;                   /* the rates were measured; otherwise they are assumed */
};

struct gf_plan {
    bool cuda;
    struct gf_format in, out;        /* what the reader delivers and the writer takes */
    int passes;
    struct gf_pass *pass[GF_PASSES];
    int64_t host_bytes, device_bytes;    /* most memory at any time */
    /* passes keep lanes and memory for the next signal; otherwise each frees its own */
    bool kept;
    double cpu_seconds, cuda_seconds;    /* estimates for the choice of device */
    double start_seconds;                /* that the GPU takes to start, for this signal */
    bool cpu_measured, cuda_measured;    /* the estimate uses measured rates */
    const char *why;                     /* reason for this device; a string constant */
    int latency_ms;                      /* copied from the limits for --explain */
};

enum gf_device_choice { GF_AUTO, GF_CPU, GF_CUDA };

struct gf_plan_request {
    const struct gf_binding *binding;
    const struct gf_outputs *outputs;
    const struct gf_limits *limits;
    struct gf_source_facts source;
    int workers;                     /* plans that run at the same time, on different inputs; 0: one */
    int devices;                     /* GPUs that share the work; 0: one */
    enum gf_device_choice where;
    const struct gf_device_facts *cpu, *cuda;
};

/* Makes a plan. *plan is all zero or an earlier plan. gf_plan_release() frees it and leaves it empty. */
int gf_plan_make(struct gf_plan *plan, const struct gf_plan_request *request, struct gf_error *err) GF_MUST_CHECK;

void gf_plan_release(struct gf_plan *plan);

/* Sets the second source of a step in `io`, as its operation sees it: rows `rows`, which are at `data`. */
void gf_step_beside(const struct gf_step *s, struct gf_span rows, const void *data, struct gf_io *io);
/* Returns the most images that the window of a step has; 0: it has none. */
static inline int gf_step_window(const struct gf_step *s)
{
    return s->frames.used ? s->frames.before + 1 + s->frames.after : 0;
}

/* Returns true if the images of a window are those of the file, so that units of the file are a part of it. */
static inline bool gf_pass_window_is_file(const struct gf_pass *pass)
{
    const struct gf_step_frames *const window = pass->steps > 0 ? &pass->step[0].frames : NULL;
    const struct gf_format *const file = &pass->from.format;

    return window != NULL && window->used && !window->luma && pass->from.end == GF_END_FILE
        && file->type == window->format.type && file->maxval == window->format.maxval
        && file->width == window->format.width && file->channels == window->format.channels;
}

/* Sets a window of the largest size in the shape of a call, whose blocks without data have `rows`. */
void gf_step_shape_frames(const struct gf_step *s, struct gf_span rows, struct gf_block blocks[GF_MOST_FRAMES],
                          struct gf_io *io);

/*
 * Returns the units of its input that a step needs for `out` of its output; `in_units` is the whole
 * input.
 */
struct gf_span gf_need_span(const struct gf_need *need, struct gf_span out, int64_t in_units);
/* Returns true if a pass does nothing, because the input can be read again instead. */
static inline bool gf_pass_is_idle(const struct gf_pass *pass)
{
    return pass->to.end == GF_END_NOWHERE && !pass->measure.used;
}

/* Returns true if a pass copies units of a file, which no step changes. */
static inline bool gf_pass_is_copy(const struct gf_pass *pass)
{
    return pass->steps == 0 && pass->from.end == GF_END_FILE && pass->to.end == GF_END_FILE && !pass->measure.used;
}

/* Returns the last pass that starts from the result of pass p, or p if there is none. */
int gf_plan_last_reader(const struct gf_plan *plan, int p);

/*
 * Returns true if a pass depends on one device's memory: the whole signal, or state that segments
 * pass on.
 */
static inline bool gf_pass_stays(const struct gf_pass *pass)
{
    return pass->from.end == GF_END_RESIDENT || pass->to.end == GF_END_RESIDENT || pass->carry_bytes > 0;
}

/* Returns the length of the signal after a step, given the length before it. */
int64_t gf_step_output_units(const struct gf_step *step, int64_t in_units);

/* The units that a segment takes of each signal in a pass. */
struct gf_pass_walk {
    int64_t length[GF_PASS_STEPS + 1];       /* of the signal before each step, and of the result */
    struct gf_span span[GF_PASS_STEPS + 1];  /* units of that signal that the segment reads */
    /* units of each result that it computes: a step with state continues where the previous segment ended */
    struct gf_span made[GF_PASS_STEPS];
};

/*
 * Fills *walk for a segment that goes through the first `steps` of a pass. `out` is in units of
 * their result, and begins where the previous segment ended.
 */
void gf_pass_fill_walk_to(const struct gf_pass *pass, int steps, struct gf_span out, int64_t in_units,
                          struct gf_pass_walk *walk);
/*
 * Returns segment `place` of a pass, whose end is not known yet, and how many steps it goes
 * through. A step with state needs its lead-in first, in segments that end at that step.
 */
struct gf_span gf_pass_segment(const struct gf_pass *pass, int64_t place, int *steps);
int64_t gf_pass_units(const struct gf_pass *pass, int64_t in_units);
int64_t gf_pass_units_to(const struct gf_pass *pass, int steps, int64_t in_units);

#endif
