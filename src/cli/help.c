/* Help on the terminal: usage, one stage, lists, devices, version. */
#include "config.h"
#include "cli/help.h"
#include "base/words.h"

#include "bench/bench.h"
#include "device/device.h"
#include "kernels/base/fft.h"
#include "io/format.h"
#include "chain/named.h"
#include "chain/option.h"
#include "device/rates.h"
#include "chain/stage.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <sndfile.h>
#ifdef HAVE_ISAL
#include <isa-l.h>
#endif
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

#define COLUMNS 79
#define BYTES_PER_GB (1024.0 * 1024.0 * 1024.0)

/* Columns of a word of `bytes` bytes in UTF-8. */
static int columns_of(const char *word, size_t bytes)
{
    int columns = 0;

    for (size_t i = 0; i < bytes; i++)
        columns += ((unsigned char)word[i] & 0xc0) != 0x80;
    return columns;
}

void gf_help_wrap(const char *text, int indent, int columns)
{
    int at = indent;

    while (*text != '\0') {
        size_t length = strcspn(text, " \n");
        size_t gap = strspn(text + length, " \n");
        int breaks = 0;

        for (size_t i = 0; i < gap; i++)
            breaks += text[length + i] == '\n';
        if (at > indent && at + 1 + columns_of(text, length) > columns) {
            printf("\n%*s", indent, "");
            at = indent;
        }
        printf("%s%.*s", at > indent ? " " : "", (int)length, text);
        at += (at > indent) + columns_of(text, length);
        text += length + gap;
        if (breaks > 1 && *text != '\0') {
            printf("\n\n%*s", indent, "");
            at = indent;
        }
    }
    putchar('\n');
}

void gf_help_option_words(const struct gf_cli_row *row, char *text, size_t bytes)
{
    char letter[8] = "";

    if (row->letter != 0)
        snprintf(letter, sizeof letter, "-%c, ", row->letter);
    if (row->argument == NULL)
        snprintf(text, bytes, "%s--%s", letter, row->name);
    else if (row->optional && row->letter == 0)
        snprintf(text, bytes, "%s--%s[=%s]", letter, row->name, row->argument);
    else if (row->optional)
        snprintf(text, bytes, "%s--%s [%s]", letter, row->name, row->argument);
    else
        snprintf(text, bytes, "%s--%s %s", letter, row->name, row->argument);
}

/* The name of an option in capitals: the word for its value. */
static void capitals(const char *name, char *text, size_t bytes)
{
    size_t i;

    for (i = 0; name[i] != '\0' && i + 1 < bytes; i++)
        text[i] = (char)(name[i] >= 'a' && name[i] <= 'z' ? name[i] - 'a' + 'A' : name[i]);
    text[i] = '\0';
}

void gf_help_stage_words(const struct gf_stage *stage, char *text, size_t bytes)
{
    size_t used = (size_t)snprintf(text, bytes, "%s", stage->name);
    int open = 0;
    bool keyed = false;
    const struct gf_option *row;

    for (row = stage->options; row != NULL && row->name != NULL && !row->key_only && used < bytes; row++) {
        const char *between = row == stage->options ? ":" : ",";
        char word[40];

        capitals(row->name, word, sizeof word);
        open += !row->required;
        used += (size_t)snprintf(text + used, bytes - used, "%s%s%s", row->required ? "" : "[", between, word);
    }
    for (; row != NULL && row->name != NULL; row++)
        keyed = true;
    if (keyed && used < bytes)
        used += (size_t)snprintf(text + used, bytes - used, open > 0 || stage->options->required ? "[,KEY=VALUE]"
                                                                                              : "[:KEY=VALUE]");
    for (; open > 0 && used < bytes; open--)
        used += (size_t)snprintf(text + used, bytes - used, "]");
}

void gf_help_default(const struct gf_option *row, char *text, size_t bytes)
{
    text[0] = '\0';
    if (row->required)
        return;
    switch (row->type) {
    case GF_OPTION_CHOICE:
    case GF_OPTION_EITHER:
        if (row->by_default >= 0)
            snprintf(text, bytes, "%s", row->choices[(int)row->by_default]);
        break;
    case GF_OPTION_FLAG:
        snprintf(text, bytes, "%s", row->by_default != 0 ? "on" : "off");
        break;
    case GF_OPTION_INT:
    case GF_OPTION_NUMBER:
    case GF_OPTION_DECIBEL:
        if (!isnan(row->by_default) && row->by_default >= row->least && row->by_default <= row->most)     /* beyond: not said */
            snprintf(text, bytes, "%g", row->by_default);
        break;
    default:
        break;
    }
}

static const char *kind_word(enum gf_kind kind)
{
    return kind == GF_IMAGE ? "images" : "sound";
}

