/*
 * The device in another process: its memory, what it keeps, and its table of functions. Several lanes may use one
 * device, so that each request on its connection is made under a lock. Lanes have connections of their own.
 */
#define _GNU_SOURCE
#include "device/stay/stay_remote.h"

#include "device/stay/stay_call.h"
#include "device/stay/stay_remote_lane.h"
#include "device/used.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The connection to the process, for all devices of this run. */
static struct {
    int socket;
    pthread_mutex_t lock;
    struct gf_stay_facts facts;  /* as far as they are known */
} process = { .socket = -1, .lock = PTHREAD_MUTEX_INITIALIZER };

/* ---- the process ---- */

/* Facts do not change once the device has started. */
static int ask_facts(bool waits, struct gf_stay_facts *f, struct gf_error *err)
{
    const struct gf_stay_ask ask = { .waits = waits };
    const struct gf_stay_part part = { &ask, sizeof ask };
    int result = 0;

    pthread_mutex_lock(&process.lock);
    if (!process.facts.ready)
        result = gf_stay_call(process.socket, GF_STAY_FACTS, &part, 1, &process.facts, sizeof process.facts, NULL, err);
    *f = process.facts;
    pthread_mutex_unlock(&process.lock);
    return result;
}

static void remote_facts(int index, struct gf_device_facts *facts, char *why, size_t why_bytes)
{
    struct gf_stay_facts f = { .ready = false };
    struct gf_error err = { 0 };
    const bool failed = ask_facts(true, &f, &err) != 0;

    (void)index;
    if (failed)
        memset(&f, 0, sizeof f);
    f.why[sizeof f.why - 1] = '\0';
    *facts = f.facts;
    if (why != NULL)
        snprintf(why, why_bytes, "%s", failed ? err.text : f.why);
}

static bool remote_ready(int index)
{
    struct gf_stay_facts f = { .ready = false };
    struct gf_error none;

    (void)index;
    return !gf_device_is_lost() && ask_facts(false, &f, &none) == 0 && f.ready;
}

/* The process starts its device by itself, and this run waits for that when it needs it. */
static void begin_nothing(int index)
{
    (void)index;
}

static void settle_nothing(void)
{
}

/* No driver is in this process, so it ends at once. */
static bool never_asked(void)
{
    return false;
}

static double took_nothing(int index)
{
    (void)index;
    return 0;
}

/* ---- a device ---- */

static int ask(struct gf_stay_remote *r, enum gf_stay_type type, const struct gf_stay_part *parts, int count,
               struct gf_error *err)
{
    int result;

    pthread_mutex_lock(&r->lock);
    result = gf_stay_call(r->socket, type, parts, count, NULL, 0, NULL, err);
    pthread_mutex_unlock(&r->lock);
    return result;
}

static int remote_open(struct gf_device *d, int index, struct gf_error *err)
{
    struct gf_stay_remote *r = calloc(1, sizeof *r);
    int result;

    (void)index;
    d->state = r;
    if (r == NULL)
        return gf_fail_memory(err, NULL);
    pthread_mutex_init(&r->lock, NULL);
    pthread_mutex_lock(&process.lock);
    result = gf_stay_call(process.socket, GF_STAY_OPEN, NULL, 0, NULL, 0, &r->socket, err);
    pthread_mutex_unlock(&process.lock);
    return result;
}

static void remote_close(struct gf_device *d)
{
    struct gf_stay_remote *r = d->state;

    if (r == NULL)
        return;
    for (int i = 0; i < r->rooms; i++)
        munmap(r->room[i].data, r->room[i].bytes);
    free(r->room);
    if (r->socket >= 0)
        close(r->socket);
    pthread_mutex_destroy(&r->lock);
    free(r);
    d->state = NULL;
}

/* ---- memory of both processes ---- */

