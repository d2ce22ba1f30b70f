/* Tests what appears on standard error of the lines that a library prints, also if it then calls abort(). */
#define _GNU_SOURCE
#include "base/library_text.h"
#include "tests/tap.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LAST "gpufilter: a library ends the program: "

static void print_line(void)
{
    fprintf(stderr, "no \033 table\n");
}

static void end_within_call(void)
{
    gf_library_text_about(gf_notices_new(&(struct gf_notice_options) { .quiet = true }), "in.mp3");
    fprintf(stderr, "first\nno \033 table\n");
    abort();
}

static void end_without_newline(void)
{
    gf_library_text_about(gf_notices_new(&(struct gf_notice_options) { .quiet = true }), "in.mp3");
    fprintf(stderr, "no table");
    abort();
}

static void end_elsewhere(void)
{
    print_line();
    abort();
}

static void end_after_call(void)
{
    gf_library_text_about(gf_notices_new(&(struct gf_notice_options) { .quiet = true }), "in.mp3");
    print_line();
    gf_library_text_about(NULL, NULL);
    abort();
}

static void print_without_newline(void)
{
    fprintf(stderr, "one");
    fprintf(stderr, "two");
}

/* Tests what a process prints, and how it ends. */
static void test(const char *name, bool quiet, void (*act)(void), int signal, const char *wanted)
{
    char text[1000] = "";
    int ends[2], status = 0;
    size_t used = 0;
    ssize_t n;
    pid_t child;

    fflush(stdout);
    if (pipe(ends) != 0 || (child = fork()) < 0)
        exit(99);
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        gf_library_text_catch(quiet);
        act();
        _exit(0);
    }
    close(ends[1]);
    while ((n = read(ends[0], text + used, sizeof text - 1 - used)) > 0)
        used += (size_t)n;
    close(ends[0]);
    waitpid(child, &status, 0);
    gf_ok(strcmp(text, wanted) == 0 && (WIFSIGNALED(status) ? WTERMSIG(status) : 0) == signal, "%s", name);
    if (strcmp(text, wanted) != 0)
        printf("# found: %s\n", text);
}

int main(void)
{
#ifdef __GLIBC__
    test("a line outside the calls", false, print_line, 0, "gpufilter: note: no \\x1b table\n");
    test("no line with -q", true, print_line, 0, "");
    test("texts without a line end", false, print_without_newline, 0, "gpufilter: note: one\ngpufilter: note: two\n");
    test("the last line before abort()", true, end_within_call, SIGABRT, LAST "no ? table\n");
    test("it has no line end", true, end_without_newline, SIGABRT, LAST "no table\n");
    test("it is outside the calls", true, end_elsewhere, SIGABRT, LAST "no ? table\n");
    test("it is not printed twice", false, end_elsewhere, SIGABRT, "gpufilter: note: no \\x1b table\n");
    test("an earlier call has nothing to do with it", true, end_after_call, SIGABRT, "");
#endif
    return gf_tap_end();
}
