/*
 * gpufilter-bench: measures how fast operations are on this machine. gpufilter starts it for
 * --bench and --devices --verbose; its first argument is GF_START_BENCH_OPTION then, and it answers
 * as gpufilter. It starts itself with GF_APART_OPTION for a lesson.
 */
#include "base/notice.h"
#include "bench/bench_case.h"
#include "bench/bench_options.h"
#include "bench/bench_rates.h"
#include "bench/bench_topics.h"
#include "bench/check/check.h"
#include "bench/measure.h"
#include "bench/occupancy.h"
#include "bench/occupancy_question.h"
#include "bench/peers/peers.h"
#include "bench/roofline/roofline_report.h"
#include "cli/about.h"
#include "cli/help.h"
#include "cli/listing.h"
#include "cli/program.h"
#include "cli/start_bench.h"
#include "kernels/lessons/apart.h"
#include "kernels/lessons/lesson.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* True if gpufilter has started this program. */
static bool for_gpufilter;

static const char *name_program(void)
{
    return for_gpufilter ? "gpufilter" : "gpufilter-bench";
}

/* ---- options that a request does not use ---- */

/* Which requests use an option. */
enum { BENCH = 1, PEERS = 2, CHECK = 4, KERNELS = 8, RATES = 16, OCCUPANCY = 32 };

static int find_use(enum gf_ask ask)
{
    switch (ask) {
    case GF_ASK_BENCH: return gf_bench_more_options.occupancy != NULL ? OCCUPANCY : BENCH;
    case GF_ASK_PEERS: return PEERS;
    case GF_ASK_CHECK: return CHECK;
    case GF_ASK_KERNELS: return KERNELS;
    case GF_ASK_RATES: return RATES;
    default: return 0;
    }
}

static const char *name_request(enum gf_ask ask)
{
    switch (ask) {
    case GF_ASK_PEERS: return "--peers";
    case GF_ASK_CHECK: return "--check";
    case GF_ASK_KERNELS: return "--kernels";
    case GF_ASK_RATES: return "--rates";
    case GF_ASK_LIST: return "--list";
    default: return gf_bench_more_options.occupancy != NULL ? "--occupancy"
        : for_gpufilter ? "--bench" : "a measurement";
    }
}

/* Fails if an option was given that the request does not use. */
static int refuse_unused(const struct gf_request *r, struct gf_error *err)
{
    const struct {
        const char *name;
        bool given;
        int uses;
    } options[] = {
        { "--output", r->output != NULL, BENCH | PEERS | KERNELS },
        { "--to", r->write.to != NULL, BENCH | KERNELS },
        { "--no-clobber", r->write.keep, BENCH | KERNELS },
        { "--device", r->where != GF_AUTO, BENCH | PEERS | CHECK | KERNELS | RATES },
        { "--jobs", r->limits.threads > 0, BENCH | PEERS },
        { "--memory", r->limits.memory_bytes > 0, BENCH },
        { "--strict", r->strict, BENCH },
        { "--progress", r->progress != GF_PROGRESS_AUTO, BENCH },
        { "--explain", r->explain, 0 },
        { "--stats", r->stats, 0 },
        { "--trace", r->trace_json != NULL || r->trace_svg != NULL, 0 },
        { "--files-from", r->files_from != NULL, 0 },
        { "--shard", r->shard_count > 0, 0 },
        { "--update", r->update, 0 },
        { "--latency", r->limits.latency_ms > 0, 0 },
        { "--from", r->read.from != NULL, 0 },
        { "--depth", r->write.depth != 0, 0 },
        { "--quality", r->write.quality > 0, 0 },
        { "--strip", r->write.strip, 0 },
        { "--quick", gf_bench_more_options.quick, CHECK },
        { "--seed", gf_bench_more_options.seeded, CHECK },
        { "--occupancy", gf_bench_more_options.occupancy != NULL, OCCUPANCY },
    };

    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (options[i].given && (options[i].uses & find_use(r->ask)) == 0)
            return gf_fail(err, GF_MISUSED, "%s has no effect on %s; leave it out", options[i].name,
                           name_request(r->ask));
    if (r->topic != NULL && find_use(r->ask) == OCCUPANCY)
        return gf_fail(err, GF_MISUSED, "%s: unexpected argument, because --occupancy measures nothing; leave it out",
                       r->topic);
    if (r->input_count > 0)
        return gf_fail(err, GF_MISUSED, "%s: unexpected input, because %s reads no files; leave it out", r->inputs[0],
                       name_request(r->ask));
    return 0;
}