static void print_usage(void)
{
    puts("Usage: gpufilter [-i INPUT] [STAGE...] [-o OUTPUT] [OPTION...]\n"
         "Filters pictures and sound through a chain of stages, on a GPU or on CPU cores.\n\n"
         "  gpufilter -i in.png gray blur:2 rotate:30 -o out.png\n"
         "  gpufilter -i in.wav gain:-3 fir:taps.txt -o out.wav\n\n"
         "A stage is NAME or NAME:VALUE,KEY=VALUE,..., or @FILE: stages that a file holds.\n"
         "Options may stand anywhere.\n");
    for (const struct gf_cli_row *row = gf_cli_rows; row->name != NULL; row++) {
        char words[64];

        if (row->text == NULL)
            continue;
        gf_help_option_words(row, words, sizeof words);
        if (row->letter == 0)
            printf("      %-22s", words);
        else
            printf("  %-26s", words);
        printf("%s", strlen(words) > (row->letter == 0 ? 21u : 25u) ? "\n                            " : "");
        gf_help_wrap(row->text, 28, COLUMNS);
    }
    puts("\ngpufilter --list shows the stages, gpufilter --help STAGE explains one;\n"
         "the manuals are gpufilter(1), gpufilter-stages(7), gpufilter-workflows(7) and\n"
         "gpufilter-internals(7).");
}

static void print_option(const struct gf_option *row, int place)
{
    char range[256], initial[64], words[80];

    gf_option_range(row, range, sizeof range);
    gf_help_default(row, initial, sizeof initial);
    if (row->key_only)
        snprintf(words, sizeof words, "%s=", row->name);
    else
        snprintf(words, sizeof words, "%s (value %d)", row->name, place);
    printf("\n  %s\n      ", words);
    gf_help_wrap(row->text, 6, COLUMNS);
    printf("      takes %s", range);
    if (row->required)
        printf("; required");
    else if (initial[0] != '\0')
        printf("; default %s", initial);
    putchar('\n');
}

static void print_stage(const struct gf_stage *stage)
{
    char words[256];
    int place = 0;

    gf_help_stage_words(stage, words, sizeof words);
    printf("%s (%s): ", stage->name, kind_word(stage->kind));
    gf_help_wrap(stage->summary, 4, COLUMNS - 8);
    printf("\n  %s\n", words);
    for (const struct gf_option *row = stage->options; row != NULL && row->name != NULL; row++)
        print_option(row, ++place);
    if (stage->text != NULL) {
        putchar('\n');
        gf_help_wrap(stage->text, 0, COLUMNS);
    }
    if (stage->examples != NULL && stage->examples[0] != NULL)
        puts(stage->examples[1] == NULL ? "\nExample:" : "\nExamples:");
    for (const char *const *line = stage->examples; line != NULL && *line != NULL; line++)
        printf("  %s\n", *line);
}

static int help_stage(const char *topic, struct gf_error *err)
{
    const char *names[1024], *near;
    char name[64], **own, **each;
    int count = 0, found = 0;

    snprintf(name, sizeof name, "%.*s", (int)strcspn(topic, ":"), topic);
    for (int i = 0; i < gf_stage_count; i++) {
        if (strcasecmp(gf_stages[i]->name, name) == 0) {
            if (found++ > 0)
                puts("");
            print_stage(gf_stages[i]);
        }
        if (count < 511)
            names[count++] = gf_stages[i]->name;
    }
    if (found == 0)
        found = gf_help_chain(topic, err);
    if (found != 0)
        return found < 0 ? -1 : 0;
    own = gf_named_list();
    for (each = own; each != NULL && *each != NULL && count < 1023; each++)
        names[count++] = *each;
    names[count] = NULL;
    near = gf_stage_hint(name);
    if (near == NULL)
        near = gf_nearest_word(name, names);
    if (near != NULL)
        gf_fail(err, GF_MISUSED, strncmp(near, "none ", 5) == 0 ? "no stage is called '%s', and %s"
                                                                : "no stage is called '%s'; did you mean '%s'?", name, near);
    else
        gf_fail(err, GF_MISUSED, "no stage is called '%s' (see gpufilter --list)", name);
    gf_named_list_free(own);
    return -1;
}

static void list_stages(enum gf_kind kind)
{
    printf("Stages for %s:\n", kind_word(kind));
    for (int i = 0; i < gf_stage_count; i++)
        if (gf_stages[i]->kind == kind) {
            printf("  %-12s", gf_stages[i]->name);
            gf_help_wrap(gf_stages[i]->summary, 14, COLUMNS);
        }
    putchar('\n');
}

