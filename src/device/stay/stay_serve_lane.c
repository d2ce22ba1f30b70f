/* Serves a lane of a run: each has a thread, which runs one segment after another. */
#define _GNU_SOURCE
#include "device/stay/stay_serve.h"

#include "device/stay/stay_check.h"
#include "device/stay/stay_wire.h"
#include "plan/plan_region.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- what a lane tells its run during a segment ---- */

static void send_note(void *lane, const struct gf_interval *interval)
{
    struct gf_served_lane *l = lane;
    const struct gf_stay_part part = { interval, sizeof *interval };

    if (!l->lost)
        l->lost = gf_stay_send(l->socket, GF_STAY_NOTE, &part, 1, -1) != 0;
}

/* Lets the run read a region of its signal on disk into the room that `to` is in. */
static int fetch(const void *lane, const struct gf_region *r, const struct gf_block *to, struct gf_error *err)
{
    const struct gf_served_lane *l = lane;
    const struct gf_stay_region wanted = { r->x, r->y, r->columns, r->rows };
    const struct gf_stay_part part = { &wanted, sizeof wanted };
    struct gf_stay_head head;

    (void)to;
    if (gf_stay_send(l->socket, GF_STAY_FETCH, &part, 1, -1) != 0 || gf_stay_receive(l->socket, &head, NULL) != 1)
        return gf_fail(err, GF_FAILED, "the run has ended");
    if (head.type == GF_STAY_FAILED && gf_stay_read_failure(l->socket, &head, err) == 0)
        return -1;
    return head.type == GF_STAY_DONE && head.bytes == 0 ? 0 : gf_fail(err, GF_FAILED, "the run has ended");
}

/* ---- places ---- */

/* Finds bytes of samples in a room; it is pinned first. Call it with the lock of the device held. */
static int find_place(struct gf_served_device *d, const struct gf_stay_place *place, size_t bytes,
                      const struct gf_format *f, void **data, struct gf_error *err)
{
    struct gf_served_room *r = d->rooms;

    *data = NULL;
    if (bytes == 0)
        return 0;
    while (r != NULL && r->number != place->room)
        r = r->next;
    if (r == NULL || place->at > r->room.bytes || bytes > r->room.bytes - place->at
        || place->at % gf_type_bytes(f->type) != 0)
        return gf_fail(err, GF_FAILED, "samples are outside of their memory");
    if (!atomic_load(&r->pinned)) {
        if (d->device.kind->room_pin(&d->device, &r->room, err) != 0)
            return -1;
        atomic_store(&r->pinned, true);
    }
    *data = (char *)r->room.data + place->at;
    return 0;
}

/* Finds the second sources of a job. */
static int find_sides(struct gf_served_device *d, const struct gf_pass *pass, const struct gf_stay_side *sides,
                      int count, struct gf_beside *beside, struct gf_error *err)
{
    int at = 0;

    for (int k = 0; k < pass->steps + pass->measure.used; k++) {
        const struct gf_step *s = &pass->step[k];
        void *data;

        if (!s->side.used)
            continue;
        if (at == count || sides[at].rows.start != 0 || sides[at].rows.end != s->side.format.units)
            return gf_fail(err, GF_FAILED, "a second image is missing");
        if (find_place(d, &sides[at].place, (size_t)s->side.format.units * gf_unit_bytes(&s->side.format),
                       &s->side.format, &data, err) != 0)
            return -1;
        beside[k] = (struct gf_beside) { data, sides[at].rows, sides[at].number };
        at++;
    }
    return at == count ? 0 : gf_fail(err, GF_FAILED, "there are too many second images");
}

