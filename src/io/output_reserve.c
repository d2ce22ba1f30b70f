/*
 * Reserves the space of a large output file in advance. The kernel lets one thread at a time write to
 * a file, and a file in memory (tmpfs) needs a new page for every 4 KB, so such a file is filled at
 * 3 GB/s by any number of threads. Here, one thread allocates the pages ahead of the data, usually
 * while a GPU starts or the first segments are computed. The others copy into mapped pages at once.
 * On disks only the space is reserved, because writing to their mapped pages is slower.
 */
#define _GNU_SOURCE
#include "io/output_reserve.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/vfs.h>

#define LEAST_BYTES (INT64_C(8) << 20)       /* smaller files are written before a thread has started */
#define STEP_BYTES (INT64_C(16) << 20)       /* pages that are allocated by one call, in 1 to 4 ms */

struct gf_output_reserve {
    int fd;
    int64_t bytes;
    char *map;                   /* NULL: only the space is reserved */
    pthread_t thread;
    pthread_mutex_t lock;        /* protects the members below */
    pthread_cond_t moved;
    int64_t ready;               /* bytes from the start that have pages */
    bool ended;                  /* the thread allocates no more */
    bool stop;                   /* the thread should end */
};

/* Tells waiting threads how far the pages reach. Returns true if the thread should go on. */
static bool move_on(struct gf_output_reserve *r, int64_t ready, bool ended)
{
    bool go;

    pthread_mutex_lock(&r->lock);
    r->ready = ready;
    r->ended = ended;
    go = !r->stop && !ended;
    pthread_cond_broadcast(&r->moved);
    pthread_mutex_unlock(&r->lock);
    return go;
}

static void *allocate_pages(void *argument)
{
    struct gf_output_reserve *r = argument;
    int64_t at = 0;

    for (bool go = true; go;) {
        const int64_t step = r->bytes - at < STEP_BYTES ? r->bytes - at : STEP_BYTES;
        const bool done = fallocate(r->fd, 0, (off_t)at, (off_t)step) == 0;

        at += done ? step : 0;
        go = move_on(r, at, !done || at == r->bytes);
    }
    move_on(r, at, true);
    return NULL;
}

/* Starts to allocate the pages of a file in memory. */
static struct gf_output_reserve *open_map(int fd, int64_t bytes)
{
    struct gf_output_reserve *r = calloc(1, sizeof *r);
    void *map = r != NULL ? mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;

    if (map == MAP_FAILED) {
        free(r);
        return NULL;
    }
    r->fd = fd;
    r->bytes = bytes;
    r->map = map;
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->moved, NULL);
    if (pthread_create(&r->thread, NULL, allocate_pages, r) == 0)
        return r;
    munmap(map, (size_t)bytes);
    pthread_mutex_destroy(&r->lock);
    pthread_cond_destroy(&r->moved);
    free(r);
    return NULL;
}

struct gf_output_reserve *gf_output_reserve_open(int fd, int64_t bytes)
{
    struct gf_output_reserve *r;
    struct statfs fs;

    if (bytes < LEAST_BYTES || fstatfs(fd, &fs) != 0)
        return NULL;
    if (fs.f_type == TMPFS_MAGIC)
        return open_map(fd, bytes);
    r = fallocate(fd, 0, 0, (off_t)bytes) == 0 ? calloc(1, sizeof *r) : NULL;
    return r;
}

/* Waits until the pages up to `end` exist. Returns false if they never will. */
static bool wait_for(struct gf_output_reserve *r, int64_t end)
{
    bool there;

    pthread_mutex_lock(&r->lock);
    while (r->ready < end && !r->ended)
        pthread_cond_wait(&r->moved, &r->lock);
    there = r->ready >= end;
    pthread_mutex_unlock(&r->lock);
    return there;
}

bool gf_output_reserve_copy(struct gf_output_reserve *r, int64_t offset, const void *bytes, size_t size)
{
    if (r == NULL || r->map == NULL || offset < 0 || (int64_t)size > r->bytes - offset
        || !wait_for(r, offset + (int64_t)size))
        return false;
    memcpy(r->map + offset, bytes, size);
    return true;
}

void gf_output_reserve_close(struct gf_output_reserve *r)
{
    if (r == NULL)
        return;
    if (r->map != NULL) {
        pthread_mutex_lock(&r->lock);
        r->stop = true;
        pthread_mutex_unlock(&r->lock);
        pthread_join(r->thread, NULL);
        munmap(r->map, (size_t)r->bytes);
        pthread_mutex_destroy(&r->lock);
        pthread_cond_destroy(&r->moved);
    }
    free(r);
}
