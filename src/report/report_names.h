/* What activities, events and lanes are called in statistics and traces. */
#ifndef GF_REPORT_REPORT_NAMES_H
#define GF_REPORT_REPORT_NAMES_H

#include "report/report.h"

/* "read", "kernels" */
const char *gf_report_activity_name(enum gf_activity a);
/* "conv blur:2", "read"; room for 160. */
void gf_report_event_name(const struct gf_report_summary *summary, const struct gf_report_event *k, char *text);
/* "lane 1, GPU 0"; room for 40. */
void gf_report_lane_name(const struct gf_report_summary *summary, int lane, char *text);

#endif
