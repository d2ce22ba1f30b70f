/* Leaves a process at once; a second process stays until a GPU's driver has released everything. */
#define _GNU_SOURCE
#include "base/leave.h"

#include "base/reaper.h"
#include "base/sanitizer.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define STACK_BYTES  16384
#define INHERITED    1024                /* descriptors from this number on are not looked at */
#define WAIT_MS      0.2                 /* between two looks at whether the first process is gone */
#define MOST_WAIT_MS 10000               /* then something has stopped it, and it ends as usual */
#define GRACE_MS     10                  /* for threads of the first process that are still ending */

/* For the second process, which must not call anything that takes a lock. */
static struct {
    pid_t first;
    double linger_ms;
    char stack[STACK_BYTES] __attribute__((aligned(64)));
} second;

static void wait_ms(double ms)
{
    struct timespec left = { .tv_sec = (time_t)(ms / 1e3), .tv_nsec = (long)(ms * 1e6) % 1000000000 };

    while (nanosleep(&left, &left) != 0)
        ;
}

/*
 * Closes descriptors that the user's shell may have passed on, such as pipes and files with locks.
 * Drivers use character devices and anonymous descriptors, which stay open until the end.
 */
static void close_inherited(void)
{
    struct stat st;

    for (int fd = 0; fd < INHERITED; fd++)
        if (fstat(fd, &st) == 0 && (st.st_mode & S_IFMT) != 0 && !S_ISCHR(st.st_mode))
            close(fd);
}

/*
 * The second process. The driver releases nothing until this process ends too. It has its own
 * session, so it does not keep a terminal, and it blocks all signals.
 */
static int outlive(void *unused)
{
    (void)unused;
    setsid();
    prctl(PR_SET_NAME, "gpufilter-end");
    for (double ms = 0; getppid() == second.first && ms < MOST_WAIT_MS; ms += WAIT_MS)
        wait_ms(WAIT_MS);
    close_inherited();
    wait_ms(GRACE_MS + second.linger_ms);
    return 0;
}

/* The standard streams of both processes become /dev/null, so that no reader waits for the second one. */
static void release_standard_streams(int null)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        dup2(null, fd);
}

/*
 * The environment can say never, slow (as after a run on a GPU), or the milliseconds that the second
 * process lingers. A library that a profiler or debugger has injected may report when exit handlers
 * run.
 */
static bool is_wanted(const char *asked, bool slow, double *linger_ms)
{
    const bool injected = getenv("LD_PRELOAD") != NULL || getenv("CUDA_INJECTION64_PATH") != NULL;
    char *end = NULL;

    *linger_ms = asked != NULL ? strtod(asked, &end) : 0;
    if (asked != NULL && end != asked && *end == '\0' && *linger_ms >= 0)
        return true;
    *linger_ms = 0;
    if (asked != NULL && strcmp(asked, "never") == 0)
        return false;
    return (slow || (asked != NULL && strcmp(asked, "slow") == 0)) && !injected && gf_reaper_works();
}

bool gf_leave_wants_process(bool slow)
{
#ifdef GF_SANITIZER
    return false;
#endif
    return is_wanted(getenv("GPUFILTER_LEAVE"), slow, &(double) { 0 });
}

void gf_leave(int status, bool slow)
{
    const char *asked = getenv("GPUFILTER_LEAVE");
    sigset_t all, before;
    int null;

#ifdef GF_SANITIZER
    return;                              /* sanitizers report in exit handlers */
#endif
    if (!is_wanted(asked, slow, &second.linger_ms))
        return;
    null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0 || fflush(NULL) != 0 || chdir("/") != 0)
        return;
    second.first = getpid();
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    if (clone(outlive, second.stack + STACK_BYTES, CLONE_VM | CLONE_FILES | SIGCHLD, NULL) < 0) {
        sigprocmask(SIG_SETMASK, &before, NULL);
        return;
    }
    release_standard_streams(null);
    _exit(status);
}
