/*
 * TAP output of test programs: a line for each case, the reason for each failure, and the number of
 * cases at the end.
 */
#define _GNU_SOURCE
#include "tests/tap.h"

#include "base/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct gf_error gf_said;

static int tests, failures;

static const char *get_word(const char *name)
{
    const char *word = getenv(name);

    return word != NULL ? word : "";
}

bool gf_is_chosen(const char *name)
{
    return gf_is_selected(getenv("ONLY"), name);
}

/* Returns the test's name for make check-one: the path of this program, after the last /tests/. */
static const char *find_own_name(char *path, size_t room)
{
    const ssize_t length = readlink("/proc/self/exe", path, room - 1);
    const char *name = path;

    path[length > 0 ? length : 0] = '\0';
    for (const char *at = path; (at = strstr(at, "/tests/")) != NULL; at++)
        name = at + strlen("/tests/");
    return name;
}

/* Prints ONLY='=NAME', quoted for a shell; make replaces $$ by $. */
static void print_only(const char *text, bool for_make)
{
    fputs("ONLY='=", stdout);
    for (; *text != '\0'; text++)
        if (*text == '\'')
            fputs("'\\''", stdout);
        else if (*text == '$' && for_make)
            fputs("$$", stdout);
        else
            putchar(*text);
    putchar('\'');
}

/* Prints the command that repeats one case of this program. */
static void print_repeat(const char *name)
{
    const bool portable = get_word("GPUFILTER_PORTABLE")[0] != '\0';
    char path[4096];
    const char *own = find_own_name(path, sizeof path);

    printf("# repeat: ");
    if (!portable)
        printf("make check-one T=%s ", own);
    print_only(name, !portable);
    if (portable)
        printf(" ./check %s", own);
    printf("\n");
}

/* Returns whether an earlier case has this name. ONLY could not choose one of them. */
static bool is_used(const char *name)
{
    static char **names;
    static size_t count;

    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    names = realloc(names, (count + 1) * sizeof *names);
    if (names == NULL || (names[count++] = strdup(name)) == NULL)
        exit(99);
    return false;
}

/* Returns whether a line was printed. */
static bool GF_PRINTF(2, 0) put_line(bool good, const char *what, va_list args)
{
    char name[1000];
    bool used;

    vsnprintf(name, sizeof name, what, args);
    if (!gf_is_chosen(name))
        return false;
    used = is_used(name);
    printf("%sok %d - %s\n", good && !used ? "" : "not ", ++tests, name);
    if (used) {
        failures++;
        printf("# An earlier case has this name, too. This one was %sok.\n", good ? "" : "not ");
        return true;
    }
    if (!good) {
        failures++;
        print_repeat(name);
        if (gf_said.text[0] != '\0')
            printf("# last error: %d %s\n", gf_said.status, gf_said.text);
    }
    fflush(stdout);
    return true;
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
    bool put;

    va_start(args, what);
    put = put_line(got == wanted, what, args);
    va_end(args);
    if (put && got != wanted)
        printf("# got %lld, wanted %lld\n", (long long)got, (long long)wanted);
}

void gf_no_gpu(const char *what, const char *why)
{
    const bool required = strcmp(get_word("GPUFILTER_REQUIRE_CUDA"), "1") == 0;

    if (!gf_is_chosen(what))
        return;
    failures += required;
    printf("%sok %d - %s%s no GPU: %s\n", required ? "not " : "", ++tests, what, required ? " #" : " # SKIP", why);
    if (required)
        print_repeat(what);
}

int gf_tap_end(void)
{
    const char *only = get_word("ONLY");

    if (tests == 0 && only[0] != '\0' && get_word("GPUFILTER_SKIP_UNMATCHED")[0] != '\0') {
        printf("1..0 # SKIP no case matches ONLY=%s\n", only);
        return 0;
    }
    if (tests == 0 && only[0] != '\0') {
        failures++;
        printf("not ok %d - no case matches ONLY=%s\n", ++tests, only);
    }
    printf("1..%d\n", tests);
    return failures > 0;
}
