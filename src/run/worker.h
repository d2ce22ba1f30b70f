/* A worker: a chain, its plan and an engine, ready for signals of one format after another. */
#ifndef GF_RUN_WORKER_H
#define GF_RUN_WORKER_H

#include "chain/chain.h"
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
    struct gf_limits limits;             /* its own share */
    struct gf_device_list gpus;
    struct gf_chain chain;
    struct gf_plan plan;
    struct gf_engine engine;
    struct gf_format bound, stored;      /* what the chain and the plan are for */
    bool have_chain, have_plan;
    unsigned watched;                    /* what to look for in the input: bits of enum gf_watched */
    struct gf_side_pictures sides;       /* the files of pictures beside its inputs' */
    struct gf_side_pictures *sides_in_use;   /* or of the worker that it is one of many for; who binds has them for itself */
    struct gf_side_pictures_image *beside[GF_CHAIN_SIDES];  /* as the chain counts them */
};

/*
 * NULL where it fails. The words are read, and nothing is bound. A worker that is one of
 * many (`number` 0 or more) has one GPU of the list for itself, -1 has them all.
 */
struct gf_worker *gf_worker_new(struct gf_run_context *context, const struct gf_limits *limits, int number,
                                struct gf_error *err) GF_MUST_CHECK;
void gf_worker_free(struct gf_worker *w);

/* Binds the chain to a signal and to the pictures that stand beside it now, unless it is already; w->chain.out and .table tell what comes of it. */
int gf_worker_bind(struct gf_worker *w, const struct gf_format *in, const char *name, struct gf_error *err) GF_MUST_CHECK;
/*
 * How many units of such a signal, whose length is not known, are all that its first `words` stages look at;
 * GF_UNKNOWN where they look at any. Binds the chain to no more than these stages.
 */
int gf_worker_needed_units(struct gf_worker *w, const struct gf_format *in, const char *name, int words, int64_t *units,
                           struct gf_error *err) GF_MUST_CHECK;
/* Tells which writer link i of the chain, a tee, goes to; before the plan is made. */
int gf_worker_fit_tee(struct gf_worker *w, int i, struct gf_writer *writer, struct gf_error *err) GF_MUST_CHECK;
/* Plans for the signal at hand in `reader` and what `writer` stores (NULL: the chain ends in a table), unless that is planned already. */
int gf_worker_plan(struct gf_worker *w, const struct gf_reader *reader, struct gf_writer *writer, struct gf_error *err) GF_MUST_CHECK;
/* Memory for the samples of a signal, where the plan's devices reach it; kept where it is large enough. */
int gf_worker_open_room(struct gf_worker *w, struct gf_room *room, int64_t bytes, struct gf_error *err) GF_MUST_CHECK;
/* Makes it ready to be used, once the devices are. */
int gf_worker_pin_room(struct gf_worker *w, struct gf_room *room, struct gf_error *err) GF_MUST_CHECK;
void gf_worker_close_room(struct gf_worker *w, struct gf_room *room);
/* Gives back the memory of its lanes, for others to use; the next run opens them again. */
void gf_worker_give_back_lanes(struct gf_worker *w);
/* Runs the plan on the signal at hand in `reader`; w->stored has been given to gf_writer_begin(). */
int gf_worker_run(struct gf_worker *w, struct gf_reader *reader, struct gf_writer *writer, struct gf_writer *const *tees,
                  struct gf_run_results *results, struct gf_error *err) GF_MUST_CHECK;

/* Who it is, to the report. */
struct gf_timed_io gf_worker_timed_io(const struct gf_worker *w);

#endif
