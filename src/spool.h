/* Room on disk for a signal that does not fit in memory: an unlinked file in $TMPDIR, seen as memory. */
#ifndef GF_SPOOL_H
#define GF_SPOOL_H

#include "gpufilter.h"

/* Where spools are kept: $TMPDIR, else /var/tmp. */
const char *gf_spool_folder(void);
/* Fails where the disk has no room for all of it. */
int gf_spool_open(size_t bytes, void **memory, struct gf_error *err) GF_MUST_CHECK;
/* Lets go of the pages, not of what they hold: they come back from the file when they are touched. */
void gf_spool_relax(void *memory, size_t bytes);
void gf_spool_close(void *memory, size_t bytes);

#endif
