/* A device: memory, lanes, and a table of operations. The executor never asks which kind it has. */
#ifndef GF_DEVICE_DEVICE_H
#define GF_DEVICE_DEVICE_H

#include "base/activity.h"
#include "base/error.h"
#include "base/jpeg_codec.h"
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

/* Host memory that a device copies from and to at full speed once it is pinned. */
struct gf_room {
    void *data;
    size_t bytes;
    bool pinned;
};

/* The numbers of the GPUs to use; count 0: all GPUs. */
struct gf_device_list {
    int index[GF_MOST_DEVICES];
    int count;
};

/* The masks, tables and spectra of a chain, in host memory. */
struct gf_pools {
    const float *masks, *tables;
    int64_t mask_count, table_count;
};

/*
 * The second source of a step (gf_step.side): packed rows of an image in host memory. `number` is
 * unique in a run.
 */
struct gf_beside {
    const void *data;
    struct gf_span rows;
    uint64_t number;
};

/* Samples of a signal in the memory of a device that belongs to a caller. Strides are in bytes, and may be any. */
struct gf_strided {
    char *data;                  /* the first sample of unit 0 */
    int64_t unit, pixel, channel;
    bool half;                   /* floats are stored in 16 bits */
};

/*
 * The ends of a run whose signals are already in the memory of the device. Its work is queued on the stream, after what
 * is there, and nobody waits for it, except for measurements.
 */
struct gf_device_ends {
    struct gf_strided in, out;
    void *stream;                /* cudaStream_t */
};

/* A piece of work for a lane: computes units `out` of the pass's output from units `in` of its input. */
struct gf_job {
    const struct gf_pass *pass;
    struct gf_span in, out;
    int64_t signal;              /* number of the image within its input, from 0 */
    /* length of the pass's input; while it is unknown, any length that the job does not reach */
    int64_t in_units;
    /*
     * For files: units in the lane's rooms, or in memory of the reader or writer. For signals on
     * disk: the same, or the whole mapped signal if the kind is in_host_memory.
     */
    void *host_in, *host_out;
    const struct gf_device_ends *ends;   /* instead of files, in the memory of the device; NULL: there are files */
    /* one for each step, then one for the measure; set if the step has a second source */
    const struct gf_beside *beside;
    /* the window of the steps that have one: images before this one, itself, and those after it; 0: none */
    const struct gf_beside *frame;
    uint64_t window;             /* a number for the windows of all images of an input, or of a plane of them */
    const double *luma;          /* the brightness of each, if a step needs it */
    int frames, frame_now;
    double between;              /* as in struct gf_io */
    int64_t index;               /* number of the segment; steps with state take segments in order */
    /*
     * 0: all steps; otherwise only that many, to compute the state of the last one, and `out` is in
     * its units
     */
    int ahead;
    const bool *stop;            /* another thread sets it atomically, and the run soon fails; NULL: none does */
};

static inline int gf_job_check(const struct gf_job *job, struct gf_error *err)
{
    return job->stop != NULL && __atomic_load_n(job->stop, __ATOMIC_RELAXED) ? gf_fail(err, GF_FAILED, "stopped") : 0;
}

/* Gives the window of a job to an operation; `blocks` is memory for it. */
static inline void gf_job_frames(const struct gf_job *job, const struct gf_step *s, struct gf_block *blocks,
                                 struct gf_io *io)
{
    io->frame = s->frames.luma ? NULL : blocks;
    io->luma = job->luma;
    io->frames = job->frames;
    io->frame_now = job->frame_now;
    io->between = job->between;
    for (int i = 0; i < job->frames && !s->frames.luma; i++)
        blocks[i] = gf_block_packed((void *)(uintptr_t)job->frame[i].data, &s->frames.format, job->frame[i].rows);
}

static inline int gf_job_steps(const struct gf_job *job)
{
    return job->ahead > 0 ? job->ahead : job->pass->steps;
}

