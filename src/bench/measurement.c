/* A measurement: opens its device, and writes its results. */
#include "bench/measurement.h"

#include "base/notice.h"
#include "base/terminal.h"
#include "batch/output_names.h"
#include "bench/bench_memory.h"
#include "bench/bench_table.h"

#include <stdio.h>
#include <string.h>

/* ---- the device ---- */

int gf_measurement_open(struct gf_measurement *m, const struct gf_bench_request *r, struct gf_error *err)
{
    const int index = r->where == GF_CUDA ? r->gpu : 0;
    struct gf_device_facts facts = { 0 }, host = { 0 };
    char why[512] = "";

    if (r->where != GF_CPU)
        gf_device_cuda.facts(index, &facts, why, sizeof why);
    if (r->where == GF_CUDA && !facts.present)
        return gf_fail(err, GF_FAILED, "no GPU: %s", why);
    gf_device_cpu.facts(0, &host, NULL, 0);
    m->cuda = facts.present;
    m->device.kind = m->cuda ? &gf_device_cuda : &gf_device_cpu;
    m->threads = r->threads > 0 ? r->threads : host.cores;
    m->ceiling = gf_bench_memory(m->cuda, index, r->memory_bytes);
    snprintf(m->where, sizeof m->where, m->cuda ? "%.*s" : "%d CPU thread%s", m->cuda ? (int)strcspn(why, ",")
             : m->threads, m->cuda ? why : m->threads == 1 ? "" : "s");
    snprintf(m->facts, sizeof m->facts, m->cuda ? "%.400s, and %d CPU thread%s" : "%s", m->cuda ? why : m->where,
             m->threads, m->threads == 1 ? "" : "s");
    return m->device.kind->open(&m->device, m->cuda ? index : 0, err);
}

/* ---- the output ---- */

int gf_measurement_output(struct gf_measurement *m, const struct gf_bench_request *r, bool several,
                          struct gf_error *err)
{
    const struct gf_format none = { .kind = GF_IMAGE };

    if (several || gf_lesson_page_is_chosen(r->output, r->write->to)) {
        m->page = gf_lesson_page_open(r->output, r->write, m->facts, err);
        return m->page != NULL ? 0 : -1;
    }
    m->writer = gf_writer_open(r->output, r->write, &none, true, err);
    if (m->writer == NULL)
        return -1;
    gf_output_names_warn_redirected(m->writer);
    if (gf_notices_check(r->write->notices, err) != 0 || gf_writer_create(m->writer, err) != 0)
        return -1;
    gf_notices_print(r->write->notices);
    return 0;
}

int gf_measurement_write(struct gf_measurement *m, const char *name, const struct gf_lesson *lesson,
                         struct gf_error *err)
{
    struct gf_lesson_section section = { .name = name, .summary = lesson != NULL ? lesson->summary : NULL,
                                         .lesson = lesson != NULL };
    struct gf_bench_table t;
    int result;

    snprintf(t.source, sizeof t.source, "%s on %s", name, m->where);
    result = gf_bench_table_make(&m->results, &t, err);
    gf_terminal_erase();
    section.table = &t.table;
    if (result == 0)
        result = m->page != NULL ? gf_lesson_page_add(m->page, &section, err)
                                   : gf_writer_table(m->writer, &t.table, err);
    gf_bench_table_release(&t);
    return result;
}

int gf_measurement_commit(struct gf_measurement *m, struct gf_error *err)
{
    return m->page != NULL ? gf_lesson_page_commit(m->page, err) : gf_writer_commit(m->writer, err);
}

void gf_measurement_close(struct gf_measurement *m)
{
    gf_writer_close(m->writer);
    gf_lesson_page_close(m->page);
    if (m->device.kind != NULL)
        m->device.kind->close(&m->device);
    gf_device_cuda.settle();
}
