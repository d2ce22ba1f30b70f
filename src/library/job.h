/* A job of libgpufilter, for the code that prepares it and the code that runs it. */
#ifndef GF_LIBRARY_JOB_H
#define GF_LIBRARY_JOB_H

#include "library/arrays.h"
#include "library/library.h"
#include "library/push.h"

#include "run/divided.h"
#include "run/value_losses.h"

/* A second input. */
struct given {
    char *name;
    struct gf_array array;
    struct gf_reader reader;
    bool used;                           /* by a stage */
};

struct gpufilter_job {
    struct gpufilter_session *session;
    struct gpufilter_chain *chain;
    struct gf_run_context context;
    struct gf_notices *notices;
    struct gf_worker *worker;
    struct gf_format in, out;            /* of input and result, as arrays */
    bool measures;                       /* there is no result, but a table */
    struct gf_read_options read;
    struct gf_reader *file;              /* the input, if it is a file that has not been read yet */
    bool from_file;
    bool video;                          /* the input and the result are frames in planes */
    bool states_matrix;                  /* otherwise it depends on the number of rows */
    int type;                            /* of the result; GPUFILTER_SAME: that of the input */
    int where;                           /* of the input and of the result */
    bool half_in, half_out;              /* they are floats of 16 bits there */
    char gpu[24];                        /* their GPU, for messages */
    void *stream;                        /* for runs on that GPU */
    bool uses_gpus;                      /* it is counted among their users */
    const struct gf_chain *stages;       /* those of the chain, or of `own` */
    struct gf_library_stages own;        /* parsed again, with arrays instead of files of numbers */
    struct gf_divided divided;           /* their parts, if some work on consecutive images: it takes a sequence */
    struct given *given;
    size_t given_count;
    struct gf_given finds;
    struct gf_push *push;                /* a run whose caller pushes, or NULL */
    struct gf_watch watch;               /* losses of the current run */
    struct gf_table table;               /* of the last run */
    bool ran;
    bool lacks_image;                    /* a second input has none of the number that was set */
    bool stop;                           /* the current run, or the next one */
    struct gpufilter_job *column;        /* for the images of a batch below each other; NULL: none was prepared */
    struct gpufilter_job *whole;         /* the job that this one is the column of, or NULL */
};

/* Bits of a type in files, as in struct gf_write_options. */
extern const int gf_library_depths[];

/*
 * Returns a job for so many images below each other, if the chain makes each row from one row alone. It warns of
 * nothing. NULL: the images run one by one.
 */
struct gpufilter_job *gf_library_job_column(struct gpufilter_job *j, int64_t count);
/* Plans for a reader; nothing changes if the job is planned for such a one. */
int gf_library_job_plan(struct gpufilter_job *j, const struct gf_reader *reader, struct gf_error *err) GF_MUST_CHECK;
/* Fails if there is no job, or if it is that of another process. */
int gf_library_job_check(const struct gpufilter_job *j, struct gf_error *err) GF_MUST_CHECK;
/* Also fails if a caller pushes its input. */
int gf_library_job_idle(const struct gpufilter_job *j, struct gf_error *err) GF_MUST_CHECK;
/* Fails if a second input has no image. */
int gf_library_job_images(const struct gpufilter_job *j, struct gf_error *err) GF_MUST_CHECK;
/* Fails if the job takes a sequence of images. */
int gf_library_job_single(const struct gpufilter_job *j, struct gf_error *err) GF_MUST_CHECK;
/* A program that uses CUDA, too, finds its own GPU current in the thread after a call: the one that enter returns. */
int gf_library_enter_gpu(const struct gpufilter_job *j);
void gf_library_leave_gpu(const struct gpufilter_job *j, int before);

#endif
