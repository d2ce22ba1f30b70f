/*
 * Reserves the space of a large output file in advance. The kernel lets one thread at a time write to
 * a file, and a file in memory (tmpfs) needs a new page for every 4 KB, so such a file is filled at
 * 3 GB/s by any number of threads. Here, one thread allocates the pages ahead of the data, usually
 * while a GPU starts or the first segments are computed. The others copy into mapped pages at once.
 * That takes more time of processors than write(), so it needs several of them. On disks only the
 * space is reserved, because writing to their mapped pages is slower.
 */
#define _GNU_SOURCE
#include "io/output_reserve.h"

#include "base/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/vfs.h>

#define LEAST_BYTES (INT64_C(8) << 20)       /* smaller files are written before a thread has started */
#define STEP_BYTES (INT64_C(16) << 20)       /* space that is allocated by one call, in 1 to 4 ms */
#define LEAST_CORES 4                        /* with fewer, write() is faster to files in memory */

struct gf_output_reserve {
    int fd;
    int64_t bytes;
    char *map;                   /* NULL: only the space is reserved */
    pthread_t thread;
    pthread_mutex_t lock;        /* protects the members below */
    pthread_cond_t moved;
    int64_t ahead;               /* most bytes from the end of the data to the end of the space */
    int64_t data;                /* end of the data */
    int64_t ready;               /* bytes from the start that have space */
    bool ended;                  /* the thread allocates no more */
    bool stop;                   /* the thread should end */
};

/* Returns the bytes to allocate next, once the data has come near enough; 0: none. */
static int64_t next_step(struct gf_output_reserve *r)
{
    int64_t step;

    pthread_mutex_lock(&r->lock);
    while (!r->stop && r->ready < r->bytes && r->ready - r->data >= r->ahead)
        pthread_cond_wait(&r->moved, &r->lock);
    step = r->bytes - r->ready < STEP_BYTES ? r->bytes - r->ready : STEP_BYTES;
    step = r->stop ? 0 : step;
    pthread_mutex_unlock(&r->lock);
    return step;
}

/* Tells waiting threads how far the space reaches. */
static void move_on(struct gf_output_reserve *r, int64_t step, bool ended)
{
    pthread_mutex_lock(&r->lock);
    r->ready += step;
    r->ended = ended;
    pthread_cond_broadcast(&r->moved);
    pthread_mutex_unlock(&r->lock);
}

static void *allocate_space(void *argument)
{
    struct gf_output_reserve *r = argument;
    int result = 0;

    for (int64_t step = next_step(r); step > 0 && result == 0; step = result == 0 ? next_step(r) : 0) {
        do
            result = fallocate(r->fd, 0, (off_t)r->ready, (off_t)step);
        while (result != 0 && errno == EINTR);
        move_on(r, result == 0 ? step : 0, result != 0);
    }
    move_on(r, 0, true);
    return NULL;
}

static bool is_in_memory(int fd)
{
    struct statfs fs;

    return fstatfs(fd, &fs) == 0 && fs.f_type == TMPFS_MAGIC;
}

static int count_cores(void)
{
    cpu_set_t set;

    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

/* Maps a file in memory, unless the address space is limited. */
static char *map_file(int fd, int64_t bytes)
{
    struct rlimit space;
    void *map = MAP_FAILED;

    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur == RLIM_INFINITY)
        map = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return map != MAP_FAILED ? map : NULL;
}

static void free_reserve(struct gf_output_reserve *r)
{
    if (r->map != NULL)
        munmap(r->map, (size_t)r->bytes);
    pthread_mutex_destroy(&r->lock);
    pthread_cond_destroy(&r->moved);
    free(r);
}

struct gf_output_reserve *gf_output_reserve_open(int fd, int64_t bytes, int64_t ahead)
{
    const bool in_memory = bytes >= LEAST_BYTES && is_in_memory(fd);
    const bool pays = bytes >= LEAST_BYTES && (!in_memory || count_cores() >= LEAST_CORES);
    struct gf_output_reserve *r = pays ? calloc(1, sizeof *r) : NULL;

    if (r == NULL)
        return NULL;
    r->fd = fd;
    r->bytes = bytes;
    r->ahead = ahead;
    r->map = in_memory ? map_file(fd, bytes) : NULL;
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->moved, NULL);
    if (gf_thread_start(&r->thread, allocate_space, r) == 0)
        return r;
    free_reserve(r);
    return NULL;
}

/* Notes where data ends, and waits until its pages exist. Returns false if they never will. */
static bool wait_for(struct gf_output_reserve *r, int64_t end)
{
    bool there;

    pthread_mutex_lock(&r->lock);
    r->data = end > r->data ? end : r->data;
    pthread_cond_broadcast(&r->moved);
    while (r->map != NULL && r->ready < end && !r->ended)
        pthread_cond_wait(&r->moved, &r->lock);
    there = r->ready >= end;
    pthread_mutex_unlock(&r->lock);
    return there;
}

bool gf_output_reserve_copy(struct gf_output_reserve *r, int64_t offset, const void *bytes, size_t size)
{
    if (r == NULL || offset < 0 || (int64_t)size > r->bytes - offset || !wait_for(r, offset + (int64_t)size)
        || r->map == NULL)
        return false;
    memcpy(r->map + offset, bytes, size);
    return true;
}

void gf_output_reserve_close(struct gf_output_reserve *r)
{
    if (r == NULL)
        return;
    pthread_mutex_lock(&r->lock);
    r->stop = true;
    pthread_cond_broadcast(&r->moved);
    pthread_mutex_unlock(&r->lock);
    pthread_join(r->thread, NULL);
    free_reserve(r);
}
