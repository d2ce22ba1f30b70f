/* Standard error, shared by messages and the progress line. */
#include "base/terminal.h"

#include "base/clock.h"

#include <pthread.h>
#include <stdarg.h>

/*
 * Protects the variables below and standard error.
 * ThreadSanitizer does not see the lock of the stream.
 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool shown;                       /* the last line is the progress line */
static double printed;                   /* the time at which the last message ended */

static void erase(void)
{
    if (shown)
        fputs("\r\033[K", stderr);
    shown = false;
}

void gf_terminal_erase(void)
{
    pthread_mutex_lock(&lock);
    erase();
    pthread_mutex_unlock(&lock);
}

FILE *gf_terminal_begin(void)
{
    pthread_mutex_lock(&lock);
    erase();
    return stderr;
}

void gf_terminal_end(void)
{
    printed = gf_clock_seconds();
    pthread_mutex_unlock(&lock);
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
    pthread_mutex_lock(&lock);
    if (gf_clock_seconds() >= printed + pause) {
        fprintf(stderr, "\r%s\033[K", text);
        shown = true;
    }
    pthread_mutex_unlock(&lock);
}
