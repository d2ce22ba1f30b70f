/* Errors: one line for people and an exit status. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void set_error(struct gf_error *err, int status, const char *format, va_list args) GF_PRINTF(3, 0);

static void set_error(struct gf_error *err, int status, const char *format, va_list args)
{
    err->status = status;
    err->cut = err->damaged = err->room = false;
    vsnprintf(err->text, sizeof err->text, format, args);
}

int gf_fail(struct gf_error *err, int status, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    set_error(err, status, format, args);
    va_end(args);
    return -1;
}

void gf_error_advise(struct gf_error *err, const char *format, ...)
{
    const char *name_end = err->text[0] == '\'' ? strstr(err->text + 1, "' ") : NULL;
    size_t used = name_end != NULL ? (size_t)(name_end - err->text) : 0;
    va_list args;

    used += strcspn(err->text + used, ";");
    used += (size_t)snprintf(err->text + used, sizeof err->text - used, "; ");
    if (used >= sizeof err->text)
        return;
    va_start(args, format);
    vsnprintf(err->text + used, sizeof err->text - used, format, args);
    va_end(args);
}

int gf_fail_cut(struct gf_error *err, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    set_error(err, GF_FAILED, format, args);
    va_end(args);
    err->cut = true;
    return -1;
}

int gf_fail_damaged(struct gf_error *err, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    set_error(err, GF_FAILED, format, args);
    va_end(args);
    err->damaged = true;
    return -1;
}

int gf_fail_memory_hint(struct gf_error *err, const char *who, const char *hint)
{
    return gf_fail(err, GF_FAILED, "%s%snot enough memory%s%s", who ? who : "", who ? ": " : "", hint ? "; " : "",
                   hint ? hint : "");
}

int gf_fail_memory(struct gf_error *err, const char *who)
{
    return gf_fail_memory_hint(err, who, NULL);
}

int gf_fail_memory_bytes(struct gf_error *err, size_t bytes, const char *where)
{
    return gf_fail(err, GF_FAILED, "not enough memory%s%s for %zu MB; use a smaller --memory, --segment or -j",
                   where ? " " : "", where ? where : "", (bytes >> 20) + 1);
}

void gf_forget_error(struct gf_error *err)
{
    err->status = 0;
    err->cut = err->damaged = err->room = false;
    err->text[0] = '\0';
}

void gf_error_place(struct gf_error *err, const char *place, const char *from)
{
    char text[sizeof err->text];

    snprintf(text, sizeof text, "%s", err->text);
    snprintf(err->text, sizeof err->text, "%.340s: %.600s%s%.340s%s", place, text, from ? " (called from " : "",
             from ? from : "", from ? ")" : "");
}