/* Checks a job, and finds its memory, which stays until it ends. */
static int begin_job(struct gf_served_lane *l, const struct gf_stay_run *run, const struct gf_stay_side *sides,
                     int count, struct gf_job *job, struct gf_beside *beside, struct gf_error *err)
{
    struct gf_served_device *d = l->owner;
    const struct gf_stay_kept kept = { d->result_bytes, d->state_bytes, l->lane.pass_number };
    const struct gf_pass *pass = l->pass;
    int result;

    *job = (struct gf_job) { .pass = pass, .in = run->in, .out = run->out, .signal = run->signal,
                             .in_units = run->in_units, .index = run->index, .ahead = run->ahead, .beside = beside,
                             .stop = &d->gone };
    pthread_mutex_lock(&d->lock);
    result = d->mask_count < l->mask_count || d->table_count < l->table_count
                 ? gf_fail(err, GF_FAILED, "the process that keeps the device ready refuses smaller pools")
           : gf_stay_check_job(job, &kept, err) != 0
        || find_place(d, &run->from, gf_stay_bytes_in(pass, run->in), &pass->from.format, &job->host_in, err) != 0
        || find_place(d, &run->to, gf_stay_bytes_out(pass, run->out, run->ahead), &pass->to.format, &job->host_out,
                      err) != 0
        || find_place(d, &run->region, pass->lane_region_bytes, &pass->from.format, &l->lane.region.data, err) != 0
        || find_sides(d, pass, sides, count, beside, err) != 0 ? -1 : 0;
    d->running += result == 0;
    pthread_mutex_unlock(&d->lock);
    return result;
}

static void end_job(struct gf_served_device *d)
{
    pthread_mutex_lock(&d->lock);
    d->running--;
    pthread_mutex_unlock(&d->lock);
}

/* ---- requests ---- */

/* Reports a failure. After one from which the device does not recover, the process ends. */
static int fail(struct gf_served_lane *l, struct gf_error *err)
{
    const struct gf_device_kind *kind = l->owner->device.kind;
    const bool broken = kind->broken != NULL && kind->broken(&l->owner->device);
    int result;

    err->cause = broken ? GF_CAUSE_DEVICE : err->cause;
    result = gf_stay_send_failure(l->socket, err);
    if (broken)
        gf_server_kill();
    return result;
}

static int run_segment(struct gf_served_lane *l, const struct gf_stay_head *head)
{
    const struct gf_device_kind *kind = l->owner->device.kind;
    struct gf_stay_side sides[GF_PASS_STEPS + 1];
    struct gf_beside beside[GF_PASS_STEPS + 1] = { { 0 } };
    struct gf_error err = { 0 };
    struct gf_stay_run run;
    struct gf_job job;
    size_t bytes;
    int result;

    if (head->bytes < sizeof run || gf_stay_read(l->socket, &run, sizeof run) != 0)
        return -1;
    bytes = head->bytes - sizeof run;
    if (bytes > sizeof sides || bytes % sizeof *sides != 0 || gf_stay_read(l->socket, sides, bytes) != 0)
        return -1;
    result = begin_job(l, &run, sides, (int)(bytes / sizeof *sides), &job, beside, &err);
    if (result == 0) {
        result = kind->lane_run(&l->lane, &job, &err);
        end_job(l->owner);
    }
    return l->lost ? -1 : result != 0 ? fail(l, &err) : gf_stay_send_done(l->socket);
}

/* Sends the counts or records of a measure, or the sums of counts that the request brings. */
static int send_counts(struct gf_served_lane *l, const struct gf_stay_head *head)
{
    const struct gf_device_kind *kind = l->owner->device.kind;
    const size_t most = l->pass->measure.used ? l->pass->measure.result_bytes : 0;
    struct gf_stay_counts request;
    struct gf_stay_part part;
    struct gf_error err = { 0 };
    uint64_t *counts;
    int result = -1;

    if (head->bytes < sizeof request || gf_stay_read(l->socket, &request, sizeof request) != 0
        || request.bytes > most || head->bytes - sizeof request != (head->type == GF_STAY_SUMS ? request.bytes : 0)
        || (head->type == GF_STAY_SUMS && gf_stay_check_sums(l->pass, &request, &err) != 0))
        return -1;
    counts = calloc(1, most + 1);
    if (counts == NULL)
        return -1;
    if (head->type == GF_STAY_RESULT)
        result = kind->lane_result(&l->lane, counts, request.bytes, &err);
    else if (gf_stay_read(l->socket, counts, request.bytes) == 0)
        result = kind->lane_sums(&l->lane, counts, request.rows, request.bins, &err);
    part = (struct gf_stay_part) { counts, request.bytes };
    result = result != 0 ? fail(l, &err) : gf_stay_send(l->socket, GF_STAY_DONE, &part, 1, -1);
    free(counts);
    return result;
}

