/* Opens files with libsndfile, whose error state is global to the program. */
#ifndef GF_FORMATS_SNDFILE_OPEN_H
#define GF_FORMATS_SNDFILE_OPEN_H

#include "io/format.h"
#include "io/formats/audio/libsndfile.h"

#include <stddef.h>

/*
 * Calls sf_open_virtual(). Returns NULL with the reason in `why`, of `size` bytes, which is empty if
 * memory ran out. Threads may open
 * at the same time; a call that fails is repeated while no other runs, to get the right reason.
 * `rewind` resets `user` before that; NULL if there is nothing to reset.
 */
SNDFILE *gf_sndfile_open(SF_VIRTUAL_IO *calls, int mode, SF_INFO *info, void *user, void (*rewind)(void *user),
                         char *why, size_t size);

/* Opens a reader for anything that libsndfile decodes. */
int gf_sndfile_open_reader(struct gf_reader *r, struct gf_source *s, const struct gf_read_options *o,
                           struct gf_error *err) GF_MUST_CHECK;

#endif
