/* Failures in a batch: names their inputs, and finds those that all other inputs would have, too. */
#ifndef GF_BATCH_BATCH_FAILURES_H
#define GF_BATCH_BATCH_FAILURES_H

#include "batch/batch.h"

/*
 * Puts the name of input i before an error, because stages
 * do not know it. i is -1 if no input is concerned.
 */
void gf_batch_name_failed(const struct gf_batch *b, int i, struct gf_error *err);
/*
 * Returns why the batch has to stop, and what to do, if the error is that the disk is full or too many files are
 * open; otherwise NULL.
 */
const char *gf_batch_shortage(const struct gf_batch *b, const struct gf_error *err);
/*
 * Returns how many of `wanted` workers can have their files
 * open at once, at least 1. A note says so if these are fewer.
 */
int gf_batch_limit_workers(const struct gf_batch *b, int wanted, bool gpu);

#endif
