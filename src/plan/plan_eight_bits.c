/* Finds operations that compute packed bytes from packed bytes. */
#include "plan/plan_eight_bits.h"

#include "chain/binding.h"

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
