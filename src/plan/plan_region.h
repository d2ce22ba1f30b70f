/* Regions: which rectangle of a signal on disk an operation needs for a tile of its result. */
#ifndef GF_PLAN_PLAN_REGION_H
#define GF_PLAN_PLAN_REGION_H

#include "kernels/base/region.h"
#include "plan/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_TILE_COLUMNS 512              /* of a tile, at most */

/* Columns of a tile of so many rows: about twice as many, so that regions stay compact. */
static inline int64_t gf_tile_columns(int64_t rows)
{
    return rows >= 256 ? GF_TILE_COLUMNS : rows >= 64 ? GF_TILE_COLUMNS / 2 : GF_TILE_COLUMNS / 4;
}

/* Whether the step can work region by region at all. */
bool gf_region_possible(const struct gf_step *s);
/* Samples a region can have at most, for tiles of so many rows; rows padded as between operations. */
int64_t gf_region_samples(const struct gf_step *s, int64_t rows, bool planar);
/* The block that a region makes at `memory`, with rows padded and one plane behind the other. */
struct gf_block gf_region_block(const struct gf_pass_end *store, const struct gf_region *r, void *memory);
/* Columns [x, …) of a block of whole rows, `columns` of them. */
struct gf_block gf_block_columns(const struct gf_block *b, struct gf_span columns);

#ifdef __cplusplus
}
#endif
#endif
