/*
 * The input of a reader: a file with random access,
 * or a pipe that is read in order with lookahead.
 */
#define _GNU_SOURCE
#include "io/source.h"

#include "base/clock.h"
#include "base/sandbox.h"
#include "base/words.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define AHEAD_BYTES ((size_t)1 << 16)

static int fail_errno(const struct gf_source *s, struct gf_error *err)
{
    return gf_fail_system(err, errno, "%s", s->name);
}

static int fail_folder(const struct gf_source *s, struct gf_error *err)
{
    return gf_fail(err, GF_FAILED, "%s: is a folder; name a file in it", s->name);
}

/* A sandbox allows the files that were there when it was made, and no folder in place of a file. */
static int fail_open(const struct gf_source *s, struct gf_error *err)
{
    const int why = errno;
    const char *const number = strchr(s->name, '%');
    struct stat st;

    if (stat(s->name, &st) == 0 && S_ISDIR(st.st_mode))
        return fail_folder(s, err);
    errno = why;
    if (why != EACCES || !gf_sandbox_hides(s->name, R_OK)) {
        fail_errno(s, err);
        if (why == ENOENT && number != NULL && number[1 + strspn(number + 1, "0123456789")] == 'd')
            gf_error_advise_shell(err, "numbered files are a pattern in quotes, with * in the place of %%d");
        return -1;
    }
    return gf_fail(err, GF_FAILED, "%s: has appeared or changed since the start, and the sandbox does not allow new "
                                   "files;; %s", s->name, gf_sandbox_advice());
}

static int64_t read_held(const struct gf_source *s, int64_t offset, void *to, size_t size, struct gf_error *err)
{
    const int64_t left = offset < s->size ? s->size - offset : 0;
    const size_t count = (int64_t)size < left ? size : (size_t)left;

    return gf_spool_read(s->held, (size_t)offset, to, count, err) == 0 ? (int64_t)count : -1;
}

/* Calls read() or pread() until it is neither interrupted nor blocked; 0 at the end. */
static int64_t read_some(const struct gf_source *s, int64_t offset, void *to, size_t size, struct gf_error *err)
{
    if (s->random && s->held != NULL)
        return read_held(s, offset, to, size, err);
    for (;;) {
        ssize_t got = s->random ? pread(s->fd, to, size, (off_t)(s->base + offset)) : read(s->fd, to, size);

        if (got >= 0)
            return got;
        if (errno == EAGAIN || errno == EWOULDBLOCK) {
            struct pollfd p = { .fd = s->fd, .events = POLLIN };

            poll(&p, 1, -1);
        } else if (errno != EINTR) {
            return fail_errno(s, err);
        }
    }
}

/* Like read_some(), in order, and measures the time. */
static int64_t read_next(struct gf_source *s, int64_t offset, void *to, size_t size, struct gf_error *err)
{
    const double start = gf_clock_seconds();
    const int64_t got = read_some(s, offset, to, size, err);

    s->read_seconds += gf_clock_seconds() - start;
    s->failed = s->failed || got < 0;
    return got;
}

/* Files in /proc are regular but have size 0, so they are read like a pipe. */
static void detect_random_access(struct gf_source *s, const struct stat *st)
{
    off_t base;

    if (!S_ISREG(st->st_mode) || st->st_size == 0)
        return;
    base = lseek(s->fd, 0, SEEK_CUR);
    if (base < 0)
        return;
    s->random = true;
    s->base = base;
    s->size = st->st_size > base ? st->st_size - base : 0;
}

