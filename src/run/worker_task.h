/* A task: one signal on its way from a reader to its outputs, with a worker. */
#ifndef GF_RUN_WORKER_TASK_H
#define GF_RUN_WORKER_TASK_H

#include "chain/binding.h"
#include "io/io.h"
#include "plan/plan.h"
#include "run/execute.h"
#include "run/sides.h"
#include "run/window.h"

struct gf_worker;

/* An output of a task, and the metadata that it stores. */
struct gf_sink {
    struct gf_writer *writer;            /* NULL: a table, or one that several inputs share */
    struct gf_meta meta;
    struct gf_tile_source *tile_source;  /* of which metadata of tiles is made; NULL: there are no tiles */
};

/* A worker keeps its task for the next signal: as long as the format stays, so do the binding and the plan. */
struct gf_task {
    bool bound, planned;
    struct gf_binding binding;
    struct gf_outputs outputs;
    struct gf_plan plan;
    struct gf_source_facts source;
    unsigned watched;                    /* what to look for in the input: bits of enum gf_watched */
    struct gf_side_image *image[GF_CHAIN_SIDES];     /* second inputs, in the order of the binding */
    struct gf_window_images frames;      /* the window of the current image */
    struct gf_run run;
};

/* Releases everything except the writer. */
void gf_sink_release(struct gf_sink *sink);
/*
 * Lets the reader decode only what the chain needs of its current image, if it can. Call it before the
 * signal is bound.
 */
void gf_task_narrow(struct gf_worker *w, struct gf_reader *reader);
/*
 * Finds the second inputs of a signal, and binds the chain, unless it is bound to such formats. The binding
 * describes the results.
 */
int gf_task_bind(struct gf_worker *w, const struct gf_format *in, const char *name, struct gf_error *err) GF_MUST_CHECK;
/*
 * Returns how many units of a signal of unknown length its first `words` stages read, or GF_UNKNOWN
 * if they read any number. Binds the chain to these stages only.
 */
int gf_task_needed_units(struct gf_worker *w, const struct gf_format *in, const char *name, int words, int64_t *units,
                         struct gf_error *err) GF_MUST_CHECK;
/* Forgets the plan of a signal, for another device. */
void gf_task_forget_plan(struct gf_worker *w);
/* Fits the bound signal of `reader` to the writers of `sinks`, by exit of the chain, and plans, unless that is done. */
int gf_task_plan(struct gf_worker *w, const struct gf_reader *reader, const struct gf_sink *sinks,
                 struct gf_error *err) GF_MUST_CHECK;
/* Makes the metadata of the sinks, and warns about what they cannot store. */
int gf_task_describe(struct gf_worker *w, struct gf_reader *reader, struct gf_sink *sinks,
                     struct gf_error *err) GF_MUST_CHECK;
/* Returns the bytes of an image that waits for a stage that works on frames in time. */
int64_t gf_task_frame_bytes(const struct gf_task *t);
/* Unpacks the second inputs, unless that is done. gf_task_run() does it, too, but then the output has begun. */
int gf_task_unpack_sides(struct gf_worker *w, struct gf_error *err) GF_MUST_CHECK;
/*
 * Begins and ends a signal in the sinks. A table is not begun, and its caller ends it. `reader` may be NULL for an
 * image; it has the tags of audio, which may come last.
 */
int gf_task_begin(struct gf_worker *w, const struct gf_reader *reader, struct gf_sink *sinks,
                  struct gf_error *err) GF_MUST_CHECK;
int gf_task_end(struct gf_worker *w, const struct gf_sink *sinks, struct gf_error *err) GF_MUST_CHECK;
/* Runs the plan on the current signal of `reader`, to writers that have begun. */
int gf_task_run(struct gf_worker *w, struct gf_reader *reader, struct gf_writer *const *writers,
                struct gf_run_results *results, struct gf_error *err) GF_MUST_CHECK;

#endif
