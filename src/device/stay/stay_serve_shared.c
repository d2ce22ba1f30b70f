/*
 * The threads of the process that stays, and the memory that runs lease: files in memory of a fixed size, mapped and
 * pinned once. What one run returns, another one of the same user gets.
 */
#define _GNU_SOURCE
#include "device/stay/stay_serve.h"

#include "base/clock.h"
#include "base/thread.h"
#include "device/stay/stay_place.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8u
#endif
#define PAGE_BYTES   4096u
#define MOST_THREADS 8192
#define MOST_FREE    64                  /* rooms for other runs */

/* ---- memory ---- */

/* Adds to a count, unless that would be more than `most`. */
static int count_bytes(struct gf_server *s, int64_t *count, int64_t most, int64_t bytes, struct gf_error *err)
{
    bool fits;

    pthread_mutex_lock(&s->lock);
    fits = bytes <= 0 || bytes <= most - *count;
    *count += fits ? bytes : 0;
    pthread_mutex_unlock(&s->lock);
    return fits ? 0 : gf_fail_memory_bytes(err, (size_t)bytes, "in the process that keeps the device ready");
}

int gf_server_count_host_bytes(struct gf_server *s, int64_t bytes, struct gf_error *err)
{
    return count_bytes(s, &s->host_bytes, s->most_bytes, bytes, err);
}

/* The device of a CPU is the host. A GPU itself refuses more than it has. */
int gf_server_count_device_bytes(struct gf_server *s, int64_t bytes, struct gf_error *err)
{
    return count_bytes(s, &s->device_bytes, s->device.kind->cuda ? INT64_MAX / 2 : s->most_bytes, bytes, err);
}

/* Rounds up, so that the next run, whose segments differ a little, can use it: at most a quarter is not used. */
static size_t usual_bytes(size_t bytes)
{
    size_t grain = PAGE_BYTES;

    while (grain < bytes / 8)
        grain *= 2;
    return (bytes + grain - 1) / grain * grain;
}

static int make_file(size_t bytes)
{
    int descriptor = memfd_create("gpufilter", MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL);

    if (descriptor < 0 && errno == EINVAL)               /* the kernel does not know the last flag */
        descriptor = memfd_create("gpufilter", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor < 0)
        return -1;
    if (ftruncate(descriptor, (off_t)bytes) == 0
        && fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
        return descriptor;
    close(descriptor);
    return -1;
}

/* Frees memory that is in no list. */
static void free_room(struct gf_server *s, struct gf_served_room *r)
{
    if (r == NULL)
        return;
    if (atomic_load(&r->pinned) && s->device.kind->room_unpin != NULL)
        s->device.kind->room_unpin(&s->device, &r->room);
    if (r->room.data != NULL)
        munmap(r->room.data, r->room.bytes);
    if (r->descriptor >= 0)
        close(r->descriptor);
    free(r);
}

static struct gf_served_room *make_room(struct gf_server *s, size_t bytes, struct gf_error *err)
{
    struct gf_served_room *r = calloc(1, sizeof *r);
    void *data;

    if (r == NULL) {
        gf_fail_memory(err, NULL);
        return NULL;
    }
    r->room.bytes = bytes;
    r->descriptor = make_file(bytes);
    data = r->descriptor >= 0 ? mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, r->descriptor, 0) : MAP_FAILED;
    r->room.data = data != MAP_FAILED ? data : NULL;
    if (r->room.data != NULL)
        return r;
    gf_fail_memory_bytes(err, bytes, NULL);
    free_room(s, r);
    return NULL;
}

/* Takes the smallest that is large enough, but not one that is much larger. */
static struct gf_served_room *find_free(struct gf_server *s, size_t bytes)
{
    struct gf_served_room **best = NULL, *found = NULL;

    for (struct gf_served_room **at = &s->free_rooms; *at != NULL; at = &(*at)->next)
        if ((*at)->room.bytes >= bytes && (*at)->room.bytes / 2 <= bytes
            && (best == NULL || (*at)->room.bytes < (*best)->room.bytes))
            best = at;
    if (best != NULL) {
        found = *best;
        *best = found->next;
        s->free_count--;
        s->free_bytes -= (int64_t)found->room.bytes;
    }
    return found;
}

/* Frees memory for other runs until that of runs, which has just been counted, fits beside it. */
static void trim_for_ceiling(struct gf_server *s)
{
    int64_t left;

    pthread_mutex_lock(&s->lock);
    left = s->most_bytes - s->host_bytes;
    pthread_mutex_unlock(&s->lock);
    gf_server_free_rooms(s, left);
}

struct gf_served_room *gf_server_lease_room(struct gf_server *s, size_t bytes, struct gf_error *err)
{
    const size_t usual = usual_bytes(bytes);
    struct gf_served_room *r;

    pthread_mutex_lock(&s->lock);
    r = find_free(s, usual);
    pthread_mutex_unlock(&s->lock);
    if (gf_server_count_host_bytes(s, (int64_t)(r != NULL ? r->room.bytes : usual), err) != 0) {
        free_room(s, r);
        return NULL;
    }
    if (r == NULL) {
        trim_for_ceiling(s);
        r = make_room(s, usual, err);
    }
    if (r == NULL)
        (void)!gf_server_count_host_bytes(s, -(int64_t)usual, err);
    return r;
}

void gf_server_return_room(struct gf_server *s, struct gf_served_room *r, bool again)
{
    pthread_mutex_lock(&s->lock);
    s->host_bytes -= (int64_t)r->room.bytes;
    again = again && s->free_count < MOST_FREE;
    if (again) {
        r->next = s->free_rooms;
        s->free_rooms = r;
        s->free_count++;
        s->free_bytes += (int64_t)r->room.bytes;
    }
    pthread_mutex_unlock(&s->lock);
    if (!again)
        free_room(s, r);
}

void gf_server_free_rooms(struct gf_server *s, int64_t most)
{
    struct gf_served_room *r = NULL;

    do {
        pthread_mutex_lock(&s->lock);
        r = s->free_bytes > most ? s->free_rooms : NULL;
        if (r != NULL) {
            s->free_rooms = r->next;
            s->free_count--;
            s->free_bytes -= (int64_t)r->room.bytes;
        }
        pthread_mutex_unlock(&s->lock);
        free_room(s, r);
    } while (r != NULL);
}

/* ---- threads ---- */

void gf_server_wake(struct gf_server *s)
{
    const uint64_t one = 1;

    (void)!write(s->wake, &one, sizeof one);
}

int gf_server_start_thread(struct gf_server *s, void *(*run)(void *), void *argument, struct gf_error *err)
{
    pthread_t thread;
    bool room;

    pthread_mutex_lock(&s->lock);
    room = s->users < MOST_THREADS;
    s->users += room;
    s->relaxed &= !room;
    pthread_mutex_unlock(&s->lock);
    if (room && gf_thread_start(&thread, run, argument) == 0) {
        pthread_detach(thread);
        return 0;
    }
    if (room)
        gf_server_end_thread(s);
    return gf_fail(err, GF_FAILED, "the process that keeps the device ready has too many threads");
}

void gf_server_end_thread(struct gf_server *s)
{
    pthread_mutex_lock(&s->lock);
    s->idle_since = gf_clock_seconds();
    if (--s->users == s->guests)
        gf_server_wake(s);
    pthread_mutex_unlock(&s->lock);
}

void gf_server_kill(void)
{
    gf_stay_place_remove();
    raise(SIGTERM);
}
