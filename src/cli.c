/* Reads the command line as GNU getopt would, from one table of options. */
#include "cli.h"

#include "cli_words.h"
#include "io/icc.h"
#include "option.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define AT(member) offsetof(struct gf_request, member)

/* What a request may ask an input to need, unless told otherwise. */
#define MAX_PIXELS 4e9
#define MAX_BYTES  (INT64_C(16) << 30)

static int set_input(struct gf_request *r, const char *value, struct gf_error *err)
{
    (void)err;
    r->inputs[r->input_count++] = value;
    return 0;
}

static int set_depth(struct gf_request *r, const char *value, struct gf_error *err)
{
    static const struct { const char *word; int depth; } depths[] = {
        { "1", 1 }, { "2", 2 }, { "4", 4 }, { "8", 8 }, { "16", 16 }, { "24", 24 }, { "32", 32 }, { "f32", -32 },
    };

    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
        if (strcmp(value, depths[i].word) == 0) {
            r->write.depth = depths[i].depth;
            return 0;
        }
    }
    return gf_fail(err, GF_MISUSED, "--depth takes 1, 2, 4, 8, 16, 24, 32 or f32, not '%s'", value);
}

static int set_subsampling(struct gf_request *r, const char *value, struct gf_error *err)
{
    static const int known[] = { 444, 422, 420 };

    for (int i = 0; i < 3; i++) {
        char word[8];

        snprintf(word, sizeof word, "%d", known[i]);
        if (strcmp(value, word) == 0) {
            r->write.subsampling = known[i];
            return 0;
        }
    }
    return gf_fail(err, GF_MISUSED, "--subsampling takes 444, 422 or 420, not '%s'", value);
}

/* "0,1": the numbers of GPUs, each once. */
static int read_device_list(struct gf_device_list *list, const char *value, struct gf_error *err)
{
    const char *at = value;

    for (list->count = 0; list->count < GF_MOST_DEVICES; at++) {
        char *end;
        const long index = strtol(at, &end, 10);
        bool twice = false;

        for (int i = 0; i < list->count; i++)
            twice = twice || list->index[i] == index;
        if (end == at || index < 0 || index > 1023 || (*end != '\0' && *end != ',') || twice)
            break;
        list->index[list->count++] = (int)index;
        at = end;
        if (*at == '\0')
            return 0;
    }
    return gf_fail(err, GF_MISUSED, "--device cuda: takes numbers of GPUs like 0 or 0,1, not '%s' (see --devices)", value);
}

static int set_device(struct gf_request *r, const char *value, struct gf_error *err)
{
    r->cuda = (struct gf_device_list) { { 0 }, 1 };
    if (strcmp(value, "auto") == 0)
        r->where = GF_AUTO;
    else if (strcmp(value, "cpu") == 0)
        r->where = GF_CPU;
    else if (strcmp(value, "cuda") == 0)
        r->where = GF_CUDA;
    else if (strcmp(value, "all") == 0) {
        r->where = GF_CUDA;
        r->cuda.count = 0;
    } else if (strncmp(value, "cuda:", 5) == 0) {
        r->where = GF_CUDA;
        return read_device_list(&r->cuda, value + 5, err);
    } else
        return gf_fail(err, GF_MISUSED, "--device takes auto, cpu, cuda, cuda:N,M,… or all, not '%s'", value);
    return 0;
}

static int set_shard(struct gf_request *r, const char *value, struct gf_error *err)
{
    char rest;

    if (sscanf(value, "%9d/%9d%c", &r->shard, &r->shard_count, &rest) != 2 || r->shard < 1 || r->shard > r->shard_count)
        return gf_fail(err, GF_MISUSED, "--shard takes K/N, with K from 1 to N, not '%s'", value);
    return 0;
}

/* "20", "20ms" or "0.02s". */
static int set_latency(struct gf_request *r, const char *value, struct gf_error *err)
{
    const size_t length = strlen(value), unit = length > 1 && value[length - 1] == 's' ? value[length - 2] == 'm' ? 2 : 1 : 0;
    char digits[32];
    double ms;

    snprintf(digits, sizeof digits, "%.*s", (int)(length - unit), value);
    if (length - unit >= sizeof digits || digits[strspn(digits, "0123456789.")] != '\0' || gf_parse_number(digits, &ms) != 0)
        ms = 0;
    if (unit == 1)
        ms = round(ms * 1e9) / 1e6;                  /* 0.007 s are 7 ms */
    if (!(ms >= 1 && ms <= 60000) || ms != floor(ms))
        return gf_fail(err, GF_MISUSED, "--latency takes whole milliseconds, 1 to 60000, as in 20 or 20ms, not '%s'", value);
    r->limits.latency_ms = (int)ms;
    return 0;
}

