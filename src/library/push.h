/* Runs of a job whose caller pushes units and pulls results: a thread between two rings. */
#ifndef GF_LIBRARY_PUSH_H
#define GF_LIBRARY_PUSH_H

#include "library/arrays.h"

struct gf_push;

/* Starts a run: run(job, calls, …) is called in a thread. Units have so many bytes. NULL on failure. */
struct gf_push *gf_push_start(struct gpufilter_job *job, size_t in_bytes, size_t out_bytes,
                              int (*run)(struct gpufilter_job *job, struct gf_array_calls *calls, struct gf_error *err),
                              struct gf_error *err);
/* Takes up to `count` units, and waits until it can take one or there is a result. Returns their number, or -1. */
int64_t gf_push_put(struct gf_push *p, const void *units, int64_t count, struct gf_error *err);
/*
 * Gives up to `count` units of the result. It waits until there is one, or the run needs more input, or it has ended.
 * Returns their number, or -1.
 */
int64_t gf_push_get(struct gf_push *p, void *units, int64_t count, struct gf_error *err);
/* Ends the input. */
void gf_push_finish(struct gf_push *p);
/* Returns true if the run has failed. */
bool gf_push_failed(struct gf_push *p);
/* Returns true if the run has failed, or if it and its input have ended, and all of the result was taken. */
bool gf_push_ended(struct gf_push *p);
/* Ends the run, wherever it is, and frees it. NULL is allowed. */
void gf_push_cancel(struct gf_push *p);

#endif
