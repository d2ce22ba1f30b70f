/* The timeline of a run, for --trace: as Chrome's trace format, and as a drawing. */
#ifndef GF_REPORT_TRACE_H
#define GF_REPORT_TRACE_H

#include "io/output.h"
#include "report/report.h"

/* Writes the file completely or not at all; a name that ends in .svg gets the drawing, any other JSON. */
int gf_trace_write(const struct gf_report *r, const char *path, const struct gf_output_rules *rules,
                   struct gf_error *err) GF_MUST_CHECK;
/* Fails if the file could not be written. */
int gf_trace_check(const char *path, bool keep, struct gf_error *err) GF_MUST_CHECK;
/* Writes the drawing. */
void gf_trace_draw(const struct gf_report_summary *summary, FILE *to);

#endif
