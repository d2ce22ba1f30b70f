/* Engines: devices that are open, with the lanes and the memory of a plan. */
#include "run/engine.h"

#include "base/clock.h"

#include <stdlib.h>

void gf_engine_report_start(const struct gf_engine *e, double start)
{
    const struct gf_interval i = { .activity = GF_STARTING, .lane = e->first_lane, .step = -1, .start = start, .end = gf_clock_seconds() };

    if (e->report != NULL)
        gf_report_record(e->report, &i);
}

int gf_engine_open(struct gf_engine *e, const struct gf_device_kind *kind, const struct gf_device_list *list,
                   struct gf_error *err)
{
    const int count = kind == &gf_device_cpu ? 1 : list->count;
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
}

static void close_lanes(struct gf_engine *e, const struct gf_plan *plan, int p)
{
    for (int i = 0; e->lanes[p] != NULL && i < plan->pass[p]->lanes; i++)
        close_lane(&e->lanes[p][i]);
    free(e->lanes[p]);
    e->lanes[p] = NULL;
    if (e->carry[p].memory != NULL)
        e->device[0].kind->carry_close(&e->device[0], &e->carry[p]);
}

/* Forgets what pass p left. */
static void release_result(struct gf_engine *e, int p)
{
    if (e->spool[p].memory != NULL)
        gf_spool_close(&e->spool[p]);
    else if (e->resident[p] != NULL)
        e->device[0].kind->release(&e->device[0], e->resident[p]);
    e->resident[p] = NULL;
}

void gf_engine_forget_plan(struct gf_engine *e, const struct gf_plan *plan)
{
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
    while (e->count > 0) {
        e->count--;
        e->device[e->count].kind->close(&e->device[e->count]);
    }
}

/* How many devices a pass can use: one where it works on what stays there. */
static int devices_for(const struct gf_engine *e, const struct gf_pass *pass)
{
    return gf_pass_stays(pass) ? 1 : e->count;
}

/* Memory for a segment on its way in and out, unless reader or writer have a place for it. */
static int open_rooms(struct gf_lane *lane, const struct gf_pass *pass, bool in_place, bool out_place, struct gf_error *err)
{
    const struct gf_device_kind *kind = lane->device->kind;

    if (lane->in.data == NULL && !in_place && kind->room_open(lane->device, &lane->in, pass->lane_in_bytes, err) != 0)
        return -1;
    return lane->out.data == NULL && !out_place ? kind->room_open(lane->device, &lane->out, pass->lane_out_bytes, err) : 0;
}

int gf_engine_open_lanes(struct gf_engine *e, const struct gf_plan *plan, int p, bool from_place, bool to_place,
                         struct gf_error *err)
{
    const struct gf_pass *pass = plan->pass[p];
    const int devices = devices_for(e, pass);

    if (e->lanes[p] == NULL) {
        e->lanes[p] = calloc((size_t)pass->lanes, sizeof *e->lanes[p]);
        if (e->lanes[p] == NULL)
            return gf_fail(err, GF_FAILED, "not enough memory");
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
        if (open_rooms(lane, pass, from_place, to_place, err) != 0)
            return -1;
    }
    if (pass->to.end == GF_END_RESIDENT && e->resident[p] == NULL && pass->to.spooled) {
        if (gf_spool_open(&e->spool[p], pass->resident_bytes, err) != 0)
            return -1;
        e->resident[p] = e->spool[p].memory;
        return 0;
    }
    if (pass->to.end == GF_END_RESIDENT && e->resident[p] == NULL)
        return e->device[0].kind->alloc(&e->device[0], pass->resident_bytes, &e->resident[p], err);
    return 0;
}

int gf_engine_open_carry(struct gf_engine *e, const struct gf_plan *plan, int p, struct gf_error *err)
{
    const size_t bytes = plan->pass[p]->carry_bytes;

    if (bytes == 0 || e->carry[p].memory != NULL)
        return 0;
    return e->device[0].kind->carry_open(&e->device[0], &e->carry[p], bytes, err);
}
