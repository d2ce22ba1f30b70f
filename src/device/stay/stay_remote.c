/*
 * The device in another process: its facts, what it keeps, and its table of functions. Several lanes may use one
 * device, so that each request on its connection is made under a lock. Lanes have connections of their own.
 */
#define _GNU_SOURCE
#include "device/stay/stay_remote.h"

#include "device/stay/stay_call.h"
#include "device/stay/stay_remote_lane.h"
#include "device/stay/stay_remote_rooms.h"
#include "device/used.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

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
    pthread_cond_init(&r->copied, NULL);
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
    pthread_cond_destroy(&r->copied);
    pthread_mutex_destroy(&r->lock);
    free(r);
    d->state = NULL;
}

/*
 * The process pins memory when a job first uses it. Here, all its pages are entered at once, which is quicker than one
 * by one, and each lane does so for its own.
 */
static int enter_pages(struct gf_device *d, struct gf_room *room, struct gf_error *err)
{
    (void)d;
    (void)err;
    if (!room->pinned)
        (void)madvise(room->data, room->bytes, MADV_POPULATE_WRITE); /* only for speed, so a failure does not matter */
    room->pinned = true;
    return 0;
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
    const struct gf_stay_keep request = { .what = (int32_t)what, .pass = pass, .bytes = bytes };
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
    .room_open = gf_stay_remote_room_open, .room_pin = enter_pages, .room_close = gf_stay_remote_room_close, \
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
