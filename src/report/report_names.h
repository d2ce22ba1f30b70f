/* Names of activities, events and lanes for statistics and traces. */
#ifndef GF_REPORT_REPORT_NAMES_H
#define GF_REPORT_REPORT_NAMES_H

#include "report/report.h"

/* Returns "read" or "kernels". */
const char *gf_report_activity_name(enum gf_activity a);
/* Writes "conv blur:2" or "read"; `text` has room for 160 bytes. */
void gf_report_event_name(const struct gf_report_summary *summary, const struct gf_report_event *k, char *text);
/* Writes "lane 1, GPU 0"; `text` has room for 40 bytes. */
void gf_report_lane_name(const struct gf_report_summary *summary, int lane, char *text);

#endif
