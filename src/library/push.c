/* Runs of a job whose caller pushes units and pulls results: a thread between two rings. */
#include "library/push.h"

#include "base/thread.h"

#include <stdlib.h>
#include <string.h>

#define RING_BYTES (1 << 20)
#define LEAST_UNITS 64

/* Units that one thread puts in and another one takes. */
struct ring {
    char *data;
    size_t bytes;                        /* of a unit */
    int64_t room, at, count;             /* units: of the ring, the first one, and how many there are */
};

struct gf_push {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct ring in, out;
    bool hungry;                         /* the run waits for input */
    bool finished, cancelled, ended;
    struct gpufilter_job *job;
    int (*run)(struct gpufilter_job *job, struct gf_array_calls *calls, struct gf_error *err);
    int result;
    struct gf_error error;
};

static bool open_ring(struct ring *r, size_t bytes)
{
    const int64_t room = (int64_t)(RING_BYTES / bytes);

    *r = (struct ring) { .bytes = bytes, .room = room > LEAST_UNITS ? room : LEAST_UNITS };
    r->data = malloc((size_t)r->room * bytes);
    return r->data != NULL;
}

/* Moves up to `count` units into the ring, or with `out` from it. Returns their number. */
static int64_t move(struct ring *r, char *units, int64_t count, bool out)
{
    const int64_t most = out ? r->count : r->room - r->count, n = count < most ? count : most;

    for (int64_t done = 0, piece; done < n; done += piece) {
        const int64_t place = (r->at + (out ? done : r->count + done)) % r->room;
        char *const here = r->data + (size_t)place * r->bytes, *const there = units + (size_t)done * r->bytes;

        piece = n - done < r->room - place ? n - done : r->room - place;
        memcpy(out ? there : here, out ? here : there, (size_t)piece * r->bytes);
    }
    r->at = out ? (r->at + n) % r->room : r->at;
    r->count += out ? -n : n;
    return n;
}

/* ---- the side of the run ---- */

static int64_t read_units(void *context, void *units, int64_t count)
{
    struct gf_push *p = context;
    int64_t n;

    pthread_mutex_lock(&p->lock);
    while (p->in.count == 0 && !p->finished && !p->cancelled) {
        p->hungry = true;
        pthread_cond_broadcast(&p->changed);
        pthread_cond_wait(&p->changed, &p->lock);
    }
    p->hungry = false;
    n = p->cancelled ? -1 : move(&p->in, units, count, true);
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
    return n;
}

static int write_units(void *context, const void *units, int64_t count)
{
    struct gf_push *p = context;
    bool cancelled;

    pthread_mutex_lock(&p->lock);
    for (int64_t done = 0; done < count && !p->cancelled; ) {
        done += move(&p->out, (char *)(uintptr_t)units + (size_t)done * p->out.bytes, count - done, false);
        pthread_cond_broadcast(&p->changed);
        if (done < count && !p->cancelled)
            pthread_cond_wait(&p->changed, &p->lock);
    }
    cancelled = p->cancelled;
    pthread_mutex_unlock(&p->lock);
    return cancelled ? -1 : 0;
}

static void *work(void *context)
{
    struct gf_push *p = context;
    struct gf_array_calls calls = { read_units, write_units, p };
    struct gf_error err = { 0 };
    const int result = p->run(p->job, &calls, &err);

    pthread_mutex_lock(&p->lock);
    p->result = result;
    p->error = err;
    p->ended = true;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* ---- the side of the caller ---- */

static void free_push(struct gf_push *p)
{
    free(p->in.data);
    free(p->out.data);
    pthread_cond_destroy(&p->changed);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

struct gf_push *gf_push_start(struct gpufilter_job *job, size_t in_bytes, size_t out_bytes,
                              int (*run)(struct gpufilter_job *job, struct gf_array_calls *calls, struct gf_error *err),
                              struct gf_error *err)
{
    struct gf_push *p = calloc(1, sizeof *p);

    if (p == NULL) {
        gf_fail_memory(err, NULL);
        return NULL;
    }
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->changed, NULL);
    p->job = job;
    p->run = run;
    if (open_ring(&p->in, in_bytes) && open_ring(&p->out, out_bytes) && gf_thread_start(&p->thread, work, p) == 0)
        return p;
    gf_fail_memory(err, NULL);
    free_push(p);
    return NULL;
}

/* Returns -1 with the error of the run if that has failed. Call it with the lock held. */
static int check(const struct gf_push *p, struct gf_error *err)
{
    if (!p->ended || p->result == 0)
        return 0;
    *err = p->error;
    return -1;
}

int64_t gf_push_put(struct gf_push *p, const void *units, int64_t count, struct gf_error *err)
{
    int64_t n = 0;

    pthread_mutex_lock(&p->lock);
    while (count > 0 && p->in.count == p->in.room && p->out.count == 0 && !p->ended)
        pthread_cond_wait(&p->changed, &p->lock);
    if (check(p, err) != 0)
        n = -1;
    else if (p->finished || p->ended)
        n = gf_fail(err, GF_MISUSED, "push: the input has ended");
    else
        n = move(&p->in, (char *)(uintptr_t)units, count, false);
    p->hungry = p->hungry && n <= 0;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
    return n;
}

int64_t gf_push_get(struct gf_push *p, void *units, int64_t count, struct gf_error *err)
{
    int64_t n;

    pthread_mutex_lock(&p->lock);
    while (count > 0 && p->out.count == 0 && !p->hungry && !p->ended)
        pthread_cond_wait(&p->changed, &p->lock);
    n = check(p, err) != 0 ? -1 : move(&p->out, units, count, true);
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
    return n;
}

void gf_push_finish(struct gf_push *p)
{
    pthread_mutex_lock(&p->lock);
    p->finished = true;
    p->hungry = false;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

bool gf_push_failed(struct gf_push *p)
{
    bool failed;

    pthread_mutex_lock(&p->lock);
    failed = p->ended && p->result != 0;
    pthread_mutex_unlock(&p->lock);
    return failed;
}

bool gf_push_ended(struct gf_push *p)
{
    bool ended;

    pthread_mutex_lock(&p->lock);
    ended = p->ended && (p->result != 0 || (p->finished && p->out.count == 0));     /* trim ends before the input */
    pthread_mutex_unlock(&p->lock);
    return ended;
}

void gf_push_cancel(struct gf_push *p)
{
    if (p == NULL)
        return;
    pthread_mutex_lock(&p->lock);
    p->cancelled = true;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
    pthread_join(p->thread, NULL);
    free_push(p);
}
