/* Prefix sums of stored integers on a GPU. */
#ifndef GF_KERNELS_PREFIX_WHOLE_CUH
#define GF_KERNELS_PREFIX_WHOLE_CUH

#include "kernels/statistics/prefix.h"

/* Sums io->src as stored to io->dst in any layout; io->store is ignored. */
int gf_prefix_whole(const struct gf_work *work, const struct gf_io *io, const struct gf_prefix *p,
                    struct gf_error *err);

#endif
