/* From a request about the program itself to its answer: help, lists, devices, manuals, completions, benchmarks. */
#include "cli/answer_request.h"

#include "bench/bench.h"
#include "cli/about.h"
#include "cli/complete.h"
#include "cli/help.h"
#include "cli/manual.h"
#include "cli/named_help.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void print_manual(const char *topic)
{
    static const struct {
        const char *topic;
        void (*print)(void);
    } parts[] = {
        { "options", gf_manual_options }, { "stages", gf_manual_stages }, { "formats", gf_manual_formats },
        { "notes", gf_manual_notes },
        { "examples", gf_manual_examples }, { "chains", gf_named_help_complete }, { "html", gf_manual_html }, { "pictures", gf_manual_pictures },
    };

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strcmp(topic, parts[i].topic) == 0)
            parts[i].print();
}

static int run_bench(const struct gf_request *r, struct gf_error *err)
{
    const bool terminal = r->progress == GF_PROGRESS_AUTO && !r->quiet && isatty(STDERR_FILENO);
    const struct gf_bench_request bench = { .topic = r->topic, .where = r->where, .gpu = r->cuda.count > 0 ? r->cuda.index[0] : 0,
                                            .threads = r->limits.threads, .memory_bytes = r->limits.memory_bytes,
                                            .output = r->output, .write = &r->write,
                                            .progress = r->progress == GF_PROGRESS_ALWAYS || terminal, .quiet = r->quiet };

    return gf_bench_run(&bench, err);
}

int gf_answer_request(const struct gf_request *r, struct gf_error *err)
{
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
        if (gf_about_devices(r->verbose, err) != 0)
            return -1;
        break;
    case GF_ASK_VERSION:
        gf_about_version();
        break;
    case GF_ASK_COMPLETION:
        (strcmp(r->topic, "bash") == 0 ? gf_complete_bash : strcmp(r->topic, "zsh") == 0 ? gf_complete_zsh
                                                                                          : gf_complete_fish)();
        break;
    case GF_ASK_MANUAL:
        print_manual(r->topic);
        break;
    case GF_ASK_BENCH:
        return run_bench(r, err);
    default:
        break;
    }
    if (fflush(stdout) != 0 || ferror(stdout))               /* whoever reads may have seen enough */
        return gf_fail(err, errno == EPIPE ? 0 : GF_FAILED, "standard output: could not be written");
    return 0;
}