static int set_icc(struct gf_request *r, const char *value, struct gf_error *err)
{
    r->read.srgb = strcmp(value, "convert") == 0;
    if (!r->read.srgb && strcmp(value, "keep") != 0)
        return gf_fail(err, GF_MISUSED, "--icc takes keep or convert, not '%s'", value);
    if (r->read.srgb && !gf_icc_is_there())
        return gf_fail(err, GF_FAILED, "--icc convert: gpufilter was built without lcms2, which converts between profiles");
    return 0;
}

static int set_stats(struct gf_request *r, const char *value, struct gf_error *err)
{
    if (value != NULL && strcmp(value, "json") != 0)
        return gf_fail(err, GF_MISUSED, "--stats takes nothing or =json, not '=%s'", value);
    r->stats = true;
    r->stats_json = value != NULL;
    return 0;
}

static int set_progress(struct gf_request *r, const char *value, struct gf_error *err)
{
    static const char *const words[] = { "auto", "always", "never" };

    for (int i = 0; i < 3; i++) {
        if (strcmp(value, words[i]) == 0) {
            r->progress = (enum gf_progress_when)i;
            return 0;
        }
    }
    return gf_fail(err, GF_MISUSED, "--progress takes auto, always or never, not '%s'", value);
}

static int set_trace(struct gf_request *r, const char *value, struct gf_error *err)
{
    const size_t length = strlen(value);

    if (length > 4 && strcasecmp(value + length - 4, ".svg") == 0)
        r->trace_svg = value;
    else if (length > 5 && strcasecmp(value + length - 5, ".json") == 0)
        r->trace_json = value;
    else
        return gf_fail(err, GF_MISUSED, "--trace takes a name that ends in .json or .svg, not '%s'", value);
    return 0;
}

static int set_help(struct gf_request *r, const char *value, struct gf_error *err)
{
    (void)err;
    r->ask = GF_ASK_HELP;
    r->topic = value;
    return 0;
}

static int set_list(struct gf_request *r, const char *value, struct gf_error *err)
{
    (void)value, (void)err;
    r->ask = GF_ASK_LIST;
    return 0;
}

static int set_devices(struct gf_request *r, const char *value, struct gf_error *err)
{
    (void)value, (void)err;
    r->ask = GF_ASK_DEVICES;
    return 0;
}

static int set_bench(struct gf_request *r, const char *value, struct gf_error *err)
{
    (void)err;
    r->ask = GF_ASK_BENCH;
    r->topic = value;
    return 0;
}

static int set_version(struct gf_request *r, const char *value, struct gf_error *err)
{
    (void)value, (void)err;
    r->ask = GF_ASK_VERSION;
    return 0;
}

static int set_completion(struct gf_request *r, const char *value, struct gf_error *err)
{
    if (strcmp(value, "bash") != 0 && strcmp(value, "zsh") != 0 && strcmp(value, "fish") != 0)
        return gf_fail(err, GF_MISUSED, "--completion takes bash, zsh or fish, not '%s'", value);
    r->ask = GF_ASK_COMPLETION;
    r->topic = value;
    return 0;
}

static int set_manual(struct gf_request *r, const char *value, struct gf_error *err)
{
    (void)err;
    r->ask = GF_ASK_MANUAL;
    r->topic = value;
    return 0;
}

