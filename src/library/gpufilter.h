/*
 * libgpufilter: chains of stages on arrays in memory. gpufilter(3) is the manual.
 *
 * A session has devices and threads. A chain is parsed text and never changes. A job is a chain that is
 * prepared for arrays of one format; it runs any number of times. Sessions and chains may be used by
 * any number of threads at once, a job by one at a time. Functions return 0, or -1 and an error.
 */
#ifndef GPUFILTER_H
#define GPUFILTER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GPUFILTER_ABI 0

#if defined(__GNUC__)
#define GPUFILTER_API __attribute__((visibility("default")))
#else
#define GPUFILTER_API
#endif

/* An error: the problem, and from `advice` on what to do about it; 0: the text has no advice. */
typedef struct gpufilter_error {
    int status;                  /* 1: it failed; 2: it was asked for in a wrong way */
    int advice;
    char text[1000];
} gpufilter_error;

/* Begin each struct below with its size, as in { .size = sizeof(gpufilter_options) }; the rest may be 0. */
typedef struct gpufilter_options {
    size_t size;
    const char *device;          /* "auto", "cpu", "cuda" or "cuda:N"; NULL: "auto" */
    int threads;                 /* of the CPU, for each job; 0: one for each core */
    int64_t memory;              /* limit of a job's working memory in bytes; 0: the program's default */
    /* takes each warning; `name` is the stage or input that it concerns, or NULL. Calls may come from any thread */
    void (*warn)(void *context, const char *name, const char *text);
    void *context;
} gpufilter_options;

typedef struct gpufilter_session gpufilter_session;
typedef struct gpufilter_chain gpufilter_chain;
typedef struct gpufilter_job gpufilter_job;

enum { GPUFILTER_IMAGE = 0, GPUFILTER_AUDIO = 1 };
enum { GPUFILTER_SAME = 0, GPUFILTER_U8 = 1, GPUFILTER_U16 = 2, GPUFILTER_S16 = 3, GPUFILTER_S32 = 4,
       GPUFILTER_F32 = 5, GPUFILTER_F64 = 6, GPUFILTER_F16 = 7 };
#define GPUFILTER_UNKNOWN INT64_C(-1)

/* The format of a signal: an image is a sequence of rows, audio one of frames. */
typedef struct gpufilter_format {
    size_t size;
    int kind;                    /* GPUFILTER_IMAGE or GPUFILTER_AUDIO */
    int type;                    /* images: U8, U16, F32, F64; audio: S16, S32, F32, F64; on a GPU also F16 */
    int bits;                    /* of integer audio, in the upper bits of a sample; 0: all */
    uint32_t maxval;             /* of integer images, the value that is white; 0: the largest */
    int channels;                /* images: 1 to 4; audio: 1 to 64 */
    int alpha;                   /* images: 1 if the last channel is alpha */
    int64_t width;               /* pixels in a row; audio: 1 or 0 */
    int64_t units;               /* rows or frames; audio for gpufilter_run_io(): GPUFILTER_UNKNOWN, too */
    int rate;                    /* audio: frames per second */
    int reserved;
} gpufilter_format;

/* Whose memory samples are in: that of the host, or GPUFILTER_GPU + N: that of GPU N, as CUDA counts them. */
enum { GPUFILTER_HOST = 0, GPUFILTER_GPU = 1 };

typedef struct gpufilter_memory gpufilter_memory;

/* The place of samples. Strides are in bytes, may be negative, and 0 repeats; if all three are 0, there are no gaps. */
typedef struct gpufilter_array {
    size_t size;
    void *data;                  /* the first sample of the first pixel or frame */
    int64_t unit_stride, pixel_stride, channel_stride;
    int where;                   /* GPUFILTER_HOST, or GPUFILTER_GPU + N */
    int reserved;
    gpufilter_memory *memory;    /* of an array that gpufilter_allocate() made; otherwise NULL */
} gpufilter_array;

/*
 * A second image, such as that of `over:NAME`, or the numbers of `fir:NAME` or `conv:NAME`, instead of the file of that
 * name.
 */
typedef struct gpufilter_input {
    size_t size;
    const char *name;
    const gpufilter_format *format;
    const gpufilter_array *array;
} gpufilter_input;

/* The place of chroma with half the columns: between two columns of luma (plain, jpeg), or on the left one. */
enum { GPUFILTER_SITED_PLAIN = 0, GPUFILTER_SITED_JPEG = 1, GPUFILTER_SITED_MPEG2 = 2, GPUFILTER_SITED_PALDV = 3 };

/*
 * Storage of a frame in planes, one after another without gaps: luma, and two of chroma if there are 3 channels.
 * `maxval` of the format is 2^bits - 1, with 8 to 16 bits.
 */
typedef struct gpufilter_video {
    size_t size;
    int sub_x, sub_y;            /* chroma has 1 / 2^sub as many columns and rows, rounded up */
    int full;                    /* 1: black is 0 and white maxval; 0: they are 16 and 235 at 8 bits */
    int matrix;                  /* 601 or 709; 0: 709 from 720 rows on */
    int siting;                  /* GPUFILTER_SITED_ */
} gpufilter_video;

