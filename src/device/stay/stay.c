/* Finds the process that keeps a device ready, or starts it. */
#define _GNU_SOURCE
#include "device/stay/stay.h"

#include "device/stay/stay_call.h"
#include "device/stay/stay_place.h"
#include "device/stay/stay_remote.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define GIVEN_SOCKET 3                   /* as systemd numbers it */
#define SYSTEMDS     "stay.socket"       /* the name of a socket that the user has given to systemd */
#define MARK         "GPUFILTER_SERVE"   /* in the environment of a process that a run has started */
#define MOST_KEPT    100                 /* variables of the environment */
#define MOST_SOCKETS 100
#ifndef SYS_close_range
#define SYS_close_range 436
#endif

/* ---- starting ---- */

/* Returns true if this run has limits or a low priority, which the process would have for all runs after it. */
static bool is_limited(void)
{
    struct rlimit limit[4];

    if (getrlimit(RLIMIT_CPU, &limit[0]) != 0 || getrlimit(RLIMIT_AS, &limit[1]) != 0
        || getrlimit(RLIMIT_DATA, &limit[2]) != 0 || getrlimit(RLIMIT_FSIZE, &limit[3]) != 0)
        return true;
    for (size_t i = 0; i < sizeof limit / sizeof *limit; i++)
        if (limit[i].rlim_cur != RLIM_INFINITY || limit[i].rlim_max != RLIM_INFINITY)
            return true;
    return getpriority(PRIO_PROCESS, 0) > 0;
}

/* Copies what the process needs of the environment. */
static void keep_environment(char *kept[MOST_KEPT + 2])
{
    int count = 0;

    for (char **at = environ; at != NULL && *at != NULL && count < MOST_KEPT; at++)
        if (gf_stay_place_keeps(*at, false))
            kept[count++] = *at;
    kept[count++] = (char *)(uintptr_t)MARK "=1";
    kept[count] = NULL;
}

/* Uses all cores: taskset limits the run, and later runs may have other cores. */
static void use_all_cores(void)
{
    cpu_set_t set;

    CPU_ZERO(&set);
    for (size_t i = 0; i < CPU_SETSIZE; i++)
        CPU_SET(i, &set);
    (void)sched_setaffinity(0, sizeof set, &set);
}

/* Becomes the process: in a session of its own, without descriptors of the run except the socket. */
static void become(int socket, const struct gf_stay_wish *wish)
{
    char device[24], seconds[40], *kept[MOST_KEPT + 2];
    char *const arguments[] = { (char[]) { "gpufilter" }, (char[]) { "--serve" }, (char[]) { "--device" }, device,
                                (char[]) { "--stay" }, seconds, NULL };
    const int null = open("/dev/null", O_RDWR);
    sigset_t none;

    snprintf(device, sizeof device, wish->cuda ? "cuda:%d" : "cpu", wish->index);
    snprintf(seconds, sizeof seconds, "%.0f", wish->idle_seconds);
    keep_environment(kept);
    if (null < 0 || chdir("/") != 0)
        return;
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        dup2(null, fd);
    if (socket == GIVEN_SOCKET ? fcntl(socket, F_SETFD, 0) != 0 : dup2(socket, GIVEN_SOCKET) < 0)
        return;
    if (syscall(SYS_close_range, GIVEN_SOCKET + 1u, ~0u, 0u) != 0)
        for (int fd = GIVEN_SOCKET + 1; fd < (int)sysconf(_SC_OPEN_MAX); fd++)
            close(fd);
    use_all_cores();
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execve("/proc/self/exe", arguments, kept);
}

/* Starts the process as a child of process 1, so that nobody has to wait for it. */
static bool start(int socket, const struct gf_stay_wish *wish)
{
    const pid_t first = fork();
    int status = -1;

    if (first == 0) {
        setsid();
        if (fork() == 0)
            become(socket, wish);
        _exit(0);
    }
    return first > 0 && waitpid(first, &status, 0) == first && status == 0;
}

/* Connects, and starts the process before if nobody listens. */
static int connect_or_start(const char *path, const struct gf_stay_wish *wish)
{
    int result = gf_stay_place_connect(path), socket, lock;

    if (result >= 0 || !wish->may_start)
        return result;
    lock = gf_stay_place_lock();
    if (lock < 0)
        return -1;
    result = gf_stay_place_connect(path);            /* another run may have started it */
    if (result < 0 && (errno == ECONNREFUSED || errno == ENOENT)) {
        unlink(path);
        socket = gf_stay_place_listen(path);
        if (socket >= 0 && start(socket, wish))
            result = gf_stay_place_connect(path);
        if (socket >= 0)
            close(socket);
    }
    close(lock);
    return result;
}

/* ---- greeting ---- */

