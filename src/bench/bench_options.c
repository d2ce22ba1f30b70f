/* The table of options of gpufilter-bench. */
#include "bench/bench_options.h"

#include "base/words.h"
#include "cli/cli_setters.h"

#include <math.h>
#include <string.h>

struct gf_bench_more_options gf_bench_more_options;

static int set_quick(struct gf_request *r, const char *value, struct gf_error *err)
{
    (void)r, (void)value, (void)err;
    gf_bench_more_options.quick = true;
    return 0;
}

static int set_seed(struct gf_request *r, const char *value, struct gf_error *err)
{
    double number;

    (void)r;
    if (gf_parse_number(value, &number) != 0 || !(number >= 0 && number <= INT32_MAX) || floor(number) < number)
        return gf_fail(err, GF_MISUSED, "--seed=%s: must be a whole number, 0 to %d", value, INT32_MAX);
    gf_bench_more_options.seed = (int)number;
    return 0;
}

#define AT(member) offsetof(struct gf_request, member)

const struct gf_cli_option gf_bench_options[] = {
    { .name = "output", .letter = 'o', .once = true, .type = GF_CLI_TEXT, .offset = AT(output), .argument = "FILE", .files = true,
      .text = "write the table to FILE; '-' or none is standard output",
      .more = "The extension chooses the format: .tsv, .csv and .json are tables, .svg and .png drawings." },
    { .name = "to", .letter = 't', .type = GF_CLI_TEXT, .offset = AT(write.to), .argument = "FORMAT",
      .text = "format of the table, if its name does not tell: tsv, csv, json, svg, png" },
    { .name = "no-clobber", .letter = 'n', .type = GF_CLI_FLAG, .offset = AT(write.keep),
      .text = "keep an output that exists" },
    { .name = "device", .type = GF_CLI_CUSTOM, .set = gf_cli_set_device, .argument = "auto|cpu|cuda[:N]",
      .text = "what to measure; auto is a GPU if there is one" },
    { .name = "jobs", .letter = 'j', .type = GF_CLI_INT, .offset = AT(limits.threads), .argument = "N", .least = 1, .most = 1024,
      .text = "CPU threads; as many as cores by default" },
    { .name = "memory", .type = GF_CLI_BYTES, .offset = AT(limits.memory_bytes), .argument = "SIZE", .least = 1 << 20, .most = 9e18,
      .text = "ceiling of the memory that a measurement takes" },
    { .name = "progress", .type = GF_CLI_CHOICE, .offset = AT(progress), .argument = "auto|always|never",
      .values = (const int[]) { GF_PROGRESS_AUTO, GF_PROGRESS_ALWAYS, GF_PROGRESS_NEVER },
      .text = "show on standard error what is measured; auto: on a terminal" },
    { .name = "quiet", .letter = 'q', .type = GF_CLI_FLAG, .offset = AT(quiet),
      .text = "print errors only" },
    { .name = "list", .type = GF_CLI_ASK, .ask = GF_ASK_LIST,
      .text = "list the operations and the lessons" },
    { .name = "kernels", .type = GF_CLI_ASK, .ask = GF_ASK_KERNELS,
      .text = "list the kernels of all GPUs, or of the one that --device names",
      .more = "Each is shown with what it takes of a multiprocessor: registers, shared memory, how many threads are at work at once, and "
              "what keeps more of them away." },
    { .name = "rates", .type = GF_CLI_ASK, .ask = GF_ASK_RATES,
      .text = "measure how fast the CPU and the GPUs are, and keep that for gpufilter",
      .more = "gpufilter --device auto then chooses by measured rates. It takes some seconds, on a machine that does nothing else. "
              "--device cpu or --device cuda:N measures that device alone. Rates are good until the machine, the number of "
              "cores or the driver is another one; gpufilter(1) names the file." },
    { .name = "peers", .type = GF_CLI_ASK, .ask = GF_ASK_PEERS, .argument = "CASE", .optional = true,
      .text = "time cases beside other libraries, as tables for RESULTS.md",
      .more = "On a GPU beside NPP, CUB and cuFFT, on CPU cores beside OpenCV, if they are installed: CUB if 'make peers' was run, OpenCV if "
              "python3, or the Python that GPUFILTER_PYTHON names, has cv2. CASE is a part of a name, or a pattern as of shells." },
    { .name = "check", .type = GF_CLI_ASK, .ask = GF_ASK_CHECK, .argument = "CASE", .optional = true,
      .text = "check every operation on every device: TAP",
      .more = "Each case, and random calls of each operation in all forms of samples, against slow and plain answers on a CPU; on a GPU against "
              "the CPU's bits." },
    { .name = "quick", .type = GF_CLI_CUSTOM, .set = set_quick,
      .text = "check: fewer random calls" },
    { .name = "seed", .type = GF_CLI_CUSTOM, .set = set_seed, .argument = "N",
      .text = "check: other random calls" },
    { .name = "help", .letter = 'h', .type = GF_CLI_ASK, .ask = GF_ASK_HELP,
      .text = "this help" },
    { .name = "version", .type = GF_CLI_ASK, .ask = GF_ASK_VERSION,
      .text = "version, and what is built in" },
    { .name = "manual", .type = GF_CLI_ASK, .ask = GF_ASK_MANUAL, .argument = "options" },
    { .name = NULL },
};
