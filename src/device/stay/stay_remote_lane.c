/* Lanes of the device in another process: each has a connection, and waits there for its segment. */
#define _GNU_SOURCE
#include "device/stay/stay_remote_lane.h"

#include "device/stay/stay_call.h"
#include "device/stay/stay_check.h"
#include "device/stay/stay_remote_rooms.h"
#include "plan/plan_region.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct remote_lane {
    int socket;
    struct gf_room from, to;     /* for samples that are in memory of the reader or the writer */
};

int gf_stay_remote_lane_open(struct gf_lane *lane, const struct gf_pass *pass, struct gf_error *err)
{
    struct gf_stay_remote *r = lane->device->state;
    const struct gf_stay_lane request = { .number = lane->number, .pass_number = lane->pass_number,
                                          .records = lane->record != NULL, .every = lane->every };
    const struct gf_stay_part parts[] = { { &request, sizeof request }, { pass, pass->bytes } };
    struct remote_lane *l = calloc(1, sizeof *l);
    int result;

    if (l == NULL)
        return gf_fail_memory(err, NULL);
    pthread_mutex_lock(&r->lock);
    result = gf_stay_call(r->socket, GF_STAY_LANE, parts, 2, NULL, 0, &l->socket, err);
    pthread_mutex_unlock(&r->lock);
    lane->state = l;
    if (result != 0)
        gf_stay_remote_lane_close(lane);
    return result;
}

/* Waits until the process has freed the lane's memory, which other lanes may need. */
void gf_stay_remote_lane_close(struct gf_lane *lane)
{
    struct remote_lane *l = lane->state;
    char none;

    if (l == NULL)
        return;
    if (l->socket >= 0 && shutdown(l->socket, SHUT_WR) == 0)
        while (read(l->socket, &none, 1) > 0)
            ;
    if (l->socket >= 0)
        close(l->socket);
    gf_stay_remote_room_close(lane->device, &l->from);
    gf_stay_remote_room_close(lane->device, &l->to);
    free(l);
    lane->state = NULL;
}

/* ---- places of samples ---- */

/*
 * Finds the place of a job's samples. Those that only this process has get a place in `room`, of the lane; then *copy
 * is where they are to be copied, else NULL.
 */
static int find_place(struct gf_lane *lane, struct gf_room *room, const void *data, size_t bytes,
                      struct gf_stay_place *place, void **copy, struct gf_error *err)
{
    *copy = NULL;
    *place = (struct gf_stay_place) { -1, 0 };
    if (bytes == 0 || gf_stay_remote_place(lane->device, data, bytes, place))
        return 0;
    if (room->bytes < bytes) {
        gf_stay_remote_room_close(lane->device, room);
        if (gf_stay_remote_room_open(lane->device, room, bytes, err) != 0)
            return -1;
    }
    *copy = room->data;
    return gf_stay_remote_place(lane->device, room->data, bytes, place) ? 0 : gf_stay_call_lost(err);
}

/* Fills in the places of a job's second sources; returns how many there are, or -1. */
static int find_sides(struct gf_lane *lane, const struct gf_job *job, struct gf_stay_side *sides, struct gf_error *err)
{
    int count = 0;

    for (int k = 0; k < job->pass->steps + job->pass->measure.used; k++) {
        const struct gf_step *s = &job->pass->step[k];
        struct gf_stay_side *side = &sides[count];

        if (!s->side.used)
            continue;
        *side = (struct gf_stay_side) { .rows = job->beside[k].rows, .number = job->beside[k].number };
        if (gf_stay_remote_side(lane->device, s, &job->beside[k], &side->place, err) != 0)
            return -1;
        count++;
    }
    return count;
}

/* ---- a segment ---- */

/* Passes on an interval of the process's work. Its clock is that of this process. */
static int take_note(const struct gf_lane *lane, int socket, const struct gf_stay_head *head)
{
    struct gf_interval i;

    if (head->bytes != sizeof i || gf_stay_read(socket, &i, sizeof i) != 0 || (unsigned)i.activity >= GF_ACTIVITIES
        || i.step < -1 || i.step > GF_PASS_STEPS || i.pass != lane->pass_number || i.lane != lane->number)
        return -1;
    if (lane->record != NULL)
        lane->record(lane->report, &i);
    return 0;
}

/* Reads a region of a signal on disk into the lane's room, for a tile. */
static int fetch(const struct gf_lane *lane, const struct gf_pass *pass, int socket, const struct gf_stay_head *head,
                 struct gf_error *err)
{
    const struct gf_format *f = &pass->from.format;
    struct gf_stay_region wanted;
    struct gf_region r = { 0 };
    struct gf_block to;

