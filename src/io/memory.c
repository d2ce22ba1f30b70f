/* Readers and writers for signals in memory. */
#include "io/memory.h"

#include <string.h>

static int no_next(struct gf_reader *r, struct gf_error *err)
{
    (void)r;
    (void)err;
    return 0;
}

static void *read_place(const struct gf_reader *r, int64_t start)
{
    const struct gf_format stored = gf_stored_format(&r->format);

    return (char *)r->state + (size_t)start * gf_unit_bytes(&stored);
}

static void *write_place(struct gf_writer *w, int64_t start)
{
    const struct gf_format stored = gf_stored_format(&w->format);

    return (char *)w->state + (size_t)start * gf_unit_bytes(&stored);
}

static int read_at(struct gf_reader *r, int64_t start, void *units, int64_t count, struct gf_error *err)
{
    const struct gf_format stored = gf_stored_format(&r->format);

    (void)err;
    memcpy(units, read_place(r, start), (size_t)count * gf_unit_bytes(&stored));
    return 0;
}

static int write_at(struct gf_writer *w, int64_t start, const void *units, int64_t count, struct gf_error *err)
{
    const struct gf_format stored = gf_stored_format(&w->format);

    (void)err;
    memcpy(write_place(w, start), units, (size_t)count * gf_unit_bytes(&stored));
    return 0;
}

/* The memory is for samples of one format. */
static int set_format(struct gf_writer *w, struct gf_format *f, struct gf_error *err)
{
    (void)err;
    *f = w->format;
    return 0;
}

static const struct gf_reader_ops reader_ops = { .next = no_next, .read_at = read_at, .in_place = read_place,
                                                 .reading = GF_LABOUR_COPY };
static const struct gf_writer_ops writer_ops = { .name = "memory", .fit = set_format, .write_at = write_at,
                                                 .in_place = write_place, .writing = GF_LABOUR_COPY };

void gf_memory_reader(struct gf_reader *r, const struct gf_format *f, const void *units, const char *name)
{
    *r = (struct gf_reader){
        .ops = &reader_ops, .format = *f, .name = name, .random = true, .state = (void *)(uintptr_t)units
    };
}

void gf_memory_writer(struct gf_writer *w, const struct gf_format *f, void *units, const char *name)
{
    *w = (struct gf_writer) { .ops = &writer_ops, .format = *f, .name = name, .random = true, .state = units };
}
