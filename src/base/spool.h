/* Room on disk for a signal that does not fit in memory: an unlinked file in $TMPDIR. */
#ifndef GF_BASE_SPOOL_H
#define GF_BASE_SPOOL_H

#include "base/error.h"
#include "base/spool_file.h"

#include <stddef.h>

struct gf_spool {
    struct gf_spool_file file;
    size_t bytes;
    void *memory;                /* all of it, as memory; pages come and go */
};

/* Fails where the disk has no room for all of it. */
int gf_spool_open(struct gf_spool *s, size_t bytes, struct gf_error *err) GF_MUST_CHECK;
int gf_spool_read(const struct gf_spool *s, size_t offset, void *to, size_t bytes, struct gf_error *err) GF_MUST_CHECK;
int gf_spool_write(const struct gf_spool *s, size_t offset, const void *from, size_t bytes, struct gf_error *err) GF_MUST_CHECK;
/* Lets go of the pages of `memory`, not of what they hold: they come back from the file when they are touched. */
void gf_spool_relax(const struct gf_spool *s);
void gf_spool_close(struct gf_spool *s);

#endif
