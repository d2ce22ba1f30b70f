/* --bench: how fast operations are on this machine, beside copies, and beside the steps of lessons. */
#ifndef GF_BENCH_H
#define GF_BENCH_H

#include "bench/bench_cases.h"
#include "cli/cli.h"
#include "device/device.h"

#define GF_BENCH_SIZES 10                /* 1 K to 256 M samples, four times as many from one to the next */
#define GF_BENCH_LEAST 1024
#define GF_BENCH_MOST (INT64_C(256) << 20)
#define GF_BENCH_WAYS 64
#define GF_BENCH_NOTES 64

/* What is measured of each way and size: the names of the fields are in bench.c. */
enum { GF_BENCH_US, GF_BENCH_RATE, GF_BENCH_SHARE, GF_BENCH_SAMPLES, GF_BENCH_FIELDS };

/* A device at work, and what has been found. */
struct gf_bench {
    struct gf_device device;
    bool cuda;
    int threads;                         /* of a CPU */
    char where[200];                     /* the device, for people */
    int64_t ceiling;                     /* bytes, of the device's memory and of the host's */
    int64_t size[GF_BENCH_SIZES];
    int sizes;
    char name[GF_BENCH_WAYS][120];
    int ways;
    double value[GF_BENCH_WAYS][GF_BENCH_SIZES][GF_BENCH_FIELDS];
    bool tells, told;                    /* which size is at hand, on standard error; it stands there */
    bool incomplete;                     /* some of it could not be measured, as notes tell */
    char note[GF_BENCH_NOTES][400];
    int notes;
};

/* Answers --bench. */
int gf_bench_run(const struct gf_request *r, struct gf_error *err) GF_MUST_CHECK;

/* ---- bench_topics.c ---- */

/* What it takes; ended by NULL. */
const char *const *gf_bench_topics(void);
/* What a stage works with, with its defaults, told on standard error: the first operation; NULL where there is no such stage. */
int gf_bench_topic_of_stage(const char *name, bool quiet, const struct gf_bench_case **found, struct gf_error *err) GF_MUST_CHECK;
/* Refuses a word that names nothing. */
int gf_bench_topic_unknown(const char *name, struct gf_error *err) GF_MUST_CHECK;

/* ---- what has been found ---- */

/* Puts a time into the table: of so many bytes moved, beside a copy of so many a second. */
void gf_bench_results_put(struct gf_bench *b, int way, int size, double seconds, double moved, double copy_rate);
/* A way more; its number. */
int gf_bench_results_add(struct gf_bench *b, const char *name);
/* Which way and size come next, for whoever waits. */
void gf_bench_results_announce(struct gf_bench *b, int way, int size);
/* Whether a call took so long that more samples are not to be tried, which becomes a note. */
bool gf_bench_results_is_slow(struct gf_bench *b, int way, int size);
/* Seconds of a call that is timed only once. */
#define GF_BENCH_ONCE 1.0
void gf_bench_results_note(struct gf_bench *b, const char *format, ...) GF_PRINTF(2, 3);

/* Sorts them. */
double gf_bench_results_median(double *seconds, int count);
/* The median of several runs, one after another, on a device that has a clock. */
int gf_bench_gpu_time(struct gf_device *d, gf_device_call *call, void *argument, double *seconds, struct gf_error *err) GF_MUST_CHECK;

/* ---- bench_gpu.c ---- */

/* Memory for a case of any size up to the largest, filled with noise. */
struct gf_bench_gpu_memory {
    void *src, *dst, *carry, *state;
};

/* A call that can be made: what gf_device_call wants as its argument. */
struct gf_bench_gpu_call {
    struct gf_device *device;
    const struct gf_bench_call *made;
    struct gf_work work;
    struct gf_io io;
    union { struct gf_scan scan; } own;  /* parameters that name memory */
    const void *params;
};

gf_device_call gf_bench_gpu_run;
int gf_bench_gpu_memory_open(struct gf_device *d, const struct gf_bench_case *c, const struct gf_bench_call *m, size_t dst_least,
                             struct gf_bench_gpu_memory *memory, struct gf_error *err) GF_MUST_CHECK;
void gf_bench_gpu_memory_close(struct gf_device *d, struct gf_bench_gpu_memory *memory);
/* Sets the pools and binds everything. */
int gf_bench_gpu_bind(struct gf_device *d, const struct gf_bench_call *m, const struct gf_bench_gpu_memory *memory, struct gf_bench_gpu_call *ready,
                      struct gf_error *err) GF_MUST_CHECK;
/* All sizes of a case, beside copies: rows "copy" (where `copy` is not -1) and `own`. */
int gf_bench_gpu_measure(struct gf_bench *b, const struct gf_bench_case *c, int copy, int own, struct gf_error *err) GF_MUST_CHECK;
/* The sides of a square of one of the sizes. */
void gf_bench_square(int64_t samples, int64_t *width, int64_t *rows);

/* ---- bench_occupancy.c ---- */

/* Prints the kernels of a GPU, for --devices -v. */
int gf_bench_occupancy_print(int index, struct gf_error *err) GF_MUST_CHECK;

/* ---- bench_cpu.c ---- */

/* All sizes of a case on so many threads, each with a share of its own. */
int gf_bench_cpu_measure(struct gf_bench *b, const struct gf_bench_case *c, int threads, int copy, int own, struct gf_error *err) GF_MUST_CHECK;

/* ---- bench_lessons.c ---- */

/* The lesson of that name; NULL where there is none. */
const struct gf_lesson *gf_bench_lesson_find(const char *name);
/* The steps of a lesson at all sizes, each checked first; c is NULL where there is no operation beside it. */
int gf_bench_lesson_measure(struct gf_bench *b, const struct gf_lesson *lesson, const struct gf_bench_case *c,
                            struct gf_error *err) GF_MUST_CHECK;
/* What of it is true here, as notes; `own` is the way that is gpufilter's. */
void gf_bench_promises(struct gf_bench *b, const struct gf_lesson *lesson, int first, int own);

#endif
