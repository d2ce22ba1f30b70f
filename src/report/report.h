/* Records which activity was busy when, for --stats and --trace. */
#ifndef GF_REPORT_REPORT_H
#define GF_REPORT_REPORT_H

#include "base/activity.h"
#include "plan/plan.h"

#include <stdio.h>

struct gf_plan;
struct gf_report;

/* With `every`, keeps all intervals as events for a trace. Returns NULL if memory ran out. */
struct gf_report *gf_report_new(bool every);
void gf_report_free(struct gf_report *r);
bool gf_report_keeps_events(const struct gf_report *r);
/*
 * Reserves `want` consecutive lane numbers from *first, unless the caller already has them.
 * *first and *have are the caller's, with *have 0 before the first call.
 */
void gf_report_lanes(struct gf_report *r, int *first, int *have, int want);
/*
 * Names the steps of a plan of a chain, for lanes first to first + lanes - 1, from now on. Chains that are parts of one
 * run one after another.
 */
void gf_report_plan(struct gf_report *r, const struct gf_plan *plan, const void *chain, int first, int lanes);
/* Sets the GPU of a lane; -1: none. */
void gf_report_gpu(struct gf_report *r, int lane, int gpu);
/* Records an interval of a lane; any thread may call it. */
void gf_report_record(void *report, const struct gf_interval *interval);
/* Ends the recording. */
void gf_report_stop(struct gf_report *r, int64_t signals);
/* Prints the statistics. */
void gf_report_print(const struct gf_report *r, bool json, FILE *to);

/* ---- for printing and drawing ---- */

/* An operation of a pass. */
struct gf_report_step {
    int part, pass, step;        /* of a chain that is divided; passes of all parts have one numbering in the end */
    char operation[16];          /* "conv" */
    char stage[112];             /* "blur:2" */
    double seconds;              /* sum over lanes */
    int64_t bytes;
};

struct gf_report_sum {
    double busy;                 /* seconds in which at least one lane was busy */
    double seconds;              /* sum over lanes */
    int64_t bytes, count;
};

struct gf_report_lane {
    int plan;                    /* index of the names of its steps; -1: none */
    int gpu;                     /* -1: none */
};

/* An interval that is kept for the trace. */
struct gf_report_event {
    struct gf_interval interval;
    int step;                    /* index in gf_report_summary.steps, or -1 */
};

struct gf_report_summary {
    double start, wall;
    int64_t signals;
    bool cuda;
    int lanes;
    const struct gf_report_lane *lane;
    struct gf_report_sum sum[GF_ACTIVITIES];
    const struct gf_report_step *steps;
    int step_count;
    const struct gf_report_event *events;    /* in the order in which they ended */
    int event_count;
    int64_t missed;              /* intervals that did not fit */
    /* seconds with two, or all three, of upload, kernels and download at once; counted over the events */
    double two, three;
    double events_seconds;       /* time that the events cover */
    enum gf_activity bottleneck;
    int bottleneck_step;         /* if kernels are the bottleneck: the operation that took longest; otherwise -1 */
};

void gf_report_summarize(const struct gf_report *r, struct gf_report_summary *summary);

#endif