typedef struct gpufilter_request {
    size_t size;
    const gpufilter_format *in;
    const gpufilter_input *inputs;   /* gpufilter_prepare() copies them, and what they point to */
    size_t input_count;
    int type;                    /* of the result; GPUFILTER_SAME: that of the input */
    int latency;                 /* audio: most milliseconds of a block; 0: no limit */
    const gpufilter_video *video;    /* the input and the result are frames in planes, as in Y4M; NULL: they are not */
    int where;                   /* of the input and of the result: GPUFILTER_HOST, or GPUFILTER_GPU + N */
    int reserved;
} gpufilter_request;

/* A view of memory that gpufilter_allocate() made, for gpufilter_export(). Strides are in samples. */
typedef struct gpufilter_tensor {
    size_t size;
    gpufilter_memory *memory;
    void *data;                  /* the first sample */
    int type;
    int dimensions;              /* up to 4 */
    const int64_t *shape, *strides;
} gpufilter_tensor;

/* The result of a chain that measures. Its arrays are the job's, and valid until it runs again. */
typedef struct gpufilter_table {
    size_t size;
    int channels;
    const char *const *channel_names;
    /* named values: values[channel * fields + field] */
    int fields;
    const char *const *field_names;
    const double *values;
    /* or a histogram from `low` to `high`: counts[channel * bins + bin] */
    int64_t bins;
    double low, high;
    const uint64_t *counts;
    /* or a timeline: timeline[(column * channels + channel) * cells + cell] */
    int64_t columns;
    int cells;
    const float *timeline;
    double seconds;
    const char *unmet;           /* a required value that was not reached, or NULL */
} gpufilter_table;

/*
 * The input around a piece of the result that the piece depends on: rows above and below it and columns on its left and
 * right, or frames before and after it. Pieces begin at rows or frames that are multiples of `step`, and so does their
 * input, as `before` is such a multiple.
 */
typedef struct gpufilter_halo {
    size_t size;
    int64_t before, after, left, right;
    int64_t step;
} gpufilter_halo;

/* Returns the version, as in "1.2.3". */
GPUFILTER_API const char *gpufilter_version(void);
/*
 * Returns a JSON text of all stages and their options: names, types, ranges, defaults and texts. free() it. NULL:
 * memory ran out.
 */
GPUFILTER_API char *gpufilter_stages(void);

/* NULL on failure. All of them may be closed in any order: a session lives as long as its chains and jobs. */
GPUFILTER_API gpufilter_session *gpufilter_open(const gpufilter_options *options, gpufilter_error *error);
GPUFILTER_API void gpufilter_close(gpufilter_session *session);
/* Parses stages as on the command line, separated by blanks. `kind` says for which signals; -1: any. */
GPUFILTER_API gpufilter_chain *gpufilter_parse(gpufilter_session *session, const char *stages, int kind,
                                               gpufilter_error *error);
/*
 * Returns 1 if stages work on consecutive images, as tmean:3 does. Jobs of such a chain take a sequence of images of
 * the same format, from gpufilter_run_batch(), or row by row: after the rows of an image come those of the next one.
 * Each image has a result, whose rows come as soon as the images that it depends on were read.
 */
GPUFILTER_API int gpufilter_needs_sequence(const gpufilter_chain *chain);
GPUFILTER_API void gpufilter_chain_free(gpufilter_chain *chain);

GPUFILTER_API gpufilter_job *gpufilter_prepare(gpufilter_session *session, gpufilter_chain *chain,
                                               const gpufilter_request *request, gpufilter_error *error);
/*
 * Prepares a job whose input is the first image of a file, or a recording; `type` is that of the result. It runs once,
 * and `in` is NULL then. The file is decoded in this process, without the sandbox of the program.
 */
GPUFILTER_API gpufilter_job *gpufilter_prepare_file(gpufilter_session *session, gpufilter_chain *chain,
                                                    const char *path, int type, gpufilter_error *error);
GPUFILTER_API void gpufilter_job_free(gpufilter_job *job);
/* Fills in the format of the result as an array. `format->size` must be set. A chain that measures has none. */
GPUFILTER_API int gpufilter_format_of(const gpufilter_job *job, gpufilter_format *format, gpufilter_error *error);
/* Fills in the halo. It fails if the chain cannot run piece by piece. `halo->size` must be set. */
GPUFILTER_API int gpufilter_halo_of(const gpufilter_job *job, gpufilter_halo *halo, gpufilter_error *error);
/*
 * Says which image of a sequence the next run is for, from 0. The noise of images differs, and a second input that is a
 * video goes along.
 */
