/* The start of a program: signals, arguments to a request, a request to its answer. */
#include "cli/program.h"

#include "base/terminal.h"
#include "cli/cli.h"
#include "io/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* Where one of the three is closed, a file would take its place, and what is said would be written to it. Nobody reads or writes here. */
static void open_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
            return;
}

/* Half-written files go, then the signal does what it always does. */
static void handle_signal(int number)
{
    gf_atomic_file_cleanup_all();
    signal(number, SIG_DFL);
    raise(number);
}

static void set_signals(void)
{
    static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };

    signal(SIGPIPE, SIG_IGN);       /* a reader that went away is an error of write() */
    signal(SIGXFSZ, SIG_IGN);       /* and so is a file that becomes larger than the user's limit */
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (signal(numbers[i], SIG_IGN) != SIG_IGN)
            signal(numbers[i], handle_signal);
}

/* What was printed must have arrived; whoever reads may have seen enough. */
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
    mallopt(M_MMAP_THRESHOLD, 1 << 18);     /* so that what is large goes back at once, and --memory can be kept to */
#endif
    open_standard_streams();
    set_signals();
    failed = gf_cli_parse(program, argc, argv, &request, &err);
    if (failed == 0)
        failed = program->answer(&request, &err);
    if (failed == 0 && request.ask != GF_ASK_RUN)
        failed = flush_answer(&err);
    gf_cli_release(&request);
    if (failed != 0 && err.status != 0)
        gf_terminal_print("%s: %s\n", program->name, err.text);
    return failed != 0 ? err.status : 0;
}
