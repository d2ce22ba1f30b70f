/* Names of activities, events and lanes for statistics and traces. */
#include "report/report_names.h"

static const char *const activity_names[GF_ACTIVITIES] = {
    "start", "read", "decode", "copy", "upload", "kernels", "download", "encode", "write", "segment",
};

const char *gf_report_activity_name(enum gf_activity a)
{
    return activity_names[a];
}

void gf_report_event_name(const struct gf_report_summary *summary, const struct gf_report_event *k, char *text)
{
    if (k->step >= 0)
        snprintf(text, 160, "%s %s", summary->steps[k->step].operation, summary->steps[k->step].stage);
    else
        snprintf(text, 160, "%s", gf_report_activity_name(k->interval.activity));
}

void gf_report_lane_name(const struct gf_report_summary *summary, int lane, char *text)
{
    if (summary->lane[lane].gpu >= 0)
        snprintf(text, 40, "lane %d, GPU %d", lane + 1, summary->lane[lane].gpu);
    else
        snprintf(text, 40, "lane %d", lane + 1);
}