/* Describes units of a signal at an end of a pass; planes are as far apart as `plane_units` units take. */
static inline struct gf_block gf_pass_end_block(const struct gf_pass_end *end, void *data, struct gf_span span,
                                                int64_t plane_units)
{
    return end->planar ? gf_block_planar(data, &end->format, span, end->pitch_samples, plane_units)
                       : gf_block_packed(data, &end->format, span);
}

/* A device keeps results and states of passes from one job to the next; see device/kept.h. */
enum gf_keep { GF_KEEP_RESULT, GF_DROP_RESULT, GF_KEEP_STATE, GF_FAIL_STATE, GF_DROP_STATE };

struct gf_device_kind {
    const char *name;                        /* "cpu", "cuda" */
    const char *missing;                     /* why this build cannot have a device of this kind; NULL: it can */
    bool cuda;                               /* runs the CUDA bodies of operations */
    /* works on mapped signals directly; otherwise it gets copies of their rows */
    bool in_host_memory;
    /*
     * Finds the facts without opening the device. facts->present: it answers; otherwise `why`, if
     * not NULL, gets the reason.
     */
    void (*facts)(int index, struct gf_device_facts *facts, char *why, size_t why_bytes);
    /*
     * Starts it in the background, for a run that will certainly open it; settle() waits for all
     * that was started.
     */
    void (*begin)(int index);
    void (*settle)(void);
    bool (*asked)(void);                     /* a driver has answered, so the process takes long to exit */
    double (*took)(int index);               /* seconds that starting took */
    bool (*ready)(int index);                /* it has started, for another run; NULL: a run has to start it */
    /* May return before the device is ready: the first call that needs it waits, and reports errors. */
    int (*open)(struct gf_device *d, int index, struct gf_error *err);
    void (*close)(struct gf_device *d);
    /* Memory of the device, aligned to 512 bytes. */
    int (*alloc)(struct gf_device *d, size_t bytes, void **memory, struct gf_error *err);
    void (*release)(struct gf_device *d, void *memory);
    /* Memory of the host, available at once; pinned when the device is ready. */
    int (*room_open)(struct gf_device *d, struct gf_room *room, size_t bytes, struct gf_error *err);
    int (*room_pin)(struct gf_device *d, struct gf_room *room, struct gf_error *err);
    void (*room_close)(struct gf_device *d, struct gf_room *room);
    /* Undoes room_pin() for memory that is not from room_open(). NULL: nothing to do. */
    void (*room_unpin)(struct gf_device *d, struct gf_room *room);
    /* Copies between the host and the device's memory; done on return. */
    int (*upload)(struct gf_device *d, void *to, const void *from, size_t bytes, struct gf_error *err);
    int (*download)(struct gf_device *d, void *to, const void *from, size_t bytes, struct gf_error *err);
    /* Gives the pools to the bodies. Call it before the first segment of a pass, never while lanes run. */
    int (*set_pools)(struct gf_device *d, const struct gf_pools *pools, struct gf_error *err);
    /* Returns the struct gf_work for bodies that are called outside a lane. */
    struct gf_work (*work)(struct gf_device *d);
    int (*wait)(struct gf_device *d, struct gf_error *err);
    /*
     * Memory for a result that outlives the device: from its pool, in the order of the caller's stream. Any thread may
     * give it back, in the order of a stream; NULL: the default stream, which waits for those that were not made to run
     * beside it. result_follow() lets memory that is freed later on the default stream wait for another one.
     */
    int (*result_alloc)(struct gf_device *d, size_t bytes, void *stream, void **memory, struct gf_error *err);
    void (*result_free)(int index, void *memory, void *stream);
    void (*result_follow)(int index, void *stream);
    /* Waits for all runs whose ends are in the device's memory, whichever streams they are on. */
    int (*runs_wait)(struct gf_device *d, struct gf_error *err);
    /*
     * Between these calls, runs whose ends are in the device's memory do not depend on each other, and need no memory
     * of their lanes. They follow the work on the caller's stream together, and its later work follows them.
     */
    int (*batch_begin)(struct gf_device *d, void *stream, struct gf_error *err);
    int (*batch_end)(struct gf_device *d, void *stream, struct gf_error *err);
    /* Returns the device whose memory has this address; -1: none. */
    int (*owner)(const void *memory);
    /* Returns the device that the calling thread works with, and lets it work with device `index` unless that is -1. */
    int (*current)(int index);
    /* Keeps what gf_device.kept would have, in another process. NULL: gf_device.kept has it. */
    int (*keep)(struct gf_device *d, enum gf_keep what, int pass, size_t bytes, struct gf_error *err);
    /* Returns true if no call on this device can succeed any more in this process. NULL: never. */
    bool (*broken)(struct gf_device *d);
    /* From now on, memory that is released is kept for later allocations, because this process stays. NULL: never. */
    int (*hoard)(struct gf_device *d, struct gf_error *err);
    void (*relax)(struct gf_device *d);      /* releases memory that is kept so, or that bodies have borrowed */
    /* Opens a lane for one pass and sets lane->state. */
    int (*lane_open)(struct gf_lane *lane, const struct gf_pass *pass, struct gf_error *err);
    void (*lane_close)(struct gf_lane *lane);
    /* Runs the job from its input to its output; done on return. */
    int (*lane_run)(struct gf_lane *lane, const struct gf_job *job, struct gf_error *err);
    /* Returns a measuring lane's result since the last call, in host memory, and clears its records. */
    int (*lane_result)(struct gf_lane *lane, void *result, size_t bytes, struct gf_error *err);
    /* Replaces `rows` rows of `bins` counts by their prefix sums. Call it before further segments. */
    int (*lane_sums)(struct gf_lane *lane, uint64_t *counts, int rows, int bins, struct gf_error *err);
    /*
     * Returns the most memory that bodies have borrowed at once since the last call; NULL: they
     * never borrow.
     */
    size_t (*borrowed)(struct gf_device *d);
    /* Returns true if the library for JPEG codecs is there; otherwise sets *why. NULL: the kind has none. */
    bool (*jpeg_opens)(const char **why);
    /* Returns NULL if it cannot start: the CPU does its work. */
    struct gf_jpeg_codec *(*jpeg_open)(struct gf_device *d, struct gf_error *err);
    void (*jpeg_close)(struct gf_jpeg_codec *codec);
};