GPUFILTER_API int gpufilter_set_number(gpufilter_job *job, int64_t number, gpufilter_error *error);
/* Returns 1 if the chain measures, so that its result is a table. */
GPUFILTER_API int gpufilter_measures(const gpufilter_job *job);
/* Returns "cpu" or "cuda", the device that the job was planned for. */
GPUFILTER_API const char *gpufilter_device_of(const gpufilter_job *job);
/* Runs the chain on a whole array. `out` may be NULL if the chain measures. The two must not overlap. */
GPUFILTER_API int gpufilter_run(gpufilter_job *job, const gpufilter_array *in, const gpufilter_array *out,
                                gpufilter_error *error);
/*
 * Runs the chain on `count` images of the same format, which are `in_step` and `out_step` bytes apart. Image i is that
 * of gpufilter_set_number(job, i). The chain must not measure. Results must not overlap each other, or an input.
 */
GPUFILTER_API int gpufilter_run_batch(gpufilter_job *job, const gpufilter_array *in, const gpufilter_array *out,
                                      int64_t count, int64_t in_step, int64_t out_step, gpufilter_error *error);
/*
 * Names the stream of CUDA, a cudaStream_t, for the next runs of a job whose arrays are on a GPU; NULL, as at first:
 * the default stream. A run begins after the work that is on the stream, and is itself work on it: it may not have
 * ended when gpufilter_run() returns.
 */
GPUFILTER_API int gpufilter_set_stream(gpufilter_job *job, void *stream, gpufilter_error *error);
/* Waits for the work of the runs of a job, and reports an error of it, which may be later than the run. */
GPUFILTER_API int gpufilter_wait(gpufilter_job *job, gpufilter_error *error);
/* Returns whose memory an address is in: GPUFILTER_HOST, or GPUFILTER_GPU + N. */
GPUFILTER_API int gpufilter_where(const void *address);
/*
 * Allocates memory for `count` results of a job, one after another without gaps, where its arrays are: on a GPU in
 * the order of the job's stream. gpufilter_release() gives it back, in any thread, also after the job is gone.
 */
GPUFILTER_API int gpufilter_allocate(gpufilter_job *job, int64_t count, gpufilter_array *array,
                                     gpufilter_error *error);
GPUFILTER_API void gpufilter_release(gpufilter_memory *memory);
/*
 * Does so after the work that is on a stream of CUDA. gpufilter_release() does after that of the default stream, and so
 * of all streams but those that were made with cudaStreamNonBlocking.
 */
GPUFILTER_API void gpufilter_release_on(gpufilter_memory *memory, void *stream);
/*
 * Returns a view of such memory as a DLManagedTensor of DLPack, or with `version` 1 as a DLManagedTensorVersioned. The
 * memory stays until its deleter was called, and gpufilter_release(). NULL on failure.
 */
GPUFILTER_API void *gpufilter_export(const gpufilter_tensor *tensor, int version, gpufilter_error *error);
/*
 * The destructor for a PyCapsule that has such a view, and DLPack's name for it: calls the deleter if nobody has taken
 * the view. An exception of Python that is pending stays.
 */
GPUFILTER_API void gpufilter_free_capsule(void *capsule);
/*
 * Runs the chain on a signal of any length. read() fills in up to `count` rows or frames and returns their number, 0 at
 * the end or -1; write() takes `count` of them and returns 0, or -1 to stop. They are called in order, from threads of
 * the job, never two of the same kind at once. Samples have no gaps.
 */
GPUFILTER_API int gpufilter_run_io(gpufilter_job *job,
                                   int64_t (*read)(void *context, void *units, int64_t count),
                                   int (*write)(void *context, const void *units, int64_t count), void *context,
                                   gpufilter_error *error);
/*
 * A run whose input is pushed and whose result is pulled, by one thread. push() takes up to `count` rows or frames and
 * returns their number; 0: pull first. pull() gives up to `count` of them and returns their number; 0: push more, or
 * after gpufilter_finish() the end. gpufilter_cancel() ends such a run at once, and so does an error of the run.
 */
GPUFILTER_API int64_t gpufilter_push(gpufilter_job *job, const void *units, int64_t count, gpufilter_error *error);
GPUFILTER_API int64_t gpufilter_pull(gpufilter_job *job, void *units, int64_t count, gpufilter_error *error);
GPUFILTER_API int gpufilter_finish(gpufilter_job *job, gpufilter_error *error);
GPUFILTER_API void gpufilter_cancel(gpufilter_job *job);
/* Any thread may call it: the current run, or the next one if none runs, soon ends with an error. */
GPUFILTER_API void gpufilter_stop(gpufilter_job *job);
/* Runs the chain on a whole array, and writes a file in the format of its name. It is complete, or does not change. */
GPUFILTER_API int gpufilter_write(gpufilter_job *job, const gpufilter_array *in, const char *path,
                                  gpufilter_error *error);
/* Fills in the table of the last run. `table->size` must be set. */
GPUFILTER_API int gpufilter_table_of(const gpufilter_job *job, gpufilter_table *table, gpufilter_error *error);

#ifdef __cplusplus
}
#endif
#endif
