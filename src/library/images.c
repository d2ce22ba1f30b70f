/* Reads consecutive images, whose rows come from a function. */
#include "library/images.h"

#include <stdlib.h>
#include <string.h>

struct images {
    struct gf_reader rows;
    char *samples;                       /* of the current image; NULL: none is read */
    size_t row_bytes;
    int64_t next;                        /* the row to read next in order */
};

static int next_image(struct gf_reader *r, struct gf_error *err)
{
    struct images *const m = r->state;
    const int64_t got = gf_reader_read(&m->rows, m->samples, r->format.units, err);

    m->next = 0;
    return got <= 0 ? (int)got : got == r->format.units ? 1
         : gf_fail(err, GF_FAILED, "the last image has only %lld of %lld rows", (long long)got,
                   (long long)r->format.units);
}

static void *place(const struct gf_reader *r, int64_t start)
{
    const struct images *const m = r->state;

    return m->samples + (size_t)start * m->row_bytes;
}

static int read_at(struct gf_reader *r, int64_t start, void *units, int64_t count, struct gf_error *err)
{
    const struct images *const m = r->state;

    (void)err;
    memcpy(units, place(r, start), (size_t)count * m->row_bytes);
    return 0;
}

static int64_t read_on(struct gf_reader *r, void *units, int64_t count, struct gf_error *err)
{
    struct images *const m = r->state;
    const int64_t left = r->format.units - m->next, n = count < left ? count : left;

    (void)read_at(r, m->next, units, n, err);
    m->next += n;
    return n;
}

static void close_images(struct gf_reader *r)
{
    struct images *const m = r->state;

    free(m->samples);
}

static const struct gf_reader_ops image_ops = { .next = next_image, .read = read_on,
                                                .read_at = read_at, .in_place = place,
                                                .close = close_images, .opening = GF_LABOUR_FILE,
                                                .reading = GF_LABOUR_COPY };

struct gf_reader *gf_images_open(const struct gf_format *f, struct gf_array_calls *calls, struct gf_notices *notices,
                                 struct gf_watch *watch, struct gf_error *err)
{
    const struct gf_reader like = { .name = "array", .title = "array", .notices = notices, .watch = watch };
    struct images *const m = calloc(1, sizeof *m);
    struct gf_reader *r = NULL;

    if (m != NULL && calls != NULL)
        m->samples = malloc((size_t)f->units * gf_unit_bytes(f));
    if (m == NULL || (calls != NULL && m->samples == NULL))
        gf_fail_memory(err, NULL);
    else
        r = gf_reader_new(&like, &image_ops, m, f, err);
    if (r == NULL) {
        if (m != NULL)
            free(m->samples);
        free(m);
        return NULL;
    }
    m->row_bytes = gf_unit_bytes(f);
    gf_array_call_reader(&m->rows, f, calls);
    r->random = true;
    return r;
}
