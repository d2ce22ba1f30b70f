/*
 * Starts gpufilter-bench from the folder of the running program, or from where it is installed.
 * PATH is not searched, so that both are of the same build.
 */
#include "cli/start_bench.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PROGRAM "gpufilter-bench"

/*
 * Writes the folder of the running program, or the one of the installation if the system does not
 * report it.
 */
static void find_own_folder(char *folder, size_t room)
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

/* Returns why it cannot be started. */
static int start(const char *folder, char **argv)
{
    /* with this name it reads gpufilter's options and uses the name in messages */
    static char speaker[] = "gpufilter";
    char path[PATH_MAX + sizeof "/" PROGRAM];

    snprintf(path, sizeof path, "%s/" PROGRAM, folder);
    argv[0] = speaker;
    execv(path, argv);
    return errno;
}

int gf_start_bench(char **argv, struct gf_error *err)
{
    char own[PATH_MAX];
    int why;

    find_own_folder(own, sizeof own);
    why = start(own, argv);
    if (why == ENOENT)
        why = start(GF_BINDIR, argv);
    if (why != ENOENT)
        return gf_fail(err, GF_FAILED, "the program " PROGRAM " could not be started: %s", strerror(why));
    return gf_fail(err, GF_FAILED, "the program " PROGRAM " is missing: looked for it in %s%s%s", own,
                   strcmp(own, GF_BINDIR) != 0 ? " and " : "", strcmp(own, GF_BINDIR) != 0 ? GF_BINDIR : "");
}
