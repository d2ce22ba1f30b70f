/* Standard error, shared by messages and the progress line. */
#define _GNU_SOURCE
#include "base/terminal.h"

#include "base/clock.h"
#include "base/utf8.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/*
 * Protects the variables below and standard error.
 * ThreadSanitizer does not see the lock of the stream.
 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool shown;                       /* the last line is the progress line */
static double printed;                   /* the time at which the last message ended */

static FILE *kept;                       /* NULL: stderr */

static FILE *messages(void)
{
    return kept != NULL ? kept : stderr;
}

void gf_terminal_keep(FILE *to)
{
    kept = to;
}

static void erase(void)
{
    if (shown)
        fputs("\r\033[K", messages());
    shown = false;
}

void gf_terminal_erase(void)
{
    pthread_mutex_lock(&lock);
    erase();
    pthread_mutex_unlock(&lock);
}

/* Writes pieces that are as long as possible, because standard error has no buffer. */
static void put(FILE *to, const char *text, bool lines)
{
    char piece[4096];
    size_t used = 0;

    while (*text != '\0') {
        const bool end = !lines && text[0] == '\n' && text[1] == '\0';

        used += gf_utf8_show(&text, lines || end, piece + used);
        if (used > sizeof piece - GF_UTF8_SHOWN || *text == '\0') {
            fwrite(piece, 1, used, to);
            used = 0;
        }
    }
}

static void put_locked(FILE *to, const char *text, bool lines)
{
    pthread_mutex_lock(&lock);
    erase();
    put(to, text, lines);
    printed = gf_clock_seconds();
    pthread_mutex_unlock(&lock);
}

void gf_terminal_print(const char *format, ...)
{
    char room[1200], *text;              /* an error message fits, so it needs no memory */
    va_list args;

    va_start(args, format);
    if (vsnprintf(room, sizeof room, format, args) < (int)sizeof room) {
        va_end(args);
        put_locked(messages(), room, false);
        return;
    }
    va_end(args);
    va_start(args, format);
    if (vasprintf(&text, format, args) < 0)
        text = NULL;
    va_end(args);
    strcpy(room + sizeof room - 5, "...\n");
    put_locked(messages(), text != NULL ? text : room, false);
    free(text);
}

void gf_terminal_write(FILE *to, const char *text)
{
    put_locked(to != NULL ? to : messages(), text, true);
}

void gf_terminal_show(const char *text, double pause)
{
    pthread_mutex_lock(&lock);
    if (gf_clock_seconds() >= printed + pause) {
        fprintf(messages(), "\r%s\033[K", text);
        shown = true;
    }
    pthread_mutex_unlock(&lock);
}
