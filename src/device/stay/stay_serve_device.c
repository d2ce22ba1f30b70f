/* Serves a device of a run: its memory, its pools, what it keeps. Each device has a thread. */
#define _GNU_SOURCE
#include "device/stay/stay_serve.h"

#include "device/stay/stay_check.h"
#include "device/stay/stay_wire.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- memory ---- */

static int send_room(struct gf_served_device *d, const struct gf_served_room *r)
{
    const struct gf_stay_room answer = { .number = r->number, .bytes = r->room.bytes };
    const struct gf_stay_part part = { &answer, sizeof answer };

    return gf_stay_send(d->socket, GF_STAY_DONE, &part, 1, r->descriptor);
}

static int open_room(struct gf_served_device *d, const struct gf_stay_room *request)
{
    struct gf_served_room *r = NULL;
    struct gf_error err = { 0 };

    if (request->bytes == 0 || request->bytes > INT64_MAX / 4 || d->room_count >= GF_STAY_MOST_ROOMS)
        gf_fail(&err, GF_FAILED, "the process that keeps the device ready refuses %llu bytes of memory",
                (unsigned long long)request->bytes);
    else
        r = gf_server_lease_room(d->server, request->bytes, &err);
    if (r == NULL)
        return gf_stay_send_failure(d->socket, &err);
    pthread_mutex_lock(&d->lock);
    r->number = d->next_number++;
    r->next = d->rooms;
    d->rooms = r;
    d->room_count++;
    pthread_mutex_unlock(&d->lock);
    return send_room(d, r);
}

/* Takes a room out of the list; NULL: there is none of that number. */
static struct gf_served_room *take_room(struct gf_served_device *d, int32_t number)
{
    struct gf_served_room *found = NULL;

    for (struct gf_served_room **at = &d->rooms; *at != NULL; at = &(*at)->next)
        if ((*at)->number == number) {
            found = *at;
            *at = found->next;
            d->room_count--;
            break;
        }
    return found;
}

/* Returns an error for a request that the lanes at work do not allow, or that makes no sense. */
static int refuse(struct gf_served_device *d, const char *what)
{
    struct gf_error err = { 0 };

    gf_fail(&err, GF_FAILED, "the process that keeps the device ready refuses %s", what);
    return gf_stay_send_failure(d->socket, &err);
}

static int close_room(struct gf_served_device *d, const struct gf_stay_room *request)
{
    struct gf_served_room *r;

    pthread_mutex_lock(&d->lock);
    r = d->running == 0 ? take_room(d, request->number) : NULL;
    pthread_mutex_unlock(&d->lock);
    if (r == NULL)
        return refuse(d, "to close memory");
    gf_server_return_room(d->server, r, true);
    return gf_stay_send_done(d->socket);
}

/* ---- pools ---- */

/* Reads pools of so many floats, which replace the previous ones. Lanes do not run. */
static int replace_pools(struct gf_served_device *d, const struct gf_stay_pools *request, float *floats,
                         struct gf_error *err)
{
    const struct gf_pools pools = { floats, floats + request->mask_count, request->mask_count, request->table_count };
    float *before;
    int result;

    pthread_mutex_lock(&d->lock);
    result = d->running > 0 ? gf_fail(err, GF_FAILED, "pools change while lanes run")
                            : d->device.kind->set_pools(&d->device, &pools, err);
    before = result == 0 ? d->pools : floats;
    if (result == 0) {
        d->pools = floats;
        d->mask_count = request->mask_count;
        d->table_count = request->table_count;
    }
    pthread_mutex_unlock(&d->lock);
    free(before);
    return result;
}

