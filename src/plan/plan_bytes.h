/* Bytes of a signal as it is kept in memory between operations. */
#ifndef GF_PLAN_PLAN_BYTES_H
#define GF_PLAN_PLAN_BYTES_H

#include "plan/plan.h"

/* Bytes of one unit as it is kept in memory between operations. */
static inline int64_t gf_plan_bytes_between(const struct gf_format *f, bool planar, int64_t pitch_samples)
{
    const int64_t samples = pitch_samples * (planar ? f->channels : 1);

    return samples * (int64_t)gf_type_bytes(planar ? GF_F32 : f->type);
}

static inline int64_t gf_plan_step_bytes(const struct gf_step *s)
{
    return gf_plan_bytes_between(&s->out, s->planar, s->pitch_samples);
}

static inline int64_t gf_plan_store_unit_bytes(const struct gf_pass_end *store)
{
    return gf_plan_bytes_between(&store->format, store->planar, store->pitch_samples);
}

static inline int64_t gf_plan_store_bytes(const struct gf_pass_end *store)
{
    return store->format.units * gf_plan_store_unit_bytes(store);
}

#endif
