/* A device: memory, lanes, and a table of operations. The executor never asks which kind it has. */
#ifndef GF_DEVICE_DEVICE_H
#define GF_DEVICE_DEVICE_H

#include "base/activity.h"
#include "base/error.h"
#include "base/order.h"
#include "base/signal.h"
#include "chain/side_picture.h"
#include "plan/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gf_device;
struct gf_lane;
struct gf_spool;

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

/* What the segments of a pass hand on, one after another. The first one clears it. */
struct gf_carry {
    void *memory;                /* of the device */
    void *left;                  /* on a GPU: the event (cudaEvent_t) that the segment before has left it */
};

/* A piece of work for a lane: units `out` of the pass's output from units `in` of its input. */
struct gf_job {
    const struct gf_pass *pass;
    struct gf_span in, out;
    int64_t signal;              /* which of its input's pictures this is, from 0 */
    int64_t in_units;            /* length of the pass's input; while unknown, any length beyond what the job needs */
    void *host_in, *host_out;    /* packed samples of the ends that are files: in the lane's rooms, or where reader and writer have them */
    const struct gf_side_picture *sides;     /* second images, as steps number them */
    void *resident_in;           /* the whole input, in the device's memory, where pass->from is resident */
    void *resident_out;          /* the whole output, likewise */
    const struct gf_spool *spool_in, *spool_out;     /* where they are on disk; a CPU sees them as memory too */
    /* Of a pass that carries: lanes wait for their turn before the first step that does, and pass it on behind the last. */
    struct gf_carry *carry;
    struct gf_order *order;
    int64_t index;               /* of the segment */
    int ahead;                   /* 0; else `out` is of this many steps' result, made only for the state that the last of them carries */
};

static inline int gf_job_steps(const struct gf_job *job)
{
    return job->ahead > 0 ? job->ahead : job->pass->steps;
}

/* A kernel as an operation launches it, and what that takes of a multiprocessor. */
struct gf_kernel_fact {
    char name[80];
    int threads;                 /* of a block */
    int64_t blocks;              /* of the launch */
    int registers;               /* of a thread, */
    size_t local_bytes;          /* and what it keeps in memory for want of them */
    size_t shared_bytes, dynamic_bytes;  /* of a block: fixed, and as asked for */
    int most_threads;            /* that a block of it could have */
    int fit;                     /* blocks that a multiprocessor holds at once, as the runtime says */
};

/* What a multiprocessor of a GPU has for those who share it. */
struct gf_multiprocessor {
    int threads, blocks, registers, warp;
    size_t shared_bytes, reserved_bytes; /* of which each block takes so many for itself */
};

/* Something that queues work on a device's stream. */
typedef int gf_device_call(void *argument, struct gf_error *err);

struct gf_device_kind {
    const char *name;                        /* "cpu", "cuda" */
    const char *missing;                     /* why this build has none of the kind; NULL: it may have */
    bool cuda;                               /* runs the CUDA bodies of operations */
    /* Facts without opening it; facts->present tells whether it answers, `why` (if not NULL) why not. */
    void (*facts)(int index, struct gf_device_facts *facts, char *why, size_t why_bytes);
    /* Starts it in the background, for what is sure to open it; settle() waits for all that was begun. */
    void (*begin)(int index);
    void (*settle)(void);
    double (*took)(int index);               /* seconds, to start */
    /* May return before it is ready: whatever needs it waits, and tells what went wrong. */
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
    /* Room for what segments hand on. */
    int (*carry_open)(struct gf_device *d, struct gf_carry *carry, size_t bytes, struct gf_error *err);
    void (*carry_close)(struct gf_device *d, struct gf_carry *carry);
    /* Makes the pools known to the bodies; before the first segment of a pass, never while lanes run. */
    int (*set_pools)(struct gf_device *d, const struct gf_pools *pools, struct gf_error *err);
    /* What bodies want to know when they are called outside a lane. */
    struct gf_work (*work)(struct gf_device *d);
    int (*wait)(struct gf_device *d, struct gf_error *err);
    /* A lane for one pass: fills lane->state. */
    int (*lane_open)(struct gf_lane *lane, const struct gf_pass *pass, struct gf_error *err);
    void (*lane_close)(struct gf_lane *lane);
    /* From the job's input to its output; done on return. */
    int (*lane_run)(struct gf_lane *lane, const struct gf_job *job, struct gf_error *err);
    /* A measuring lane's result since the last call, in host memory; records are cleared by it. */
    int (*lane_result)(struct gf_lane *lane, void *result, size_t bytes, struct gf_error *err);
    /* The most memory that bodies have borrowed at once since the last call; NULL: they borrow none. */
    size_t (*borrowed)(struct gf_device *d);
    /* For those who want to know how fast it is, and why; NULL where work is done on return, and any clock will do. */
    /* Within the device's memory; queued. */
    int (*copy)(struct gf_device *d, void *to, const void *from, size_t bytes, struct gf_error *err);
    /* Seconds that it takes to do it so many times, one after another. */
    int (*timed)(struct gf_device *d, int times, gf_device_call *call, void *argument, double *seconds, struct gf_error *err);
    /* The kernels that it would launch, without running any of them: up to `most`. Returns how many, or -1. */
    int (*kernels)(struct gf_device *d, gf_device_call *call, void *argument, struct gf_kernel_fact *facts, int most, struct gf_error *err);
    int (*multiprocessor)(struct gf_device *d, struct gf_multiprocessor *m, struct gf_error *err);
};

struct gf_device {
    const struct gf_device_kind *kind;
    int index;
    void *state;
};

/* The body of an operation for devices of that kind. */
static inline gf_op_body *gf_device_body(const struct gf_device_kind *kind, const struct gf_operation *op)
{
    return kind->cuda ? op->cuda.body : op->cpu.body;
}

struct gf_lane {
    struct gf_device *device;
    int number;                  /* among all lanes of the run */
    int pass_number;
    struct gf_room in, out;      /* packed samples of a segment, where they have to pass through memory of its own */
    void *state;
    /* --stats, --trace: where intervals go; NULL when nobody asks */
    void (*record)(void *report, const struct gf_interval *interval);
    void *report;
    bool every;                  /* each call of an operation is told, where else they are added up by segment */
};

extern const struct gf_device_kind gf_device_cpu, gf_device_cuda;

#ifdef __cplusplus
}
#endif
#endif