int gf_source_open(struct gf_source *s, const char *path, struct gf_error *err)
{
    bool standard = path == NULL || strcmp(path, "-") == 0;
    const unsigned char *bytes;
    struct stat st;
    int64_t got;

    *s = (struct gf_source) { .name = standard ? "standard input" : path, .fd = STDIN_FILENO, .owned = !standard };
    if (!standard) {
        s->fd = open(path, O_RDONLY | O_CLOEXEC);
        if (s->fd < 0)
            return fail_open(s, err);
    }
    if (fstat(s->fd, &st) != 0) {
        fail_errno(s, err);
        goto fail;
    }
    if (S_ISDIR(st.st_mode)) {
        fail_folder(s, err);
        goto fail;
    }
    if (S_ISFIFO(st.st_mode))
        fcntl(s->fd, F_SETPIPE_SZ, GF_PIPE_BYTES);       /* may fail: it only reduces task switches */
    detect_random_access(s, &st);
    s->ahead = malloc(AHEAD_BYTES);
    if (s->ahead == NULL) {
        gf_fail_memory(err, s->name);
        goto fail;
    }
    got = gf_source_peek(s, 1, &bytes, err);
    if (got == 0)
        gf_fail(err, GF_FAILED, "%s: is empty", s->name);
    if (got > 0)
        return 0;
fail:
    gf_source_close(s);
    return -1;
}

void gf_source_close(struct gf_source *s)
{
    if (s->owned && s->fd >= 0)
        close(s->fd);
    gf_spool_close(&s->spool);
    s->held = NULL;
    s->fd = -1;
    free(s->ahead);
    s->ahead = NULL;
}

int gf_source_twin(struct gf_source *twin, const struct gf_source *s, struct gf_error *err)
{
    *twin = *s;
    twin->owned = twin->ended = false;
    twin->spool = (struct gf_spool) { 0 };
    twin->ahead_start = twin->ahead_end = 0;
    twin->ahead = malloc(AHEAD_BYTES);
    return twin->ahead != NULL ? 0 : gf_fail_memory(err, s->name);
}

int64_t gf_source_peek(struct gf_source *s, size_t want, const unsigned char **bytes, struct gf_error *err)
{
    if (want > AHEAD_BYTES)
        want = AHEAD_BYTES;
    if (s->ahead_end - s->ahead_start < want && s->ahead_start > 0) {
        memmove(s->ahead, s->ahead + s->ahead_start, s->ahead_end - s->ahead_start);
        s->ahead_end -= s->ahead_start;
        s->ahead_start = 0;
    }
    while (s->ahead_end - s->ahead_start < want && !s->ended) {
        int64_t offset = s->position + (int64_t)(s->ahead_end - s->ahead_start);
        int64_t got = read_next(s, offset, s->ahead + s->ahead_end, AHEAD_BYTES - s->ahead_end, err);

        if (got < 0)
            return -1;
        s->ended = got == 0;
        s->ahead_end += (size_t)got;
    }
    *bytes = s->ahead + s->ahead_start;
    return (int64_t)(s->ahead_end - s->ahead_start);
}

int gf_source_begins(struct gf_source *s, const void *signature, size_t size, struct gf_error *err)
{
    const unsigned char *b;
    const int64_t there = gf_source_peek(s, size, &b, err);

    return there < 0 ? -1 : there >= (int64_t)size && memcmp(b, signature, size) == 0;
}

/* Takes up to `size` bytes from the lookahead buffer. */
static size_t take_ahead(struct gf_source *s, void *to, size_t size)
{
    size_t there = s->ahead_end - s->ahead_start;

    if (size > there)
        size = there;
    if (to != NULL && size > 0)
        memcpy(to, s->ahead + s->ahead_start, size);
    s->ahead_start += size;
    s->position += (int64_t)size;
    if (s->ahead_start == s->ahead_end)
        s->ahead_start = s->ahead_end = 0;
    return size;
}

int64_t gf_source_read(struct gf_source *s, void *to, size_t size, struct gf_error *err)
{
    size_t done = take_ahead(s, to, size);

    while (done < size && !s->ended) {
        int64_t got = read_next(s, s->position, (char *)to + done, size - done, err);

        if (got < 0)
            return -1;
        s->ended = got == 0;
        s->position += got;
        done += (size_t)got;
    }
    return (int64_t)done;
}

int gf_source_byte(struct gf_source *s, struct gf_error *err)
{
    const unsigned char *bytes;
    unsigned char byte;
    int64_t got;

    if (s->ahead_start == s->ahead_end) {
        got = gf_source_peek(s, 1, &bytes, err);
        if (got <= 0)
            return got < 0 ? -2 : -1;
    }
    byte = s->ahead[s->ahead_start];
    take_ahead(s, NULL, 1);
    return byte;
}

