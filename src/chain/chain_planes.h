/* A chain for video in its planes. */
#ifndef GF_CHAIN_CHAIN_PLANES_H
#define GF_CHAIN_CHAIN_PLANES_H

#include "chain/chain.h"

/*
 * Binds the stages to luma and to chroma, if `choice` and the stages allow it for frames that are
 * stored as `stored`: chain->plane is set. Otherwise it stays empty. chain->planes_note explains
 * what a user does not expect. The chain must be bound, and not for planes.
 */
int gf_chain_planes_bind(struct gf_chain *chain, const struct gf_format *stored, enum gf_video_choice choice,
                         struct gf_error *err) GF_MUST_CHECK;
/* Releases the chains of the planes. */
void gf_chain_planes_release(struct gf_chain *chain);

#endif
