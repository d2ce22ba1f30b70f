/* Engines: devices that are open, with the lanes and the memory of a plan. */
#ifndef GF_RUN_ENGINE_H
#define GF_RUN_ENGINE_H

#include "base/spool.h"
#include "chain/chain.h"
#include "device/device.h"
#include "io/io.h"
#include "plan/plan.h"
#include "report/progress.h"
#include "report/report.h"

/* Devices of one kind with lanes ready for a plan; kept from one signal to the next while the plan stays. */
struct gf_engine {
    struct gf_device device[GF_MOST_DEVICES];
    int count;                               /* open devices; lanes are dealt out to them */
    struct gf_lane *lanes[GF_PASSES];
    struct gf_spool spool[GF_PASSES];        /* results of passes on disk, by pass */
    struct gf_report *report;                /* NULL: nobody asks */
    struct gf_progress *progress;            /* likewise */
    int first_lane, lane_count;              /* numbers of its lanes, among all of the report's */
};

int gf_engine_open(struct gf_engine *e, const struct gf_device_kind *kind, const struct gf_device_list *list,
                   struct gf_error *err) GF_MUST_CHECK;
/* Forgets the lanes of a plan. */
void gf_engine_forget_plan(struct gf_engine *e, const struct gf_plan *plan);
/* Pass p has run: where not all passes fit in memory together, its lanes go, and what no later pass reads. */
void gf_engine_leave_pass(struct gf_engine *e, const struct gf_plan *plan, int p);
void gf_engine_close(struct gf_engine *e);
/* Opens what pass p wants: lanes with rooms for what is not read or written in its place, and where its result stays. */
int gf_engine_open_lanes(struct gf_engine *e, const struct gf_plan *plan, int p, bool from_place, bool to_place,
                         struct gf_error *err) GF_MUST_CHECK;
/* Tells the report that something has been opened since `start`. */
void gf_engine_report_start(const struct gf_engine *e, double start);

#endif
