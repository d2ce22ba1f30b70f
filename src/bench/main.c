/*
 * gpufilter-bench: how fast operations are on this machine. gpufilter starts it for --bench, for --devices --verbose and
 * for --completion; it has the name gpufilter then, reads gpufilter's options, and answers in its place.
 */
#define _GNU_SOURCE
#include "bench/bench.h"
#include "bench/bench_cases.h"
#include "bench/bench_occupancy.h"
#include "bench/bench_options.h"
#include "bench/bench_rates.h"
#include "bench/bench_topics.h"
#include "cli/about.h"
#include "cli/complete.h"
#include "cli/help.h"
#include "cli/manual.h"
#include "cli/program.h"
#include "kernels/lessons/lesson.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int measure(const struct gf_request *r, struct gf_error *err)
{
    const bool terminal = r->progress == GF_PROGRESS_AUTO && !r->quiet && isatty(STDERR_FILENO);
    const struct gf_bench_request bench = { .topic = r->topic, .where = r->where, .gpu = r->cuda.count > 0 ? r->cuda.index[0] : 0,
                                            .threads = r->limits.threads, .memory_bytes = r->limits.memory_bytes,
                                            .output = r->output, .write = &r->write,
                                            .progress = r->progress == GF_PROGRESS_ALWAYS || terminal, .quiet = r->quiet };

    return gf_bench_run(&bench, err);
}

static void print_usage(void)
{
    puts("Usage: gpufilter-bench [OPTION...] [OPERATION|LESSON|STAGE|all][:SIZE]\n"
         "Measures how fast operations are on this machine, from 1K samples on; without\n"
         "a name all of them. SIZE is the most samples that are tried, as in conv:1M.\n\n"
         "  gpufilter-bench conv -o conv.svg\n"
         "  gpufilter-bench all:1M --device cpu\n");
    gf_help_options(gf_bench_options);
    puts("\nThe manuals are gpufilter-bench(1) and gpufilter-internals(7).");
}

static void print_list(void)
{
    puts("Operations:");
    for (int i = 0; i < GF_BENCH_LISTS; i++)
        for (const struct gf_bench_case *c = gf_bench_cases(i); c->name != NULL; c++)
            printf("  %-12s%s\n", c->name, c->what);
    puts("\nLessons, on a GPU:");
    for (const struct gf_lesson *l = gf_lessons; l->name != NULL; l++)
        printf("  %-12s%s\n", l->name, l->summary);
}

static int answer(const struct gf_request *r, struct gf_error *err)
{
    switch (r->ask) {
    case GF_ASK_BENCH:
        return measure(r, err);
    case GF_ASK_DEVICES:
        return gf_about_devices(gf_bench_occupancy_print, err);
    case GF_ASK_KERNELS:
        return gf_about_gpus(r->where == GF_CUDA ? &r->cuda : NULL, gf_bench_occupancy_print, err);
    case GF_ASK_RATES:
        return gf_bench_rates_measure(r->where, &r->cuda, err);
    case GF_ASK_COMPLETION:
        gf_complete(r->topic, gf_bench_topics());
        break;
    case GF_ASK_LIST:
        print_list();
        break;
    case GF_ASK_HELP:
        print_usage();
        break;
    case GF_ASK_VERSION:
        gf_about_version("gpufilter-bench");
        break;
    case GF_ASK_MANUAL:
        gf_manual_options(gf_bench_options);
        break;
    default:
        break;
    }
    return 0;
}

int main(int argc, char **argv)
{
    static const struct gf_cli_program gpufilter = { "gpufilter", gf_cli_options, GF_ASK_RUN, answer };
    static const struct gf_cli_program own = { "gpufilter-bench", gf_bench_options, GF_ASK_BENCH, answer };

    exit(gf_program_run(strcmp(program_invocation_short_name, gpufilter.name) == 0 ? &gpufilter : &own, argc, argv));
}
