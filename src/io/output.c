/* The file that a writer writes to: a regular file, which is complete or absent, or a stream. */
#define _GNU_SOURCE
#include "io/output.h"

#include "base/file_limit.h"
#include "base/path.h"
#include "io/atomic_file.h"
#include "io/inherited.h"
#include "io/ledger.h"
#include "io/output_reserve.h"
#include "io/output_rights.h"
#include "io/placing_failure.h"
#include "io/source.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define HELD_WITH 32768          /* bytes that are sent together with a header */

struct gf_output {
    const char *name;            /* for messages */
    int fd;
    bool inherited;              /* standard output, or a descriptor that the caller opened, as in /dev/fd/5 */
    bool random;                 /* pwrite works */
    bool fresh;                  /* inherited: the file had no data after our start */
    struct gf_output_rules rules;
    struct gf_atomic_file placed;    /* a regular file; without a target: a direct stream */
    int64_t base;                /* offset of our byte 0 in the file */
    int64_t position;
    struct gf_output_reserve *reserve;       /* space of the file that was reserved; NULL: none */
    atomic_llong end;            /* end of the data in the file, which may be shorter than the reserved space */
    unsigned char *held;         /* a header that waits for the data after it */
    size_t held_bytes;
    atomic_llong nanoseconds;    /* time spent writing */
    atomic_llong written;        /* bytes, including those patched later */
};

static int fail_errno(const char *name, struct gf_error *err)
{
    if (errno == ENAMETOOLONG)                   /* the whole name would leave no room for the reason */
        return gf_fail_system(err, ENAMETOOLONG, "%.60s...", name);
    if (gf_file_limit_is_reason(errno))
        return gf_file_limit_fail(err, name);
    return gf_fail_system(err, errno, "%s", name);
}

/*
 * Checks that a filled-in name does not leave the folder that the user named through a link.
 * Creates missing folders if `make` is set.
 */
static int check_root(struct gf_output *out, const char *target, bool make, struct gf_error *err)
{
    const struct gf_output_rules *rules = &out->rules;
    char *folder = rules->root != NULL ? gf_path_beside(target, ".") : NULL;
    int result = 0;

    if (rules->root == NULL)
        return 0;
    if (folder == NULL)
        return gf_fail_memory(err, NULL);
    if (make && access(folder, F_OK) != 0)
        result = gf_path_make_folders(target, rules->root, rules->notices, err);
    if (result == 0)
        result = gf_path_check_beneath(rules->root, folder, out->name, err);
    free(folder);
    return result;
}

static int create_target(struct gf_output *out, const char *path, const struct stat *old, struct gf_error *err)
{
    const struct gf_output_rules *rules = &out->rules;

    if (old == NULL && check_root(out, path, true, err) != 0)
        return -1;
    out->placed.target = gf_path_resolve_links(path);
    if (out->placed.target == NULL)
        return fail_errno(out->name, err);
    if ((old != NULL || strcmp(path, out->placed.target) != 0) && check_root(out, out->placed.target, false, err) != 0)
        return -1;
    if (old != NULL && faccessat(AT_FDCWD, out->placed.target, W_OK, AT_EACCESS) != 0)
        return fail_errno(out->name, err);
    if (old == NULL && rules->root == NULL
        && gf_path_make_folders(out->placed.target, NULL, rules->notices, err) != 0)
        return -1;
    out->fd = old != NULL ? gf_output_open_like(&out->placed, old, out->name, rules->notices)
                          : gf_atomic_file_open(&out->placed, -1);
    if (out->fd < 0)
        return gf_placing_failure(out->placed.target, NULL,
                                 old != NULL ? ": cannot create a temporary file in its folder" : "", out->name, err);
    out->random = true;
    return 0;
}

/* Returns true if standard error is the same file, as after >FILE 2>&1. */
static bool shares_with_messages(const struct stat *st)
{
    struct stat messages;

    return fstat(STDERR_FILENO, &messages) == 0 && messages.st_dev == st->st_dev && messages.st_ino == st->st_ino;
}

/*
 * Appending ignores offsets, so such a file is a stream. A file that other programs write to is
 * treated as a stream, too, so that nothing is overwritten.
 */
static void use_inherited(struct gf_output *out, int fd)
{
    struct stat st;
    off_t base;

    out->inherited = true;
    out->fd = fd;
    if (fstat(out->fd, &st) != 0 || !S_ISREG(st.st_mode) || (fcntl(out->fd, F_GETFL) & O_APPEND) != 0
        || out->rules.in_order || shares_with_messages(&st))
        return;
    base = lseek(out->fd, 0, SEEK_CUR);
    out->random = base >= 0;
    out->base = base;
    out->fresh = st.st_size <= base;
}

static int open_descriptor(struct gf_output *out, const char *path, int number, struct gf_error *err)
{
    const int fd = gf_inherited_open(number, path, out->rules.ledger, err);

    if (fd < 0)
        return -1;
    use_inherited(out, fd);
    return 0;
}