/* Sets how long answers may take; 0: for ever. A process that was stopped would not answer at all. */
static void set_patience(int socket, int seconds)
{
    const struct timeval patience = { .tv_sec = seconds };

    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
}

/* Returns the process at the other end. */
static int pid_of(int socket)
{
    struct ucred peer = { .pid = 0 };
    socklen_t bytes = sizeof peer;

    (void)!getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &bytes);
    return (int)peer.pid;
}

/* Says that the process at the other end does not answer, which a process that has just been stopped does not. */
static const char *silent(int socket)
{
    static char text[60];

    snprintf(text, sizeof text, "process %d does not answer", pid_of(socket));
    return text;
}

static bool greet(int socket, const struct gf_stay_key *key, double idle_seconds)
{
    struct gf_stay_hello hello = { .magic = GF_STAY_MAGIC, .key = *key, .idle_seconds = idle_seconds };
    const struct gf_stay_part part = { &hello, sizeof hello };
    struct gf_stay_welcome welcome;
    struct gf_error none;
    bool welcomed;

    set_patience(socket, 5);
    errno = 0;
    welcomed = gf_stay_call(socket, GF_STAY_HELLO, &part, 1, &welcome, sizeof welcome, NULL, &none) == 0;
    set_patience(socket, 0);
    return welcomed;
}

/* Tries a socket; the process may just be ending, so twice. One that does not answer in time is not tried again. */
static int find(const char *path, const struct gf_stay_key *key, const struct gf_stay_wish *wish, const char **why)
{
    for (int i = 0; i < 2; i++) {
        const int socket = connect_or_start(path, wish);

        if (socket < 0)
            return -1;
        if (greet(socket, key, wish->idle_seconds))
            return socket;
        if (errno == EAGAIN) {
            *why = silent(socket);
            close(socket);
            return -1;
        }
        close(socket);
    }
    return -1;
}

/* ---- for runs ---- */

static bool used;

bool gf_stay_is_used(void)
{
    return used;
}

bool gf_stay_use(const struct gf_stay_wish *wish, const char **why)
{
    char folder[GF_STAY_PATH], path[GF_STAY_PATH + sizeof SYSTEMDS];
    struct gf_stay_wish found = *wish;
    struct gf_stay_key key;
    int socket;

    *why = NULL;
    if (getauxval(AT_SECURE) != 0 || getuid() != geteuid() || getgid() != getegid())
        *why = "the program has rights of another user";
    else if (!gf_stay_place_folder(folder, wish->may_start))
        *why = "there is no private folder for its socket";
    if (*why != NULL)
        return false;
    gf_stay_place_key(wish->cuda, wish->index, &key);
    snprintf(path, sizeof path, "%s/" SYSTEMDS, folder);
    found.may_start = false;
    socket = access(path, F_OK) == 0 ? find(path, &key, &found, why) : -1;
    found.may_start = wish->may_start && !is_limited();
    if (socket < 0 && gf_stay_place_path(&key, path))
        socket = find(path, &key, &found, why);
    if (socket < 0) {
        if (*why == NULL)
            *why = found.may_start ? "the process could not be started"
                 : wish->may_start ? "the process would have the limits or the priority of this run"
                 : "there is no process";
        return false;
    }
    *why = NULL;
    gf_stay_remote_use(socket, wish->cuda);
    used = true;
    return true;
}

/* ---- for the process ---- */

int gf_stay_find_socket(struct gf_stay_service *service, struct gf_error *err)
{
    const char *mark = getenv(MARK), *pid = getenv("LISTEN_PID"), *count = getenv("LISTEN_FDS");
    const bool systemd = pid != NULL && count != NULL && atol(pid) == (long)getpid() && strcmp(count, "1") == 0;
    int type = 0;
    socklen_t bytes = sizeof type;

    if ((mark == NULL && !systemd)
        || getsockopt(GIVEN_SOCKET, SOL_SOCKET, SO_TYPE, &type, &bytes) != 0 || type != SOCK_STREAM)
        return gf_fail(err, GF_MISUSED, "--serve: needs a socket from systemd;; use --stay, which starts the process "
                                        "when a run needs it");
    service->socket = GIVEN_SOCKET;
    service->any_group = systemd;
    fcntl(GIVEN_SOCKET, F_SETFD, FD_CLOEXEC);
    fcntl(GIVEN_SOCKET, F_SETFL, O_NONBLOCK);
    if (!systemd)
        gf_stay_place_remember(GIVEN_SOCKET);
    (void)listen(GIVEN_SOCKET, SOMAXCONN);               /* the kernel tells others the number of this one */
    return 0;
}

void gf_stay_allow_folder(struct gf_sandbox *box)
{
    char folder[GF_STAY_PATH];

    if (gf_stay_place_folder(folder, true))
        gf_sandbox_allow(box, folder, GF_SANDBOX_TEMPORARY);
}

/* ---- for people ---- */

