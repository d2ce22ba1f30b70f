/*
 * Everything that this machine measures of lessons, as one page of HTML, as text, or as JSON. The
 * output is complete or absent.
 */
#ifndef GF_BENCH_LESSON_PAGE_H
#define GF_BENCH_LESSON_PAGE_H

#include "io/io.h"
#include "table/table.h"

/* A lesson, an operation, or the roofline. */
struct gf_lesson_section {
    const char *name;
    const char *summary;                 /* NULL: none */
    bool lesson;
    const struct gf_table *table;        /* NULL: not measured */
    const char *missing;                 /* why it was not measured */
};

struct gf_lesson_page;

/* Returns true if the output is a page: by --to, or by the extension. */
bool gf_lesson_page_is_chosen(const char *path, const char *to);
/*
 * Creates the output before anything is measured, so that its errors are reported at once. `device`
 * is for people. NULL with the error.
 */
struct gf_lesson_page *gf_lesson_page_open(const char *path, const struct gf_write_options *write, const char *device,
                                           struct gf_error *err);
/* Adds a section; it is copied. Text for standard output appears at once. */
int gf_lesson_page_add(struct gf_lesson_page *c, const struct gf_lesson_section *s, struct gf_error *err) GF_MUST_CHECK;
/* Writes what is left, and gives the file its name. */
int gf_lesson_page_commit(struct gf_lesson_page *c, struct gf_error *err) GF_MUST_CHECK;
/* Closes the output, which leaves no trace unless it was committed. NULL is fine. */
void gf_lesson_page_close(struct gf_lesson_page *c);

#endif
