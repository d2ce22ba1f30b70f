/* Standard error, shared by messages and a line of progress. The stream's lock guards the variables below. */
#include "base/terminal.h"

#include "base/clock.h"

#include <stdarg.h>

static bool shown;                       /* the last line is the line of progress */
static double printed;                   /* the time at which the last message ended */

void gf_terminal_erase(void)
{
    flockfile(stderr);
    if (shown)
        fputs("\r\033[K", stderr);
    shown = false;
    funlockfile(stderr);
}

FILE *gf_terminal_begin(void)
{
    flockfile(stderr);
    gf_terminal_erase();
    return stderr;
}

void gf_terminal_end(void)
{
    printed = gf_clock_seconds();
    funlockfile(stderr);
}

void gf_terminal_print(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vfprintf(gf_terminal_begin(), format, args);
    gf_terminal_end();
    va_end(args);
}

void gf_terminal_show(const char *text, double pause)
{
    flockfile(stderr);
    if (gf_clock_seconds() >= printed + pause) {
        fprintf(stderr, "\r%s\033[K", text);
        shown = true;
    }
    funlockfile(stderr);
}
