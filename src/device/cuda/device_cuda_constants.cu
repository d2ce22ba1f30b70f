/* The places of masks in the constant memory of GPUs, which all chains of the process share. */
#include "device/cuda/device_cuda.cuh"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/*
 * Chains with the same masks have one place. A place without users stays until others need the room, as modules have
 * copies of its masks. Modules copy them when they first need them; a version says which ones.
 */
struct place {
    float *masks;                        /* NULL: the place is free */
    int64_t at, count, version;
    int users;
};

static struct place places[GF_CONSTANT_GPUS][GF_CONSTANT_PLACES];
static int64_t last_version;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool holds(const struct place *p, const float *masks, int64_t count)
{
    return p->masks != NULL && p->count == count && memcmp(p->masks, masks, (size_t)count * sizeof *masks) == 0;
}

static void clear(struct place *p)
{
    free(p->masks);
    memset(p, 0, sizeof *p);
}

/* Returns the end of the first place that overlaps floats [at, at + count), or -1. */
static int64_t end_of_overlap(const struct place *all, int64_t at, int64_t count)
{
    for (int i = 0; i < GF_CONSTANT_PLACES; i++)
        if (all[i].masks != NULL && all[i].at < at + count && at < all[i].at + all[i].count)
            return all[i].at + all[i].count;
    return -1;
}

/* Finds room for so many floats; -1: there is none. */
static int64_t find_room(const struct place *all, int64_t count)
{
    int64_t at = 0, next;

    while ((next = end_of_overlap(all, at, count)) >= 0)
        at = next;
    return at + count <= GF_CONSTANT_MASKS ? at : -1;
}

/* Returns a free place, or NULL. */
static struct place *take(struct place *all, int64_t count)
{
    const int64_t at = find_room(all, count);

    for (int i = 0; at >= 0 && i < GF_CONSTANT_PLACES; i++)
        if (all[i].masks == NULL) {
            all[i].at = at;
            all[i].count = count;
            return &all[i];
        }
    return NULL;
}

/* Returns a place for the masks: one that has them, or a free one, for which places without users may have to go. */
static struct place *place_for(struct place *all, const float *masks, int64_t count)
{
    struct place *p;

    for (int i = 0; i < GF_CONSTANT_PLACES; i++)
        if (holds(&all[i], masks, count))
            return &all[i];
    p = take(all, count);
    for (int i = 0; p == NULL && i < GF_CONSTANT_PLACES; i++)
        if (all[i].masks != NULL && all[i].users == 0) {
            clear(&all[i]);
            p = take(all, count);
        }
    if (p == NULL)
        return NULL;
    p->masks = (float *)malloc((size_t)count * sizeof *masks);
    if (p->masks == NULL) {
        clear(p);
        return NULL;
    }
    memcpy(p->masks, masks, (size_t)count * sizeof *masks);
    p->version = ++last_version;
    return p;
}

void gf_cuda_constants_join(struct gf_device *d, const float *masks, int64_t count)
{
    const int64_t first = count < GF_CONSTANT_MASKS ? count : GF_CONSTANT_MASKS;
    struct gf_constant *c = &gf_cuda_state_of(d)->constant;
    struct place *all, *p;

    if (count == 0 || d->index >= GF_CONSTANT_GPUS)
        return;
    all = places[d->index];
    pthread_mutex_lock(&lock);
    p = place_for(all, masks, first);
    if (p != NULL) {
        p->users++;
        c->version = p->version;
        c->at = p->at;
        c->count = p->count;
        c->number = (int)(p - all);
    }
    pthread_mutex_unlock(&lock);
}

/* The work that reads the masks must have ended. */
void gf_cuda_constants_leave(struct gf_device *d)
{
    struct gf_constant *c = &gf_cuda_state_of(d)->constant;

    pthread_mutex_lock(&lock);
    if (c->version != 0)
        places[d->index][c->number].users--;
    c->version = 0;
    pthread_mutex_unlock(&lock);
}
