/* The table of options of gpufilter-bench. */
#include "bench/bench_options.h"

#include "base/words.h"

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
    gf_bench_more_options.seeded = true;
    return 0;
}

static int set_occupancy(struct gf_request *r, const char *value, struct gf_error *err)
{
    (void)r, (void)err;
    gf_bench_more_options.occupancy = value;
    return 0;
}

#define AT(member) offsetof(struct gf_request, member)

const struct gf_cli_option gf_bench_options[] = {
    { .name = "output", .letter = 'o', .once = true, .type = GF_CLI_TEXT, .offset = AT(output), .argument = "FILE",
      .files = true,
      .text = "write the table to FILE; the default, '-', is standard output",
      .more = "The extension chooses the format: .tsv, .csv and .json are tables, .svg and .png drawings, and .html is "
              "a page with drawing, notes and table. The topic lessons is written as .html, .json or .txt. With "
              "--kernels, FILE gets the roofline of the first device. The tables of --peers are always Markdown." },
    { .name = "to", .letter = 't', .type = GF_CLI_TEXT, .offset = AT(write.to), .argument = "FORMAT",
      .text = "format of the output: tsv, csv, json, svg, png, html; default: by the extension of FILE" },
    { .name = "no-clobber", .letter = 'n', .type = GF_CLI_FLAG, .offset = AT(write.keep),
      .text = "do not overwrite an existing output" },
    { .name = "device", .type = GF_CLI_CUSTOM, .set = gf_cli_set_device, .argument = "auto|cpu|cuda[:N]",
      .text = "device to measure or check; auto: a GPU if there is one",
      .more = "With auto, --check, --peers and --rates use the CPU too. --kernels and --rates also take a list of "
              "GPUs, as in cuda:0,1." },
    { .name = "jobs", .letter = 'j', .type = GF_CLI_INT, .offset = AT(limits.threads), .argument = "N", .least = 1,
      .most = 1024,
      .text = "CPU threads; default: one for each core" },
    { .name = "memory", .type = GF_CLI_BYTES, .offset = AT(limits.memory_bytes), .argument = "SIZE", .least = 1 << 20,
      .most = 9e18,
      .text = "cap the memory of a measurement" },
    { .name = "progress", .type = GF_CLI_CHOICE, .offset = AT(progress), .argument = "auto|always|never",
      .values = (const int[]) { GF_PROGRESS_AUTO, GF_PROGRESS_ALWAYS, GF_PROGRESS_NEVER },
      .text = "show the current measurement on standard error; auto: on a terminal" },
    { .name = "quiet", .letter = 'q', .type = GF_CLI_FLAG, .offset = AT(quiet),
      .text = "print errors only" },
    { .name = "list", .type = GF_CLI_ASK, .ask = GF_ASK_LIST,
      .text = "list the operations and the lessons" },
    { .name = "kernels", .type = GF_CLI_ASK, .ask = GF_ASK_KERNELS,
      .text = "list the kernels of all GPUs, or of those that --device names",
      .more = "The list begins with the roofline of a GPU: the rates of its memory and its arithmetic, and how close "
              "operations come to them. For each kernel, the list shows its registers and shared memory, how many "
              "threads a multiprocessor runs at once, also with other block sizes, and which resource limits that "
              "number. Without a GPU, the roofline is that of the CPU." },
    { .name = "occupancy", .type = GF_CLI_CUSTOM, .set = set_occupancy, .argument = "block=N[,...]",
      .text = "calculate the occupancy of a kernel on GPUs that need not be here",
      .more = "The kernel has blocks of N threads, and may also have registers=N per thread, shared=SIZE of shared "
              "memory per block, and arch=N, the compute capability, as 75 or 7.5. Without arch, all are listed. The "
              "table has the blocks and warps that a multiprocessor runs at once, their share of the warps that it "
              "could run, and what limits them." },
    { .name = "rates", .type = GF_CLI_ASK, .ask = GF_ASK_RATES,
      .text = "measure how fast the CPU and the GPUs are, and store the rates for gpufilter",
      .more = "gpufilter --device auto then chooses by measured rates. This takes some seconds, and the machine should "
              "be idle. --device cpu or --device cuda:N measures only that device. Rates stay valid until the machine, "
              "the number of cores or the driver changes; gpufilter(1) names the file." },
    { .name = "peers", .type = GF_CLI_ASK, .ask = GF_ASK_PEERS, .argument = "CASE", .optional = true,
      .text = "compare the speed of cases with other libraries, in Markdown tables",
      .more = "On a GPU, the peers are NPP, CUB and cuFFT; on CPU cores, OpenCV. Peers that are not installed are left "
              "out. CUB and cuFFT need 'make peers'. OpenCV needs the module cv2 of python3, or of the Python "
              "that GPUFILTER_PYTHON names. CASE is an operation, a part of a case's name, or a shell pattern." },
    { .name = "check", .type = GF_CLI_ASK, .ask = GF_ASK_CHECK, .argument = "CASE", .optional = true,
      .text = "check every operation on every device, and print the results as TAP",
      .more = "The results of each case, and of random calls of each operation in all sample formats, are compared "
              "with a slow and plain reference. On a GPU, results must have the same bits as on a CPU, unless an "
              "operation declares a tolerance. CASE is an operation, a part of a case's name, or a shell pattern. "
              "Without a GPU, checks on it are skipped; with --device cuda that is an error." },
    { .name = "quick", .type = GF_CLI_CUSTOM, .set = set_quick,
      .text = "with --check: make fewer random calls" },
    { .name = "seed", .type = GF_CLI_CUSTOM, .set = set_seed, .argument = "N",
      .text = "with --check: seed of the random calls" },
    { .name = "help", .letter = 'h', .type = GF_CLI_ASK, .ask = GF_ASK_HELP,
      .text = "print this help" },
    { .name = "version", .type = GF_CLI_ASK, .ask = GF_ASK_VERSION,
      .text = "print the version, and what is built in" },
    { .name = "manual", .type = GF_CLI_ASK, .ask = GF_ASK_MANUAL, .argument = "listing" },
    { .name = NULL },
};
