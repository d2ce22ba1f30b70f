/* Limits the CPU time of the process, through the kernel's own limit. */
#include "base/cpu_limit.h"

#include "base/error.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/*
 * After these the kernel kills the process, in case an attacker's code ignores the signal. All
 * threads use them up while the handler cleans up.
 */
#define GRACE_SECONDS 5

/* The signal handler can only write text that was made before. */
static char message[200];
static void (*before_exit)(void);
static atomic_int files_done, files_all;

static void print(const char *text)
{
    if (write(STDERR_FILENO, text, strlen(text)) < 0)
        _exit(GF_FAILED);
}

static void print_number(int number)
{
    char digits[12] = "";
    int at = sizeof digits - 1;

    do
        digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    print(digits + at);
}

/* The threads go on while this runs, so the process cannot return to main() for its end. */
static void stop(int number)
{
    (void)number;
    before_exit();
    print(message);
    if (atomic_load(&files_all) > 0) {
        print(", with ");
        print_number(atomic_load(&files_done));
        print(" of ");
        print_number(atomic_load(&files_all));
        print(" files done");
    }
    print("; raise --max-seconds\n");
    _exit(GF_FAILED);
}

void gf_cpu_limit_count(int done, int files)
{
    atomic_store(&files_done, done);
    atomic_store(&files_all, files);
}

void gf_cpu_limit_set(const char *program, int seconds, void (*clean_up)(void))
{
    const struct sigaction action = { .sa_handler = stop };
    struct rlimit limit;

    if (getrlimit(RLIMIT_CPU, &limit) != 0 || limit.rlim_cur <= (rlim_t)seconds)
        return;
    before_exit = clean_up;
    snprintf(message, sizeof message, "%s%s: stopped after %d second%s of CPU time",
             isatty(STDERR_FILENO) ? "\r\033[K" : "", program, seconds, seconds == 1 ? "" : "s");
    limit.rlim_cur = (rlim_t)seconds;
    if (limit.rlim_max > (rlim_t)seconds + GRACE_SECONDS)
        limit.rlim_max = (rlim_t)seconds + GRACE_SECONDS;
    if (sigaction(SIGXCPU, &action, NULL) == 0)
        setrlimit(RLIMIT_CPU, &limit);
}
