/*
 * The program with a planted misdeed, for tests/promises/sandbox.sh: code of an attacker that runs in
 * a decoder as it reads a header, or in a thread that computes. $MISDEED names it, $PLACE is header
 * or thread, $TARGET a file or another argument. $LANDLOCK is the version that the kernel seems to
 * have. With $NAMED, no file system has files without a name, and a signal comes when a file gets one.
 * Linked with --wrap for each of the functions that begin with __wrap_.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sndfile.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

SNDFILE *__real_gf_sndfile_open(SF_VIRTUAL_IO *calls, int mode, SF_INFO *info, void *user, void (*rewind)(void *user),
                                char *why, size_t size);
SNDFILE *__wrap_gf_sndfile_open(SF_VIRTUAL_IO *calls, int mode, SF_INFO *info, void *user, void (*rewind)(void *user),
                                char *why, size_t size);
long __real_syscall(long number, ...);
long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *), void *argument);
int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __real_mkostemp(char *name, int flags);
int __wrap_mkostemp(char *name, int flags);

static void write_file(const char *target)
{
    const int fd = open(target, O_WRONLY | O_CREAT | O_APPEND, 0666);

    if (fd >= 0 && write(fd, "misdeed\n", 8) == 8)
        close(fd);
}

/* Runs `sh -c TARGET` in a new process, in one that shares memory, or in the place of this one. */
static void run_command(const char *target)
{
    char *const words[] = { "sh", "-c", (char *)target, NULL };
    const pid_t child = fork();

    if (child == 0) {
        execv("/bin/sh", words);
        _exit(1);
    }
    if (child > 0)
        waitpid(child, NULL, 0);
    else
        execv("/bin/sh", words);
}

/* Sends a file to descriptor 3, which stands for any way out. */
static void read_file(const char *target)
{
    char bytes[100];
    const int fd = open(target, O_RDONLY);
    const ssize_t n = fd >= 0 ? read(fd, bytes, sizeof bytes) : 0;

    if (n > 0 && write(3, bytes, (size_t)n) == n)
        close(fd);
}

static void connect_to(int family, const struct sockaddr *address, socklen_t size)
{
    const int fd = socket(family, SOCK_STREAM, 0);

    if (fd >= 0 && connect(fd, address, size) == 0 && write(fd, "misdeed\n", 8) == 8)
        close(fd);
}

static void connect_tcp(const char *target)
{
    const struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(target)),
                                    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };

    connect_to(AF_INET, (const struct sockaddr *)&to, sizeof to);
}

static void connect_unix(const char *target)
{
    struct sockaddr_un to = { .sun_family = AF_UNIX };

    snprintf(to.sun_path, sizeof to.sun_path, "%s", target);
    connect_to(AF_UNIX, (const struct sockaddr *)&to, sizeof to);
}

static void send_signal(const char *target)
{
    kill(atoi(target), SIGKILL);
}

static void trace_process(const char *target)
{
    const pid_t process = atoi(target);

    if (ptrace(PTRACE_ATTACH, process, NULL, NULL) == 0 && waitpid(process, NULL, 0) == process
        && ptrace(PTRACE_KILL, process, NULL, NULL) == 0)
        kill(process, SIGKILL);
}

static void change_mode(const char *target)
{
    if (chmod(target, 0777) != 0)
        syscall(SYS_fchmodat, AT_FDCWD, target, 0777);
}

/* Changes the mode of a file that it may only read, such as an input. */
static void change_open_mode(const char *target)
{
    const int fd = open(target, O_RDONLY);

    if (fd >= 0 && fchmod(fd, 04777) == 0)
        close(fd);
}

/* Leaves a program that others can start with the rights of its owner. */
static void leave_program(const char *target)
{
    const int fd = open(target, O_WRONLY | O_CREAT, 04755);

    if (fd >= 0)
        close(fd);
}

static void delete_file(const char *target)
{
    unlink(target);
}

static void shorten_file(const char *target)
{
    if (truncate(target, 0) != 0 && open(target, O_RDONLY | O_TRUNC) < 0)
        open(target, O_ACCMODE | O_TRUNC);       /* a mode that neither reads nor writes */
}

static void link_file(const char *target)
{
    if (link(target, "linked") != 0)
        return;                                  /* the script looks at the result */
}

static void start_process(const char *target)
{
    const pid_t child = fork();

    if (child == 0) {
        write_file(target);
        _exit(0);
    }
}

/* Has a pipe send a signal to another process. */
static void own_pipe(const char *target)
{
    int ends[2];

    if (pipe(ends) == 0 && fcntl(ends[0], F_SETOWN, atoi(target)) == 0 && fcntl(ends[0], F_SETSIG, SIGKILL) == 0
        && fcntl(ends[0], F_SETFL, O_ASYNC) == 0 && write(ends[1], "x", 1) == 1)
        close(ends[0]);
}

/* Tells the script that something has happened that it cannot see. */
static void report(void)
{
    if (write(3, "secret\n", 7) != 7)
        abort();
}

/* Raises the limit of CPU time. */
static void raise_limit(const char *target)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_CPU, &limit) != 0)
        return;
    limit.rlim_cur = (rlim_t)atoi(target);
    if (setrlimit(RLIMIT_CPU, &limit) == 0)
        report();
}

