/* Jobs that threads do at the same time, and whose results are taken in the order of submission. */
#ifndef GF_BASE_JOB_RING_H
#define GF_BASE_JOB_RING_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define GF_JOB_RING_THREADS 64

/* The caller has an array of jobs, one for each slot. One thread submits jobs and takes results. */
struct gf_job_ring {
    int slots, threads;
    int64_t filling, working, taking;        /* numbers of jobs; a slot is the remainder by `slots` */
    bool *finished;                          /* for each slot, until its next job is submitted */
    void (*work)(void *argument, int slot);
    void *argument;
    bool stop;
    pthread_mutex_t lock;                    /* protects `finished`, `working`, `filling` and `stop` */
    pthread_cond_t submitted, done;
    pthread_t thread[GF_JOB_RING_THREADS];
};

/*
 * Starts up to `threads` threads. If the system cannot create one, there are fewer; without any, the caller's thread
 * does the work. Returns -1 if memory ran out; the ring must be closed in any case.
 */
int gf_job_ring_open(struct gf_job_ring *r, int threads, int slots, void (*work)(void *argument, int slot),
                     void *argument);
/* Returns the slot of the next job, to be filled and submitted; -1 if results must be taken first. */
int gf_job_ring_next(const struct gf_job_ring *r);
void gf_job_ring_submit(struct gf_job_ring *r);
/* Waits for the oldest job, and returns its slot, to be released; -1 if there is no job. */
int gf_job_ring_oldest(struct gf_job_ring *r);
void gf_job_ring_release(struct gf_job_ring *r);
/* Stops the threads after their current jobs. */
void gf_job_ring_close(struct gf_job_ring *r);

#endif
