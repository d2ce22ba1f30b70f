/* Runs of chains that work on consecutive images: the rows that a job reads are those of one image after another. */
#ifndef GF_LIBRARY_JOB_SEQUENCE_H
#define GF_LIBRARY_JOB_SEQUENCE_H

#include "library/job.h"

/* Runs the chain on images whose rows come from calls->read, and gives rows of results to calls->write. */
int gf_library_sequence_run(struct gpufilter_job *j, struct gf_array_calls *calls, struct gf_error *err) GF_MUST_CHECK;
/* Runs the chain on the images of a batch, which are in the memory of the host. */
int gf_library_sequence_batch(struct gpufilter_job *j, const gpufilter_array *in, const gpufilter_array *out,
                              int64_t count, int64_t in_step, int64_t out_step, struct gf_error *err) GF_MUST_CHECK;

#endif
