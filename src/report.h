/* What the run took: who was busy when, for --stats. */
#ifndef GF_REPORT_H
#define GF_REPORT_H

#include <stdio.h>

#include "device.h"

struct gf_report;

/* NULL where memory ran out. */
struct gf_report *gf_report_new(void);
void gf_report_free(struct gf_report *r);
/* A lane's `record`; from any thread. */
void gf_report_record(void *report, const struct gf_interval *interval);
/* Tells what the steps of a plan are called; of several plans, the last. */
void gf_report_plan(struct gf_report *r, const struct gf_plan *plan);
/* Prints what was recorded since the start. */
void gf_report_print(const struct gf_report *r, int64_t signals, bool json, FILE *to);

#endif
