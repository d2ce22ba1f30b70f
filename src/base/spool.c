/* Room on disk for a signal that does not fit in memory. */
#define _GNU_SOURCE
#include "base/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int gf_spool_open(struct gf_spool *s, size_t bytes, struct gf_error *err)
{
    const char *const folder = gf_spool_folder();
    int code;

    *s = (struct gf_spool) { .bytes = bytes };
    if (gf_spool_file_open(&s->file, err) != 0)
        return -1;
    code = posix_fallocate(s->file.fd, 0, (off_t)bytes);      /* asked for now, so that no page is missing later */
    if (code != 0) {
        gf_spool_close(s);
        return gf_fail(err, GF_FAILED, "%s: no room for %zu MB that do not fit in memory (%s); set TMPDIR to a larger disk, or raise --memory",
                       folder, bytes >> 20, strerror(code));
    }
    s->memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, s->file.fd, 0);
    if (s->memory != MAP_FAILED)
        return 0;
    code = errno;
    s->memory = NULL;
    gf_spool_close(s);
    return gf_fail(err, GF_FAILED, "%s: %zu MB are there, but find no place among the program's addresses (%s); ulimit -v tells of a limit on them",
                   folder, bytes >> 20, strerror(code));
}

int gf_spool_read(const struct gf_spool *s, size_t offset, void *to, size_t bytes, struct gf_error *err)
{
    return gf_spool_file_read(&s->file, offset, to, bytes, err);
}

int gf_spool_write(const struct gf_spool *s, size_t offset, const void *from, size_t bytes, struct gf_error *err)
{
    return gf_spool_file_write(&s->file, offset, from, bytes, err);
}

void gf_spool_relax(const struct gf_spool *s)
{
    madvise(s->memory, s->bytes, MADV_DONTNEED);
}

void gf_spool_close(struct gf_spool *s)
{
    if (s->memory != NULL)
        munmap(s->memory, s->bytes);
    gf_spool_file_close(&s->file);
    s->bytes = 0;
    s->memory = NULL;
}
