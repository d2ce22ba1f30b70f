/* Facts about the encodings that libsndfile decodes. */
#ifndef GF_FORMATS_SNDFILE_ENCODINGS_H
#define GF_FORMATS_SNDFILE_ENCODINGS_H

#include "base/signal.h"
#include "io/formats/stated_length.h"

#include <sndfile.h>

/* Sets the type that holds what is stored without loss. libsndfile puts narrow integers at the top of wide ones. */
void gf_sndfile_set_type(struct gf_format *f, int subtype);
/* True if frames of an encoding come out the same wherever the decoder is sent. */
bool gf_sndfile_seeks_exactly(int subtype);
/* Frames that a file states, in its header or by its bytes; 0: it does not say. */
int64_t gf_sndfile_stated_frames(const struct gf_stated_length *stated, const SF_INFO *info);

#endif
