/* A worker: a chain, its plan and an engine, ready for signals of one format after another. */
#ifndef GF_RUN_WORKER_H
#define GF_RUN_WORKER_H

#include "chain/binding.h"
#include "device/device.h"
#include "io/io.h"
#include "plan/plan.h"
#include "report/report.h"
#include "report/timed_io.h"
#include "run/execute.h"
#include "run/run_context.h"
#include "run/side_pictures.h"

struct gf_worker {
    struct gf_run_context *context;
    struct gf_limits limits;             /* limits of this worker */
    int number;                          /* among the workers that divide the signals; -1: it has all of them */
    struct gf_device_list gpus, gpus_used;   /* those that it may use, and those that it does */
    struct gf_binding binding;
    struct gf_plan plan;
    struct gf_engine engine;
    struct gf_jpeg_codec *codec;         /* of its device, once a JPEG needs it */
    int64_t codec_in, codec_out;         /* the most bytes of samples it has had to decode and to encode */
    struct gf_format bound, stored;      /* formats of the chain and of the plan */
    bool have_chain, have_plan;
    bool writes;                         /* it writes outputs, so it may reserve space before it has a plan */
    unsigned watched;                    /* what to look for in the input: bits of enum gf_watched */
    struct gf_side_pictures sides;       /* files of second images */
    /* the files in use: its own, or those of the worker that it helps; set when the chain is bound */
    struct gf_side_pictures *sides_in_use;
    struct gf_side_pictures_image *beside[GF_CHAIN_SIDES];  /* in the chain's order */
};

/*
 * Parses the chain and binds nothing; returns NULL on failure. One of many workers (`number` 0 or
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
 * Lets the reader decode only what the chain needs of its current image, if it can. Call it before the
 * signal is bound.
 */
void gf_worker_narrow(struct gf_worker *w, struct gf_reader *reader);
/*
 * Binds the chain to a signal and its current second images, unless it is bound. w->chain.out and
 * .table describe the result.
 */
int gf_worker_bind(struct gf_worker *w, const struct gf_format *in, const char *name,
                   struct gf_error *err) GF_MUST_CHECK;
/*
 * Returns how many units of a signal of unknown length its first `words` stages read, or GF_UNKNOWN
 * if they read any number. Binds the chain to these stages only.
 */
int gf_worker_needed_units(struct gf_worker *w, const struct gf_format *in, const char *name, int words, int64_t *units,
                           struct gf_error *err) GF_MUST_CHECK;
/* Sets the writer for link i of the chain, a tee; call it before the plan is made. */
int gf_worker_fit_tee(struct gf_worker *w, int i, struct gf_writer *writer, struct gf_error *err) GF_MUST_CHECK;
/*
 * Plans for the current signal of `reader` and the format of `writer` (NULL: the chain ends in a
 * table), unless that is planned already.
 */
int gf_worker_plan(struct gf_worker *w, const struct gf_reader *reader, struct gf_writer *writer,
                   struct gf_error *err) GF_MUST_CHECK;
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
/* Runs the plan on the current signal of `reader`; w->stored has been given to gf_writer_begin(). */
int gf_worker_run(struct gf_worker *w, struct gf_reader *reader, struct gf_writer *writer,
                  struct gf_writer *const *tees,
                  struct gf_run_results *results, struct gf_error *err) GF_MUST_CHECK;

/* Returns the caller for reports. */
struct gf_timed_io gf_worker_timed_io(const struct gf_worker *w);

#endif
