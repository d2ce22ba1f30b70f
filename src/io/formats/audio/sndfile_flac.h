/* FLAC whose header is from libsndfile, and whose frames are encoded on several threads. */
#ifndef GF_FORMATS_SNDFILE_FLAC_H
#define GF_FORMATS_SNDFILE_FLAC_H

#include "io/formats/audio/flac_frames.h"
#include "io/formats/audio/sndfile_output.h"
#include "io/io.h"

/*
 * Lets libsndfile write the header, after all options and tags are set. Returns NULL if libsndfile should encode, too:
 * one thread is allowed, the output is live, or the header cannot be written.
 */
struct gf_flac_frames *gf_sndfile_flac_begin(const struct gf_writer *w, SNDFILE *file, struct gf_sndfile_output *to);
/* Replaces what libsndfile states about frames that it did not see, after it has closed the file. */
int gf_sndfile_flac_end(struct gf_sndfile_output *to, const struct gf_flac_totals *totals) GF_MUST_CHECK;

#endif
