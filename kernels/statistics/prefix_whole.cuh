/* Prefix sums of stored whole numbers on a GPU. */
#ifndef GF_KERNELS_PREFIX_WHOLE_CUH
#define GF_KERNELS_PREFIX_WHOLE_CUH

#include "kernels/statistics/prefix.h"

/* io->src as it is stored, to io->dst, whatever it is; io->store is for others. */
int gf_prefix_whole(const struct gf_work *work, const struct gf_io *io, const struct gf_prefix *p, struct gf_error *err);

#endif