/* Creates one output and its folders at a time, because the umask that this changes belongs to all threads. */
static int create_alone(struct gf_output *out, const char *path, const struct stat *old, struct gf_error *err)
{
    static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
    int result;

    pthread_mutex_lock(&one);
    result = create_target(out, path, old, err);
    pthread_mutex_unlock(&one);
    return result;
}

static int open_path(struct gf_output *out, const char *path, struct gf_error *err)
{
    const int number = gf_path_descriptor(path);
    struct stat st;

    if (number >= 0)
        return open_descriptor(out, path, number, err);
    if (stat(path, &st) != 0) {
        if (errno != ENOENT)
            return fail_errno(out->name, err);
        return create_alone(out, path, NULL, err);
    }
    if (S_ISDIR(st.st_mode))
        return gf_fail(err, GF_FAILED, "%s: is a folder; end the name with / to write files into it", out->name);
    if (S_ISREG(st.st_mode))
        return out->rules.keep ? gf_atomic_file_fail_exists(out->name, err) : create_alone(out, path, &st, err);
    if (check_root(out, path, false, err) != 0)
        return -1;
    out->fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    return out->fd < 0 ? fail_errno(out->name, err) : 0;
}

int gf_output_open(struct gf_output **out, const char *path, const struct gf_output_rules *rules, struct gf_error *err)
{
    struct gf_output *o = calloc(1, sizeof *o);

    if (o == NULL)
        return gf_fail_memory(err, NULL);
    o->name = gf_path_is_standard(path) ? "standard output" : path;
    o->fd = -1;
    o->rules = *rules;
    if (gf_path_is_standard(path)) {
        use_inherited(o, STDOUT_FILENO);
    } else if (open_path(o, path, err) != 0) {
        gf_output_close(o);
        return -1;
    }
    if (o->fd >= 0)
        fcntl(o->fd, F_SETPIPE_SZ, GF_PIPE_BYTES);           /* fails if it is not a pipe, without harm */
    *out = o;
    return 0;
}

int gf_output_check(const char *path, bool keep, struct gf_error *err)
{
    struct stat st;

    if (gf_path_is_standard(path) || gf_path_descriptor(path) >= 0 || stat(path, &st) != 0)
        return 0;
    if (S_ISDIR(st.st_mode))
        return gf_fail(err, GF_FAILED, "%s: is a folder; end the name with / to write files into it", path);
    return keep && S_ISREG(st.st_mode) ? gf_atomic_file_fail_exists(path, err) : 0;
}

bool gf_output_random(const struct gf_output *out)
{
    return out->random;
}

int64_t gf_output_position(const struct gf_output *out)
{
    return out->position;
}

void gf_output_set_position(struct gf_output *out, int64_t position)
{
    out->position = position;
}

void gf_output_reserve(struct gf_output *out, int64_t bytes, int64_t ahead)
{
    if (out->reserve == NULL && out->placed.target != NULL)
        out->reserve = gf_output_reserve_open(out->fd, bytes, ahead);
}

/* Notes that the file has data up to `end`. */
static void note_end(struct gf_output *out, int64_t end)
{
    long long seen = atomic_load(&out->end);

    while (seen < end && !atomic_compare_exchange_weak(&out->end, &seen, end))
        ;
}

/* Writes all bytes: at an offset if that is >= 0, else in order. */
static int write_all(struct gf_output *out, int64_t offset, const void *bytes, size_t size, struct gf_error *err)
{
    const char *from = bytes;

    while (size > 0) {
        ssize_t put = offset < 0 ? write(out->fd, from, size)
                                 : pwrite(out->fd, from, size, (off_t)(out->base + offset));

        if (put > 0) {
            from += put;
            size -= (size_t)put;
            offset += offset < 0 ? 0 : put;
        } else if (put == 0) {
            return gf_fail(err, GF_FAILED, "%s: cannot write more data", out->name);
        } else if (errno == EPIPE) {
            return gf_fail(err, 0, "%s: the reader has closed the pipe", out->name);
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            struct pollfd p = { .fd = out->fd, .events = POLLOUT };

            poll(&p, 1, -1);
        } else if (errno != EINTR) {
            return fail_errno(out->name, err);
        }
    }
    return 0;
}

/* Like write_all(), and counts bytes and time. */
static int write_timed(struct gf_output *out, int64_t offset, const void *bytes, size_t size, struct gf_error *err)
{
    struct timespec start, end;
    int result;

    clock_gettime(CLOCK_MONOTONIC, &start);
    result = gf_output_reserve_copy(out->reserve, offset, bytes, size) ? 0 : write_all(out, offset, bytes, size, err);
    clock_gettime(CLOCK_MONOTONIC, &end);
    atomic_fetch_add(&out->nanoseconds, (end.tv_sec - start.tv_sec) * 1000000000LL + end.tv_nsec - start.tv_nsec);
    atomic_fetch_add(&out->written, (long long)size);
    note_end(out, offset + (int64_t)size);
    return result;
}

