/* Measures the rooflines of devices, prints them below the devices, and writes the first to an output. */
#include "bench/roofline/roofline_report.h"

#include "base/notice.h"
#include "base/terminal.h"
#include "batch/output_names.h"
#include "bench/bench_memory.h"
#include "bench/roofline/roofline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int gf_roofline_report_open(struct gf_roofline_report *r, const char *path, const struct gf_write_options *write,
                            struct gf_error *err)
{
    const struct gf_format none = { .kind = GF_IMAGE };

    r->writer = NULL;
    if (path == NULL)
        return 0;
    r->writer = gf_writer_open(path, write, &none, true, err);
    if (r->writer == NULL)
        return -1;
    gf_output_names_warn_redirected(r->writer);
    if (gf_notices_check(write->notices, err) != 0 || gf_writer_create(r->writer, err) != 0)
        return -1;
    gf_notices_print(write->notices);
    return 0;
}

/* Writes the roofline if there is an output that has none yet. */
static int write_output(struct gf_roofline_report *r, const struct gf_roofline *found, struct gf_error *err)
{
    struct gf_roofline_table *t;
    int result = -1;

    if (r->writer == NULL)
        return 0;
    t = malloc(sizeof *t);
    if (t == NULL)
        return gf_fail_memory(err, NULL);
    gf_roofline_tabulate(found, t);
    if (gf_writer_table(r->writer, &t->table, err) == 0)
        result = gf_writer_commit(r->writer, err);
    free(t);
    gf_writer_close(r->writer);
    r->writer = NULL;
    return result;
}

int gf_roofline_report_device(struct gf_roofline_report *r, struct gf_device *d, int threads, const char *name,
                              struct gf_error *err)
{
    const bool cuda = d->kind == &gf_device_cuda;
    const int64_t bytes = gf_bench_memory(cuda, d->index, r->memory_bytes);
    struct gf_roofline *found = calloc(1, sizeof *found);
    int result;

    if (found == NULL)
        return gf_fail_memory(err, NULL);
    if (name != NULL)
        snprintf(found->device, sizeof found->device, "%s", name);
    else
        snprintf(found->device, sizeof found->device, "%d CPU thread%s", threads, threads == 1 ? "" : "s");
    fflush(stdout);                                          /* measuring takes seconds */
    result = gf_roofline_measure(d, threads, gf_roofline_samples(cuda, 0, bytes), false, found, err);
    if (result == 0) {
        gf_roofline_print(found);
        result = write_output(r, found, err);
    } else if (r->writer == NULL) {
        printf("  the roofline is unknown: %s\n", err->text);
        result = 0;
    }
    free(found);
    return result;
}

int gf_roofline_report_cpu(struct gf_roofline_report *r, struct gf_error *err)
{
    struct gf_device d = { .kind = &gf_device_cpu };
    struct gf_device_facts facts = { 0 };
    int threads;

    gf_device_cpu.facts(0, &facts, NULL, 0);
    threads = r->threads > 0 ? r->threads : facts.cores;
    printf("cpu     the roofline of %d thread%s\n", threads, threads == 1 ? "" : "s");
    return gf_roofline_report_device(r, &d, threads, NULL, err);
}

void gf_roofline_report_close(struct gf_roofline_report *r)
{
    gf_writer_close(r->writer);
    r->writer = NULL;
}