    if (head->bytes != sizeof wanted || gf_stay_read(socket, &wanted, sizeof wanted) != 0 || lane->fetch == NULL
        || wanted.x < 0 || wanted.columns < 0 || wanted.columns > f->width - wanted.x || wanted.y < 0
        || wanted.rows < 0 || wanted.rows > f->units - wanted.y)
        return gf_stay_call_lost(err);
    r.x = wanted.x;
    r.y = wanted.y;
    r.columns = wanted.columns;
    r.rows = wanted.rows;
    to = gf_region_block(&pass->from, &r, lane->region.data);
    if ((size_t)(r.rows * to.pitch_samples * (to.planar ? to.channels : 1)) * gf_type_bytes(to.type)
        > lane->region.bytes)
        return gf_stay_call_lost(err);
    if (lane->fetch(lane->spooled, &r, &to, err) != 0)
        return gf_stay_send_failure(socket, err) != 0 ? gf_stay_call_lost(err) : 0;
    return gf_stay_send_done(socket) != 0 ? gf_stay_call_lost(err) : 0;
}

/* Waits for the end of a segment. */
static int wait_for_segment(const struct gf_lane *lane, const struct gf_pass *pass, struct gf_error *err)
{
    const struct remote_lane *l = lane->state;
    struct gf_stay_head head;

    for (;;) {
        if (gf_stay_receive(l->socket, &head, NULL) != 1)
            return gf_stay_call_lost(err);
        if (head.type == GF_STAY_NOTE && take_note(lane, l->socket, &head) == 0)
            continue;
        if (head.type != GF_STAY_FETCH)
            return gf_stay_call_end(l->socket, &head, NULL, 0, err);
        if (fetch(lane, pass, l->socket, &head, err) != 0)
            return -1;
    }
}

int gf_stay_remote_lane_run(struct gf_lane *lane, const struct gf_job *job, struct gf_error *err)
{
    struct remote_lane *l = lane->state;
    const size_t in = gf_stay_bytes_in(job->pass, job->in), out = gf_stay_bytes_out(job->pass, job->out, job->ahead);
    struct gf_stay_run run = { .in = job->in, .out = job->out, .signal = job->signal, .in_units = job->in_units,
                               .index = job->index, .ahead = job->ahead };
    struct gf_stay_side sides[GF_PASS_STEPS + 1];
    struct gf_stay_part parts[] = { { &run, sizeof run }, { sides, 0 } };
    void *copy_in, *copy_out;
    int count;

    if (gf_job_check(job, err) != 0 || find_place(lane, &l->from, job->host_in, in, &run.from, &copy_in, err) != 0
        || find_place(lane, &l->to, job->host_out, out, &run.to, &copy_out, err) != 0)
        return -1;
    run.region = (struct gf_stay_place) { -1, 0 };
    if (job->pass->lane_region_bytes > 0
        && !gf_stay_remote_place(lane->device, lane->region.data, job->pass->lane_region_bytes, &run.region))
        return gf_stay_call_lost(err);
    count = find_sides(lane, job, sides, err);
    if (count < 0)
        return -1;
    parts[1].bytes = (size_t)count * sizeof *sides;
    if (copy_in != NULL)
        memcpy(copy_in, job->host_in, in);
    if (gf_stay_call_begin(l->socket, GF_STAY_RUN, parts, 2, err) != 0 || wait_for_segment(lane, job->pass, err) != 0)
        return -1;
    if (copy_out != NULL)
        memcpy(job->host_out, copy_out, out);
    return 0;
}

/* ---- results ---- */

int gf_stay_remote_lane_result(struct gf_lane *lane, void *result, size_t bytes, struct gf_error *err)
{
    const struct remote_lane *l = lane->state;
    const struct gf_stay_counts request = { .bytes = bytes };
    const struct gf_stay_part part = { &request, sizeof request };

    return gf_stay_call(l->socket, GF_STAY_RESULT, &part, 1, result, bytes, NULL, err);
}

int gf_stay_remote_lane_sums(struct gf_lane *lane, uint64_t *counts, int rows, int bins, struct gf_error *err)
{
    const struct remote_lane *l = lane->state;
    const size_t bytes = (size_t)rows * (size_t)bins * sizeof *counts;
    const struct gf_stay_counts request = { .bytes = bytes, .rows = rows, .bins = bins };
    const struct gf_stay_part parts[] = { { &request, sizeof request }, { counts, bytes } };

    return gf_stay_call(l->socket, GF_STAY_SUMS, parts, 2, counts, bytes, NULL, err);
}
