/* Answers requests about the program itself, or starts gpufilter-bench, which answers those about speed. */
#include "cli/answer_request.h"

#include "base/terminal.h"
#include "cli/about.h"
#include "cli/cli_options.h"
#include "cli/complete.h"
#include "cli/help.h"
#include "cli/manual.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROGRAM "gpufilter-bench"

/*
 * ---- gpufilter-bench ----
 * It is in the folder of the running program, or where it is installed. PATH is not searched, so that both are of
 * the same build.
 */

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
    static char program[] = PROGRAM, option[] = GF_ANSWER_BENCH_OPTION;
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

/* Goes on as gpufilter-bench with the same arguments. Returns only if it cannot be started: -1 with the error. */
static int start_bench(char **argv, struct gf_error *err)
{
    char own[PATH_MAX], **arguments = add_option(argv);
    int why;

    if (arguments == NULL)
        return gf_fail_memory(err, NULL);
    find_own_folder(own, sizeof own);
    why = start(own, arguments);
    if (why == ENOENT)
        why = start(GF_BINDIR, arguments);
    free(arguments);
    if (why != ENOENT)
        return gf_fail_system(err, why, "the program " PROGRAM " could not be started");
    return gf_fail(err, GF_FAILED, "the program " PROGRAM " is missing: looked for it in %s%s%s", own,
                   strcmp(own, GF_BINDIR) != 0 ? " and " : "", strcmp(own, GF_BINDIR) != 0 ? GF_BINDIR : "");
}

/* ---- answers ---- */

static void print_options(void)
{
    gf_manual_options(gf_cli_options);
}

static void print_manual(const char *topic)
{
    static const struct {
        const char *topic;
        void (*print)(void);
    } parts[] = {
        { "options", print_options }, { "stages", gf_manual_stages }, { "formats", gf_manual_formats },
        { "notes", gf_manual_notes },
        { "examples", gf_manual_examples }, { "chains", gf_help_chains },
        { "html", gf_manual_html }, { "gallery", gf_manual_gallery }, { "pictures", gf_manual_pictures },
    };

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strcmp(topic, parts[i].topic) == 0)
            parts[i].print();
}

/* With --verbose, gpufilter-bench lists the kernels. A note says so if that program is missing. */
static int print_devices(const struct gf_request *r, struct gf_error *err)
{
    struct gf_error missing;

    if (r->verbose && start_bench(r->argv, &missing) != 0)
        gf_terminal_print("gpufilter: note: kernels are not listed; %s\n", missing.text);
    return gf_about_devices(NULL, NULL, err);
}

int gf_answer_request(const struct gf_request *r, struct gf_error *err)
{
    struct gf_error none;

    switch (r->ask) {
    case GF_ASK_HELP:
        if (r->topic != NULL)
            return gf_help_stage(r->topic, err);
        gf_help_usage();
        break;
    case GF_ASK_LIST:
        gf_help_list();
        break;
    case GF_ASK_DEVICES:
        return print_devices(r, err);
    case GF_ASK_VERSION:
        gf_about_version("gpufilter");
        break;
    case GF_ASK_COMPLETION:
        /* gpufilter-bench also completes the operations of --bench */
        (void)start_bench(r->argv, &none);
        gf_complete(r->topic, NULL);
        break;
    case GF_ASK_MANUAL:
        print_manual(r->topic);
        break;
    case GF_ASK_BENCH:
        return start_bench(r->argv, err);
    default:
        break;
    }
    return 0;
}
