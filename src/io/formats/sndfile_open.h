/* Opening with libsndfile, whose reason for a failure is one for the whole program. */
#ifndef GF_FORMATS_SNDFILE_OPEN_H
#define GF_FORMATS_SNDFILE_OPEN_H

#include "io/format.h"

#include <sndfile.h>
#include <stddef.h>

/*
 * sf_open_virtual(); NULL with the reason in `why`, of `size` bytes. Many threads may open at once, so one that
 * fails tries again while no other does; `rewind` puts `user` back to where it was, NULL where it stands there still.
 */
SNDFILE *gf_sndfile_open(SF_VIRTUAL_IO *calls, int mode, SF_INFO *info, void *user, void (*rewind)(void *user), char *why, size_t size);

/* Opens a reader of whatever libsndfile decodes, as a format does. */
int gf_sndfile_open_reader(struct gf_reader *r, struct gf_source *s, const struct gf_read_options *o,
                           struct gf_error *err) GF_MUST_CHECK;

#endif
