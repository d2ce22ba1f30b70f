/* Runs the tasks of a source: each worker takes one, runs it alone, and delivers it in its turn. */
#include "run/pool.h"

#include "base/memory_share.h"
#include "base/threads.h"

#include <stdlib.h>

int64_t gf_pool_divide(struct gf_run_context *context, struct gf_limits *limits, int workers)
{
    const int64_t share = gf_memory_for_worker(gf_run_context_host_bytes(context, limits), 1, workers);

    limits->threads = limits->lanes = 1;
    limits->memory_bytes = share;
    context->workers = workers;
    if (context->gpu_asked)
        context->cuda.memory_bytes = gf_memory_for_worker(context->cuda.memory_bytes, 1, workers);
    return share;
}

/* Takes the next task; *index is its number. */
static int take_in_turn(struct gf_pool *p, struct gf_worker *w, void *own, int64_t *index, struct gf_error *err)
{
    int result = 0;

    pthread_mutex_lock(&p->lock);
    if (!p->ended)
        result = p->tasks->take(p->source, w, own, err);
    *index = p->taken;
    if (result == 1)
        p->taken++;
    else
        p->ended = true;
    if (result < 0) {
        p->take_failed = true;
        p->take_error = *err;
    }
    pthread_mutex_unlock(&p->lock);
    return result;
}

static int run_task(struct gf_pool *p, struct gf_worker *w, void *own, int64_t index, struct gf_error *err)
{
    if (p->tasks->run(p->source, w, own, err) != 0)
        return -1;
    if (p->tasks->deliver == NULL || !gf_order_wait(&p->order, index))
        return 0;                                /* the pool has ended */
    if (p->tasks->deliver(p->source, w, own, err) != 0)
        return -1;
    gf_order_pass(&p->order);
    return 0;
}

/* If a worker cannot be created for lack of memory, or its thread does not start, the others do its work. */
static struct gf_worker *make_worker(struct gf_pool *p, int number, void **own)
{
    struct gf_error err;
    struct gf_worker *w = gf_worker_new(p->context, p->limits, p->divided ? number : -1, &err);

    *own = w != NULL ? calloc(1, p->tasks->own_bytes + 1) : NULL;
    if (w != NULL && *own == NULL) {
        gf_fail_memory(&err, NULL);
        gf_worker_free(w);
        w = NULL;
    }
    pthread_mutex_lock(&p->lock);
    if (w != NULL)
        p->made++;
    else if (p->made == 0)
        p->error = err;
    pthread_mutex_unlock(&p->lock);
    return w;
}

static void free_worker(const struct gf_pool *p, struct gf_worker *w, void *own)
{
    if (p->tasks->close != NULL)
        p->tasks->close(w, own);
    gf_worker_free(w);
    free(own);
}

static void work(void *argument, int number)
{
    struct gf_pool *p = argument;
    struct gf_error err = { 0 };
    void *own;
    struct gf_worker *w = make_worker(p, number, &own);
    int64_t index;

    while (w != NULL && !gf_order_failed(&p->order) && take_in_turn(p, w, own, &index, &err) == 1)
        if (run_task(p, w, own, index, &err) != 0) {
            if (gf_order_fail(&p->order))
                p->error = err;
            break;
        }
    if (w != NULL && p->left != NULL && gf_worker_has_gpu(w))
        p->left[number] = (struct gf_pool_left) { w, own };
    else if (w != NULL)
        free_worker(p, w, own);
}

int gf_pool_run(struct gf_pool *p, struct gf_error *err)
{
    int result = 0;

    pthread_mutex_init(&p->lock, NULL);
    gf_order_open(&p->order);
    if (p->leaves_gpus)
        p->left = calloc((size_t)p->workers, sizeof *p->left);
    gf_threads_run(p->workers, work, p);
    if (p->made == 0 || gf_order_failed(&p->order) || p->take_failed) {
        *err = p->made == 0 || gf_order_failed(&p->order) ? p->error : p->take_error;
        result = -1;
    }
    gf_order_close(&p->order);
    pthread_mutex_destroy(&p->lock);
    return result;
}

void gf_pool_close(struct gf_pool *p, bool process_ends)
{
    for (int i = 0; p->left != NULL && !process_ends && i < p->workers; i++)
        if (p->left[i].worker != NULL)
            free_worker(p, p->left[i].worker, p->left[i].own);
    free(p->left);
    p->left = NULL;
}
