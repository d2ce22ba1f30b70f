/* What test programs print: a line for each test, what went wrong in it, and in the end how many there were. */
#include "tap.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct gf_error gf_said;

static int tests, failures;

static void GF_PRINTF(2, 0) put_line(bool good, const char *what, va_list args)
{
    failures += !good;
    printf("%sok %d - ", good ? "" : "not ", ++tests);
    vprintf(what, args);
    printf("\n");
    if (!good && gf_said.text[0] != '\0')
        printf("# last error: %d %s\n", gf_said.status, gf_said.text);
    fflush(stdout);
}

void gf_ok(bool good, const char *what, ...)
{
    va_list args;

    va_start(args, what);
    put_line(good, what, args);
    va_end(args);
}

void gf_is(int64_t got, int64_t wanted, const char *what, ...)
{
    va_list args;

    va_start(args, what);
    put_line(got == wanted, what, args);
    va_end(args);
    if (got != wanted)
        printf("# got %lld, wanted %lld\n", (long long)got, (long long)wanted);
}

void gf_no_gpu(const char *what, const char *why)
{
    const char *word = getenv("GPUFILTER_REQUIRE_CUDA");
    const bool required = word != NULL && strcmp(word, "1") == 0;

    failures += required;
    printf("%sok %d - %s%s no GPU: %s\n", required ? "not " : "", ++tests, what, required ? " #" : " # SKIP", why);
}

int gf_tap_end(void)
{
    printf("1..%d\n", tests);
    return failures > 0;
}
