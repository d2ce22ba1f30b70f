/*
 * Starts gpufilter-bench from the folder of the running program, or from where it is installed.
 * PATH is not searched, so that both are of the same build.
 */
#include "cli/start_bench.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROGRAM "gpufilter-bench"

void gf_own_folder(char *folder, size_t room)
{
    const ssize_t n = readlink("/proc/self/exe", folder, room - 1);
    char *slash;

    folder[n > 0 ? n : 0] = '\0';
    slash = strrchr(folder, '/');
    if (slash != NULL)
        *slash = '\0';
    else
        snprintf(folder, room, "%s", GF_BINDIR);
}

/* Replaces this process. Returns only if that fails: the reason as an errno. */
static int start(const char *folder, char **argv)
{
    char path[PATH_MAX + sizeof "/" PROGRAM];

    snprintf(path, sizeof path, "%s/" PROGRAM, folder);
    execv(path, argv);
    return errno;
}

/*
 * Returns the arguments with the option for gpufilter-bench before them, in an array that the caller
 * frees; NULL if memory ran out.
 */
static char **add_option(char **argv)
{
    static char program[] = PROGRAM, option[] = GF_START_BENCH_OPTION;
    size_t count = 0;
    char **more;

    while (argv[count] != NULL)
        count++;
    more = calloc(count + 2, sizeof *more);
    if (more == NULL)
        return NULL;
    more[0] = program;
    more[1] = option;
    for (size_t i = 1; i < count; i++)
        more[i + 1] = argv[i];
    return more;
}

int gf_start_bench(char **argv, struct gf_error *err)
{
    char own[PATH_MAX], **arguments = add_option(argv);
    int why;

    if (arguments == NULL)
        return gf_fail_memory(err, NULL);
    gf_own_folder(own, sizeof own);
    why = start(own, arguments);
    if (why == ENOENT)
        why = start(GF_BINDIR, arguments);
    free(arguments);
    if (why != ENOENT)
        return gf_fail_system(err, why, "the program " PROGRAM " could not be started");
    return gf_fail(err, GF_FAILED, "the program " PROGRAM " is missing: looked for it in %s%s%s", own,
                   strcmp(own, GF_BINDIR) != 0 ? " and " : "", strcmp(own, GF_BINDIR) != 0 ? GF_BINDIR : "");
}
