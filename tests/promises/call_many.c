/*
 * Calls the program many times in one process, so that a GPU starts only once. Otherwise tests on a
 * GPU would wait a third of a second for each command. A line of standard input is a call, with
 * tabs between its arguments. The first field is a file that is piped to standard input, or "-".
 * Messages of a call are appended to the file "errors". The answer to each call is its exit status,
 * in a line on standard output.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_ARGUMENTS 64

/* The program's main() and exit(), renamed for this program. */
int gf_many_main(int argc, char **argv);
_Noreturn void gf_many_exit(int status);

static jmp_buf after_call;

/* A sandbox lasts until the process ends, and the next call has other files. */
int __wrap_gf_run_sandbox_enter(void);
int __wrap_gf_run_sandbox_enter(void)
{
    return 0;
}

void gf_many_exit(int status)
{
    longjmp(after_call, status + 1);
}

/* Copies a file into a pipe that becomes standard input; returns the process that does so, or -1. */
static pid_t feed_file(const char *name)
{
    int ends[2];
    pid_t child;

    if (pipe(ends) != 0)
        return -1;
    child = fork();
    if (child == 0) {
        char bytes[4096];
        const int from = open(name, O_RDONLY);
        ssize_t n;

        close(ends[0]);
        signal(SIGPIPE, SIG_DFL);
        while (from >= 0 && (n = read(from, bytes, sizeof bytes)) > 0)
            for (ssize_t done = 0, more; done < n; done += more)
                if ((more = write(ends[1], bytes + done, (size_t)(n - done))) <= 0)
                    _exit(1);
        _exit(from < 0);
    }
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    return child;
}

static void redirect(const char *name, int flags, int to)
{
    const int fd = open(name, flags, 0666);

    if (fd < 0 || dup2(fd, to) < 0)
        _exit(99);
    close(fd);
}

static int split(char *line, char **argument)
{
    int count = 0;

    while (line != NULL && count < MOST_ARGUMENTS)
        argument[count++] = strsep(&line, "\t");
    argument[count] = NULL;
    return count;
}

/* Runs in a function of its own, because exit() jumps back into it. */
__attribute__((noinline)) static int run_program(int count, char **argument)
{
    const int status = setjmp(after_call);

    if (status == 0)
        gf_many_main(count, argument);
    return status - 1;
}

/* Makes the call in a line; returns its exit status, or 99 if the call could not be made. */
static int call(char *line)
{
    static char program[] = "gpufilter";
    char *argument[MOST_ARGUMENTS + 1];
    const int count = split(line, argument);
    const char *const file = argument[0];
    pid_t child = -1;
    int status;

    argument[0] = program;
    redirect("errors", O_WRONLY | O_CREAT | O_APPEND, STDERR_FILENO);
    redirect("/dev/null", O_RDONLY, STDIN_FILENO);
    if (strcmp(file, "-") != 0 && (child = feed_file(file)) < 0)
        return 99;
    status = run_program(count, argument);
    fflush(stderr);
    redirect("/dev/null", O_RDONLY, STDIN_FILENO);           /* ends a process that writes to an unread pipe */
    if (child > 0)
        waitpid(child, NULL, 0);
    return status;
}

#undef main
#undef exit
int main(void)
{
    FILE *const calls = fdopen(dup(STDIN_FILENO), "r"), *const answers = fdopen(dup(STDOUT_FILENO), "w");
    char *line = NULL;
    size_t room = 0;
    ssize_t n;

    setenv("GPUFILTER_LEAVE", "never", 1);                   /* the first run on a GPU would end this process */
    while (calls != NULL && answers != NULL && (n = getline(&line, &room, calls)) > 0) {
        if (line[n - 1] == '\n')
            line[n - 1] = '\0';
        fprintf(answers, "%d\n", call(line));
        fflush(answers);
    }
    free(line);
    return 0;
}
