/* Answers requests about the program itself: help, lists, devices, completions. */
#include "cli/answer_request.h"

#include "base/terminal.h"
#include "cli/about.h"
#include "cli/completion.h"
#include "cli/help.h"
#include "cli/listing.h"
#include "cli/listing_foreign.h"
#include "cli/start_bench.h"
#include "cli/stay_request.h"
#include "device/stay/stay.h"
#include "io/io.h"

#include <stdio.h>
#include <string.h>

static void print_manual(const char *topic)
{
    if (strcmp(topic, "listing") == 0)
        gf_listing();
    else if (strcmp(topic, "examples") == 0)
        gf_listing_examples();
    else if (strcmp(topic, "words") == 0)
        gf_listing_foreign();
    else
        gf_help_chains();
}

/* With --verbose, gpufilter-bench lists the kernels. A note says so if that program is missing. */
static int print_devices(const struct gf_request *r, struct gf_error *err)
{
    struct gf_error missing;

    if (r->verbose && gf_start_bench(r->argv, &missing) != 0)
        gf_terminal_print("gpufilter: note: kernels are not listed; %s\n", missing.text);
    if (gf_about_devices(NULL, NULL, err) != 0)
        return -1;
    gf_stay_list(stdout);
    return 0;
}

int gf_answer_request(const struct gf_request *r, struct gf_error *err)
{
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
    case GF_ASK_STOP:
        return gf_stay_stop(stdout, err);
    case GF_ASK_SERVE:
        return gf_stay_request_serve(r, err);
    case GF_ASK_VERSION:
        gf_about_version("gpufilter");
        break;
    case GF_ASK_COMPLETION:
        return gf_completion_print(r->topic, err);
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