int64_t gf_source_skip(struct gf_source *s, int64_t size, struct gf_error *err)
{
    int64_t done = (int64_t)take_ahead(s, NULL, size < (int64_t)AHEAD_BYTES ? (size_t)size : AHEAD_BYTES);

    if (s->random && done < size) {
        int64_t left = s->size > s->position ? s->size - s->position : 0;
        int64_t step = size - done < left ? size - done : left;

        s->position += step;
        return done + step;
    }
    while (done < size) {
        const unsigned char *bytes;
        int64_t got = gf_source_peek(s, 1, &bytes, err);

        if (got < 0)
            return -1;
        if (got == 0)
            break;
        done += (int64_t)take_ahead(s, NULL, size - done < got ? (size_t)(size - done) : (size_t)got);
    }
    return done;
}

int64_t gf_source_read_at(const struct gf_source *s, int64_t offset, void *to, size_t size, struct gf_error *err)
{
    size_t done = 0;

    while (done < size) {
        int64_t got = read_some(s, offset + (int64_t)done, (char *)to + done, size - done, err);

        if (got < 0)
            return -1;
        if (got == 0)
            break;
        done += (size_t)got;
    }
    return (int64_t)done;
}

/* Reads the rest of the source. Returns 1 if it exceeds the limit, after reading one byte more. */
static int slurp(struct gf_source *s, int64_t limit, unsigned char **bytes, size_t *size, struct gf_error *err)
{
    size_t room = s->random && s->size > s->position ? (size_t)(s->size - s->position) + 1 : AHEAD_BYTES * 2;
    unsigned char *data = NULL;
    size_t done = 0;

    for (;;) {
        unsigned char *grown;
        int64_t got;

        if (limit > 0 && room > (size_t)limit + 1)
            room = (size_t)limit + 1;
        grown = realloc(data, room);
        if (grown == NULL) {
            gf_fail_memory(err, s->name);
            goto fail;
        }
        data = grown;
        got = gf_source_read(s, data + done, room - done, err);
        if (got < 0)
            goto fail;
        done += (size_t)got;
        if (done < room)
            break;
        if (limit > 0 && done > (size_t)limit)
            break;
        room = room > SIZE_MAX / 2 ? SIZE_MAX : room * 2;
    }
    *bytes = data;
    *size = done;
    return limit > 0 && done > (size_t)limit;
fail:
    free(data);
    return -1;
}

static int check_whole(const struct gf_source *s, struct gf_error *err)
{
    return s->refuse_whole == NULL || s->random ? 0 : s->refuse_whole(s, err);
}

int gf_source_slurp(struct gf_source *s, int64_t limit, unsigned char **bytes, size_t *size, struct gf_error *err)
{
    const double start = gf_clock_seconds();
    int result;

    *bytes = NULL;
    *size = 0;
    if (check_whole(s, err) != 0)
        return -1;
    result = slurp(s, limit, bytes, size, err);
    s->slurp_seconds += gf_clock_seconds() - start;
    if (result <= 0)
        return result;
    free(*bytes);
    *bytes = NULL;                       /* readers free it when they close */
    return gf_fail_limit(err, s->name, "", 0, limit, "--max-memory");
}

int gf_source_hold(struct gf_source *s, int64_t most, struct gf_error *err)
{
    const double start = gf_clock_seconds();
    const unsigned char *bytes;
    int64_t got = 1;

    if (check_whole(s, err) != 0)
        return -1;
    gf_spool_begin(&s->spool, (size_t)most);
    s->held = &s->spool;
    while (got > 0) {
        void *const room = gf_spool_room(&s->spool, GF_PIPE_BYTES);

        got = room != NULL ? gf_source_read(s, room, GF_PIPE_BYTES, err) : gf_source_peek(s, AHEAD_BYTES, &bytes, err);
        if (got > 0 && room != NULL)
            s->spool.bytes += (size_t)got;
        else if (got > 0 && gf_spool_put(&s->spool, s->spool.bytes, bytes, take_ahead(s, NULL, (size_t)got), err) != 0)
            return -1;
    }
    s->random = true;
    s->base = 0;
    s->size = (int64_t)s->spool.bytes;
    s->slurp_seconds += gf_clock_seconds() - start;
    return (int)got;
}