/* Fails if --device does not fit the request. */
static int refuse_devices(const struct gf_request *r, struct gf_error *err)
{
    const bool one = (find_use(r->ask) & (BENCH | PEERS | CHECK)) != 0;

    if (one && r->where == GF_CUDA && r->cuda.count != 1)
        return gf_fail(err, GF_MISUSED, "--device: %s uses one GPU; name it as cuda:N", name_request(r->ask));
    if (r->ask == GF_ASK_KERNELS && r->where == GF_CPU)
        return gf_fail(err, GF_MISUSED, "--device cpu: kernels run on GPUs; name one as cuda:N");
    if (!for_gpufilter && one && r->where == GF_CUDA && r->limits.threads > 0)
        return gf_fail(err, GF_MISUSED, "--jobs has no effect on a GPU;; leave it out, or choose --device cpu");
    return 0;
}

/* ---- requests ---- */

static int measure(const struct gf_request *r, struct gf_error *err)
{
    const bool terminal = r->progress == GF_PROGRESS_AUTO && !r->quiet && isatty(STDERR_FILENO);
    const struct gf_notice_options options = { .program = name_program(), .quiet = r->quiet, .strict = r->strict };
    struct gf_notices *notices = gf_notices_new(&options);
    struct gf_write_options write = r->write;
    const struct gf_bench_request bench = { .program = name_program(), .topic = r->topic, .where = r->where,
                                            .gpu = r->cuda.count > 0 ? r->cuda.index[0] : 0,
                                            .threads = r->limits.threads, .memory_bytes = r->limits.memory_bytes,
                                            .output = r->output, .write = &write,
                                            .progress = r->progress == GF_PROGRESS_ALWAYS || terminal,
                                            .quiet = r->quiet };
    int result;

    write.notices = notices;
    result = notices != NULL ? gf_bench_run(&bench, err) : gf_fail_memory(err, NULL);
    gf_notices_print(notices);
    gf_notices_free(notices);
    return result;
}

#define SEED 20

static int check(const struct gf_request *r, struct gf_error *err)
{
    const struct gf_bench_more_options *more = &gf_bench_more_options;
    const char *needed = getenv("GPUFILTER_REQUIRE_CUDA");
    const struct gf_check_request check = { .program = r->argv[0], .only = r->topic, .where = r->where,
                                            .gpu = r->where == GF_CUDA ? r->cuda.index[0] : 0,
                                            .quick = more->quick,
                                            .seed = more->seeded ? (uint64_t)more->seed : SEED,
                                            .needs_gpu = needed != NULL && strcmp(needed, "1") == 0 };
    int failures;

    if (gf_check_run(&check, &failures, err) != 0)
        return -1;
    if (failures < 0)
        return gf_bench_topic_no_case(r->topic, name_request(r->ask), err);
    return failures == 0 ? 0 : gf_fail(err, GF_FAILED, "%d check%s failed", failures, failures == 1 ? "" : "s");
}

static void print_heading(FILE *to)
{
    fputs("# Operations and other libraries\n\n"
          "Written by `gpufilter-bench --peers` in one run per machine. `gpufilter-bench --check` compares\n"
          "the results of all these cases on every device. [NOTES.md](NOTES.md) explains the figures and has\n"
          "the times of whole jobs.\n\n"
          "Each time is the median of nine runs after a warm-up. If a call takes longer\n"
          "than 50 ms on a GPU, or 1 s on a CPU, the median is that of three runs.\n\n"
          "On a GPU:\n\n"
          "- A run repeats short calls. The calls use four sets of data, which together are larger than the\n"
          "  L2 cache.\n"
          "- *MB at least* counts each input sample once and each result once. *GB/s* is this amount divided\n"
          "  by the time.\n"
          "- *of copy* is that rate as a share of a copy from device to device. A copy is the limit for\n"
          "  operations with little arithmetic.\n"
          "- *peer / ours* above 1 means that gpufilter is faster.\n\n"
          "On a CPU, stages run from memory to memory:\n\n"
          "- *copy* is the time of memcpy with as many threads. It reads and writes, together, as many bytes as\n"
          "  the stages do. A copy is the limit for stages with little arithmetic.\n"
          "- *ours / OpenCV* below 1 means that gpufilter is faster. *(copy)* marks stages that are slower than\n"
          "  OpenCV, but not slower than the copy.\n\n", to);
}

