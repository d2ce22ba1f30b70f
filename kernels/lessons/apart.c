/* A process of its own for a part of a lesson. */
#define _GNU_SOURCE
#include "kernels/lessons/apart.h"

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

/* Returns the process, or -1 with errno. Its standard output is `to`. */
static pid_t start(const char *lesson, int what, int device, int to)
{
    char self[] = SELF, option[] = GF_APART_OPTION, name[40], numbers[2][16];
    char *words[] = { self, option, name, numbers[0], numbers[1], NULL };
    posix_spawn_file_actions_t actions;
    pid_t child = -1;
    int code;

    snprintf(name, sizeof name, "%s", lesson);
    snprintf(numbers[0], sizeof numbers[0], "%d", what);
    snprintf(numbers[1], sizeof numbers[1], "%d", device);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO);
    code = posix_spawn(&child, SELF, &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    errno = code;
    return code == 0 ? child : -1;
}

int gf_apart_start(const struct gf_lesson_report *report, const char *lesson, int what, int device,
                   struct gf_error *err)
{
    char line[400];
    int ends[2], status = 0, why;
    FILE *from;
    pid_t child;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return gf_fail(err, GF_FAILED, "a pipe cannot be created: %s", strerror(errno));
    child = start(lesson, what, device, ends[1]);
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

int gf_apart_main(gf_lesson_run *apart, const char *what, const char *device)
{
    struct gf_lesson_io io = { .value = atoi(device), .count = atoi(what) };
    struct gf_error err;

    alarm(PATIENCE_SECONDS);
    if (apart(&io, &err) == 0)
        return fflush(stdout) == 0 ? 0 : 1;
    printf("a process of its own: %s\n", err.text);
    return 1;
}