const struct gf_cli_row gf_cli_rows[] = {
    { .name = "input", .letter = 'i', .type = GF_CLI_CUSTOM, .set = set_input, .argument = "FILE", .files = true,
      .text = "read FILE, or the files of a folder; '-' or none is standard input",
      .more = "It may be given many times; outputs then need names of their own. Folders inside a folder are passed over, and so are "
              "files that are neither pictures nor recordings, which is told." },
    { .name = "output", .letter = 'o', .once = true, .type = GF_CLI_TEXT, .offset = AT(output), .argument = "FILE", .files = true,
      .text = "write FILE; '-' or none is standard output, 'term:' shows it there",
      .more = "A regular file appears whole or not at all, so it may be the input itself. A name that ends in / is a "
              "folder, made where it is missing; {stem}, {ext} and {dir} are filled in from the input's name, {n} with its number, {n:4} with 4 digits of it." },
    { .name = "files-from", .type = GF_CLI_TEXT, .offset = AT(files_from), .argument = "LIST", .files = true,
      .text = "read the names of further inputs from LIST, one a line; '-' is standard input" },
    { .name = "null", .letter = '0', .type = GF_CLI_FLAG, .offset = AT(nul),
      .text = "names in LIST end in zero bytes, as find -print0 writes them" },
    { .name = "from", .letter = 'f', .type = GF_CLI_TEXT, .offset = AT(read.from), .argument = "FORMAT",
      .text = "format of the input, where its content does not tell",
      .more = "--list names the formats." },
    { .name = "to", .letter = 't', .type = GF_CLI_TEXT, .offset = AT(write.to), .argument = "FORMAT",
      .text = "format of the output, where its name does not tell",
      .more = "Without either, an image is written as PGM, PPM or PAM, sound as WAV, a table as TSV; what spectrogram and waveform make, as a "
              "drawing in PNG. Names that are made in a folder end in the word as it is written: -t jpeg makes .jpeg, -t jpg makes .jpg." },
    { .name = "depth", .type = GF_CLI_CUSTOM, .set = set_depth, .argument = "1|2|4|8|16|24|32|f32",
      .text = "bits of a stored sample; the input's by default",
      .more = "1, 2 and 4 are for gray PNG and the PNM family, 24 and 32 for sound." },
    { .name = "quality", .type = GF_CLI_INT, .offset = AT(write.quality), .argument = "N", .least = 1, .most = 100,
      .text = "quality of a lossy output, 1 to 100",
      .more = "JPEG has 92 by default, WebP 75; 100 makes WebP lossless. Ogg and MP3: see FORMATS." },
    { .name = "compression", .type = GF_CLI_INT, .offset = AT(write.compression), .argument = "N", .least = 0, .most = 9,
      .text = "effort of a lossless output, 0 to 9" },
    { .name = "subsampling", .type = GF_CLI_CUSTOM, .set = set_subsampling, .argument = "444|422|420",
      .text = "how much of the colour a JPEG keeps",
      .more = "444 keeps all of it, 422 every other column, 420 every other column and row. By default it is 420 up to "
              "--quality 90, 444 above." },
    { .name = "progressive", .type = GF_CLI_FLAG, .offset = AT(write.progressive),
      .text = "write a JPEG that appears in steps, and is a little smaller" },
    { .name = "strip", .type = GF_CLI_FLAG, .offset = AT(write.strip),
      .text = "write samples alone: no profile, no EXIF, no XMP, no resolution, no text",
      .more = "A picture that EXIF says to be turned is set upright all the same." },
    { .name = "icc", .type = GF_CLI_CUSTOM, .set = set_icc, .argument = "keep|convert",
      .text = "keep an embedded colour profile, or convert to sRGB by it",
      .more = "By default, samples stay as they are and the profile goes along. convert makes sRGB of them as they are read, relative "
              "colorimetric with black point compensation, and leaves the profile out; alpha and depth stay, gray stays gray, and "
              "CMYK of a JPEG becomes RGB by its profile. A picture without one is taken as sRGB. Pictures that stages name are converted, too." },
    { .name = "device", .type = GF_CLI_CUSTOM, .set = set_device, .argument = "auto|cpu|cuda[:N,M]|all",
      .text = "where it runs; auto picks what finishes first",
      .more = "cuda fails where there is no GPU to use; it never falls back. With several GPUs, files, frames and, "
              "where nothing has to see the whole signal, the segments of one are dealt out to them; all takes all there are." },
    { .name = "memory", .type = GF_CLI_BYTES, .offset = AT(limits.memory_bytes), .argument = "SIZE",
      .least = 1 << 20, .most = 9e18,
      .text = "ceiling of the working memory, on the host and on the device",
      .more = "Formats that are encoded as a whole (WebP, BMP, TGA) hold the picture "
              "beside it, and so do readers of such formats; --max-memory is the ceiling of those." },
    { .name = "segment", .type = GF_CLI_BYTES, .offset = AT(limits.segment_bytes), .argument = "SIZE",
      .least = 1, .most = 9e18,
      .text = "bytes a segment; never changes the result" },
    { .name = "lanes", .type = GF_CLI_INT, .offset = AT(limits.lanes), .argument = "N", .least = 1, .most = 64,
      .text = "segments in flight; never changes the result" },
    { .name = "latency", .type = GF_CLI_CUSTOM, .set = set_latency, .argument = "MS",
      .text = "let no sound wait longer than MS milliseconds for what follows it",
      .more = "MS may have a unit, 20ms or 0.02s. Of sound, a segment then holds no more than that, and is written as soon as it is done; stages that look "
              "ahead add what they see; --explain tells the sum. Filters of more than 64 taps work in other blocks "
              "then, so the last bits of their samples may be others than without it. Of pictures in a row, each is handed on before the next is read. What has "
              "to see or decode all of a pipe first is refused." },
    { .name = "jobs", .letter = 'j', .type = GF_CLI_INT, .offset = AT(limits.threads), .argument = "N",
      .least = 1, .most = 1024,
      .text = "CPU threads; as many as cores by default" },
    { .name = "explain", .type = GF_CLI_FLAG, .offset = AT(explain),
      .text = "print the plan and why, and run nothing" },
    { .name = "stats", .type = GF_CLI_CUSTOM, .set = set_stats, .argument = "json", .optional = true,
      .text = "times, bytes and rates by stage, on standard error",
      .more = "The last line names the bottleneck." },
    { .name = "trace", .type = GF_CLI_CUSTOM, .set = set_trace, .argument = "FILE", .files = true,
      .text = "write who was busy when to FILE.json or FILE.svg",
      .more = "The first is for a viewer of Chrome's trace format, the second is a drawing. Both may be asked for." },
    { .name = "progress", .type = GF_CLI_CUSTOM, .set = set_progress, .argument = "auto|always|never",
      .text = "tell how far it is on standard error; auto: on a terminal" },
    { .name = "quiet", .letter = 'q', .type = GF_CLI_FLAG, .offset = AT(quiet),
      .text = "say nothing but errors" },
    { .name = "verbose", .letter = 'v', .type = GF_CLI_FLAG, .offset = AT(verbose),
      .text = "say what is done",
      .more = "That is the plan, of several files each with its name; with --update, too, how many are up to date." },
    { .name = "no-clobber", .letter = 'n', .type = GF_CLI_FLAG, .offset = AT(write.keep),
      .text = "keep an output that exists" },
    { .name = "update", .type = GF_CLI_FLAG, .offset = AT(update),
      .text = "pass over inputs whose output is newer",
      .more = "Files that stages name, masks or second pictures, are not looked at." },
    { .name = "fail-fast", .type = GF_CLI_FLAG, .offset = AT(fail_fast),
      .text = "stop a batch at the first failure" },
    { .name = "shard", .type = GF_CLI_CUSTOM, .set = set_shard, .argument = "K/N",
      .text = "take every N-th input only, from the K-th" },
    { .name = "max-pixels", .type = GF_CLI_COUNT, .offset = AT(read.max_pixels), .argument = "N",
      .least = 1, .most = 9e18,
      .text = "refuse larger images before decoding them; 4G by default" },
    { .name = "max-memory", .type = GF_CLI_BYTES, .offset = AT(read.max_bytes), .argument = "SIZE",
      .least = 1, .most = 9e18,
      .text = "refuse inputs that need more memory to decode; 16G by default" },
    { .name = "list", .type = GF_CLI_CUSTOM, .set = set_list,
      .text = "list the stages, your named chains and the formats" },
    { .name = "help", .letter = 'h', .type = GF_CLI_CUSTOM, .set = set_help, .argument = "STAGE", .optional = true,
      .text = "this help, or all about one stage or named chain" },
    { .name = "devices", .type = GF_CLI_CUSTOM, .set = set_devices,
      .text = "what there is to run on, and why a GPU is not used",
      .more = "With --verbose, what the kernels of a GPU take of it: registers, shared memory, how many threads are at work at once, and "
              "what keeps more of them away." },
    { .name = "bench", .type = GF_CLI_CUSTOM, .set = set_bench, .argument = "OPERATION[:SIZE]", .optional = true,
      .text = "how fast an operation is on this machine, from 1K samples on; without one, all of them",
      .more = "SIZE is the most samples that are tried, as in histogram:1M; --memory is a ceiling, too. The name of a stage measures the first "
              "operation that it works with. The table goes where --output says, "
              "as TSV, CSV, JSON, or drawn as SVG or PNG; what it comes to is told on standard error. On a GPU, histogram, reduce, scan, stencil "
              "and streams are lessons: the steps of a classic optimisation, each checked, then timed beside what gpufilter does; gpufilter-internals(7) explains them." },
    { .name = "completion", .type = GF_CLI_CUSTOM, .set = set_completion, .argument = "bash|zsh|fish",
      .text = "print a completion script for the shell" },
    { .name = "version", .type = GF_CLI_CUSTOM, .set = set_version,
      .text = "version, and what is built in" },
    { .name = "manual", .type = GF_CLI_CUSTOM, .set = set_manual, .argument = "options|stages|examples|chains|html|pictures" },
    { .name = NULL },
};