static void list_formats(const char *what, const char *const *names)
{
    char line[1024] = "";
    size_t used = 0;

    for (; *names != NULL && used + 1 < sizeof line; names++)
        used += (size_t)snprintf(line + used, sizeof line - used, "%s ", *names);
    printf("%-14s", what);
    gf_help_wrap(line, 14, COLUMNS);
}

static void print_list(void)
{
    list_stages(GF_IMAGE);
    list_stages(GF_AUDIO);
    gf_help_list_chains();
    list_formats("Reads:", gf_reader_names());
    list_formats("Writes:", gf_writer_names());
}

static int print_devices(bool verbose, struct gf_error *err)
{
    struct gf_device_facts facts = { 0 };
    struct utsname host;
    char why[512] = "";
    int index;

    gf_device_cpu.facts(0, &facts, why, sizeof why);
    printf("cpu     %s, %d core%s%s%s\n", uname(&host) == 0 ? host.machine : "this machine",
           facts.cores, facts.cores == 1 ? "" : "s", why[0] != '\0' ? ", " : "", why);
    for (index = 0; index < 64; index++) {
        memset(&facts, 0, sizeof facts);
        why[0] = '\0';
        gf_device_cuda.facts(index, &facts, why, sizeof why);
        if (facts.present || index == 0)
            gf_rates_heard(index, why, &facts);
        if (!facts.present)
            break;
        printf("cuda:%-2d %s%s%d multiprocessors, %.0f GB of memory\n", index, why, why[0] != '\0' ? ", " : "",
               facts.cores, (double)facts.memory_bytes / BYTES_PER_GB);
        if (verbose && gf_bench_kernels(index, err) != 0)
            return -1;
    }
    if (index == 0)
        printf("cuda    not used: %s%s\n", why[0] != '\0' ? why : "no GPU", verbose ? "; so there are no kernels to tell of" : "");
    return 0;
}

static void print_version(void)
{
    printf("gpufilter %s\n", PACKAGE_VERSION);
#ifdef GF_HAVE_CUDA
    printf("CUDA: built in for architectures %s\n", GF_CUDA_ARCHS);
#else
    puts("CUDA: not built in");
#endif
    printf("images: stb_image, stb_image_write");
#ifdef HAVE_ISAL
    printf(", ISA-L %d.%d.%d", ISAL_MAJOR_VERSION, ISAL_MINOR_VERSION, ISAL_PATCH_VERSION);
#endif
#ifdef HAVE_ZLIB
    printf(", zlib %s", zlibVersion());
#endif
#ifdef HAVE_JPEG
    printf(", libjpeg-turbo");
#endif
#ifdef HAVE_TIFF
    printf(", libtiff");
#endif
#ifdef HAVE_WEBP
    printf(", libwebp");
#endif
#ifdef HAVE_WEBPDEMUX
    printf(", libwebpdemux");
#endif
#ifdef HAVE_LCMS
    printf(", lcms2");
#endif
    putchar('\n');
    printf("sound: %s\n", sf_version_string());
    printf("long filters: %s; on a GPU cuFFT, where it is found\n", gf_fft_word());
}

static int print_manual(const char *topic, struct gf_error *err)
{
    static const struct {
        const char *topic;
        void (*print)(void);
    } parts[] = {
        { "options", gf_manual_options }, { "stages", gf_manual_stages }, { "examples", gf_manual_examples },
        { "chains", gf_help_complete_chains }, { "html", gf_manual_html }, { "pictures", gf_manual_pictures },
    };

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strcmp(topic, parts[i].topic) == 0) {
            parts[i].print();
            return 0;
        }
    return gf_fail(err, GF_MISUSED, "--manual takes options, stages, examples, chains, html or pictures, not '%s'", topic);
}

int gf_help_answer(const struct gf_request *r, struct gf_error *err)
{
    switch (r->ask) {
    case GF_ASK_HELP:
        if (r->topic != NULL)
            return help_stage(r->topic, err);
        print_usage();
        break;
    case GF_ASK_LIST:
        print_list();
        break;
    case GF_ASK_DEVICES:
        if (print_devices(r->verbose, err) != 0)
            return -1;
        break;
    case GF_ASK_VERSION:
        print_version();
        break;
    case GF_ASK_COMPLETION:
        (strcmp(r->topic, "bash") == 0 ? gf_complete_bash : strcmp(r->topic, "zsh") == 0 ? gf_complete_zsh
                                                                                          : gf_complete_fish)();
        break;
    case GF_ASK_MANUAL:
        if (print_manual(r->topic, err) != 0)
            return -1;
        break;
    case GF_ASK_BENCH:
        return gf_bench_answer(r, err);
    default:
        break;
    }
    if (fflush(stdout) != 0 || ferror(stdout))               /* whoever reads may have seen enough */
        return gf_fail(err, errno == EPIPE ? 0 : GF_FAILED, "standard output: could not be written");
    return 0;
}