/* Changes attributes of a file that it may only read. */
static void change_attributes(const char *target)
{
    const int fd = open(target, O_RDONLY);
    int flags;

    if (fd < 0 || ioctl(fd, FS_IOC_GETFLAGS, &flags) != 0)
        return;
    flags |= FS_NODUMP_FL;
    if (ioctl(fd, FS_IOC_SETFLAGS, &flags) == 0)
        report();
}

/* Two connected sockets stand for one that is standard input. */
static int sockets[2] = { -1, -1 };

/* Has a socket send a signal to another process. */
static void own_socket(const char *target)
{
    int owner = atoi(target), on = 1;

    if (ioctl(sockets[0], FIOSETOWN, &owner) == 0 && fcntl(sockets[0], F_SETSIG, SIGKILL) == 0
        && ioctl(sockets[0], FIOASYNC, &on) == 0 && write(sockets[1], "x", 1) == 1)
        close(sockets[0]);
}

/* Shared memory of another program, and sockets, are made before the sandbox closes. */
static int shared = -1;

__attribute__((constructor)) static void prepare(void)
{
    const char *misdeed = getenv("MISDEED");
    void *place;

    if (misdeed != NULL && strcmp(misdeed, "socket") == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0)
        abort();
    if (misdeed == NULL || strcmp(misdeed, "shared") != 0)
        return;
    shared = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
    place = shmat(shared, NULL, 0);
    if (shared < 0 || place == (void *)-1 || shmctl(shared, IPC_RMID, NULL) != 0)
        abort();
}

static void use_shared_memory(const char *target)
{
    (void)target;
    if (shmat(shared, NULL, 0) != (void *)-1)
        report();
}

/* Lets another process run only on one processor. */
static void bind_process(const char *target)
{
    cpu_set_t set;

    if (sched_getaffinity(atoi(target), sizeof set, &set) == 0
        && sched_setaffinity(atoi(target), sizeof set, &set) == 0)
        report();
}

static void leave_session(const char *target)
{
    (void)target;
    if (setsid() > 0)
        report();
}

/* Ignores the signal at the end of the CPU time, and uses as many seconds of it. */
static void use_time(const char *target)
{
    signal(SIGXCPU, SIG_IGN);
    while (clock() / CLOCKS_PER_SEC < atoi(target))
        ;
    report();
}

static const struct {
    const char *name;
    void (*act)(const char *target);
} misdeeds[] = {
    { "write", write_file }, { "exec", run_command }, { "read", read_file }, { "tcp", connect_tcp },
    { "unix", connect_unix }, { "kill", send_signal }, { "trace", trace_process }, { "chmod", change_mode },
    { "delete", delete_file }, { "truncate", shorten_file }, { "link", link_file }, { "fork", start_process },
    { "pipe", own_pipe }, { "limit", raise_limit }, { "fchmod", change_open_mode }, { "setuid", leave_program },
    { "socket", own_socket }, { "attributes", change_attributes },
    { "shared", use_shared_memory }, { "affinity", bind_process }, { "session", leave_session }, { "time", use_time },
};

static void act(const char *place)
{
    const char *misdeed = getenv("MISDEED"), *where = getenv("PLACE"), *target = getenv("TARGET");

    for (size_t i = 0; misdeed != NULL && i < sizeof misdeeds / sizeof *misdeeds; i++)
        if (strcmp(misdeeds[i].name, misdeed) == 0 && where != NULL && strcmp(where, place) == 0) {
            dprintf(STDERR_FILENO, "misdeed: %s in the %s\n", misdeed, place);
            misdeeds[i].act(target);
        }
}

SNDFILE *__wrap_gf_sndfile_open(SF_VIRTUAL_IO *calls, int mode, SF_INFO *info, void *user, void (*rewind)(void *user),
                                char *why, size_t size)
{
    if (mode == SFM_READ)
        act("header");
    return __real_gf_sndfile_open(calls, mode, info, user, rewind, why, size);
}

/* A sandbox for an older version of Landlock has the same effect on a newer kernel. */
long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f)
{
    const char *version = getenv("LANDLOCK");

    if (number == 444 && a == 0 && version != NULL)
        return atol(version);
    return __real_syscall(number, a, b, c, d, e, f);
}

int __wrap_open(const char *path, int flags, ...)
{
    va_list more;
    int mode = 0;

    va_start(more, flags);
    if ((flags & (O_CREAT | O_TMPFILE)) != 0)
        mode = va_arg(more, int);
    va_end(more);
    if ((flags & O_TMPFILE) == O_TMPFILE && getenv("NAMED") != NULL) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return __real_open(path, flags, mode);
}

int __wrap_mkostemp(char *name, int flags)
{
    const int fd = __real_mkostemp(name, flags);

    if (getenv("NAMED") != NULL)
        kill(getpid(), SIGTERM);
    return fd;
}

struct start {
    void *(*run)(void *);
    void *argument;
};

static void *act_and_run(void *start)
{
    struct start now = *(struct start *)start;

    free(start);
    act("thread");
    return now.run(now.argument);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *), void *argument)
{
    struct start *start = malloc(sizeof *start);

    if (start == NULL)
        return __real_pthread_create(thread, how, run, argument);
    *start = (struct start) { run, argument };
    return __real_pthread_create(thread, how, act_and_run, start);
}
