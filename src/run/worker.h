/* A worker: an engine and a task, ready for signals of one format after another. */
#ifndef GF_RUN_WORKER_H
#define GF_RUN_WORKER_H

#include "device/device.h"
#include "io/io.h"
#include "report/report.h"
#include "report/timed_io.h"
#include "run/run_context.h"
#include "run/worker_task.h"

struct gf_worker {
    struct gf_run_context *context;
    struct gf_limits limits;             /* limits of this worker */
    int number;                          /* among the workers that divide the signals; -1: it has all of them */
    struct gf_device_list gpus, gpus_used;   /* those that it may use, and those that it does */
    int devices;                         /* GPUs that the plan is for */
    struct gf_engine engine;
    struct gf_jpeg_codec *codec;         /* of its device, once a JPEG needs it */
    int64_t codec_in, codec_out;         /* the most bytes of samples it has had to decode and to encode */
    bool on_device;                      /* signals and results are in the memory of its GPU; see gf_run.ends */
    bool writes;                         /* it writes outputs, so it may reserve space before it has a plan */
    struct gf_sides sides;               /* files of second images */
    struct gf_sides *sides_in_use;       /* its own, or those of the worker that it helps */
    struct gf_task task;
};

/*
 * Returns NULL on failure. One of many workers (`number` 0 or
 * more) uses one GPU of the list; -1 uses those that pay for their start.
 */
struct gf_worker *gf_worker_new(struct gf_run_context *context, const struct gf_limits *limits, int number,
                                struct gf_error *err) GF_MUST_CHECK;
void gf_worker_free(struct gf_worker *w);
/*
 * Returns true if it has opened a GPU. At the end of the process its memory need not be freed, which
 * takes longer than leaving all of it to the driver.
 */
bool gf_worker_has_gpu(const struct gf_worker *w);

/*
 * Plans the bound chain of a worker for the signal of `reader` and the outputs of its task; `writer`
 * is NULL for a table. If the GPU is likely to be used, it starts, and the space of the output is reserved, before
 * the driver is asked for facts.
 */
int gf_worker_plan(struct gf_worker *w, const struct gf_reader *reader, struct gf_writer *writer,
                   struct gf_error *err) GF_MUST_CHECK;
/* Returns how many images a reader delivers, as far as the size of its file or the number of files says; 0: unknown. */
int64_t gf_worker_count_signals(const struct gf_reader *reader);
/* Returns how many GPUs are worth the work on so many signals (0: unknown), because each start takes time, too. */
int gf_worker_gpus_that_pay(const struct gf_worker *w, double signals);
/*
 * Provides memory for the samples of a signal that the plan's devices can reach; it is reused if it
 * is large enough.
 */
int gf_worker_open_room(struct gf_worker *w, struct gf_room *room, int64_t bytes, struct gf_error *err) GF_MUST_CHECK;
/* Makes the worker ready to run, once the devices are. */
int gf_worker_pin_room(struct gf_worker *w, struct gf_room *room, struct gf_error *err) GF_MUST_CHECK;
void gf_worker_close_room(struct gf_worker *w, struct gf_room *room);
/* Opens the devices of the plan, unless they are open. */
int gf_worker_open_engine(struct gf_worker *w, struct gf_error *err) GF_MUST_CHECK;
void gf_worker_close_engine(struct gf_worker *w);
/*
 * Lets the device decode the current signal of `reader`, and encode for `writer` (NULL: a table),
 * if it can and has memory for it; otherwise the CPU does. Call it after the plan is made, before
 * the writer begins.
 */
int gf_worker_use_codec(struct gf_worker *w, struct gf_reader *reader, struct gf_writer *writer,
                        struct gf_error *err) GF_MUST_CHECK;
/* Closes the codec, if there is one, when no image is in its memory. */
void gf_worker_close_codec(struct gf_worker *w);
/* Warns that --jpeg hardware cannot be used. */
void gf_worker_warn_software(struct gf_notices *n, const char *why);
/* Frees the memory of its lanes and of its codec for others; the next run opens them again. */
void gf_worker_give_back_lanes(struct gf_worker *w);
/* Returns the caller for reports. */
static inline struct gf_timed_io gf_worker_timed_io(const struct gf_worker *w)
{
    return (struct gf_timed_io) { .report = w->context->report, .lane = w->engine.first_lane };
}

#endif
