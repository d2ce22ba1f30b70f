/* Chooses the device of a worker, and the GPUs among several. */
#ifndef GF_RUN_WORKER_DEVICES_H
#define GF_RUN_WORKER_DEVICES_H

#include "base/error.h"
#include "io/io.h"

struct gf_worker;

/*
 * Plans the bound chain of a worker for the signal of `reader` and the outputs of its task; `writer`
 * is NULL for a table. If the GPU is likely to be used, it starts, and the space of the output is reserved, before
 * the driver is asked for facts.
 */
int gf_worker_devices_plan(struct gf_worker *w, const struct gf_reader *reader, struct gf_writer *writer,
                           struct gf_error *err) GF_MUST_CHECK;
/* Returns how many GPUs are worth the work on so many signals (0: unknown), because each start takes time, too. */
int gf_worker_devices_pay(const struct gf_worker *w, double signals);

#endif
