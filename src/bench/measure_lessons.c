/* Measures lessons and the roofline, and writes them. */
#include "bench/measure_lessons.h"

#include "base/terminal.h"
#include "bench/lessons/lesson_measure.h"
#include "bench/roofline/roofline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Measures a lesson, up to `most` samples. */
static int find_times(struct gf_measurement *m, const struct gf_lesson *lesson, int64_t most, struct gf_error *err)
{
    const struct gf_lesson_request request = { .lesson = lesson, .device = m->cuda ? &m->device : NULL,
                                               .threads = m->threads, .most = most, .ceiling = (double)m->ceiling };

    return gf_lesson_measure(&request, &m->results, err);
}

int gf_measure_lesson(struct gf_measurement *m, const struct gf_lesson *lesson, int64_t most, struct gf_error *err)
{
    return find_times(m, lesson, most, err) == 0 ? gf_measurement_write(m, lesson->name, lesson, err) : -1;
}

/* Adds a lesson to the page; if it cannot be measured, the reason. */
static int add_lesson(struct gf_measurement *m, const struct gf_lesson *lesson, int64_t most, struct gf_error *err)
{
    const bool progress = m->results.progress, incomplete = m->results.incomplete;
    struct gf_lesson_section section = { .name = lesson->name, .summary = lesson->summary, .lesson = true };
    struct gf_error why = { 0 };

    memset(&m->results, 0, sizeof m->results);
    m->results.progress = progress;
    m->results.incomplete = incomplete;
    if (find_times(m, lesson, most > 0 ? most : GF_BENCH_MOST, &why) == 0)
        return gf_measurement_write(m, lesson->name, lesson, err);
    m->results.incomplete = true;
    section.missing = why.text;
    return gf_lesson_page_add(m->page, &section, err);
}

int gf_measure_roofline(struct gf_measurement *m, int64_t most, struct gf_error *err)
{
    struct gf_roofline *found = calloc(1, sizeof *found);
    struct gf_roofline_table *t = calloc(1, sizeof *t);
    struct gf_lesson_section section = { .name = "roofline", .summary = "where operations stand below what the memory "
                                         "and the arithmetic of this device allow" };
    int result = -1;

    if (found == NULL || t == NULL)
        gf_fail_memory(err, NULL);
    else {
        snprintf(found->device, sizeof found->device, "%s", m->where);
        result = gf_roofline_measure(&m->device, m->threads, gf_roofline_samples(m->cuda, most, m->ceiling),
                                     m->results.progress, found, err);
    }
    if (result == 0) {
        gf_terminal_erase();
        gf_roofline_tabulate(found, t);
        section.table = &t->table;
        m->results.notes = 0;
        for (int i = 0; t->notes[i] != NULL; i++)
            gf_bench_results_note(&m->results, "%s", t->notes[i]);
        result = m->page != NULL ? gf_lesson_page_add(m->page, &section, err)
                                   : gf_writer_table(m->writer, &t->table, err);
    }
    free(found);
    free(t);
    return result;
}

int gf_measure_all_lessons(struct gf_measurement *m, int64_t most, struct gf_error *err)
{
    for (const struct gf_lesson *const *l = gf_lessons; *l != NULL; l++)
        if (add_lesson(m, *l, most, err) != 0)
            return -1;
    return gf_measure_roofline(m, most, err);
}
