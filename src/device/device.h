/* A device: memory, lanes, and a table of operations. The executor never asks which kind it has. */
#ifndef GF_DEVICE_DEVICE_H
#define GF_DEVICE_DEVICE_H

#include "base/activity.h"
#include "base/error.h"
#include "base/signal.h"
#include "plan/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gf_device;
struct gf_lane;
struct gf_kept;
struct gf_region;

#define GF_MOST_DEVICES 16

/* Memory of the host that a device copies from and to at full speed, once it is pinned. */
struct gf_room {
    void *data;
    size_t bytes;
    bool pinned;
};

/* Which GPUs to use, by number; count 0: all there are. */
struct gf_device_list {
    int index[GF_MOST_DEVICES];
    int count;
};

/* The pools of a chain, in host memory. */
struct gf_pools {
    const float *masks, *tables;
    int64_t mask_count, table_count;
};

/* The second source of a step (gf_step.side): packed rows of an image in host memory. `number` is unique in a run. */
struct gf_beside {
    const void *data;
    struct gf_span rows;
    uint64_t number;
};

/* A piece of work for a lane: units `out` of the pass's output from units `in` of its input. */
struct gf_job {
    const struct gf_pass *pass;
    struct gf_span in, out;
    int64_t signal;              /* which of its input's pictures this is, from 0 */
    int64_t in_units;            /* length of the pass's input; while unknown, any length beyond what the job needs */
    void *host_in, *host_out;    /* ends that are files: units in the lane's rooms, or in memory of reader or writer;
                                  * ends on disk: likewise, or, for a kind in_host_memory, the whole mapped signal */
    const struct gf_beside *beside;      /* one a step, then one for the measure; set if it has a second source */
    int64_t index;               /* number of the segment; steps that carry state take segments in order */
    int ahead;                   /* 0: all steps; else only so many, for the state of the last, whose units `out` are */
};

static inline int gf_job_steps(const struct gf_job *job)
{
    return job->ahead > 0 ? job->ahead : job->pass->steps;
}

/* Describes units of a signal at an end of a pass; the distance between planes is that of `plane_units` units. */
static inline struct gf_block gf_pass_end_block(const struct gf_pass_end *end, void *data, struct gf_span span, int64_t plane_units)
{
    return end->planar ? gf_block_planar(data, &end->format, span, end->pitch_samples, plane_units)
                       : gf_block_packed(data, &end->format, span);
}

struct gf_device_kind {
    const char *name;                        /* "cpu", "cuda" */
    const char *missing;                     /* why this build has none of the kind; NULL: it may have */
    bool cuda;                               /* runs the CUDA bodies of operations */
    bool in_host_memory;                     /* works on mapped signals directly; else gets copies of their rows */
    /* Finds facts without opening it. facts->present: it answers; `why`, if not NULL, gets the reason if not. */
    void (*facts)(int index, struct gf_device_facts *facts, char *why, size_t why_bytes);
    /* Starts it in the background, for what is sure to open it; settle() waits for all that was begun. */
    void (*begin)(int index);
    void (*settle)(void);
    double (*took)(int index);               /* seconds, to start */
    /* May return before the device is ready: the first call that needs it waits, and reports errors. */
    int (*open)(struct gf_device *d, int index, struct gf_error *err);
    void (*close)(struct gf_device *d);
    /* Memory of the device, aligned to 512 bytes. */
    int (*alloc)(struct gf_device *d, size_t bytes, void **memory, struct gf_error *err);
    void (*release)(struct gf_device *d, void *memory);
    /* Memory of the host, here at once; pinned when the device is ready. */
    int (*room_open)(struct gf_device *d, struct gf_room *room, size_t bytes, struct gf_error *err);
    int (*room_pin)(struct gf_device *d, struct gf_room *room, struct gf_error *err);
    void (*room_close)(struct gf_device *d, struct gf_room *room);
    /* Between the host and the device's memory; done on return. */
    int (*upload)(struct gf_device *d, void *to, const void *from, size_t bytes, struct gf_error *err);
    int (*download)(struct gf_device *d, void *to, const void *from, size_t bytes, struct gf_error *err);
    /* Makes the pools known to the bodies; before the first segment of a pass, never while lanes run. */
    int (*set_pools)(struct gf_device *d, const struct gf_pools *pools, struct gf_error *err);
    /* Returns the struct gf_work for bodies that are called outside a lane. */
    struct gf_work (*work)(struct gf_device *d);
    int (*wait)(struct gf_device *d, struct gf_error *err);
    /* A lane for one pass: fills lane->state. */
    int (*lane_open)(struct gf_lane *lane, const struct gf_pass *pass, struct gf_error *err);
    void (*lane_close)(struct gf_lane *lane);
    /* From the job's input to its output; done on return. */
    int (*lane_run)(struct gf_lane *lane, const struct gf_job *job, struct gf_error *err);
    /* A measuring lane's result since the last call, in host memory; records are cleared by it. */
    int (*lane_result)(struct gf_lane *lane, void *result, size_t bytes, struct gf_error *err);
    /* Replaces `rows` rows of counts, of `bins` bins each, by their prefix sums. Call it before further segments. */
    int (*lane_sums)(struct gf_lane *lane, uint64_t *counts, int rows, int bins, struct gf_error *err);
    /* Returns the most memory that bodies have borrowed at once since the last call; NULL: they borrow none. */
    size_t (*borrowed)(struct gf_device *d);
};

struct gf_device {
    const struct gf_device_kind *kind;
    int index;
    struct gf_kept *kept;        /* results and states in its memory that outlive a job, see device/kept.h */
    void *state;
};

/* Returns the body of an operation for devices of that kind. */
static inline gf_op_body *gf_device_body(const struct gf_device_kind *kind, const struct gf_operation *op)
{
    return kind->cuda ? op->cuda.body : op->cpu.body;
}

struct gf_lane {
    struct gf_device *device;
    int number;                  /* among all lanes of the run */
    int pass_number;             /* index of its result and its state in device->kept */
    struct gf_room in, out;      /* packed samples of a segment, where they have to pass through memory of its own */
    struct gf_room region;       /* part of a signal on disk, if the pass works in tiles */
    /* Reads a region of that signal into `to`, which gf_region_block() has made. */
    int (*fetch)(const void *spooled, const struct gf_region *r, const struct gf_block *to, struct gf_error *err);
    const void *spooled;
    void *state;
    /* --stats, --trace: where intervals go; NULL when nobody asks */
    void (*record)(void *report, const struct gf_interval *interval);
    void *report;
    bool every;                  /* report each call of an operation; else calls are added up by segment */
};

/* Reports an interval of the lane's work; `step` is -1 except for operations. */
static inline void gf_lane_note(const struct gf_lane *lane, enum gf_activity activity, int step, double start, double end, int64_t bytes)
{
    const struct gf_interval i = { activity, lane->number, step, lane->pass_number, start, end, bytes, { 0, 0 } };

    if (lane->record != NULL)
        lane->record(lane->report, &i);
}

extern const struct gf_device_kind gf_device_cpu, gf_device_cuda;

#ifdef __cplusplus
}
#endif
#endif
