/* Keeps bytes in memory up to a ceiling; if there are more, in an unlinked file. */
#define _GNU_SOURCE
#include "base/spool.h"

#include "base/file_limit.h"
#include "base/pages.h"
#include "base/words.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
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

bool gf_spool_needs_names(void)
{
    const int fd = open(gf_spool_folder(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

    if (fd >= 0)
        close(fd);
    return fd < 0;
}

/* Creates a file with a name and unlinks it, without a signal in between, which would leave it. */
static int open_unlinked(const char *folder)
{
    char name[4096];
    sigset_t all, before;
    int fd, saved;

    snprintf(name, sizeof name, "%s/gpufilter-XXXXXX", folder);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    fd = mkostemp(name, O_CLOEXEC);
    saved = errno;
    if (fd >= 0)
        unlink(name);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = saved;
    return fd;
}

/* Creates a file without a name, or one that is unlinked at once if the file system needs a name. */
static int open_nameless(struct gf_spool *s, struct gf_error *err)
{
    const char *const folder = gf_spool_folder();

    s->fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (s->fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == ENOENT))
        s->fd = open_unlinked(folder);
    s->on_disk = s->fd >= 0;
    return s->on_disk ? 0
                      : gf_fail_system(err, errno, "%s: cannot create a temporary file; set TMPDIR to another folder",
                                       folder);
}

/* Reads from the file into `to`, or writes `from` to it if that is not NULL. */
static int move_bytes(const struct gf_spool *s, size_t offset, char *to, const char *from, size_t bytes,
                      struct gf_error *err)
{
    for (size_t done = 0; done < bytes;) {
        const off_t at = (off_t)(offset + done);
        const ssize_t n = from != NULL ? pwrite(s->fd, from + done, bytes - done, at)
                                       : pread(s->fd, to + done, bytes - done, at);

        if (n < 0 && gf_file_limit_is_reason(errno))
            return gf_file_limit_fail_temporary(err, gf_spool_folder());
        if (n == 0 || (n < 0 && errno != EINTR))
            return gf_fail(err, GF_FAILED, "%s: cannot access the temporary file: %s; set TMPDIR to another disk",
                           gf_spool_folder(), n == 0 ? "unexpected end of file" : strerror(errno));
        done += n > 0 ? (size_t)n : 0;
    }
    return 0;
}

int gf_spool_read(const struct gf_spool *s, size_t offset, void *to, size_t bytes, struct gf_error *err)
{
    if (s->on_disk)
        return move_bytes(s, offset, to, NULL, bytes, err);
    if (bytes > 0)
        memcpy(to, (const char *)s->memory + offset, bytes);
    return 0;
}

int gf_spool_write(const struct gf_spool *s, size_t offset, const void *from, size_t bytes, struct gf_error *err)
{
    if (s->on_disk)
        return move_bytes(s, offset, NULL, from, bytes, err);
    if (bytes > 0)
        memcpy((char *)s->memory + offset, from, bytes);
    return 0;
}

void gf_spool_begin(struct gf_spool *s, size_t most)
{
    *s = (struct gf_spool) { .most = most };
}

/* Makes room for `bytes` in memory, doubling it when it grows. */
static int grow(struct gf_spool *s, size_t bytes, struct gf_error *err)
{
    const size_t larger = bytes > s->most / 2 ? s->most : 2 * bytes;
    void *const memory = bytes > s->room ? realloc(s->memory, larger) : s->memory;

    if (bytes <= s->room)
        return 0;
    if (memory == NULL)
        return gf_fail_memory(err, NULL);
    s->memory = memory;
    s->room = larger;
    return 0;
}

static int move_to_disk(struct gf_spool *s, struct gf_error *err)
{
    if (open_nameless(s, err) != 0 || gf_spool_write(s, 0, s->memory, s->bytes, err) != 0)
        return -1;
    free(s->memory);
    s->memory = NULL;
    s->room = 0;
    return 0;
}

int gf_spool_put(struct gf_spool *s, size_t offset, const void *from, size_t bytes, struct gf_error *err)
{
    const size_t end = offset + bytes;

    if (!s->on_disk && (end > s->most ? move_to_disk(s, err) : grow(s, end, err)) != 0)
        return -1;
    if (!s->on_disk && offset > s->bytes)
        memset((char *)s->memory + s->bytes, 0, offset - s->bytes);
    if (end > s->bytes)
        s->bytes = end;
    return gf_spool_write(s, offset, from, bytes, err);
}

void *gf_spool_room(struct gf_spool *s, size_t bytes)
{
    struct gf_error ignored;

    return !s->on_disk && s->bytes + bytes <= s->most && grow(s, s->bytes + bytes, &ignored) == 0
        ? (char *)s->memory + s->bytes
        : NULL;
}

/* Allocates the disk space now, because a write to a mapped page cannot report a full disk. */
static int map_file(struct gf_spool *s, struct gf_error *err)
{
    const char *const folder = gf_spool_folder();
    char size[40];
    int code;

    gf_bytes_text((int64_t)s->bytes, size);
    if (open_nameless(s, err) != 0)
        return -1;
    code = posix_fallocate(s->fd, 0, (off_t)s->bytes);
    if (gf_file_limit_is_reason(code))
        return gf_file_limit_fail_temporary(err, folder);
    if (code != 0)
        return gf_fail(err, GF_FAILED,
                       "%s: cannot store %s of temporary data (%s);; set TMPDIR to a larger disk, or raise --memory",
                       folder, size, strerror(code));
    s->memory = mmap(NULL, s->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, s->fd, 0);
    if (s->memory != MAP_FAILED)
        return 0;
    s->memory = NULL;
    return gf_fail(err, GF_FAILED, "%s: cannot map %s (%s); check ulimit -v", folder, size, strerror(errno));
}

int gf_spool_reserve(struct gf_spool *s, size_t bytes, size_t most, struct gf_error *err)
{
    gf_spool_begin(s, most);
    s->bytes = bytes;
    if ((bytes > most ? map_file(s, err) : gf_pages_alloc(bytes, &s->memory, err)) == 0)
        return 0;
    gf_spool_close(s);
    return -1;
}

int gf_spool_open(struct gf_spool *s, size_t bytes, struct gf_error *err)
{
    return gf_spool_reserve(s, bytes, 0, err);
}

void gf_spool_relax(const struct gf_spool *s)
{
    if (s->on_disk)
        madvise(s->memory, s->bytes, MADV_DONTNEED);
}

void gf_spool_close(struct gf_spool *s)
{
    if (!s->on_disk || s->room > 0)            /* on disk with room > 0: moving to disk has failed */
        free(s->memory);
    else if (s->memory != NULL)
        munmap(s->memory, s->bytes);
    if (s->on_disk)
        close(s->fd);
    gf_spool_begin(s, s->most);
}

/* ---- queues ---- */

void gf_spool_queue_begin(struct gf_spool_queue *q, size_t room, size_t most)
{
    *q = (struct gf_spool_queue) { .room = room };
    gf_spool_begin(&q->spool, most);
}

int gf_spool_queue_put(struct gf_spool_queue *q, const void *from, size_t bytes, struct gf_error *err)
{
    const size_t at = (q->first + q->bytes) % q->room, one = bytes < q->room - at ? bytes : q->room - at;

    q->bytes += bytes;
    return gf_spool_put(&q->spool, at, from, one, err) != 0
        || gf_spool_put(&q->spool, 0, (const char *)from + one, bytes - one, err) != 0 ? -1 : 0;
}

int gf_spool_queue_take(struct gf_spool_queue *q, void *to, size_t bytes, struct gf_error *err)
{
    const size_t at = q->first, one = bytes < q->room - at ? bytes : q->room - at;

    q->first = (at + bytes) % q->room;
    q->bytes -= bytes;
    return gf_spool_read(&q->spool, at, to, one, err) != 0
        || gf_spool_read(&q->spool, 0, (char *)to + one, bytes - one, err) != 0 ? -1 : 0;
}