/* Removes a socket that nobody listens to any more, unless a run is just about to listen. */
static void remove_left(const char *path)
{
    const int lock = gf_stay_place_lock();
    const int socket = lock >= 0 ? gf_stay_place_connect(path) : -1;

    if (lock >= 0 && socket < 0 && errno == ECONNREFUSED)
        unlink(path);
    if (socket >= 0)
        close(socket);
    if (lock >= 0)
        close(lock);
}

/* The answer of a process to a question of people. */
enum answer { ANSWERED, SILENT, STRANGE };

/*
 * Asks a process of any version. Its answer may be longer than that of this one, or shorter, and the rest is then 0.
 */
static enum answer ask(int socket, enum gf_stay_type type, void *answer, size_t bytes)
{
    struct gf_stay_head head;

    errno = 0;
    if (gf_stay_send(socket, type, NULL, 0, -1) == 0 && gf_stay_receive(socket, &head, NULL) == 1
        && head.type == GF_STAY_DONE && gf_stay_read(socket, answer, head.bytes < bytes ? head.bytes : bytes) == 0)
        return ANSWERED;
    return errno == EAGAIN ? SILENT : STRANGE;
}

/* Asks a process. One that does not answer may just be ending, so it is asked twice; *socket is then the second one. */
static enum answer ask_twice(const char *path, int *socket, enum gf_stay_type type, void *answer, size_t bytes)
{
    enum answer got = ask(*socket, type, answer, bytes);

    if (got != STRANGE)
        return got;
    close(*socket);
    *socket = gf_stay_place_connect(path);
    if (*socket < 0)
        return STRANGE;                  /* it has ended */
    set_patience(*socket, 5);
    return ask(*socket, type, answer, bytes);
}

/* Calls use() with the path of each process and a connection to it. Returns how many have answered. */
static int for_each(bool (*use)(const char *path, int *socket, void *argument), void *argument)
{
    char folder[GF_STAY_PATH], path[GF_STAY_PATH + 256];
    struct dirent **names = NULL;
    int count, done = 0;

    if (!gf_stay_place_folder(folder, false))
        return 0;
    count = scandir(folder, &names, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        const bool ours = strncmp(names[i]->d_name, "stay", 4) == 0;
        int socket;

        snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
        socket = ours && done < MOST_SOCKETS ? gf_stay_place_connect(path) : -1;
        if (socket >= 0) {
            set_patience(socket, 5);
            done += use(path, &socket, argument);
            if (socket >= 0)
                close(socket);
        } else if (ours && errno == ECONNREFUSED && strcmp(names[i]->d_name, SYSTEMDS) != 0) {
            remove_left(path);
        }
        free(names[i]);
    }
    free(names);
    return done;
}

static bool print_status(const char *path, int *socket, void *argument)
{
    struct gf_stay_status s = { .pid = 0 };
    const enum answer got = ask_twice(path, socket, GF_STAY_STATUS, &s, sizeof s);
    FILE *to = argument;

    if (got == SILENT)
        fprintf(to, "stays   %s\n", silent(*socket));
    else if (got == STRANGE && *socket >= 0)
        fprintf(to, "stays   process %d, of another version of gpufilter\n", pid_of(*socket));
    if (got != ANSWERED)
        return false;
    s.device[sizeof s.device - 1] = '\0';
    fprintf(to, "stays   %s, process %d, ", s.device, (int)s.pid);
    if (s.runs > 0)
        fprintf(to, "%d run%s", (int)s.runs, s.runs == 1 ? "" : "s");
    else
        fprintf(to, "idle for %.0f of %.0f s", s.idle_seconds, s.most_seconds);
    fprintf(to, ", %.0f MB of host memory, %.0f MB of device memory\n", (double)s.host_bytes / 1e6,
            (double)s.device_bytes / 1e6);
    return true;
}

void gf_stay_list(FILE *to)
{
    for_each(print_status, to);
}

static bool stop_one(const char *path, int *socket, void *argument)
{
    const enum answer got = ask_twice(path, socket, GF_STAY_STOP, NULL, 0);
    struct gf_error *err = argument;

    if (got == SILENT)
        gf_fail(err, GF_FAILED, "--stop: %s", silent(*socket));
    else if (got == STRANGE && *socket >= 0)
        gf_fail(err, GF_FAILED, "--stop: process %d is of another version of gpufilter; end it with kill %d",
                pid_of(*socket), pid_of(*socket));
    return got == ANSWERED;
}

int gf_stay_stop(FILE *to, struct gf_error *err)
{
    int count;

    err->status = 0;
    count = for_each(stop_one, err);
    if (count > 0)
        fprintf(to, "%d process%s\n", count, count == 1 ? " ends" : "es end");
    else if (err->status == 0)
        fprintf(to, "no process stays\n");
    return err->status != 0 ? -1 : 0;
}