/* The number in `value`, in the row's range and whole. */
static int parse_whole(const struct gf_cli_row *row, const char *value, double *number, struct gf_error *err)
{
    if (gf_parse_number(value, number) == 0 && floor(*number) == *number
        && *number >= row->least && *number <= row->most)
        return 0;
    if (row->most > 1e15)
        return gf_fail(err, GF_MISUSED, "--%s takes a whole number, %.10g or more, not '%s'", row->name, row->least, value);
    return gf_fail(err, GF_MISUSED, "--%s takes a whole number, %.10g to %.10g, not '%s'",
                   row->name, row->least, row->most, value);
}

/* The count in `value`, with k, M or G for thousands, millions, milliards. */
static int parse_count(const struct gf_cli_row *row, const char *value, int64_t *count, struct gf_error *err)
{
    static const char suffixes[] = "kMG";
    char digits[64];
    size_t length = strlen(value);
    const char *suffix = length > 0 ? strchr(suffixes, value[length - 1]) : NULL;
    double number, factor = 1;

    if (length >= sizeof digits)
        return gf_fail(err, GF_MISUSED, "--%s takes a whole number, not '%s'", row->name, value);
    memcpy(digits, value, length + 1);
    if (suffix != NULL && *suffix != '\0') {
        digits[length - 1] = '\0';
        factor = pow(1000, (double)(suffix - suffixes + 1));
    }
    if (gf_parse_number(digits, &number) != 0 || number * factor < row->least || number * factor > row->most
        || floor(number * factor) != number * factor)
        return gf_fail(err, GF_MISUSED, "--%s takes a whole number, %.10g or more, as in 500M, not '%s'",
                       row->name, row->least, value);
    *count = (int64_t)(number * factor);
    return 0;
}

