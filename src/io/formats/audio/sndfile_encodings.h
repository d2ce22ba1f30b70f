/* Properties of the encodings that libsndfile decodes. */
#ifndef GF_FORMATS_SNDFILE_ENCODINGS_H
#define GF_FORMATS_SNDFILE_ENCODINGS_H

#include "base/signal.h"
#include "io/formats/audio/libsndfile.h"
#include "io/formats/audio/stated_length.h"

/* Returns true if --from, a name or a list of names, includes the container of a libsndfile format. */
bool gf_sndfile_is_named(int format, const char *from);
/*
 * Sets the type that represents an encoding without loss. libsndfile stores narrow integers in the
 * high bits.
 */
void gf_sndfile_set_type(struct gf_format *f, int subtype);
/* Returns true if decoding after a seek gives the same samples as decoding from the start. */
bool gf_sndfile_seeks_exactly(int subtype);
/* Returns the frames that a file states, directly or through its bytes; 0 if unknown. */
int64_t gf_sndfile_stated_frames(const struct gf_stated_length *stated, const SF_INFO *info);

#endif