/* Maps memory that the process has made. Without its seals, it could shrink and end this process with SIGBUS. */
static void *map_room(int descriptor, size_t bytes)
{
    const int seals = fcntl(descriptor, F_GET_SEALS);
    struct stat st;
    void *data;

    if (seals < 0 || (seals & F_SEAL_SHRINK) == 0 || fstat(descriptor, &st) != 0 || st.st_size < 0
        || (uint64_t)st.st_size < bytes)
        return NULL;
    data = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, descriptor, 0);
    return data != MAP_FAILED ? data : NULL;
}

static int remember_room(struct gf_stay_remote *r, const struct gf_stay_mapped *room, struct gf_error *err)
{
    struct gf_stay_mapped *more;

    if ((r->rooms & (r->rooms - 1)) == 0) {              /* room for twice as many */
        more = realloc(r->room, (size_t)(r->rooms > 0 ? 2 * r->rooms : 1) * sizeof *more);
        if (more == NULL)
            return gf_fail_memory(err, NULL);
        r->room = more;
    }
    r->room[r->rooms++] = *room;
    return 0;
}

static int open_room(struct gf_stay_remote *r, struct gf_room *room, size_t bytes, struct gf_error *err)
{
    struct gf_stay_room request = { .bytes = bytes > 0 ? bytes : 1 }, answer;
    const struct gf_stay_part part = { &request, sizeof request };
    struct gf_stay_mapped mapped;
    int descriptor;

    *room = (struct gf_room) { 0 };
    if (gf_stay_call(r->socket, GF_STAY_ROOM, &part, 1, &answer, sizeof answer, &descriptor, err) != 0)
        return -1;
    mapped = (struct gf_stay_mapped) { .number = answer.number, .bytes = answer.bytes };
    mapped.data = answer.bytes >= request.bytes ? map_room(descriptor, answer.bytes) : NULL;
    close(descriptor);
    if (mapped.data == NULL)
        return gf_fail_memory_bytes(err, bytes, NULL);
    if (remember_room(r, &mapped, err) != 0) {
        munmap(mapped.data, mapped.bytes);
        return -1;
    }
    *room = (struct gf_room) { .data = mapped.data, .bytes = mapped.bytes, .pinned = true };
    return 0;
}

static void close_room(struct gf_stay_remote *r, struct gf_room *room)
{
    for (int i = 0; room->data != NULL && i < r->rooms; i++)
        if (r->room[i].data == room->data) {
            const struct gf_stay_room request = { .number = r->room[i].number };
            const struct gf_stay_part part = { &request, sizeof request };
            struct gf_error none;

            munmap(r->room[i].data, r->room[i].bytes);
            r->room[i] = r->room[--r->rooms];
            (void)!gf_stay_call(r->socket, GF_STAY_ROOM_CLOSE, &part, 1, NULL, 0, NULL, &none);
            break;
        }
    *room = (struct gf_room) { 0 };
}

int gf_stay_remote_room_open(struct gf_device *d, struct gf_room *room, size_t bytes, struct gf_error *err)
{
    struct gf_stay_remote *r = d->state;
    int result;

    pthread_mutex_lock(&r->lock);
    result = open_room(r, room, bytes, err);
    pthread_mutex_unlock(&r->lock);
    return result;
}

void gf_stay_remote_room_close(struct gf_device *d, struct gf_room *room)
{
    struct gf_stay_remote *r = d->state;

    pthread_mutex_lock(&r->lock);
    close_room(r, room);
    pthread_mutex_unlock(&r->lock);
}

/* The process pins memory when a job first uses it. */
static int pin_nothing(struct gf_device *d, struct gf_room *room, struct gf_error *err)
{
    (void)d;
    (void)room;
    (void)err;
    return 0;
}

/* Finds the room that has these bytes. Call it with the lock held. */
static bool find_place(const struct gf_stay_remote *r, const void *data, size_t bytes, struct gf_stay_place *place)
{
    for (int i = 0; i < r->rooms; i++) {
        const uintptr_t start = (uintptr_t)r->room[i].data, at = (uintptr_t)data;

        if (at < start || at - start > r->room[i].bytes || bytes > r->room[i].bytes - (at - start))
            continue;
        *place = (struct gf_stay_place) { r->room[i].number, at - start };
        return true;
    }
    *place = (struct gf_stay_place) { -1, 0 };
    return false;
}

