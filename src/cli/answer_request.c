/* Answers requests about the program itself: help, lists, devices, manuals, completions. */
#include "cli/answer_request.h"

#include "base/terminal.h"
#include "cli/about.h"
#include "cli/cli_options.h"
#include "cli/complete.h"
#include "cli/help.h"
#include "cli/manual.h"
#include "cli/manual_words.h"
#include "cli/named_help.h"
#include "cli/start_bench.h"
#include "io/io.h"

#include <string.h>

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
        { "examples", gf_manual_examples }, { "chains", gf_named_help_complete },
        { "html", gf_manual_html }, { "gallery", gf_manual_gallery }, { "pictures", gf_manual_pictures },
        { "words", gf_manual_words },
    };

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strcmp(topic, parts[i].topic) == 0)
            parts[i].print();
}

/* With --verbose, gpufilter-bench lists the kernels. A note says so if that program is missing. */
static int print_devices(const struct gf_request *r, struct gf_error *err)
{
    struct gf_error missing;

    if (r->verbose && gf_start_bench(r->argv, &missing) != 0)
        gf_terminal_print("gpufilter: note: kernels are not listed; %s\n", missing.text);
    return gf_about_devices(NULL, NULL, err);
}

int gf_answer_request(const struct gf_request *r, struct gf_error *err)
{
    struct gf_error none;

    switch (r->ask) {
    case GF_ASK_HELP:
        if (r->topic != NULL)
            return gf_help_stage(r->topic, r->input_count > 0 ? gf_reader_kinds(r->inputs[0]) : 0, err);
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
        (void)gf_start_bench(r->argv, &none);
        gf_complete(r->topic, NULL);
        break;
    case GF_ASK_MANUAL:
        print_manual(r->topic);
        break;
    case GF_ASK_BENCH:
        return gf_start_bench(r->argv, err);
    default:
        break;
    }
    return 0;
}
