/* Finds operations that compute a result in 8 bits from packed integers, and how. */
#include "plan/plan_eight_bits.h"

#include "chain/binding.h"

/* Returns true if an operation on a GPU is the last one, and its result is stored in 8 bits with no program. */
static bool is_stored_in_bytes(const struct gf_draft *d, const struct gf_link *link)
{
    const int channels = link->out.channels;

    return d->fuses && !d->exact && link == &d->binding->link[d->binding->links - 1] && d->out != NULL
        && d->out->type == GF_U8 && !d->out->yuv.used && !link->out.alpha
        && (channels == d->out->channels || (channels == 1 && d->out->channels == 3));
}

bool gf_plan_eight_bits_source(const struct gf_draft *d, const struct gf_link *link, struct gf_format *f)
{
    const bool changed = d->planar || d->pending.count > 0;
    struct gf_op_source source;

    *f = gf_draft_after_program(d);
    if (link->op->prefers == NULL || !link->need.whole || !is_stored_in_bytes(d, link)
        || (!changed && f->channels != 3)
        || (d->pass->steps == 0 && d->pending.count == 0 && d->pass->from.end == GF_END_RESIDENT))
        return false;
    f->channels = f->channels == 3 ? 4 : f->channels;
    if (changed)
        f->type = GF_U16, f->bits = 16, f->maxval = 65535;
    source = (struct gf_op_source) { .values = d->values, .type = f->type, .channels = f->channels, .approximate = true,
                                     .pitch_bytes = (int64_t)gf_unit_bytes(f) };
    return link->op->prefers(link->params, &source);
}

bool gf_plan_eight_bits_at_once(const struct gf_draft *d, const struct gf_link *link, const void *params)
{
    return !d->fuses && link->op->at_once != NULL && link == &d->binding->link[d->binding->links - 1] && d->out != NULL
        && !d->planar && d->pending.count == 0 && d->now.type == GF_U8 && d->out->type == GF_U8
        && d->now.maxval == d->out->maxval && !d->out->yuv.used && d->now.channels == d->out->channels
        && link->out.alpha == d->out->alpha && link->op->at_once(params, &d->now);
}

bool gf_plan_eight_bits_join(const struct gf_draft *d, const struct gf_link *link, union gf_op_changed *both)
{
    const struct gf_link *next = link + 1;

    if (next != &d->binding->link[d->binding->links - 1] || link->op->join_next == NULL || next->kind != GF_LINK_OP
        || next->op != link->op || next->stage != link->stage)
        return false;
    link->op->join_next(link->params, both);
    return gf_plan_eight_bits_at_once(d, next, both);
}
