/* Runs the same function on several threads. */
#ifndef GF_BASE_THREADS_H
#define GF_BASE_THREADS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/*
 * Runs work(argument, 0 … count - 1) at the same time, number 0 on the thread of the caller, unless
 * that may have a smaller stack than others. If the system cannot create a thread, the remaining
 * numbers are not run.
 */
void gf_threads_run(int count, void (*work)(void *argument, int number), void *argument);

/* Threads that stay for the next call, which then needs not create them. Initialize it with zeros. */
struct gf_team {
    bool open;
    int members;                         /* threads besides those of callers */
    pthread_t *thread;                   /* of each member */
    pthread_mutex_t lock;                /* held to write all of the following */
    pthread_cond_t begun, ended;
    atomic_int round;                    /* calls so far; the end counts as one, too */
    atomic_int running;                  /* members that have not finished the current call */
    int active;                          /* members that take part in it */
    void (*work)(void *argument, int number);
    void *argument;
};

/* Does what gf_threads_run() does, in threads of the team. One thread uses a team at a time. */
void gf_team_run(struct gf_team *team, int count, void (*work)(void *argument, int number), void *argument);
/* Ends the threads. */
void gf_team_close(struct gf_team *team);

#endif
