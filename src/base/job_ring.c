/* Jobs that threads do at the same time, and whose results are taken in the order of submission. */
#include "base/job_ring.h"

#include "base/thread.h"

#include <stdlib.h>
#include <string.h>

static void *run_thread(void *argument)
{
    struct gf_job_ring *r = argument;

    pthread_mutex_lock(&r->lock);
    while (!r->stop) {
        const int slot = (int)(r->working % r->slots);

        if (r->working == r->filling) {
            pthread_cond_wait(&r->submitted, &r->lock);
            continue;
        }
        r->working++;
        pthread_mutex_unlock(&r->lock);
        r->work(r->argument, slot);
        pthread_mutex_lock(&r->lock);
        r->finished[slot] = true;
        pthread_cond_broadcast(&r->done);
    }
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

int gf_job_ring_open(struct gf_job_ring *r, int threads, int slots, void (*work)(void *argument, int slot),
                     void *argument)
{
    memset(r, 0, sizeof *r);
    r->slots = slots;
    r->work = work;
    r->argument = argument;
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->submitted, NULL);
    pthread_cond_init(&r->done, NULL);
    r->finished = calloc((size_t)slots, sizeof *r->finished);
    if (r->finished == NULL)
        return -1;
    while (r->threads < threads && r->threads < GF_JOB_RING_THREADS
           && gf_thread_start(&r->thread[r->threads], run_thread, r) == 0)
        r->threads++;
    return 0;
}

int gf_job_ring_next(const struct gf_job_ring *r)
{
    return r->filling - r->taking < r->slots ? (int)(r->filling % r->slots) : -1;
}

void gf_job_ring_submit(struct gf_job_ring *r)
{
    const int slot = (int)(r->filling % r->slots);

    if (r->threads == 0)
        r->work(r->argument, slot);
    pthread_mutex_lock(&r->lock);
    r->finished[slot] = r->threads == 0;
    r->filling++;
    pthread_cond_signal(&r->submitted);
    pthread_mutex_unlock(&r->lock);
}

int gf_job_ring_oldest(struct gf_job_ring *r)
{
    const int slot = (int)(r->taking % r->slots);

    if (r->taking == r->filling)
        return -1;
    pthread_mutex_lock(&r->lock);
    while (!r->finished[slot])
        pthread_cond_wait(&r->done, &r->lock);
    pthread_mutex_unlock(&r->lock);
    return slot;
}

void gf_job_ring_release(struct gf_job_ring *r)
{
    r->taking++;
}

void gf_job_ring_close(struct gf_job_ring *r)
{
    if (r->slots == 0)
        return;
    pthread_mutex_lock(&r->lock);
    r->stop = true;
    pthread_cond_broadcast(&r->submitted);
    pthread_mutex_unlock(&r->lock);
    for (int i = 0; i < r->threads; i++)
        pthread_join(r->thread[i], NULL);
    free(r->finished);
    pthread_cond_destroy(&r->submitted);
    pthread_cond_destroy(&r->done);
    pthread_mutex_destroy(&r->lock);
    r->slots = 0;
}