/* Puts what the option says into the request. `value` is NULL where there is none. */
static int apply(const struct gf_cli_row *row, const char *value, struct gf_request *r, struct gf_error *err)
{
    void *member = (char *)r + row->offset;
    double number;

    switch (row->type) {
    case GF_CLI_FLAG:
        *(bool *)member = true;
        return 0;
    case GF_CLI_INT:
        if (parse_whole(row, value, &number, err) != 0)
            return -1;
        *(int *)member = (int)number;
        return 0;
    case GF_CLI_COUNT:
        return parse_count(row, value, member, err);
    case GF_CLI_BYTES:
        if (gf_parse_bytes(value, member) != 0 || (double)*(int64_t *)member < row->least)
            return gf_fail(err, GF_MISUSED, "--%s takes a size, %s or more, as in 64K, 256M or 2G, not '%s'",
                           row->name, row->least >= 1 << 20 ? "1M" : "1", value);
        return 0;
    case GF_CLI_TEXT:
        if (*value == '\0')
            return gf_fail(err, GF_MISUSED, "--%s takes a %s, not nothing", row->name, row->argument);
        if (row->once && *(const char **)member != NULL)
            return gf_fail(err, GF_MISUSED, "--%s is given twice, %s and %s; tee:FILE writes to a second file", row->name,
                           *(const char **)member, value);
        *(const char **)member = value;
        return 0;
    default:
        return row->set(r, value, err);
    }
}

/* The row of a long name of `length` bytes: in full, or the start of only one. */
static const struct gf_cli_row *find_long(const char *name, size_t length, struct gf_error *err)
{
    const struct gf_cli_row *found = NULL;

    for (const struct gf_cli_row *row = gf_cli_rows; row->name != NULL; row++) {
        if (strncmp(row->name, name, length) != 0)
            continue;
        if (row->name[length] == '\0')
            return row;
        if (length == 0 || row->text == NULL)
            continue;
        if (found != NULL) {
            gf_fail(err, GF_MISUSED, "option --%.*s is ambiguous: --%s or --%s", (int)length, name,
                    found->name, row->name);
            return NULL;
        }
        found = row;
    }
    if (found == NULL)
        gf_cli_fail_unknown(name, length, err);
    return found;
}

