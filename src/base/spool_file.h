/* Room on disk for what does not fit in memory: an unlinked file in $TMPDIR, which is gone when the program ends, however it does. */
#ifndef GF_BASE_SPOOL_FILE_H
#define GF_BASE_SPOOL_FILE_H

#include "base/error.h"

#include <stddef.h>

/* Where spools are kept: $TMPDIR, else /var/tmp. */
const char *gf_spool_folder(void);
/* It grows as it is written. */
struct gf_spool_file {
    int fd;
};

int gf_spool_file_open(struct gf_spool_file *f, struct gf_error *err) GF_MUST_CHECK;
int gf_spool_file_read(const struct gf_spool_file *f, size_t offset, void *to, size_t bytes, struct gf_error *err) GF_MUST_CHECK;
/* Fails where the disk is full. */
int gf_spool_file_write(const struct gf_spool_file *f, size_t offset, const void *from, size_t bytes, struct gf_error *err) GF_MUST_CHECK;
void gf_spool_file_close(struct gf_spool_file *f);

#endif
