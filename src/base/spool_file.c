/* Files without a name, that grow as they are written. */
#define _GNU_SOURCE
#include "base/spool_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *gf_spool_folder(void)
{
    const char *folder = getenv("TMPDIR");

    return folder != NULL && folder[0] != '\0' ? folder : "/var/tmp";
}

/* A file without a name; where the folder can't have such, one whose name is gone at once. */
static int open_nameless(const char *folder)
{
    char name[4096];
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

    if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT))
        return fd;
    snprintf(name, sizeof name, "%s/gpufilter-XXXXXX", folder);
    fd = mkostemp(name, O_CLOEXEC);
    if (fd >= 0)
        unlink(name);
    return fd;
}

int gf_spool_file_open(struct gf_spool_file *f, struct gf_error *err)
{
    const char *folder = gf_spool_folder();

    f->fd = open_nameless(folder);
    return f->fd >= 0 ? 0 : gf_fail(err, GF_FAILED, "%s: %s; TMPDIR names the folder for what does not fit in memory", folder, strerror(errno));
}

static int broken(ssize_t n, struct gf_error *err)
{
    return gf_fail(err, GF_FAILED, "%s: %s, while it held what does not fit in memory; TMPDIR names the folder", gf_spool_folder(),
                   n == 0 ? "a file ends early" : strerror(errno));
}

int gf_spool_file_read(const struct gf_spool_file *f, size_t offset, void *to, size_t bytes, struct gf_error *err)
{
    while (bytes > 0) {
        const ssize_t n = pread(f->fd, to, bytes, (off_t)offset);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return broken(n, err);
        to = (char *)to + n;
        offset += (size_t)n;
        bytes -= (size_t)n;
    }
    return 0;
}

int gf_spool_file_write(const struct gf_spool_file *f, size_t offset, const void *from, size_t bytes, struct gf_error *err)
{
    while (bytes > 0) {
        const ssize_t n = pwrite(f->fd, from, bytes, (off_t)offset);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return broken(n, err);
        from = (const char *)from + n;
        offset += (size_t)n;
        bytes -= (size_t)n;
    }
    return 0;
}

void gf_spool_file_close(struct gf_spool_file *f)
{
    if (f->fd >= 0)
        close(f->fd);
    f->fd = -1;
}
