/*
 * A library for LD_PRELOAD that makes calls of the C library fail. $FAILING_CALLS has one of these
 * forms:
 *   count              counts the calls, and lets all succeed
 *   KIND:N             makes call number N of a kind fail, from 1
 *   KIND:N+            and all later ones
 *   errno              sets errno to ENOMEM in allocations that succeed, as malloc() may
 *   short              lets reads and writes process few bytes at a time
 *   slow               waits before each file gets a name, and after it is unlinked
 *   slow-named         so does this, and no file can be without a name (O_TMPFILE), as on some file systems
 *   log:FILE           appends a line to FILE for each call that changes a name or reaches the disk
 * $FAILING_CALLS_REPORT is the descriptor of a struct call_report. Calls of this program and of
 * its libraries count alike, from the start of main().
 */
#define _GNU_SOURCE
#include "tests/promises/failing_calls.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define SHORT_BYTES 1000

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *old, size_t bytes);
extern void *__libc_memalign(size_t align, size_t bytes);

static const char *const kind_names[] = { CALL_KIND_NAMES };
static const int kind_errors[] = { ENOMEM, EMFILE, EIO, ENOSPC, ENOSPC, EDQUOT, EIO, EIO, EIO, EAGAIN, ENOMEM, 0, 0 };

static struct call_report unseen, *report = &unseen;
static atomic_bool active;
static int chosen_kind = -1;
static long chosen_call;
static bool all_later, marks, shortens, slows, names_all;
static int log_fd = -1;
static _Thread_local bool within;        /* a call that this library itself makes */

/* Describes a code address: NAME in FILE, or FILE and the offset that addr2line needs. */
static void describe(const void *address, char *text, size_t room)
{
    const char *file;
    Dl_info info;

    if (dladdr(address, &info) == 0 || info.dli_fname == NULL) {
        snprintf(text, room, "unknown");
        return;
    }
    file = strrchr(info.dli_fname, '/') != NULL ? strrchr(info.dli_fname, '/') + 1 : info.dli_fname;
    if (info.dli_sname != NULL)
        snprintf(text, room, "%s in %s", info.dli_sname, file);
    else
        snprintf(text, room, "%s+0x%zx", file, (size_t)((const char *)address - (const char *)info.dli_fbase));
}

bool failing_calls_decide(enum call_kind kind, const char *name, const void *caller)
{
    long n;

    if (!atomic_load(&active) || within)
        return false;
    n = atomic_fetch_add(&report->made[kind], 1) + 1;
    if (marks && kind == CALL_MEMORY)
        errno = ENOMEM;
    if ((int)kind != chosen_kind || (all_later ? n < chosen_call : n != chosen_call))
        return false;
    within = true;
    if (report->failed[0] == '\0') {
        char at[160];

        describe(caller, at, sizeof at);
        snprintf(report->failed, sizeof report->failed, "%s() called by %s", name, at);
    }
    within = false;
    errno = kind_errors[kind];
    return true;
}

/* Writes the callers of a crash into the report, except those in the C library and here. */
static void note_crash(int number)
{
    void *frames[48];
    int n, used = 0;

    atomic_store(&active, false);
    n = backtrace(frames, 48);
    used = snprintf(report->crashed, sizeof report->crashed, "%s:", strsignal(number));
    for (int i = 0; i < n && used < (int)sizeof report->crashed - 200; i++) {
        char at[160];

        describe(frames[i], at, sizeof at);
        if (strstr(at, "failing_calls") == NULL && strstr(at, "libc.so") == NULL)
            used += snprintf(report->crashed + used, sizeof report->crashed - (size_t)used, " %s;", at);
    }
    signal(number, SIG_DFL);
    raise(number);
}

