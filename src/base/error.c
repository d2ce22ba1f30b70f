/* Errors: one line for people and an exit status. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Returns a hash of the first `most` bytes of a name; 0 if it is empty. */
static uint64_t hash_of(const char *name, size_t most)
{
    uint64_t hash = *name != '\0' ? UINT64_C(14695981039346656037) : 0;

    for (size_t i = 0; i < most && name[i] != '\0'; i++)
        hash = (hash ^ (unsigned char)name[i]) * UINT64_C(1099511628211);
    return hash;
}

/* Returns the hash of the first argument if the format begins with it, as "%s: ..." does. */
static uint64_t subject_of(const char *format, va_list args)
{
    va_list copy;
    uint64_t subject;

    if (strncmp(format, "%s", 2) != 0 && strncmp(format, "%.300s", 6) != 0)
        return 0;
    va_copy(copy, args);
    subject = hash_of(va_arg(copy, const char *), format[1] == 's' ? sizeof ((struct gf_error *)0)->text - 1 : 300);
    va_end(copy);
    return subject;
}

static void GF_PRINTF(3, 0) set_error(struct gf_error *err, int status, const char *format, va_list args)
{
    const char *const advice = strchr(format, ';');
    char shown[1000];

    gf_forget_error(err);
    err->status = status;
    err->subject = subject_of(format, args);
    if (advice != NULL) {                        /* it begins where what the format has before it ends */
        char problem[500];
        va_list copy;
        int length;

        snprintf(problem, sizeof problem, "%.*s", (int)(advice - format), format);
        va_copy(copy, args);
        length = vsnprintf(NULL, 0, problem, copy);
        va_end(copy);
        err->advice = length > 0 && (size_t)length < sizeof err->text ? (size_t)length : 0;
        err->for_shell = advice[1] == ';';
        if (err->for_shell) {
            snprintf(shown, sizeof shown, "%s%s", problem, advice + 1);
            format = shown;
        }
    }
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

int gf_fail_system(struct gf_error *err, int code, const char *format, ...)
{
    char advice[sizeof err->text] = "";
    va_list args;
    size_t used;

    va_start(args, format);
    set_error(err, GF_FAILED, format, args);
    va_end(args);
    if (err->advice > 0)
        snprintf(advice, sizeof advice, "%s", err->text + err->advice);
    used = err->advice > 0 ? err->advice : strlen(err->text);
    used += (size_t)snprintf(err->text + used, sizeof err->text - used, ": %s", strerror(code));
    err->code = code;
    if (err->advice > 0 && used < sizeof err->text) {
        err->advice = used;
        snprintf(err->text + used, sizeof err->text - used, "%s", advice);
    }
    return -1;
}

void gf_error_drop_advice(struct gf_error *err)
{
    if (err->advice > 0)
        err->text[err->advice] = '\0';
    err->advice = 0;
    err->for_shell = false;
}

static void GF_PRINTF(2, 0) add_advice(struct gf_error *err, const char *format, va_list args)
{
    size_t used = strlen(err->text);

    err->advice = err->advice > 0 ? err->advice : used;
    used += (size_t)snprintf(err->text + used, sizeof err->text - used, "; ");
    if (used < sizeof err->text)
        vsnprintf(err->text + used, sizeof err->text - used, format, args);
}

void gf_error_advise(struct gf_error *err, const char *format, ...)
{
    va_list args;

    gf_error_drop_advice(err);
    va_start(args, format);
    add_advice(err, format, args);
    va_end(args);
}

void gf_error_advise_shell(struct gf_error *err, const char *format, ...)
{
    va_list args;

    gf_error_drop_advice(err);
    va_start(args, format);
    add_advice(err, format, args);
    va_end(args);
    err->for_shell = true;
}

void gf_error_add_advice(struct gf_error *err, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    add_advice(err, format, args);
    va_end(args);
}

int gf_fail_cut(struct gf_error *err, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    set_error(err, GF_FAILED, format, args);
    va_end(args);
    err->cause = GF_CAUSE_CUT;
    return -1;
}

int gf_fail_damaged(struct gf_error *err, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    set_error(err, GF_FAILED, format, args);
    va_end(args);
    err->cause = GF_CAUSE_DAMAGED;
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
    return gf_fail(err, GF_FAILED, "not enough memory%s%s for %zu MB;; use a smaller --memory, --segment or -j",
                   where ? " " : "", where ? where : "", (bytes >> 20) + 1);
}

bool gf_error_is_about(const struct gf_error *err, const char *name)
{
    return err->subject != 0 && err->subject == hash_of(name, SIZE_MAX);
}

void gf_forget_error(struct gf_error *err)
{
    err->status = err->code = 0;
    err->cause = GF_CAUSE_OTHER;
    err->subject = 0;
    err->range = err->advice = 0;
    err->for_shell = false;
    err->text[0] = '\0';
}

void gf_error_place(struct gf_error *err, const char *place, const char *from)
{
    char text[sizeof err->text];

    snprintf(text, sizeof text, "%s", err->text);
    err->subject = hash_of(place, 340);
    /* of a text that is cut, or that a caller follows, the advice cannot be replaced any more */
    err->advice = err->advice > 0 && err->advice < 600 && from == NULL ? err->advice + strnlen(place, 340) + 2 : 0;
    err->range = err->range > 0 && err->range < 600 ? err->range + strnlen(place, 340) + 2 : 0;
    snprintf(err->text, sizeof err->text, "%.340s: %.600s%s%.340s%s", place, text, from ? " (called from " : "",
             from ? from : "", from ? ")" : "");
}
