/* What the run took: who was busy when, for --stats and --trace. */
#ifndef GF_REPORT_REPORT_H
#define GF_REPORT_REPORT_H

#include "base/activity.h"
#include "plan/plan.h"

#include <stdio.h>

struct gf_plan;
struct gf_report;

/* With `every`, all intervals are kept as events, for a trace. NULL where memory ran out. */
struct gf_report *gf_report_new(bool every);
void gf_report_free(struct gf_report *r);
bool gf_report_keeps_events(const struct gf_report *r);
/* Numbers of `want` lanes in a row, the first of them; *first and *have are what the caller has, 0 of them at first. */
void gf_report_lanes(struct gf_report *r, int *first, int *have, int want);
/* Tells what the steps of a plan are called, for lanes first to first + lanes - 1, from now on. */
void gf_report_plan(struct gf_report *r, const struct gf_plan *plan, int first, int lanes);
/* Tells which GPU a lane works on; -1: none. */
void gf_report_gpu(struct gf_report *r, int lane, int gpu);
/* A lane's `record`; from any thread. */
void gf_report_record(void *report, const struct gf_interval *interval);
/* The run has ended. */
void gf_report_stop(struct gf_report *r, int64_t signals);
/* Prints what was recorded. */
void gf_report_print(const struct gf_report *r, bool json, FILE *to);

/* ---- for those who print and draw ---- */

/* An operation of a pass. */
struct gf_report_step {
    int pass, step;
    char operation[16];          /* "conv" */
    char stage[112];             /* "blur:2" */
    double seconds;              /* added up over lanes */
    int64_t bytes;
};

struct gf_report_sum {
    double busy;                 /* at least one lane was */
    double seconds;              /* added up over lanes */
    int64_t bytes, count;
};

struct gf_report_lane {
    int plan;                    /* what its steps are called, to the report; -1: not told */
    int gpu;                     /* -1: none */
};

/* An interval that is kept. */
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
    int64_t missed;              /* intervals that there was no room for */
    double two, three;           /* of upload, kernels and download at once; of the events, */
    double events_seconds;       /* which are of so long a time */
    enum gf_activity bottleneck;
    int bottleneck_step;         /* where it is the kernels: which operation most of all; or -1 */
};

void gf_report_summarize(const struct gf_report *r, struct gf_report_summary *summary);

#endif
