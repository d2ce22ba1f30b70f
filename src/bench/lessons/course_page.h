/*
 * Everything that this machine measures of lessons, as one page of HTML, as text, or as JSON. The
 * output is complete or absent.
 */
#ifndef GF_BENCH_COURSE_PAGE_H
#define GF_BENCH_COURSE_PAGE_H

#include "io/io.h"
#include "table/table.h"

/* A lesson, an operation, or the roofline. */
struct gf_course_section {
    const char *name;
    const char *summary;                 /* NULL: none */
    bool lesson;
    const struct gf_table *table;        /* NULL: not measured */
    const char *missing;                 /* why it was not measured */
};

struct gf_course;

/* Returns true if the output is a page: by --to, or by the extension. */
bool gf_course_is_page(const char *path, const char *to);
/*
 * Creates the output before anything is measured, so that its errors are reported at once. `device`
 * is for people. NULL with the error.
 */
struct gf_course *gf_course_open(const char *path, const struct gf_write_options *write, const char *device,
                                 struct gf_error *err);
/* Adds a section; it is copied. Text for standard output appears at once. */
int gf_course_add(struct gf_course *c, const struct gf_course_section *s, struct gf_error *err) GF_MUST_CHECK;
/* Writes what is left, and gives the file its name. */
int gf_course_commit(struct gf_course *c, struct gf_error *err) GF_MUST_CHECK;
/* Closes the output, which leaves no trace unless it was committed. NULL is fine. */
void gf_course_close(struct gf_course *c);

#endif
