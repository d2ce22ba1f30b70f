/* Keeps results of passes, and state that segments pass on, in a device's memory from one job to the next. */
#include "device/kept.h"

#include "plan/history.h"

/* Lets a device in another process give up something. If that process has ended, so has all that it kept. */
static void drop(struct gf_device *d, enum gf_keep what, int pass)
{
    struct gf_error none;

    (void)d->kind->keep(d, what, pass, 0, &none);
}

int gf_kept_open_result(struct gf_device *d, int pass, size_t bytes, struct gf_error *err)
{
    if (d->kind->keep != NULL)
        return d->kind->keep(d, GF_KEEP_RESULT, pass, bytes, err);
    return d->kept->result[pass] != NULL ? 0 : d->kind->alloc(d, bytes, &d->kept->result[pass], err);
}

void gf_kept_close_result(struct gf_device *d, int pass)
{
    if (d->kind->keep != NULL) {
        drop(d, GF_DROP_RESULT, pass);
        return;
    }
    d->kind->release(d, d->kept->result[pass]);
    d->kept->result[pass] = NULL;
}

int gf_kept_open_carry(struct gf_device *d, int pass, size_t bytes, struct gf_error *err)
{
    struct gf_kept_carry *c;

    if (d->kind->keep != NULL)
        return d->kind->keep(d, GF_KEEP_STATE, pass, bytes, err);
    c = &d->kept->carry[pass];
    if (c->memory != NULL)
        gf_order_close(&c->order);
    else if (d->kind->alloc(d, bytes, &c->memory, err) != 0)
        return -1;
    gf_order_open(&c->order);
    return 0;
}

void gf_kept_fail_carry(struct gf_device *d, int pass)
{
    if (d->kind->keep != NULL)
        drop(d, GF_FAIL_STATE, pass);
    else
        gf_order_fail(&d->kept->carry[pass].order);
}

void gf_kept_close_carry(struct gf_device *d, int pass)
{
    struct gf_kept_carry *c;

    if (d->kind->keep != NULL) {
        drop(d, GF_DROP_STATE, pass);
        return;
    }
    c = &d->kept->carry[pass];
    if (c->memory != NULL)
        gf_order_close(&c->order);
    d->kind->release(d, c->memory);
    c->memory = NULL;
}

int gf_kept_wait(struct gf_kept_carry *c, const struct gf_job *job, struct gf_error *err)
{
    return gf_order_wait(&c->order, job->index) ? 0 : gf_fail(err, GF_FAILED, "an earlier segment failed");
}

/* Copies the units of one block to another. */
static int copy_units(const struct gf_block *to, const struct gf_block *from, gf_kept_copy *copy, void *stream,
                      struct gf_error *err)
{
    const size_t sample = gf_type_bytes(from->type);
    const size_t bytes = (size_t)(gf_span_units(from->span) * from->pitch_samples) * sample;

    for (int c = 0; c < (from->planar ? from->channels : 1); c++)
        if (copy(stream, (char *)to->data + (size_t)(c * to->plane_samples) * sample,
                 (const char *)from->data + (size_t)(c * from->plane_samples) * sample, bytes, err) != 0)
            return -1;
    return 0;
}

int gf_kept_copy_history(struct gf_kept_carry *c, const struct gf_step *s, struct gf_span units,
                         const struct gf_block *block,
                         bool recall, gf_kept_copy *copy, void *stream, struct gf_error *err)
{
    while (units.start < units.end) {
        const struct gf_block past = gf_history_part(s, c->memory, units), part = gf_block_part(block, past.span);

        if (copy_units(recall ? &part : &past, recall ? &past : &part, copy, stream, err) != 0)
            return -1;
        units.start = past.span.end;
    }
    return 0;
}