static int set_pools(struct gf_served_device *d, const struct gf_stay_head *head)
{
    struct gf_stay_pools request;
    struct gf_error err = { 0 };
    float *floats;
    size_t bytes;

    if (head->bytes < sizeof request || gf_stay_read(d->socket, &request, sizeof request) != 0)
        return -1;
    bytes = head->bytes - sizeof request;
    if (request.mask_count < 0 || request.table_count < 0 || request.mask_count > GF_STAY_MOST_BYTES
        || request.table_count > GF_STAY_MOST_BYTES
        || (uint64_t)(request.mask_count + request.table_count) * sizeof(float) != bytes)
        return -1;
    if (gf_server_count_host_bytes(d->server, (int64_t)bytes - d->pool_bytes, &err) != 0)
        return -1;
    d->pool_bytes = (int64_t)bytes;
    floats = malloc(bytes + 1);
    if (floats == NULL || gf_stay_read(d->socket, floats, bytes) != 0) {
        free(floats);
        return -1;
    }
    return replace_pools(d, &request, floats, &err) != 0 ? gf_stay_send_failure(d->socket, &err)
                                                         : gf_stay_send_done(d->socket);
}

/* ---- what is kept ---- */

static void drop(struct gf_served_device *d, int pass, bool state)
{
    size_t *kept = state ? &d->state_bytes[pass] : &d->result_bytes[pass];
    struct gf_error none;

    if (*kept == 0)
        return;
    (state ? gf_kept_close_carry : gf_kept_close_result)(&d->device, pass);
    (void)!gf_server_count_device_bytes(d->server, -(int64_t)*kept, &none);
    *kept = 0;
}

/* Keeps a result or a state. A state that is kept already begins anew. */
static int keep(struct gf_served_device *d, int pass, bool state, size_t bytes, struct gf_error *err)
{
    size_t *kept = state ? &d->state_bytes[pass] : &d->result_bytes[pass];

    if (*kept > 0 && bytes > *kept)
        return gf_fail(err, GF_FAILED, "what is kept becomes larger");
    if (*kept == 0 && gf_server_count_device_bytes(d->server, (int64_t)bytes, err) != 0)
        return -1;
    if ((state ? gf_kept_open_carry : gf_kept_open_result)(&d->device, pass, bytes, err) != 0) {
        struct gf_error none;

        (void)!gf_server_count_device_bytes(d->server, *kept == 0 ? -(int64_t)bytes : 0, &none);
        return -1;
    }
    *kept = *kept > 0 ? *kept : bytes;
    return 0;
}

static int change_kept(struct gf_served_device *d, const struct gf_stay_keep *k, struct gf_error *err)
{
    const bool state = k->what == GF_KEEP_STATE || k->what == GF_DROP_STATE;

    if (d->running > 0)
        return gf_fail(err, GF_FAILED, "memory changes while lanes run");
    if (k->what == GF_KEEP_STATE || k->what == GF_KEEP_RESULT)
        return keep(d, k->pass, state, k->bytes > 0 ? k->bytes : 1, err);
    drop(d, k->pass, state);
    return 0;
}

static int answer_keep(struct gf_served_device *d, const struct gf_stay_keep *k)
{
    struct gf_error err = { 0 };
    int result = -1;

    if (k->pass < 0 || k->pass >= GF_PASSES || k->what < GF_KEEP_RESULT || k->what > GF_DROP_STATE
        || k->bytes > INT64_MAX / 4)
        return refuse(d, "what it should keep");
    pthread_mutex_lock(&d->lock);
    if (k->what == GF_FAIL_STATE) {
        if (d->state_bytes[k->pass] > 0)
            gf_kept_fail_carry(&d->device, k->pass);
        result = 0;
    } else {
        result = change_kept(d, k, &err);
    }
    pthread_mutex_unlock(&d->lock);
    return result != 0 ? gf_stay_send_failure(d->socket, &err) : gf_stay_send_done(d->socket);
}

/* ---- lanes ---- */

static int open_lane(struct gf_served_device *d, const struct gf_stay_head *head)
{
    const struct gf_pools pools = { .mask_count = d->mask_count, .table_count = d->table_count };
    struct gf_error err = { 0 };
    struct gf_stay_lane request;
    struct gf_pass *pass;
    int other, result;
    size_t bytes;

    if (head->bytes < sizeof request + sizeof *pass || gf_stay_read(d->socket, &request, sizeof request) != 0)
        return -1;
    bytes = head->bytes - sizeof request;
    if (bytes > GF_STAY_MOST_PASS)
        return -1;
    pass = malloc(bytes);
    if (pass == NULL || gf_stay_read(d->socket, pass, bytes) != 0) {
        free(pass);
        return -1;
    }
    if (gf_stay_check_lane(&request, &err) != 0
        || gf_stay_check_pass(pass, bytes, d->device.kind->cuda, &pools, &err) != 0
        || gf_server_open_lane(d, &request, pass, &other, &err) != 0) {
        free(pass);
        return gf_stay_send_failure(d->socket, &err);
    }
    result = gf_stay_send(d->socket, GF_STAY_DONE, NULL, 0, other);
    close(other);
    return result;
}