/* One long option at argv[*at]; *at moves on to its last word. */
static int parse_long(int argc, char **argv, int *at, struct gf_request *r, struct gf_error *err)
{
    const char *name = argv[*at] + 2;
    const char *value = strchr(name, '=');
    size_t length = value != NULL ? (size_t)(value - name) : strlen(name);
    const struct gf_cli_row *row = find_long(name, length, err);

    if (row == NULL)
        return -1;
    if (value != NULL) {
        if (row->argument == NULL)
            return gf_fail(err, GF_MISUSED, "option --%s takes no value", row->name);
        return apply(row, value + 1, r, err);
    }
    if (row->argument == NULL || row->optional)
        return apply(row, NULL, r, err);
    if (*at + 1 >= argc)
        return gf_fail(err, GF_MISUSED, "option --%s needs a value: %s", row->name, row->argument);
    return apply(row, argv[++*at], r, err);
}

/* A word of short options: -qv, -j4, -j 4. */
static int parse_short(int argc, char **argv, int *at, struct gf_request *r, struct gf_error *err)
{
    for (const char *letter = argv[*at] + 1; *letter != '\0'; letter++) {
        const struct gf_cli_row *row = gf_cli_rows;

        while (row->name != NULL && row->letter != *letter)
            row++;
        if (row->name == NULL)
            return gf_cli_fail_letter(*at > 1 ? argv[*at - 1] : NULL, argv[*at], *letter, err);
        if (row->argument != NULL && !row->optional) {
            if (letter[1] != '\0')
                return apply(row, letter + 1, r, err);
            if (*at + 1 >= argc)
                return gf_fail(err, GF_MISUSED, "option -%c needs a value: %s", *letter, row->argument);
            return apply(row, argv[++*at], r, err);
        }
        if (apply(row, NULL, r, err) != 0)
            return -1;
    }
    return 0;
}

/* What no option said. */
static int complete(int argc, struct gf_request *r, struct gf_error *err)
{
    const bool takes_words = r->ask == GF_ASK_RUN || r->ask == GF_ASK_HELP || r->ask == GF_ASK_BENCH;

    if ((r->ask == GF_ASK_HELP || r->ask == GF_ASK_BENCH) && r->topic == NULL && r->word_count > 0)
        r->topic = r->words[0];
    if (r->ask == GF_ASK_BENCH && r->word_count > 1)
        return gf_fail(err, GF_MISUSED, "--bench takes one operation, and there are %d words", r->word_count);
    if (!takes_words && r->word_count > 0)
        return gf_fail(err, GF_MISUSED, "'%s' means nothing to what is asked; gpufilter --help %s tells of a stage", r->words[0],
                       r->words[0]);
    if (r->ask != GF_ASK_RUN)
        return 0;
    r->read.live = r->write.live = r->limits.latency_ms > 0;
    if (r->input_count == 0 && r->files_from == NULL && isatty(STDIN_FILENO))
        return gf_fail(err, GF_MISUSED, argc < 2 ? "nothing to do: try gpufilter --help"
                                                 : "no input: name a file with -i, or pipe one in");
    if (r->input_count == 0 && r->files_from == NULL)
        r->inputs[r->input_count++] = "-";
    if (r->output == NULL)
        r->output = "-";
    return 0;
}

int gf_cli_parse(int argc, char **argv, struct gf_request *r, struct gf_error *err)
{
    bool options = true;

    *r = (struct gf_request) { .cuda.count = 1, .write.compression = -1, .read.max_pixels = (int64_t)MAX_PIXELS,
                               .read.max_bytes = MAX_BYTES };
    r->inputs = calloc((size_t)argc + 1, sizeof *r->inputs);
    r->words = calloc((size_t)argc + 1, sizeof *r->words);
    if (r->inputs == NULL || r->words == NULL)
        return gf_fail(err, GF_FAILED, "out of memory");
    for (int i = 1; i < argc; i++) {
        char *word = argv[i];

        if (!options || word[0] != '-' || word[1] == '\0')
            r->words[r->word_count++] = word;
        else if (strcmp(word, "--") == 0)
            options = false;
        else if ((word[1] == '-' ? parse_long : parse_short)(argc, argv, &i, r, err) != 0)
            return -1;
    }
    return complete(argc, r, err);
}

void gf_cli_release(struct gf_request *r)
{
    free(r->inputs);
    free(r->words);
    r->inputs = r->words = NULL;
}