static void parse(const char *text)
{
    marks = strcmp(text, "errno") == 0;
    shortens = strcmp(text, "short") == 0;
    names_all = strcmp(text, "slow-named") == 0;
    slows = names_all || strcmp(text, "slow") == 0;
    if (strncmp(text, "log:", 4) == 0)
        log_fd = open(text + 4, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    for (int kind = 0; kind < CALL_KINDS; kind++) {
        const size_t length = strlen(kind_names[kind]);

        if (strncmp(text, kind_names[kind], length) != 0 || text[length] != ':')
            continue;
        chosen_kind = kind;
        chosen_call = atol(text + length + 1);
        all_later = strchr(text, '+') != NULL;
    }
}

static void begin(void)
{
    static const int crashes[] = { SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL };
    const char *const text = getenv("FAILING_CALLS"), *const fd = getenv("FAILING_CALLS_REPORT");
    void *frame;

    if (fd != NULL) {
        report = mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED, atoi(fd), 0);
        if (report == MAP_FAILED)
            _exit(99);
        close(atoi(fd));
        backtrace(&frame, 1);            /* loads what it needs */
        for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
            signal(crashes[i], note_crash);
    }
    if (text != NULL)
        parse(text);
    atomic_store(&active, text != NULL);
}

static int (*real_main)(int, char **, char **);

static int counted_main(int argc, char **argv, char **environment)
{
    begin();
    return real_main(argc, argv, environment);
}

int __libc_start_main(int (*start)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*end)(void), void *stack)
{
    int (*const next)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void),
                      void *) = dlsym(RTLD_NEXT, "__libc_start_main");

    real_main = start;
    return next(counted_main, argc, argv, init, fini, end, stack);
}

static void wait_if_slow(void)
{
    const struct timespec moment = { .tv_nsec = 20000000 };

    if (slows && atomic_load(&active))
        nanosleep(&moment, NULL);
}

/* Appends the name of a call and its files to the log. */
static void log_call(const char *name, const char *one, const char *other)
{
    char line[9000];

    if (log_fd < 0 || within)
        return;
    within = true;
    snprintf(line, sizeof line, "%s %s%s%s\n", name, one, other[0] != '\0' ? " " : "", other);
    if (write(log_fd, line, strlen(line)) < 0)
        _exit(99);
    within = false;
}

/* Appends the name of a call and the file of its descriptor. */
static void log_descriptor(const char *name, int fd)
{
    char link[64], target[4096] = "";

    if (log_fd < 0)
        return;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    if (readlink(link, target, sizeof target - 1) < 0)
        target[0] = '\0';
    log_call(name, target, "");
}

/* ---- memory */

#define CALLER __builtin_return_address(0)

void *malloc(size_t bytes)
{
    return failing_calls_decide(CALL_MEMORY, "malloc", CALLER) ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    return failing_calls_decide(CALL_MEMORY, "calloc", CALLER) ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *old, size_t bytes)
{
    return failing_calls_decide(CALL_MEMORY, "realloc", CALLER) ? NULL : __libc_realloc(old, bytes);
}

void *memalign(size_t align, size_t bytes)
{
    return failing_calls_decide(CALL_MEMORY, "memalign", CALLER) ? NULL : __libc_memalign(align, bytes);
}

void *aligned_alloc(size_t align, size_t bytes)
{
    return failing_calls_decide(CALL_MEMORY, "aligned_alloc", CALLER) ? NULL : __libc_memalign(align, bytes);
}

int posix_memalign(void **memory, size_t align, size_t bytes)
{
    const int saved = errno;

    *memory = failing_calls_decide(CALL_MEMORY, "posix_memalign", CALLER) ? NULL : __libc_memalign(align, bytes);
    errno = saved;
    return *memory != NULL ? 0 : ENOMEM;
}

/* ---- the others, where `how` declares the parameters and `with` has the arguments */

#define NEXT(name) ((__typeof__(&name))next_call(&next_##name, #name))

static void *next_call(void **cache, const char *name)
{
    if (*cache == NULL)
        *cache = dlsym(RTLD_NEXT, name);
    return *cache;
}

