/* Engines: devices that are open, with the lanes and the memory of a plan. */
#include "run/engine.h"

#include "base/clock.h"
#include "device/kept.h"
#include "device/strided.h"
#include "run/segments.h"

#include <stdlib.h>

void gf_engine_report_start(const struct gf_engine *e, double start)
{
    const struct gf_interval i = { .activity = GF_STARTING, .lane = e->first_lane, .step = -1, .start = start,
                                   .end = gf_clock_seconds() };

    if (e->report != NULL)
        gf_report_record(e->report, &i);
}

int gf_engine_open(struct gf_engine *e, const struct gf_device_kind *kind, const struct gf_device_list *list,
                   struct gf_error *err)
{
    const int count = kind->cuda ? list->count : 1;
    const double start = gf_clock_seconds();

    for (e->count = 0; e->count < count; e->count++) {
        e->device[e->count] = (struct gf_device) { .kind = kind, .index = list->index[e->count] };
        if (kind->open(&e->device[e->count], list->index[e->count], err) != 0)
            return -1;
    }
    gf_engine_report_start(e, start);
    return 0;
}

static void close_lane(struct gf_lane *lane)
{
    if (lane->device == NULL)
        return;
    if (lane->state != NULL)
        lane->device->kind->lane_close(lane);
    lane->device->kind->room_close(lane->device, &lane->in);
    lane->device->kind->room_close(lane->device, &lane->out);
    lane->device->kind->room_close(lane->device, &lane->region);
}

static void close_lanes(struct gf_engine *e, const struct gf_plan *plan, int p)
{
    for (int i = 0; e->lanes[p] != NULL && i < plan->pass[p]->lanes; i++)
        close_lane(&e->lanes[p][i]);
    free(e->lanes[p]);
    e->lanes[p] = NULL;
    if (e->count > 0)
        gf_kept_close_carry(&e->device[0], p);
}

/* Returns true if the device can work on the memory of the reader. */
static bool reaches_input(const struct gf_engine *e, const struct gf_run *run, const struct gf_format *f)
{
    return run->ends != NULL ? gf_strided_is_whole(&run->ends->in, f) : e->device[0].kind->in_host_memory;
}

bool gf_engine_lend_input(struct gf_engine *e, const struct gf_run *run, int p, const struct gf_reader *reader)
{
    const struct gf_pass *pass = run->plan->pass[p];
    const bool copies = pass->steps == 0 && !pass->measure.used && pass->plane == 0 && pass->exit == 0
                        && pass->from.end == GF_END_FILE && pass->to.end == GF_END_RESIDENT && !pass->to.spooled
                        && !pass->to.planar;

    if (!copies || !gf_segments_in_place(reader) || reader->watched != 0 || reader->format.units == GF_UNKNOWN
        || !reaches_input(e, run, &pass->from.format) || e->report != NULL || e->device[0].kept->result[p] != NULL)
        return false;
    e->device[0].kept->result[p] = reader->ops->in_place(reader, 0);
    e->lent[p] = true;
    return true;
}

void gf_engine_return_input(struct gf_engine *e)
{
    for (int p = 0; p < GF_PASSES; p++)
        if (e->lent[p]) {
            e->device[0].kept->result[p] = NULL;
            e->lent[p] = false;
        }
}

/* Frees what pass p left. */
static void release_result(struct gf_engine *e, int p)
{
    if (e->lent[p])
        return;
    gf_spool_close(&e->spool[p]);
    if (e->count > 0)
        gf_kept_close_result(&e->device[0], p);
}

void gf_engine_forget_plan(struct gf_engine *e, const struct gf_plan *plan)
{
    e->pools = (struct gf_pools) { 0 };
    for (int p = 0; p < GF_PASSES; p++) {
        close_lanes(e, plan, p);
        release_result(e, p);
    }
}

void gf_engine_leave_pass(struct gf_engine *e, const struct gf_plan *plan, int p)
{
    if (plan->kept)
        return;
    close_lanes(e, plan, p);
    for (int q = 0; q <= p; q++)
        if (gf_plan_last_reader(plan, q) <= p)
            release_result(e, q);
}

void gf_engine_close(struct gf_engine *e)
{
    gf_team_close(&e->team);
    while (e->count > 0) {
        e->count--;
        e->device[e->count].kind->close(&e->device[e->count]);
    }
}

/* Returns how many devices a pass can use: one, if it works on memory of a device. */
static int devices_for(const struct gf_engine *e, const struct gf_pass *pass)
{
    return gf_pass_stays(pass) ? 1 : e->count;
}

/* Allocates host memory for a lane if it needs any and has none yet. */
static int open_room(const struct gf_lane *lane, struct gf_room *room, bool wanted, size_t bytes, struct gf_error *err)
{
    return room->data != NULL || !wanted ? 0 : lane->device->kind->room_open(lane->device, room, bytes, err);
}

int gf_engine_open_rooms(struct gf_engine *e, const struct gf_plan *plan, int p, bool from_place, bool to_place,
                         struct gf_error *err)
{
    const struct gf_pass *pass = plan->pass[p];
    const int devices = devices_for(e, pass);

    if (e->lanes[p] == NULL) {
        e->lanes[p] = calloc((size_t)pass->lanes, sizeof *e->lanes[p]);
        if (e->lanes[p] == NULL)
            return gf_fail_memory(err, NULL);
    }
    for (int i = 0; i < pass->lanes; i++) {
        struct gf_lane *lane = &e->lanes[p][i];

        lane->device = &e->device[i % devices];
        lane->number = e->first_lane + i;
        lane->pass_number = p;
        lane->record = e->report ? gf_report_record : NULL;
        lane->report = e->report;
        lane->every = e->report && gf_report_keeps_events(e->report);
        if (e->report != NULL)
            gf_report_gpu(e->report, lane->number, plan->cuda ? lane->device->index : -1);
        if (open_room(lane, &lane->in, !from_place, pass->lane_in_bytes, err) != 0
            || open_room(lane, &lane->out, !to_place, pass->lane_out_bytes, err) != 0
            || open_room(lane, &lane->region, pass->lane_region_bytes > 0, pass->lane_region_bytes, err) != 0)
            return -1;
    }
    return 0;
}

int gf_engine_open_lanes(struct gf_engine *e, const struct gf_plan *plan, int p, bool from_place, bool to_place,
                         struct gf_error *err)
{
    const struct gf_pass *pass = plan->pass[p];

    if (gf_engine_open_rooms(e, plan, p, from_place, to_place, err) != 0)
        return -1;
    if (pass->to.end != GF_END_RESIDENT)
        return 0;
    if (pass->to.spooled)
        return e->spool[p].memory != NULL ? 0 : gf_spool_open(&e->spool[p], pass->resident_bytes, err);
    return gf_kept_open_result(&e->device[0], p, pass->resident_bytes, err);
}
