/* The lesson on errors. */
#define _GNU_SOURCE
#include "kernels/lessons/host/errors.h"

#include "kernels/lessons/mix.h"
#include "kernels/lessons/steps.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SELF "/proc/self/exe"
#define PATIENCE_SECONDS 30              /* after which such a process is killed */

extern char **environ;

const struct gf_lesson gf_lesson_errors = {
    .name = "errors",
    .summary = "what checking launches costs, and an error made on purpose: when it is seen, and what it breaks",
    .fill = GF_LESSON_BYTES, .src_bytes = sizeof(uint32_t), .dst_bytes = sizeof(uint32_t),
    .axis = "launches", .values = { 1, 4, 16, 64, 256, 1024 }, .value_count = 6, .samples = 16 << 10,
    .checked = { 1, 1000, 4099 },
    .unit = "launches/us", .work = gf_lesson_count_launches,
    .cpu = { { "plain C", gf_lesson_mix_often } },
    .steps = {
        { "unchecked", gf_lesson_errors_unchecked,
          "launches, and one wait at the end. A launch returns nothing, so an error in one is seen later, or never",
          GF_LESSON_HOST_CLOCK },
        { "error read after each", gf_lesson_errors_read,
          "cudaGetLastError() after each launch finds wrong arguments: too many threads, too much shared memory. It "
          "reads a variable of this thread and asks the GPU nothing, so it costs nearly nothing",
          GF_LESSON_HOST_CLOCK },
        { "stream asked after each", gf_lesson_errors_asked,
          "cudaStreamQuery() also finds an error inside a kernel that has happened by now. It asks for the state of "
          "the stream, but does not wait", GF_LESSON_HOST_CLOCK },
        { "waiting after each 16th", gf_lesson_errors_some,
          "an error inside a kernel is found at most 16 launches later. The GPU is idle only while the host continues "
          "after a wait", GF_LESSON_HOST_CLOCK },
        { "waiting after each", gf_lesson_errors_waited,
          "the error belongs to the launch before the wait for certain, as with CUDA_LAUNCH_BLOCKING=1. This is for "
          "finding mistakes: the GPU is idle between all kernels. The host sleeps while it waits, as in gpufilter, so "
          "that the core can work for others; waking up takes some tens of microseconds", GF_LESSON_HOST_CLOCK } },
    .promises = {
        { 1, 0, GF_LESSON_TIMES, 1,
          "nothing is asked of the GPU, so there is no reason to leave a launch unchecked", NULL },
        { 0, 4, GF_LESSON_TIMES, 2.5, "Gray 2019: 3.8 us for each kernel instead of 9.6 us",
          "the kernels themselves take a large part of the time",
          .more = "the host sleeps while it waits, and waking up takes some tens of microseconds" },
        { 3, 4, GF_LESSON_TIMES, 2, "15 of 16 waits are saved",
          "the kernels themselves take a large part of the time" } },
    .tell = gf_lesson_errors_tell,
};

/* ---- the process that makes an error ---- */

/* Returns the process, or -1 with errno. Its standard output is `to`. */
static pid_t start(const char *kind, int device, int to)
{
    char number[16], self[] = SELF, option[] = GF_ERRORS_OPTION, what[16];
    char *words[] = { self, option, what, number, NULL };
    posix_spawn_file_actions_t actions;
    pid_t child = -1;
    int code;

    snprintf(number, sizeof number, "%d", device);
    snprintf(what, sizeof what, "%s", kind);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO);
    code = posix_spawn(&child, SELF, &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    errno = code;
    return code == 0 ? child : -1;
}

int gf_errors_start(const struct gf_lesson_report *report, const char *kind, int device, struct gf_error *err)
{
    char line[400];
    int ends[2], status = 0, why;
    FILE *from;
    pid_t child;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return gf_fail(err, GF_FAILED, "a pipe cannot be created: %s", strerror(errno));
    child = start(kind, device, ends[1]);
    why = errno;
    close(ends[1]);
    from = fdopen(ends[0], "r");
    while (child > 0 && from != NULL && fgets(line, sizeof line, from) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        gf_lesson_say(report, "%s", line);
    }
    if (from != NULL)
        fclose(from);
    else
        close(ends[0]);
    if (child < 0)
        return gf_fail(err, GF_FAILED, "this program cannot be started again: %s", strerror(why));
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFSIGNALED(status))
        gf_lesson_say(report, "this process was ended by signal %d (%s)", WTERMSIG(status),
                      strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) != 0)
        gf_lesson_say(report, "this process failed, with exit status %d", WEXITSTATUS(status));
    return 0;
}

int gf_errors_main(char **argv)
{
    struct gf_lesson_io io = { .value = argv[1] != NULL ? atoi(argv[1]) : 0,
                               .count = strcmp(argv[0], GF_ERRORS_WRONG) == 0 };
    struct gf_error err;

    alarm(PATIENCE_SECONDS);
    if (strcmp(argv[0], GF_ERRORS_QUEUE) == 0 && setenv("CUDA_DEVICE_MAX_CONNECTIONS", "1", 1) != 0)
        return 1;
    if ((strcmp(argv[0], GF_ERRORS_QUEUE) == 0 ? gf_lesson_streams_queue : gf_lesson_errors_make)(&io, &err) == 0)
        return fflush(stdout) == 0 ? 0 : 1;
    printf("a process of its own: %s\n", err.text);
    return 1;
}