static int answer(struct gf_served_lane *l, const struct gf_stay_head *head)
{
    return head->type == GF_STAY_RUN ? run_segment(l, head)
         : head->type == GF_STAY_RESULT || head->type == GF_STAY_SUMS ? send_counts(l, head) : -1;
}

/* ---- the life of a lane ---- */

/* Returns about how much memory a lane has; on a CPU, that of the host. */
static int64_t lane_bytes(const struct gf_pass *pass)
{
    return (int64_t)(pass->lane_in_bytes + pass->lane_out_bytes + pass->lane_work_bytes + pass->lane_scratch_bytes
                     + pass->lane_side_bytes + pass->lane_region_bytes + pass->measure.result_bytes);
}

static void unlink_lane(struct gf_served_lane *l)
{
    struct gf_served_device *d = l->owner;
    struct gf_served_lane **at = &d->lanes;

    pthread_mutex_lock(&d->lock);
    while (*at != l)
        at = &(*at)->next;
    *at = l->next;
    pthread_mutex_unlock(&d->lock);
}

static void close_lane(struct gf_served_lane *l)
{
    struct gf_error none;

    if (l->lane.state != NULL)
        l->owner->device.kind->lane_close(&l->lane);
    if (l->counted)
        (void)!gf_server_count_device_bytes(l->owner->server, -lane_bytes(l->pass), &none);
    close(l->socket);                        /* the run waits for this */
    free(l);
}

static void *serve(void *argument)
{
    struct gf_served_lane *l = argument;
    struct gf_served_device *d = l->owner;
    struct gf_server *s = d->server;
    struct gf_pass *pass = l->pass;
    struct gf_stay_head head;

    while (gf_stay_receive(l->socket, &head, NULL) == 1 && answer(l, &head) == 0)
        ;
    unlink_lane(l);
    close_lane(l);
    free(pass);
    pthread_mutex_lock(&d->lock);            /* the device goes when no lane is left */
    d->lane_count--;
    pthread_cond_broadcast(&d->changed);
    pthread_mutex_unlock(&d->lock);
    gf_server_end_thread(s);
    return NULL;
}

/* Opens the device's part of a lane, and starts its thread. */
static int start_lane(struct gf_served_lane *l, struct gf_error *err)
{
    struct gf_served_device *d = l->owner;
    bool many;

    l->counted = gf_server_count_device_bytes(d->server, lane_bytes(l->pass), err) == 0;
    if (!l->counted || d->device.kind->lane_open(&l->lane, l->pass, err) != 0)
        return -1;
    pthread_mutex_lock(&d->lock);
    l->next = d->lanes;
    d->lanes = l;
    d->lane_count++;
    many = d->lane_count > GF_STAY_MOST_LANES;
    pthread_mutex_unlock(&d->lock);
    if (many)
        gf_fail(err, GF_FAILED, "the process that keeps the device ready refuses so many lanes");
    else if (gf_server_start_thread(d->server, serve, l, err) == 0)
        return 0;
    unlink_lane(l);
    pthread_mutex_lock(&d->lock);
    d->lane_count--;
    pthread_mutex_unlock(&d->lock);
    return -1;
}

int gf_server_open_lane(struct gf_served_device *d, const struct gf_stay_lane *request, struct gf_pass *pass,
                        int *other, struct gf_error *err)
{
    struct gf_served_lane *l = calloc(1, sizeof *l);
    int ends[2];

    if (l == NULL)
        return gf_fail_memory(err, NULL);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        free(l);
        return gf_fail_system(err, errno, "no connection for a lane");
    }
    *l = (struct gf_served_lane) { .owner = d, .socket = ends[0], .pass = pass,
                                   .mask_count = d->mask_count, .table_count = d->table_count };
    l->lane = (struct gf_lane) { .device = &d->device, .number = request->number, .pass_number = request->pass_number,
                                 .fetch = fetch, .spooled = l, .report = l, .every = request->every != 0,
                                 .record = request->records ? send_note : NULL };
    *other = ends[1];
    if (start_lane(l, err) == 0)
        return 0;
    close(ends[1]);
    close_lane(l);
    return -1;
}