/*
 * Writes the tables directly to the file, not to a temporary one, so that people can watch them
 * grow for minutes.
 */
static int compare_with_peers(const struct gf_request *r, struct gf_error *err)
{
    struct gf_peers_request peers = { .only = r->topic, .where = r->where, .gpu = r->where == GF_CUDA ? r->cuda.index[0]
                                      : 0, .threads = r->limits.threads, .to = stdout };
    struct gf_device_facts facts = { 0 };
    int result = 0, wanted = 0;

    for (int i = 0; i < gf_bench_group_count; i++)
        for (const struct gf_bench_case *one = gf_bench_groups[i]->cases; one != NULL && one->name != NULL; one++)
            wanted += gf_bench_is_selected(r->topic, gf_bench_groups[i], one->name);
    if (wanted == 0)
        return gf_bench_topic_no_case(r->topic, name_request(r->ask), err);
    if (r->output != NULL && strcmp(r->output, "-") != 0 && (peers.to = fopen(r->output, "w")) == NULL)
        return gf_fail_system(err, errno, "%s", r->output);
    if (r->where != GF_CPU)
        gf_device_cuda.facts(peers.gpu, &facts, NULL, 0);
    if (r->topic == NULL)
        print_heading(peers.to);
    if (r->where == GF_CUDA || facts.present)
        result = gf_peers_run_gpu(&peers, err);
    if (result == 0 && r->where != GF_CUDA) {
        if (facts.present)
            fputc('\n', peers.to);
        result = gf_peers_run_cpu(&peers, err);
    }
    if (fflush(peers.to) != 0 && result == 0)
        result = gf_fail(err, GF_FAILED, "%s: could not be written", r->output != NULL ? r->output : "standard output");
    if (peers.to != stdout)
        fclose(peers.to);
    return result;
}

/* ---- kernels and rooflines ---- */

/* The output of --kernels, and the number of GPUs so far. */
struct listing {
    struct gf_roofline_report report;
    int gpus;
};

static int list_kernels(void *context, int gpu, const char *name, struct gf_error *err)
{
    struct listing *l = context;

    l->gpus++;
    return gf_occupancy_print(&l->report, gpu, name, err);
}

/*
 * Lists the kernels and the rooflines of GPUs, or the roofline of the CPU if there is no GPU and
 * none is named. An output gets the first roofline.
 */
static int list_devices(const struct gf_request *r, struct gf_error *err)
{
    const struct gf_notice_options options = { .program = name_program(), .quiet = r->quiet, .strict = r->strict };
    struct gf_notices *notices = gf_notices_new(&options);
    struct listing l = { .report = { .threads = r->limits.threads, .memory_bytes = r->limits.memory_bytes } };
    struct gf_write_options write = r->write;
    int result = -1;

    write.notices = notices;
    if (notices == NULL)
        return gf_fail_memory(err, NULL);
    if (gf_roofline_report_open(&l.report, r->output, &write, err) == 0)
        result = r->ask == GF_ASK_DEVICES ? gf_about_devices(list_kernels, &l, err)
               : gf_about_gpus(r->where == GF_CUDA ? &r->cuda : NULL, list_kernels, &l, err);
    if (result == 0 && l.gpus == 0 && r->where == GF_CUDA && l.report.writer != NULL)
        result = gf_fail(err, GF_FAILED, "%s: not written, because there is no such GPU", r->output);
    if (result == 0 && l.gpus == 0 && r->where != GF_CUDA)
        result = gf_roofline_report_cpu(&l.report, err);
    gf_roofline_report_close(&l.report);
    gf_notices_print(notices);
    gf_notices_free(notices);
    return result;
}

