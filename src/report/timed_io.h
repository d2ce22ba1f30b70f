/* The calls of io.h, with their times reported if there is a report. */
#ifndef GF_REPORT_TIMED_IO_H
#define GF_REPORT_TIMED_IO_H

#include "io/io.h"
#include "report/report.h"

/* The caller: a lane of a pass. */
struct gf_timed_io {
    struct gf_report *report;            /* NULL: no report */
    int lane, pass;
};

/* the activity to report for reading units */
enum gf_activity gf_timed_io_activity(const struct gf_reader *r);

struct gf_reader *gf_timed_io_open(const struct gf_timed_io *timed, const char *path,
                                   const struct gf_read_options *options,
                                   struct gf_error *err) GF_MUST_CHECK;
int gf_timed_io_next(const struct gf_timed_io *timed, struct gf_reader *r, struct gf_error *err) GF_MUST_CHECK;
int64_t gf_timed_io_read(const struct gf_timed_io *timed, struct gf_reader *r, void *units, int64_t count,
                         struct gf_error *err) GF_MUST_CHECK;
/* Lets a codec decode the signal in the memory of a device. */
int gf_timed_io_use_codec(const struct gf_timed_io *timed, struct gf_reader *r, struct gf_jpeg_codec *codec,
                          struct gf_error *err) GF_MUST_CHECK;

int gf_timed_io_begin(const struct gf_timed_io *timed, struct gf_writer *w, const struct gf_format *fitted,
                      struct gf_error *err) GF_MUST_CHECK;
/* `start` < 0: the next units. */
int gf_timed_io_write(const struct gf_timed_io *timed, struct gf_writer *w, int64_t start, const void *units,
                      int64_t count,
                      struct gf_error *err) GF_MUST_CHECK;
int gf_timed_io_end(const struct gf_timed_io *timed, struct gf_writer *w, struct gf_error *err) GF_MUST_CHECK;
int gf_timed_io_table(const struct gf_timed_io *timed, struct gf_writer *w, const struct gf_table *t,
                      struct gf_error *err) GF_MUST_CHECK;
int gf_timed_io_commit(const struct gf_timed_io *timed, struct gf_writer *w, struct gf_error *err) GF_MUST_CHECK;

#endif
