/* Runs a program: sets up signals, reads the arguments, answers the request. */
#include "cli/program.h"

#include "base/cpu_limit.h"
#include "base/terminal.h"
#include "cli/cli.h"
#include "io/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

/*
 * Opens /dev/null for a standard stream that is closed. Otherwise the next file would get its
 * number, and messages would be written to that file. The wrong mode makes reads and writes fail.
 */
static void open_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
            return;
}

/* Removes temporary files, then lets the signal take its default effect. */
static void handle_signal(int number)
{
    gf_atomic_file_cleanup_all();
    signal(number, SIG_DFL);
    raise(number);
}

/*
 * Cleans up before a signal takes its effect. A signal that is ignored at the start remains ignored, as under
 * nohup. A handler that is there already belongs to a profiler that was loaded with the program.
 */
static void clean_up_on(int number)
{
    struct sigaction before;

    if (sigaction(number, NULL, &before) == 0 && (before.sa_flags & SA_SIGINFO) == 0 && before.sa_handler == SIG_DFL)
        signal(number, handle_signal);
}

/* Signals end the process by default, except those that crash, stop or ignore. Batch systems send SIGUSR1, say. */
static void set_signals(void)
{
    static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM,
                                   SIGPROF,
#ifdef SIGPOLL
                                   SIGPOLL,
#endif
#ifdef SIGPWR
                                   SIGPWR,
#endif
#ifdef SIGSTKFLT
                                   SIGSTKFLT,
#endif
    };

    signal(SIGPIPE, SIG_IGN);       /* a closed pipe is reported by write() */
    signal(SIGXFSZ, SIG_IGN);       /* and so is a file above the user's size limit */
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        clean_up_on(numbers[i]);
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
        clean_up_on(number);
}

#define MOST_FILES 65536                 /* far more than any number of workers has open */

/* Many systems allow 1024 open files, for programs that use select(), and more on request. */
static void raise_file_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= MOST_FILES)
        return;
    limit.rlim_cur = limit.rlim_max < MOST_FILES ? limit.rlim_max : MOST_FILES;
    setrlimit(RLIMIT_NOFILE, &limit);
}

/* Fails if output was lost. A reader that closed the pipe is no error to report. */
static int flush_answer(struct gf_error *err)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return 0;
    return gf_fail(err, errno == EPIPE ? 0 : GF_FAILED, "standard output: could not be written");
}

struct gf_cli_program gf_program_gpufilter(int (*answer)(const struct gf_request *r, struct gf_error *err))
{
    return (struct gf_cli_program) { "gpufilter", gf_cli_options, GF_ASK_RUN, answer };
}

int gf_program_run(const struct gf_cli_program *program, int argc, char **argv)
{
    struct gf_error err = { 0 };
    struct gf_request request;
    int failed;

#ifdef M_MMAP_THRESHOLD
    /* large blocks are returned to the system at once, so that --memory holds */
    mallopt(M_MMAP_THRESHOLD, 1 << 18);
#endif
    open_standard_streams();
    set_signals();
    gf_atomic_file_read_umask();
    raise_file_limit();
    failed = gf_cli_parse(program, argc, argv, &request, &err);
    if (failed == 0 && request.limits.max_seconds > 0)
        gf_cpu_limit_set(program->name, request.limits.max_seconds, gf_atomic_file_cleanup_all);
    if (failed == 0)
        failed = program->answer(&request, &err);
    if (failed == 0 && request.ask != GF_ASK_RUN)
        failed = flush_answer(&err);
    gf_cli_release(&request);
    if (failed != 0 && err.status != 0)
        gf_terminal_print("%s: %s\n", program->name, err.text);
    return failed != 0 ? err.status : 0;
}
