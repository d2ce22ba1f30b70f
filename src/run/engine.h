/* Engines: devices that are open, with the lanes and the memory of a plan. */
#ifndef GF_RUN_ENGINE_H
#define GF_RUN_ENGINE_H

#include "base/spool.h"
#include "base/threads.h"
#include "chain/binding.h"
#include "device/device.h"
#include "io/io.h"
#include "plan/plan.h"
#include "report/progress.h"
#include "report/report.h"
#include "run/run.h"

/* Devices of one kind with lanes for a plan; kept from one signal to the next while the plan stays. */
struct gf_engine {
    struct gf_device device[GF_MOST_DEVICES];
    int count;                               /* open devices; lanes are shared out among them */
    struct gf_lane *lanes[GF_PASSES];
    struct gf_spool spool[GF_PASSES];        /* results of passes on disk, by pass */
    bool lent[GF_PASSES];                    /* the result of a pass is memory of the reader */
    struct gf_pools pools;                   /* those that its devices have; 0: unknown, or they may change */
    struct gf_team team;                     /* threads of its lanes */
    struct gf_report *report;                /* NULL: no report */
    const struct gf_chain *chain;            /* for the report */
    struct gf_progress *progress;            /* NULL: no progress line */
    int first_lane, lane_count;              /* numbers of its lanes in the report */
};

int gf_engine_open(struct gf_engine *e, const struct gf_device_kind *kind, const struct gf_device_list *list,
                   struct gf_error *err) GF_MUST_CHECK;
/* Closes the lanes of a plan. */
void gf_engine_forget_plan(struct gf_engine *e, const struct gf_plan *plan);
/*
 * Frees memory after pass p, if not all passes fit in memory together: its lanes, and results that
 * no later pass reads.
 */
void gf_engine_leave_pass(struct gf_engine *e, const struct gf_plan *plan, int p);
void gf_engine_close(struct gf_engine *e);
/*
 * Opens the lanes of pass p with their memory of the host, for samples that are not read or written in
 * place. The device may still be starting.
 */
int gf_engine_open_rooms(struct gf_engine *e, const struct gf_plan *plan, int p, bool from_place, bool to_place,
                         struct gf_error *err) GF_MUST_CHECK;
/*
 * Opens what pass p needs: lanes, with rooms for samples that are not read or written in place, and
 * memory for its result.
 */
int gf_engine_open_lanes(struct gf_engine *e, const struct gf_plan *plan, int p, bool from_place, bool to_place,
                         struct gf_error *err) GF_MUST_CHECK;
/*
 * Uses the memory of the reader as the result of pass p, if the pass would only copy it. Returns false if the pass has
 * to run. gf_engine_return_input() must follow the last pass.
 */
bool gf_engine_lend_input(struct gf_engine *e, const struct gf_run *run, int p, const struct gf_reader *reader);
void gf_engine_return_input(struct gf_engine *e);
/* Reports the time since `start` as opening. */
void gf_engine_report_start(const struct gf_engine *e, double start);

#endif
