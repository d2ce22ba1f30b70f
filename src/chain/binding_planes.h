/* A chain for video in its planes. */
#ifndef GF_CHAIN_CHAIN_PLANES_H
#define GF_CHAIN_CHAIN_PLANES_H

#include "chain/binding.h"

/*
 * Binds the stages to luma and to chroma, if `choice` and the stages allow it for frames that are
 * stored as `stored`: binding->plane is set. Otherwise it stays empty. binding->planes_note explains
 * what a user does not expect. The chain must be bound, and not for planes.
 */
int gf_binding_add_planes(struct gf_binding *binding, const struct gf_format *stored, enum gf_video_choice choice,
                         struct gf_error *err) GF_MUST_CHECK;
/* Releases the chains of the planes. */
void gf_binding_drop_planes(struct gf_binding *binding);

#endif
