/* Lines that libraries print to standard error on their own. */
#define _GNU_SOURCE
#include "base/library_text.h"

#include "base/terminal.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

static bool is_quiet;
/* unbuffered prints call take() in the thread of the library, so a line belongs to the file it decodes */
static _Thread_local struct gf_notices *notices;
static _Thread_local const char *file;
static _Thread_local char line[300];     /* stays after it has become a warning, because nobody has seen that yet */
static _Thread_local size_t used;

static void end_line(void)
{
    if (used == 0)
        return;
    line[used] = '\0';
    used = 0;
    if (notices != NULL) {
        gf_warn(notices, "library-text", file, "the decoder reports: %s", line);
    } else if (!is_quiet) {
        gf_terminal_print("gpufilter: note: %s\n", line);
        line[0] = '\0';
    }
}

/* Outside the calls that are known to print, nobody knows when a text without a line end is complete. */
static ssize_t take(void *cookie, const char *text, size_t size)
{
    (void)cookie;
    for (size_t i = 0; i < size; i++)
        if (text[i] == '\n')
            end_line();
        else if (used < sizeof line - 1)
            line[used++] = text[i];
    if (notices == NULL)
        end_line();
    return (ssize_t)size;
}

#ifdef __GLIBC__
/* After abort() in a library, warnings are not printed, so its last line is. A signal handler may only write. */
static void print_last_line(int signal)
{
    static const char begin[] = "gpufilter: a library ends the program: ";
    size_t n;

    (void)signal;
    line[used > 0 ? used : sizeof line - 1] = '\0';
    n = strlen(line);
    if (n == 0)
        return;
    for (size_t i = 0; i < n; i++)
        line[i] = line[i] < ' ' || line[i] > '~' ? '?' : line[i];
    line[n] = '\n';
    if (write(STDERR_FILENO, begin, sizeof begin - 1) > 0 && write(STDERR_FILENO, line, n + 1) > 0)
        line[0] = '\0';
}

/* Keeps a handler that is there already, such as that of a fuzzer. */
static void watch_abort(void)
{
    const struct sigaction watch = { .sa_handler = print_last_line, .sa_flags = (int)SA_RESETHAND };
    struct sigaction before;

    if (sigaction(SIGABRT, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
        sigaction(SIGABRT, &watch, NULL);
}
#endif

void gf_library_text_catch(bool quiet)
{
#ifdef __GLIBC__                             /* elsewhere, stderr may be constant */
    FILE *to = fopencookie(NULL, "w", (cookie_io_functions_t) { .write = take });

    is_quiet = quiet;
    if (to == NULL)
        return;
    setvbuf(to, NULL, _IONBF, 0);
    gf_terminal_keep(stderr);
    stderr = to;
    watch_abort();
#else
    is_quiet = quiet;
#endif
}

void gf_library_text_about(struct gf_notices *n, const char *name)
{
    end_line();
    line[0] = '\0';
    notices = n;
    file = name;
}
