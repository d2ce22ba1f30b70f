/* Runs the same function on several threads. */
#include "base/threads.h"

#include "base/clock.h"
#include "base/thread.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Waking a thread takes about this long, and longer on a virtual machine. A thread spins this long before it sleeps. */
#define SPIN_SECONDS 50e-6
#define SPINS 32                         /* looks before the clock is read */

struct member {
    pthread_t thread;
    void (*work)(void *argument, int number);
    void *argument;
    int number;
};

static void *start(void *argument)
{
    struct member *m = argument;

    m->work(m->argument, m->number);
    return NULL;
}

void gf_threads_run(int count, void (*work)(void *argument, int number), void *argument)
{
    struct member *members = calloc((size_t)count, sizeof *members);
    const int own = members == NULL || gf_thread_first_suffices();       /* numbers on the thread of the caller */
    int started = own;

    for (; members != NULL && started < count; started++) {
        members[started] = (struct member) { .work = work, .argument = argument, .number = started };
        if (gf_thread_start(&members[started].thread, start, &members[started]) != 0)
            break;
    }
    if (own > 0 || started == 0)
        work(argument, 0);
    for (int i = own; members != NULL && i < started; i++)
        pthread_join(members[i].thread, NULL);
    free(members);
}

/* ---- teams ---- */

/* A thread begins with this, and frees it. */
struct newcomer {
    struct gf_team *team;
    int number, round;                   /* round: calls that began before the thread did */
};

static void pause_briefly(void)
{
#ifdef __x86_64__
    __builtin_ia32_pause();
#endif
}

/* Waits a short time for a value to become `value`, or to stop being it. */
static void spin(const atomic_int *at, int value, bool becomes)
{
    const double end = gf_clock_seconds() + SPIN_SECONDS;

    do {
        for (int i = 0; i < SPINS; i++) {
            if ((atomic_load(at) == value) == becomes)
                return;
            pause_briefly();
        }
    } while (gf_clock_seconds() < end);
}

/* Waits for the call after `*round`. Returns the work of this member, or NULL if it has none. Sets *ends at the end. */
static void (*next_work(struct gf_team *t, int number, int *round, void **argument, bool *ends))(void *, int)
{
    void (*work)(void *argument, int number);

    spin(&t->round, *round, false);
    pthread_mutex_lock(&t->lock);
    while (atomic_load(&t->round) == *round)
        pthread_cond_wait(&t->begun, &t->lock);
    *round = atomic_load(&t->round);
    work = number <= t->active ? t->work : NULL;
    *argument = t->argument;
    *ends = t->work == NULL;
    pthread_mutex_unlock(&t->lock);
    return work;
}

static void *live(void *start)
{
    const struct newcomer newcomer = *(struct newcomer *)start;
    struct gf_team *t = newcomer.team;
    int round = newcomer.round;
    bool ends = false;

    free(start);
    while (!ends) {
        void *argument;
        void (*work)(void *, int) = next_work(t, newcomer.number, &round, &argument, &ends);

        if (work == NULL)
            continue;
        work(argument, newcomer.number);
        pthread_mutex_lock(&t->lock);
        if (atomic_fetch_sub(&t->running, 1) == 1)
            pthread_cond_signal(&t->ended);
        pthread_mutex_unlock(&t->lock);
    }
    return NULL;
}

/* Adds threads until there are `wanted` besides the caller, or the system refuses. */
static void add_members(struct gf_team *t, int wanted)
{
    pthread_t *thread = t->members < wanted ? realloc(t->thread, (size_t)wanted * sizeof *thread) : NULL;

    if (thread == NULL)
        return;
    t->thread = thread;
    while (t->members < wanted) {
        struct newcomer *newcomer = malloc(sizeof *newcomer);

        if (newcomer == NULL)
            return;
        *newcomer = (struct newcomer) { t, t->members + 1, atomic_load(&t->round) };
        if (gf_thread_start(&t->thread[t->members], live, newcomer) != 0) {
            free(newcomer);
            return;
        }
        t->members++;
    }
}

/* Begins a call for `active` members; without work, it ends all of them. */
static void begin(struct gf_team *t, int active, void (*work)(void *argument, int number), void *argument)
{
    pthread_mutex_lock(&t->lock);
    t->active = active;
    t->work = work;
    t->argument = argument;
    atomic_store(&t->running, active);
    atomic_fetch_add(&t->round, 1);
    pthread_cond_broadcast(&t->begun);
    pthread_mutex_unlock(&t->lock);
}

void gf_team_run(struct gf_team *t, int count, void (*work)(void *argument, int number), void *argument)
{
    if (count < 2) {
        work(argument, 0);
        return;
    }
    if (!t->open) {
        pthread_mutex_init(&t->lock, NULL);
        pthread_cond_init(&t->begun, NULL);
        pthread_cond_init(&t->ended, NULL);
        t->open = true;
    }
    add_members(t, count - 1);
    begin(t, t->members < count - 1 ? t->members : count - 1, work, argument);
    work(argument, 0);
    spin(&t->running, 0, true);
    pthread_mutex_lock(&t->lock);
    while (atomic_load(&t->running) > 0)
        pthread_cond_wait(&t->ended, &t->lock);
    pthread_mutex_unlock(&t->lock);
}

void gf_team_close(struct gf_team *t)
{
    if (!t->open)
        return;
    begin(t, 0, NULL, NULL);
    for (int i = 0; i < t->members; i++)
        pthread_join(t->thread[i], NULL);
    free(t->thread);
    pthread_cond_destroy(&t->ended);
    pthread_cond_destroy(&t->begun);
    pthread_mutex_destroy(&t->lock);
    memset(t, 0, sizeof *t);
}