bool gf_stay_remote_place(struct gf_device *d, const void *data, size_t bytes, struct gf_stay_place *place)
{
    struct gf_stay_remote *r = d->state;
    bool found;

    pthread_mutex_lock(&r->lock);
    found = find_place(r, data, bytes, place);
    pthread_mutex_unlock(&r->lock);
    return found;
}

int gf_stay_remote_side(struct gf_device *d, const struct gf_step *s, const struct gf_beside *beside,
                        struct gf_stay_place *place, struct gf_error *err)
{
    struct gf_stay_remote *r = d->state;
    struct gf_stay_copy *copy = &r->side[s->side.number];
    const size_t bytes = (size_t)gf_span_units(beside->rows) * gf_unit_bytes(&s->side.format);
    int result = 0;

    pthread_mutex_lock(&r->lock);
    if (copy->room.data == NULL || copy->number != beside->number) {
        if (copy->room.bytes < bytes) {
            close_room(r, &copy->room);
            result = open_room(r, &copy->room, bytes, err);
        }
        if (result == 0)
            memcpy(copy->room.data, beside->data, bytes);
        copy->number = beside->number;
    }
    if (result == 0)
        find_place(r, copy->room.data, bytes, place);
    pthread_mutex_unlock(&r->lock);
    return result;
}

/* ---- what it keeps ---- */

static int remote_set_pools(struct gf_device *d, const struct gf_pools *pools, struct gf_error *err)
{
    const struct gf_stay_pools counts = { pools->mask_count, pools->table_count };
    const struct gf_stay_part parts[] = { { &counts, sizeof counts },
                                          { pools->masks, (size_t)pools->mask_count * sizeof(float) },
                                          { pools->tables, (size_t)pools->table_count * sizeof(float) } };

    return ask(d->state, GF_STAY_POOLS, parts, 3, err);
}

/* Most passes have nothing to drop, so this remembers which do. */
static int remote_keep(struct gf_device *d, enum gf_keep what, int pass, size_t bytes, struct gf_error *err)
{
    struct gf_stay_remote *r = d->state;
    const struct gf_stay_keep request = { .what = what, .pass = pass, .bytes = bytes };
    const struct gf_stay_part part = { &request, sizeof request };
    bool *kept = what == GF_KEEP_RESULT || what == GF_DROP_RESULT ? &r->result[pass] : &r->carry[pass];

    if (!*kept && what != GF_KEEP_RESULT && what != GF_KEEP_STATE)
        return 0;
    if (what == GF_KEEP_RESULT && *kept)
        return 0;
    *kept = what != GF_DROP_RESULT && what != GF_DROP_STATE;
    return ask(r, GF_STAY_KEEP, &part, 1, err);
}

/* ---- the table ---- */

#define OF_BOTH_KINDS \
    .facts = remote_facts, .begin = begin_nothing, .settle = settle_nothing, .asked = never_asked, \
    .took = took_nothing, .ready = remote_ready, .open = remote_open, .close = remote_close, \
    .room_open = gf_stay_remote_room_open, .room_pin = pin_nothing, .room_close = gf_stay_remote_room_close, \
    .set_pools = remote_set_pools, .keep = remote_keep, .lane_open = gf_stay_remote_lane_open, \
    .lane_close = gf_stay_remote_lane_close, .lane_run = gf_stay_remote_lane_run, \
    .lane_result = gf_stay_remote_lane_result, .lane_sums = gf_stay_remote_lane_sums

static const struct gf_device_kind remote_cpu = { .name = "cpu", OF_BOTH_KINDS };
static const struct gf_device_kind remote_cuda = { .name = "cuda", .cuda = true, OF_BOTH_KINDS };

void gf_stay_remote_use(int socket, bool cuda)
{
    process.socket = socket;
    gf_device_use(cuda ? &remote_cuda : &remote_cpu);
}
