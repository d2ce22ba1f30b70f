/* Bindings for video in its planes. */
#ifndef GF_CHAIN_BINDING_PLANES_H
#define GF_CHAIN_BINDING_PLANES_H

#include "chain/binding.h"

/*
 * Binds the stages to luma and to chroma, if `choice` and the stages allow it for frames that are
 * stored as o->stored[0] says: o->plane is set. Otherwise it stays empty. o->planes_note explains
 * what a user does not expect.
 */
int gf_outputs_bind_planes(struct gf_outputs *o, const struct gf_binding *binding, enum gf_video_choice choice,
                           struct gf_error *err) GF_MUST_CHECK;
/* Releases the bindings of the planes. */
void gf_outputs_release(struct gf_outputs *o);

#endif
