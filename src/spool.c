/* Room on disk for a signal that does not fit in memory. */
#define _GNU_SOURCE
#include "spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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

int gf_spool_open(size_t bytes, void **memory, struct gf_error *err)
{
    const char *folder = gf_spool_folder();
    const int fd = open_nameless(folder);
    int code;

    *memory = NULL;
    if (fd < 0)
        return gf_fail(err, GF_FAILED, "%s: %s; TMPDIR names the folder for what does not fit in memory", folder, strerror(errno));
    code = posix_fallocate(fd, 0, (off_t)bytes);     /* asked for now, so that no page is missing later */
    if (code == 0) {
        *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        code = *memory == MAP_FAILED ? errno : 0;
    }
    close(fd);
    if (code == 0)
        return 0;
    *memory = NULL;
    return gf_fail(err, GF_FAILED, "%s: no room for %zu MB that do not fit in memory (%s); set TMPDIR to a larger disk, or raise --memory",
                   folder, bytes >> 20, strerror(code));
}

void gf_spool_relax(void *memory, size_t bytes)
{
    madvise(memory, bytes, MADV_DONTNEED);
}

void gf_spool_close(void *memory, size_t bytes)
{
    if (memory != NULL)
        munmap(memory, bytes);
}
