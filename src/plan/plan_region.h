/* Regions: which rectangle of a signal on disk an operation needs for a tile of its result. */
#ifndef GF_PLAN_PLAN_REGION_H
#define GF_PLAN_PLAN_REGION_H

#include "kernels/base/region.h"
#include "plan/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_TILE_COLUMNS 512              /* most columns of a tile */

/* Returns the columns of a tile of that many rows: about twice as many, so that regions stay compact. */
static inline int64_t gf_tile_columns(int64_t rows)
{
    return rows >= 256 ? GF_TILE_COLUMNS : rows >= 64 ? GF_TILE_COLUMNS / 2 : GF_TILE_COLUMNS / 4;
}

/* Returns true if the step can work region by region. */
bool gf_region_possible(const struct gf_step *s);
/*
 * Returns the most samples of a region, for tiles of that many rows; rows are padded as between
 * operations.
 */
int64_t gf_region_samples(const struct gf_step *s, int64_t rows, bool planar);
/* Returns the block of a region at `memory`: rows are padded, and planes follow each other. */
struct gf_block gf_region_block(const struct gf_pass_end *store, const struct gf_region *r, void *memory);
/* Returns `columns` columns from x on of a block of whole rows. */
struct gf_block gf_block_columns(const struct gf_block *b, struct gf_span columns);

#ifdef __cplusplus
}
#endif
#endif