/* ---- requests ---- */

/* Answers one request. Returns -1 if the connection is lost, or the run does not keep to the protocol. */
static int answer(struct gf_served_device *d, const struct gf_stay_head *head)
{
    struct gf_stay_room room;
    struct gf_stay_keep keep;

    switch (head->type) {
    case GF_STAY_POOLS:
        return set_pools(d, head);
    case GF_STAY_LANE:
        return open_lane(d, head);
    case GF_STAY_ROOM:
    case GF_STAY_ROOM_CLOSE:
        if (head->bytes != sizeof room || gf_stay_read(d->socket, &room, sizeof room) != 0)
            return -1;
        return head->type == GF_STAY_ROOM ? open_room(d, &room) : close_room(d, &room);
    case GF_STAY_KEEP:
        return head->bytes != sizeof keep || gf_stay_read(d->socket, &keep, sizeof keep) != 0 ? -1
            : answer_keep(d, &keep);
    default:
        return -1;
    }
}

/* Ends the lanes, and waits for them: those at work stop, those that wait for others give up. */
static void end_lanes(struct gf_served_device *d)
{
    pthread_mutex_lock(&d->lock);
    __atomic_store_n(&d->gone, true, __ATOMIC_RELAXED);
    for (int p = 0; p < GF_PASSES; p++)
        if (d->state_bytes[p] > 0)
            gf_kept_fail_carry(&d->device, p);
    for (struct gf_served_lane *l = d->lanes; l != NULL; l = l->next)
        shutdown(l->socket, SHUT_RDWR);
    while (d->lane_count > 0)
        pthread_cond_wait(&d->changed, &d->lock);
    pthread_mutex_unlock(&d->lock);
}

static void free_device(struct gf_served_device *d)
{
    struct gf_error none;

    for (int p = 0; p < GF_PASSES; p++) {
        drop(d, p, true);
        drop(d, p, false);
    }
    for (struct gf_served_room *r = d->rooms; r != NULL; r = d->rooms) {
        d->rooms = r->next;
        gf_server_return_room(d->server, r, !d->broken);
    }
    (void)!gf_server_count_host_bytes(d->server, -d->pool_bytes, &none);
    d->device.kind->close(&d->device);
    free(d->pools);
    close(d->socket);
    pthread_cond_destroy(&d->changed);
    pthread_mutex_destroy(&d->lock);
    free(d);
}

static void *serve(void *argument)
{
    struct gf_served_device *d = argument;
    struct gf_server *s = d->server;
    struct gf_stay_head head;

    int got;

    while ((got = gf_stay_receive(d->socket, &head, NULL)) == 1 && answer(d, &head) == 0)
        ;
    d->broken = got != 0;
    end_lanes(d);
    free_device(d);
    gf_server_end_thread(s);
    return NULL;
}

int gf_server_open_device(struct gf_server *s, int *other, struct gf_error *err)
{
    struct gf_served_device *d = calloc(1, sizeof *d);
    int ends[2];

    if (d == NULL)
        return gf_fail_memory(err, NULL);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        free(d);
        return gf_fail_system(err, errno, "no connection for a device");
    }
    *d = (struct gf_served_device) { .server = s, .socket = ends[0] };
    d->device = (struct gf_device) { .kind = s->device.kind, .index = s->device.index };
    pthread_mutex_init(&d->lock, NULL);
    pthread_cond_init(&d->changed, NULL);
    if (d->device.kind->open(&d->device, s->device.index, err) != 0 || gf_server_start_thread(s, serve, d, err) != 0) {
        close(ends[1]);
        free_device(d);
        return -1;
    }
    *other = ends[1];
    return 0;
}
