/* Room on disk for a signal that does not fit in memory: an unlinked file in $TMPDIR. */
#ifndef GF_SPOOL_H
#define GF_SPOOL_H

#include "gpufilter.h"

/* The file alone, which grows as it is written. */
struct gf_spool_file {
    int fd;
};

int gf_spool_file_open(struct gf_spool_file *f, struct gf_error *err) GF_MUST_CHECK;
int gf_spool_file_read(const struct gf_spool_file *f, size_t offset, void *to, size_t bytes, struct gf_error *err) GF_MUST_CHECK;
/* Fails where the disk is full. */
int gf_spool_file_write(const struct gf_spool_file *f, size_t offset, const void *from, size_t bytes, struct gf_error *err) GF_MUST_CHECK;
void gf_spool_file_close(struct gf_spool_file *f);

struct gf_spool {
    struct gf_spool_file file;
    size_t bytes;
    void *memory;                /* all of it, as memory; pages come and go */
};

/* Where spools are kept: $TMPDIR, else /var/tmp. */
const char *gf_spool_folder(void);
/* Fails where the disk has no room for all of it. */
int gf_spool_open(struct gf_spool *s, size_t bytes, struct gf_error *err) GF_MUST_CHECK;
int gf_spool_read(const struct gf_spool *s, size_t offset, void *to, size_t bytes, struct gf_error *err) GF_MUST_CHECK;
int gf_spool_write(const struct gf_spool *s, size_t offset, const void *from, size_t bytes, struct gf_error *err) GF_MUST_CHECK;
/* Lets go of the pages of `memory`, not of what they hold: they come back from the file when they are touched. */
void gf_spool_relax(const struct gf_spool *s);
void gf_spool_close(struct gf_spool *s);

#endif