struct gf_device {
    const struct gf_device_kind *kind;
    int index;
    bool pooled;                 /* its memory comes from a pool: allocating does not stop work of others */
    struct gf_kept *kept;        /* results and states in its memory that outlive a job; see device/kept.h */
    void *state;
};

/* Returns the body of an operation for devices of this kind. */
static inline gf_op_body *gf_device_body(const struct gf_device_kind *kind, const struct gf_operation *op)
{
    return kind->cuda ? op->cuda.body : op->cpu.body;
}

struct gf_lane {
    struct gf_device *device;
    int number;                  /* number among all lanes of the run */
    int pass_number;             /* index of its result and its state in device->kept */
    struct gf_room in, out;      /* packed samples of a segment, if they need memory of the lane */
    struct gf_room region;       /* part of a signal on disk, if the pass works in tiles */
    /* Reads a region of that signal into `to`, which gf_region_block() described. */
    int (*fetch)(const void *spooled, const struct gf_region *r, const struct gf_block *to, struct gf_error *err);
    const void *spooled;
    void *state;
    /* --stats and --trace: receives intervals; NULL if neither is on */
    void (*record)(void *report, const struct gf_interval *interval);
    void *report;
    bool on_device;              /* files are the ends of a run in the memory of the device */
    bool every;                  /* report each call of an operation; otherwise calls are summed for each segment */
};

/* Reports an interval of the lane's work; `step` is -1 unless it is an operation. */
static inline void gf_lane_note(const struct gf_lane *lane, enum gf_activity activity, int step, double start,
                                double end, int64_t bytes)
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
