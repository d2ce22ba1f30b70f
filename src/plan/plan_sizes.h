/* What the parts of the planner share that choose sizes. */
#ifndef GF_PLAN_SIZES_H
#define GF_PLAN_SIZES_H

#include "plan/plan.h"

#include "plan/plan_parts.h"

static inline int64_t gf_at_least(int64_t n, int64_t least)
{
    return n < least ? least : n;
}

static inline int64_t gf_at_most(int64_t n, int64_t most)
{
    return n > most ? most : n;
}

/* One unit as it is kept in memory between operations. */
static inline int64_t gf_plan_bytes_between(const struct gf_format *f, bool planar, int64_t pitch_samples)
{
    const int64_t samples = pitch_samples * (planar ? f->channels : 1);

    return samples * (int64_t)gf_type_bytes(planar ? GF_F32 : f->type);
}

static inline int64_t gf_plan_step_bytes(const struct gf_step *s)
{
    return gf_plan_bytes_between(&s->out, s->planar, s->pitch_samples);
}

static inline int64_t gf_plan_store_unit_bytes(const struct gf_store *store)
{
    return gf_plan_bytes_between(&store->format, store->planar, store->pitch_samples);
}

static inline int64_t gf_plan_store_bytes(const struct gf_store *store)
{
    return store->format.units * gf_plan_store_unit_bytes(store);
}

/* Units of a segment, and of a strip on a CPU; they end at multiples of the grain, and hold whole blocks where they can. */
int64_t gf_plan_grain(const struct gf_pass *pass);
int64_t gf_plan_block(const struct gf_pass *pass);
int64_t gf_plan_whole_blocks(const struct gf_pass *pass, int64_t units);
int64_t gf_plan_choose_segment(const struct gf_pass *pass, const struct gf_limits *limits, bool cuda, int lanes);
int64_t gf_plan_choose_strip(const struct gf_pass *pass);

/* Where state stands that segments hand on; and the bytes of a lane, for the segments and strips that the pass has. */
void gf_plan_place_states(struct gf_pass *pass);
void gf_plan_size_lane(struct gf_pass *pass, bool cuda);

#endif
