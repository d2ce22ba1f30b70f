/* Writes the parts of a page about lessons as HTML. */
#ifndef GF_BENCH_LESSON_PAGE_HTML_H
#define GF_BENCH_LESSON_PAGE_HTML_H

#include "bench/lessons/lesson_page.h"

#include <stdio.h>

/* The parts of the page, which fill its template. */
struct gf_lesson_page_parts {
    const char *title, *device;
    const char *contents;        /* the links to the sections, as HTML */
    const char *body;            /* the sections, as HTML */
    bool lessons;                /* explains words of lessons */
};

void gf_lesson_page_html(FILE *to, const struct gf_lesson_page_parts *parts);
/* Writes a line of the contents: the link to a section, and the largest gain of its ways. */
void gf_lesson_page_html_link(FILE *to, const struct gf_lesson_section *s);
/* Writes a section: its drawing, its notes and its table. */
int gf_lesson_page_html_section(FILE *to, const struct gf_lesson_section *s, struct gf_error *err) GF_MUST_CHECK;

#endif
