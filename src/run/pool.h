/* A pool: workers that take tasks from one source at the same time, and share memory and devices. */
#ifndef GF_RUN_POOL_H
#define GF_RUN_POOL_H

#include "base/order.h"
#include "run/worker.h"

/*
 * A source of tasks, and what a worker does with each. `own` is memory of the worker, zeroed at first.
 * A failure of run() or deliver() ends the pool.
 */
struct gf_pool_tasks {
    size_t own_bytes;
    /*
     * Takes the next task. Workers call it one at a time. Returns 1; 0 if there is none; -1 if it fails, and
     * then the tasks that were taken before still end.
     */
    int (*take)(void *source, struct gf_worker *w, void *own, struct gf_error *err);
    int (*run)(void *source, struct gf_worker *w, void *own, struct gf_error *err);
    /* After run(), one worker at a time, in the order in which tasks were taken. NULL: the order does not matter. */
    int (*deliver)(void *source, struct gf_worker *w, void *own, struct gf_error *err);
    /* Releases what `own` refers to, before the worker is freed. NULL: nothing. */
    void (*close)(struct gf_worker *w, void *own);
};

struct gf_pool {
    const struct gf_pool_tasks *tasks;
    void *source;
    struct gf_run_context *context;
    const struct gf_limits *limits;          /* of each worker */
    int workers;
    bool divided;                            /* workers have numbers: each takes one of several GPUs */
    /*
     * Workers that have opened a GPU stay open, because the driver frees their memory faster when the process
     * ends. gf_pool_close() frees them if the process goes on.
     */
    bool leaves_gpus;
    struct gf_pool_left {
        struct gf_worker *worker;
        void *own;
    } *left;
    int made;                                /* workers that could be created; if there are none, `error` says why */
    struct gf_error error, take_error;       /* of the failure that ended it; of take() */
    bool take_failed;
    pthread_mutex_t lock;                    /* held while a task is taken */
    int64_t taken;
    bool ended;                              /* the source has no further task */
    struct gf_order order;
};

/* Divides memory, and the memory of a GPU, among workers with a thread each; returns the host memory of one. */
int64_t gf_pool_divide(struct gf_run_context *context, struct gf_limits *limits, int workers);
/*
 * Runs all tasks. The members up to `leaves_gpus` are set, the others are zero. Returns -1 if it was ended, or take()
 * failed.
 */
int gf_pool_run(struct gf_pool *pool, struct gf_error *err) GF_MUST_CHECK;
/* Frees the workers that were left open, or forgets them if the process ends. */
void gf_pool_close(struct gf_pool *pool, bool process_ends);

#endif