static void print_usage(void)
{
    puts("Usage: gpufilter-bench [OPTION...] [OPERATION|LESSON|STAGE|TOPIC][:SIZE]\n"
         "Measures how fast an operation is on this machine, from 1K samples up. SIZE\n"
         "limits the samples, as in conv:1M. The topics are all operations, lessons and\n"
         "roofline; the default is all.\n\n"
         "  gpufilter-bench conv -o conv.svg\n"
         "  gpufilter-bench lessons -o course.html\n"
         "  gpufilter-bench roofline -o roofline.svg\n"
         "  gpufilter-bench all:1M --device cpu\n");
    gf_help_options(gf_bench_options);
    puts("\nThe manuals are gpufilter-bench(1), gpufilter-internals(7) and\n"
         "gpufilter-lessons(7), a course on CUDA.");
}

static void print_list(void)
{
    puts("Operations:");
    for (int i = 0; i < gf_bench_group_count; i++)
        if (gf_bench_groups[i]->cases != NULL)
            printf("  %-14s%s\n", gf_bench_groups[i]->name, gf_bench_groups[i]->cases->what);
    puts("\nLessons, on a GPU:");
    for (const struct gf_lesson *const *l = gf_lessons; *l != NULL; l++)
        printf("  %-14s%s\n", (*l)->name, (*l)->summary);
    puts("\nTopics:\n"
         "  all           every operation, at one size\n"
         "  lessons       every lesson and the roofline, as one page\n"
         "  roofline      the rates of memory and arithmetic, and how close operations come to them");
}

static int answer(const struct gf_request *r, struct gf_error *err)
{
    const bool uses_none = r->ask == GF_ASK_HELP || r->ask == GF_ASK_VERSION || r->ask == GF_ASK_MANUAL;
    const bool measures = r->ask == GF_ASK_BENCH;

    if (((for_gpufilter ? measures : !uses_none) && refuse_unused(r, err) != 0) || refuse_devices(r, err) != 0)
        return -1;
    switch (r->ask) {
    case GF_ASK_BENCH:
        return gf_bench_more_options.occupancy != NULL
            ? gf_occupancy_answer(gf_bench_more_options.occupancy, err) : measure(r, err);
    case GF_ASK_PEERS:
        return compare_with_peers(r, err);
    case GF_ASK_CHECK:
        return check(r, err);
    case GF_ASK_DEVICES:
    case GF_ASK_KERNELS:
        return list_devices(r, err);
    case GF_ASK_RATES:
        return gf_bench_rates_measure(r->where, &r->cuda, err);
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
        gf_listing_options("bench_option", gf_bench_options);
        gf_listing_words("topics", gf_bench_topics());
        for (int i = 0; i < gf_operation_count; i++)
            printf("operation\t%s\t%s\n", gf_operations[i]->word, gf_operations[i]->text);
        break;
    default:
        return gf_fail(err, GF_MISUSED, "gpufilter-bench cannot run stages; use gpufilter");
    }
    return 0;
}

int main(int argc, char **argv)
{
    static const struct gf_cli_program own = { "gpufilter-bench", gf_bench_options, GF_ASK_BENCH, answer };
    const struct gf_cli_program gpufilter = gf_program_gpufilter(answer);

    if (argc == 5 && strcmp(argv[1], GF_APART_OPTION) == 0)
        for (const struct gf_lesson *const *l = gf_lessons; *l != NULL; l++)
            if (strcmp((*l)->name, argv[2]) == 0 && (*l)->apart != NULL)
                exit(gf_apart_main((*l)->apart, argv[3], argv[4]));
    for_gpufilter = argc > 1 && strcmp(argv[1], GF_START_BENCH_OPTION) == 0;
    exit(for_gpufilter ? gf_program_run(&gpufilter, argc - 1, argv + 1) : gf_program_run(&own, argc, argv));
}