#define FAILING(type, name, how, with, kind, result)            \
    type name how                                               \
    {                                                           \
        static void *next_##name;                               \
                                                                \
        if (failing_calls_decide(kind, #name, CALLER))                         \
            return result;                                      \
        return NEXT(name) with;                                 \
    }

#define OPENING(name, how, with)                         \
    int name how                                                \
    {                                                           \
        static void *next_##name;                               \
        mode_t mode = 0;                                        \
        va_list more;                                           \
                                                                \
        if (failing_calls_decide(CALL_OPEN, #name, CALLER))                    \
            return -1;                                          \
        va_start(more, flags);                                  \
        if ((flags & (O_CREAT | O_TMPFILE)) != 0)               \
            mode = va_arg(more, mode_t);                        \
        va_end(more);                                           \
        if (names_all && (flags & O_TMPFILE) == O_TMPFILE) {    \
            errno = EOPNOTSUPP;                                 \
            return -1;                                          \
        }                                                       \
        if ((flags & O_CREAT) != 0)                             \
            wait_if_slow();                                     \
        return NEXT(name) with;                                 \
    }

OPENING(open, (const char *path, int flags, ...), (path, flags, mode))
OPENING(open64, (const char *path, int flags, ...), (path, flags, mode))
OPENING(openat, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))
FAILING(FILE *, fopen, (const char *path, const char *mode), (path, mode), CALL_OPEN, NULL)
FAILING(FILE *, fopen64, (const char *path, const char *mode), (path, mode), CALL_OPEN, NULL)
FAILING(DIR *, opendir, (const char *path), (path), CALL_OPEN, NULL)
FAILING(int, mkostemp, (char *name, int flags), (name, flags), CALL_OPEN, -1)
FAILING(int, dup, (int fd), (fd), CALL_OPEN, -1)
FAILING(int, scandir, (const char *path, struct dirent ***names, int (*choose)(const struct dirent *),
                       int (*compare)(const struct dirent **, const struct dirent **)),
        (path, names, choose, compare), CALL_OPEN, -1)

/* A size that is shortened on request, except on standard error. */
static size_t shorten(int fd, size_t bytes)
{
    return shortens && !within && atomic_load(&active) && fd != STDERR_FILENO && bytes > SHORT_BYTES ? SHORT_BYTES
                                                                                                     : bytes;
}

FAILING(ssize_t, read, (int fd, void *to, size_t bytes), (fd, to, shorten(fd, bytes)), CALL_READ, -1)
FAILING(ssize_t, pread, (int fd, void *to, size_t bytes, off_t at), (fd, to, shorten(fd, bytes), at), CALL_READ, -1)
FAILING(ssize_t, pread64, (int fd, void *to, size_t bytes, off64_t at), (fd, to, shorten(fd, bytes), at), CALL_READ, -1)
FAILING(ssize_t, readv, (int fd, const struct iovec *to, int count), (fd, to, count), CALL_READ, -1)

/* Messages are written to standard error; without it nothing can be said, so those calls succeed. */
#define WRITING(name, how, with)                                \
    ssize_t name how                                            \
    {                                                           \
        static void *next_##name;                               \
                                                                \
        if (fd != STDERR_FILENO && failing_calls_decide(CALL_WRITE, #name, CALLER)) \
            return -1;                                          \
        return NEXT(name) with;                                 \
    }

WRITING(write, (int fd, const void *from, size_t bytes), (fd, from, shorten(fd, bytes)))
WRITING(pwrite, (int fd, const void *from, size_t bytes, off_t at), (fd, from, shorten(fd, bytes), at))
WRITING(pwrite64, (int fd, const void *from, size_t bytes, off64_t at), (fd, from, shorten(fd, bytes), at))
WRITING(writev, (int fd, const struct iovec *from, int count), (fd, from, count))

FAILING(int, ftruncate, (int fd, off_t bytes), (fd, bytes), CALL_SIZE, -1)
FAILING(int, ftruncate64, (int fd, off64_t bytes), (fd, bytes), CALL_SIZE, -1)
FAILING(int, fallocate, (int fd, int mode, off_t from, off_t bytes), (fd, mode, from, bytes), CALL_SIZE, -1)
FAILING(int, posix_fallocate, (int fd, off_t from, off_t bytes), (fd, from, bytes), CALL_SIZE, ENOSPC)

#define NAMING(name, how, from, to, with)                       \
    int name how                                                \
    {                                                           \
        static void *next_##name;                               \
                                                                \
        if (failing_calls_decide(CALL_NAME, #name, CALLER))                    \
            return -1;                                          \
        wait_if_slow();                                         \
        log_call(#name, from, to);                              \
        return NEXT(name) with;                                 \
    }

NAMING(link, (const char *from, const char *to), from, to, (from, to))
NAMING(linkat, (int folder, const char *from, int other, const char *to, int flags), "", to,
       (folder, from, other, to, flags))
NAMING(rename, (const char *from, const char *to), from, to, (from, to))
NAMING(renameat2, (int folder, const char *from, int other, const char *to, unsigned flags), from, to,
       (folder, from, other, to, flags))
NAMING(mkdir, (const char *path, mode_t mode), path, "", (path, mode))

int unlink(const char *path)
{
    static void *next_unlink;
    const int result = NEXT(unlink)(path);

    wait_if_slow();
    return result;
}

#define SYNCING(name)                                           \
    int name(int fd)                                            \
    {                                                           \
        static void *next_##name;                               \
                                                                \
        if (failing_calls_decide(CALL_SYNC, #name, CALLER))                    \
            return -1;                                          \
        log_descriptor(#name, fd);                              \
        return NEXT(name)(fd);                                  \
    }

SYNCING(fsync)
SYNCING(fdatasync)
SYNCING(syncfs)

/* A call of close() that fails still closes. */
#define CLOSING(name, type, error)                              \
    int name(type what)                                         \
    {                                                           \
        static void *next_##name;                               \
        const bool failed = failing_calls_decide(CALL_CLOSE, #name, CALLER);   \
        const int result = NEXT(name)(what);                    \
                                                                \
        if (!failed)                                            \
            return result;                                      \
        errno = EIO;                                            \
        return error;                                           \
    }

CLOSING(close, int, -1)
CLOSING(fclose, FILE *, EOF)
CLOSING(closedir, DIR *, -1)

FAILING(int, stat, (const char *path, struct stat *st), (path, st), CALL_LOOK, -1)
FAILING(int, lstat, (const char *path, struct stat *st), (path, st), CALL_LOOK, -1)
FAILING(int, fstat, (int fd, struct stat *st), (fd, st), CALL_LOOK, -1)
FAILING(int, fstatat, (int folder, const char *path, struct stat *st, int flags), (folder, path, st, flags),
        CALL_LOOK, -1)
FAILING(off_t, lseek, (int fd, off_t by, int whence), (fd, by, whence), CALL_LOOK, -1)
FAILING(struct dirent *, readdir, (DIR *folder), (folder), CALL_LOOK, NULL)
FAILING(char *, realpath, (const char *path, char *to), (path, to), CALL_LOOK, NULL)
FAILING(ssize_t, readlink, (const char *path, char *to, size_t room), (path, to, room), CALL_LOOK, -1)
FAILING(int, faccessat, (int folder, const char *path, int mode, int flags), (folder, path, mode, flags),
        CALL_LOOK, -1)
FAILING(int, fchmod, (int fd, mode_t mode), (fd, mode), CALL_LOOK, -1)

FAILING(int, pthread_create, (pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *), void *with),
        (thread, how, run, with), CALL_THREAD, EAGAIN)
FAILING(void *, mmap, (void *at, size_t bytes, int access, int flags, int fd, off_t from),
        (at, bytes, access, flags, fd, from), CALL_MAP, MAP_FAILED)
FAILING(int, madvise, (void *at, size_t bytes, int advice), (at, bytes, advice), CALL_MAP, -1)
FAILING(void *, dlopen, (const char *name, int flags), (name, flags), CALL_LOAD, NULL)
