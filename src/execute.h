/* The executor: runs a plan over one signal, segment by segment, in lanes. */
#ifndef GF_EXECUTE_H
#define GF_EXECUTE_H

#include "chain.h"
#include "device.h"
#include "io/io.h"
#include "plan.h"
#include "progress.h"
#include "report.h"
#include "spool.h"

/* Devices of one kind with lanes ready for a plan; kept from one signal to the next while the plan stays. */
struct gf_engine {
    struct gf_device device[GF_MOST_DEVICES];
    int count;                               /* open devices; lanes are dealt out to them */
    struct gf_lane *lanes[GF_PASSES];
    void *resident[GF_PASSES];               /* what pass p leaves in the device's memory */
    struct gf_spool spool[GF_PASSES];        /* or on disk */
    struct gf_report *report;                /* NULL: nobody asks */
    struct gf_progress *progress;            /* likewise */
    struct gf_writer *const *tees;           /* of a chain that has some: begun, in their order */
    int first_lane, lane_count;              /* numbers of its lanes, among all of the report's */
};

int gf_engine_open(struct gf_engine *e, const struct gf_device_kind *kind, const struct gf_device_list *list,
                   struct gf_error *err) GF_MUST_CHECK;
/* Forgets the lanes of a plan. */
void gf_engine_reset(struct gf_engine *e, const struct gf_plan *plan);
void gf_engine_close(struct gf_engine *e);

/*
 * Reads the signal at hand, and writes what comes of it; or fills `table`, whose arrays
 * belong to the bound chain. Tables of the chain change where a stage settles on what it measured.
 */
int gf_execute(struct gf_engine *e, struct gf_plan *plan, struct gf_chain *chain, struct gf_reader *reader,
               struct gf_writer *writer, struct gf_table *table, struct gf_error *err) GF_MUST_CHECK;

#endif