int gf_output_hold(struct gf_output *out, const void *bytes, size_t size, struct gf_error *err)
{
    unsigned char *held;

    if (out->random || out->held != NULL)
        return gf_output_write(out, bytes, size, err);
    held = malloc(size + 1);
    if (held == NULL)
        return gf_fail_memory(err, out->name);
    memcpy(held, bytes, size);
    out->held = held;
    out->held_bytes = size;
    return 0;
}

/* Writes the header that waits, together with the bytes after it. */
static int write_held(struct gf_output *out, const void *bytes, size_t size, struct gf_error *err)
{
    unsigned char *both = realloc(out->held, out->held_bytes + size + 1);
    int result;

    if (both == NULL)
        return gf_fail_memory(err, out->name);
    out->held = NULL;
    if (size > 0)
        memcpy(both + out->held_bytes, bytes, size);
    result = gf_output_write(out, both, out->held_bytes + size, err);
    free(both);
    return result;
}

int gf_output_write(struct gf_output *out, const void *bytes, size_t size, struct gf_error *err)
{
    if (out->held != NULL) {
        const size_t first = size < HELD_WITH ? size : HELD_WITH;

        if (write_held(out, bytes, first, err) != 0)
            return -1;
        return size > first ? gf_output_write(out, (const char *)bytes + first, size - first, err) : 0;
    }
    if (write_timed(out, out->random ? out->position : -1, bytes, size, err) != 0)
        return -1;
    out->position += (int64_t)size;
    return 0;
}

void gf_output_cost(struct gf_output *out, double *seconds, int64_t *bytes)
{
    *seconds = out != NULL ? 1e-9 * (double)atomic_load(&out->nanoseconds) : 0;
    *bytes = out != NULL ? atomic_load(&out->written) : 0;
}

int gf_output_write_at(struct gf_output *out, int64_t offset, const void *bytes, size_t size, struct gf_error *err)
{
    return write_timed(out, offset, bytes, size, err);
}

int64_t gf_output_read_at(struct gf_output *out, int64_t offset, void *bytes, size_t size)
{
    return pread(out->fd, bytes, size, (off_t)(out->base + offset));
}

/* Closes a duplicate, because network file systems report a full disk only on close(). */
static int flush(struct gf_output *out, struct gf_error *err)
{
    const bool reserved = out->reserve != NULL;
    int copy;

    gf_output_reserve_close(out->reserve);
    out->reserve = NULL;
    if (reserved && ftruncate(out->fd, (off_t)atomic_load(&out->end)) != 0)
        return fail_errno(out->name, err);
    if (out->inherited && out->random && lseek(out->fd, (off_t)(out->base + out->position), SEEK_SET) < 0)
        return fail_errno(out->name, err);
    copy = dup(out->fd);
    return copy >= 0 && close(copy) != 0 && errno != EINTR ? fail_errno(out->name, err) : 0;
}

static bool replaces_input(const struct gf_output *out)
{
    return out->rules.ledger != NULL && gf_ledger_has_input(out->rules.ledger, out->placed.target);
}

/*
 * Waits until the data is on the disk, if the file replaces an input, which nobody could make again
 * after a power failure. Other outputs need no wait, because they can be made again: one that was
 * written seconds before a power failure may be incomplete.
 */
static int sync_replacement(const struct gf_output *out, struct gf_error *err)
{
    if (out->rules.no_sync || !replaces_input(out) || fsync(out->fd) == 0 || errno == EINVAL || errno == ENOSYS)
        return 0;
    return gf_fail_system(err, errno, "%s: cannot be stored on the disk; the input is unchanged", out->name);
}

void gf_output_withdraw(struct gf_output *out)
{
    if (out != NULL && out->inherited && out->random && out->fresh && ftruncate(out->fd, (off_t)out->base) == 0)
        lseek(out->fd, (off_t)out->base, SEEK_SET);
}

int gf_output_commit(struct gf_output *out, struct gf_error *err)
{
    int result = out->held != NULL ? write_held(out, NULL, 0, err) : 0;

    if (result == 0)
        result = flush(out, err);
    if (result == 0 && out->placed.target != NULL)
        result = sync_replacement(out, err);
    if (result == 0 && out->placed.target != NULL && out->rules.ledger != NULL)
        result = gf_ledger_put(out->rules.ledger, &out->placed, out->rules.keep, out->rules.input, out->name, err);
    else if (result == 0 && out->placed.target != NULL)
        result = gf_atomic_file_commit(&out->placed, out->rules.keep, out->name, err);
    gf_output_close(out);
    return result;
}

void gf_output_close(struct gf_output *out)
{
    if (out == NULL)
        return;
    gf_output_reserve_close(out->reserve);
    gf_atomic_file_drop(&out->placed);
    if (out->fd >= 0 && out->fd != STDOUT_FILENO)
        close(out->fd);
    free(out->held);
    free(out);
}
