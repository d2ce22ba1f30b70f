/* The target `convert`, from every reader to every writer, and runs of the whole program for other targets. */
#define _GNU_SOURCE
#include "fuzz.h"

#include "cli/answer_request.h"
#include "cli/cli.h"
#include "cli/program.h"
#include "cli/run_request.h"
#include "io/format.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void gf_fuzz_words_add(struct gf_fuzz_words *w, const char *format, ...)
{
    const int most = (int)(sizeof w->word / sizeof *w->word) - 1;    /* NULL ends them */
    va_list args;

    va_start(args, format);
    if (w->count < most && vasprintf(&w->word[w->count], format, args) >= 0)
        w->count++;
    va_end(args);
    w->word[w->count] = NULL;
}

void gf_fuzz_words_split(struct gf_fuzz_words *w, const uint8_t *text, size_t size, const struct gf_fuzz_file *file)
{
    const size_t path = file != NULL ? strlen(file->path) : 0;

    for (size_t at = 0; at < size;) {
        const uint8_t *end = memchr(text + at, '\n', size - at);
        const size_t length = end != NULL ? (size_t)(end - text) - at : size - at;
        char *word = malloc(length * (path + 1) + 1), *to = word;

        if (word == NULL)
            return;
        for (size_t i = 0; i < length; i++)
            if (text[at + i] == '%' && path > 0 && i > 0 && text[at + i - 1] == ':')
                to = stpcpy(to, file->path);
            else
                *to++ = text[at + i] == '/' ? '_' : (char)text[at + i];
        *to = '\0';
        gf_fuzz_words_add(w, "%s", word);
        free(word);
        at += length + 1;
    }
}

void gf_fuzz_words_free(struct gf_fuzz_words *w)
{
    for (int i = 0; i < w->count; i++)
        free(w->word[i]);
    w->count = 0;
}

/* Other requests of gpufilter start gpufilter-bench or ask for devices. */
static int answer(const struct gf_request *r, struct gf_error *err)
{
    switch (r->ask) {
    case GF_ASK_RUN:
        return gf_run_request(r, err);
    case GF_ASK_INFO:
        return gf_run_info(r, err);
    case GF_ASK_HELP:
    case GF_ASK_LIST:
    case GF_ASK_VERSION:
    case GF_ASK_COMPLETION:
        return gf_answer_request(r, err);
    default:
        return 0;
    }
}

int gf_fuzz_program(const struct gf_fuzz_words *w)
{
    const struct gf_cli_program program = gf_program_gpufilter(answer);
    struct gf_fuzz_words copy = *w;              /* the program may order its arguments */
    struct gf_error err = { 0 };
    struct gf_request request;
    int failed = gf_cli_parse(&program, copy.count, copy.word, &request, &err);

    request.no_sandbox = true;                   /* it would stay closed for the inputs that follow */
    if (failed == 0)
        failed = answer(&request, &err);
    gf_cli_release(&request);
    fflush(stdout);
    return failed != 0 ? err.status : 0;
}

void gf_fuzz_arguments(const struct gf_fuzz_target *target, const uint8_t *option, const uint8_t *data, size_t size)
{
    const struct gf_cli_program program = gf_program_gpufilter(answer);
    struct gf_fuzz_words w = { 0 };
    struct gf_error err = { 0 };
    struct gf_request request;

    (void)target, (void)option;
    gf_fuzz_words_add(&w, "gpufilter");
    gf_fuzz_words_split(&w, data, size, NULL);
    gf_fuzz_folder_enter();
    if (gf_cli_parse(&program, w.count, w.word, &request, &err) == 0 && request.ask != GF_ASK_RUN
        && request.ask != GF_ASK_VERSION && answer(&request, &err) == 0)       /* --version closes the sandbox */
        fflush(stdout);
    gf_cli_release(&request);
    gf_fuzz_folder_leave();
    gf_fuzz_output_empty();
    gf_fuzz_words_free(&w);
}

/* Returns the n-th format that is written. */
static const struct gf_file_format *written(unsigned n)
{
    const struct gf_file_format *f = NULL;

    for (n %= (unsigned)gf_file_format_count; f == NULL; n = (n + 1) % (unsigned)gf_file_format_count)
        if (gf_file_format_is_written(gf_file_formats[n]))
            f = gf_file_formats[n];
    return f;
}

/* Adds options that some writers take; the others warn about them or refuse them. */
static void add_writing(struct gf_fuzz_words *w, const uint8_t *option, bool rate)
{
    static const char *const depths[] = { "1", "2", "4", "8", "16", "24", "32", "f32" };
    static const char *const others[] = { "--compression=9", "--compression=0", "--quality=1", "--quality=100",
                                          "--progressive", "--subsampling=444", "--subsampling=422", "--rate=25" };

    if ((option[1] & 8) != 0)
        gf_fuzz_words_add(w, "--depth=%s", depths[option[1] % 8]);
    if ((option[1] & 128) != 0 && (rate || option[1] / 16 % 8 != 7))
        gf_fuzz_words_add(w, "%s", others[option[1] / 16 % 8]);
}

static void add_reading(struct gf_fuzz_words *w, unsigned flags)
{
    static const char *const names[] = { "--salvage", "--strip", "--icc=convert", "--segment=1000",
                                         "--interlaced=fields", "--strict" };

    for (int i = 0; i < 6; i++)
        if ((flags >> i & 1) != 0)
            gf_fuzz_words_add(w, "%s", names[i]);
}

/* Adds a few stages, one for each way of an engine through a signal. */
static void add_stages(struct gf_fuzz_words *w, unsigned n)
{
    static const char *const stages[] = { "", "", "", "invert", "gray", "resize:9x7", "rotate:90", "stats", "reverse",
                                          "alpha:off", "waveform", "histogram", "mono", "autolevel", "normalize",
                                          "tee:second" };

    if (stages[n % 16][0] != '\0')
        gf_fuzz_words_add(w, "%s", stages[n % 16]);
}

/* A picture whose size, samples and alpha are unlike those of most inputs. */
static const char *other_picture(void)
{
    static const char header[] = "P7\nWIDTH 9\nHEIGHT 7\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n";
    static struct gf_fuzz_file file;
    uint8_t bytes[sizeof header - 1 + 9 * 7 * 4];
    unsigned seed = 1;

    memcpy(bytes, header, sizeof header - 1);
    for (size_t i = sizeof header - 1; i < sizeof bytes; i++) {
        seed = seed * 1103515245u + 12345;
        bytes[i] = (uint8_t)(seed >> 16);
    }
    gf_fuzz_file_put(&file, bytes, sizeof bytes);
    return file.path;
}

/*
 * Adds the input, or several: joined to frames, of which some are equal, or as a batch with one table. An animation
 * needs durations, which a rate gives.
 */
static void add_inputs(struct gf_fuzz_words *w, const char *input, unsigned choice)
{
    static const char *const several[] = { NULL, "--join", "--join=fit", "--join=pad", "--update", "--info", "--info",
                                           "--join=fit" };

    if (several[choice] == NULL) {
        gf_fuzz_words_add(w, "-i%s", input);
        return;
    }
    gf_fuzz_words_add(w, "%s", several[choice]);
    if (choice < 4)
        gf_fuzz_words_add(w, "--rate=25");
    if (choice % 2 == 0)
        gf_fuzz_words_add(w, "-i%s", other_picture());
    gf_fuzz_words_add(w, "-i%s", input);
    gf_fuzz_words_add(w, "-i%s", input);
    if (choice % 4 == 1)
        gf_fuzz_words_add(w, "-i%s", other_picture());
}

/*
 * Options: the output's format; depth and others; bits of reading; the stage; the place of the output, and whether
 * there are several inputs and threads; the format of the input, usually by content.
 */
void gf_fuzz_convert(const struct gf_fuzz_target *target, const uint8_t *option, const uint8_t *data, size_t size)
{
    static const char *const places[] = { "-", "out", "/dev/null", "out-{n}" };
    static struct gf_fuzz_file input;
    struct gf_fuzz_file pipe;
    const unsigned several = option[4] / 8 % 8;
    const bool piped = (option[4] & 4) != 0 && several == 0 && gf_fuzz_pipe_put(&pipe, data, size);
    struct gf_fuzz_words w = { 0 };

    (void)target;
    gf_fuzz_file_put(&input, data, size);
    gf_fuzz_words_add(&w, "gpufilter");
    gf_fuzz_words_add(&w, "-q");
    gf_fuzz_words_add(&w, "-j%d", option[4] >= 192 ? 3 : 1);
    gf_fuzz_words_add(&w, "--max-pixels=65536");
    gf_fuzz_words_add(&w, "--max-memory=32M");
    gf_fuzz_words_add(&w, "--memory=16M");
    gf_fuzz_words_add(&w, "--to=%s", written(option[0])->name);
    add_writing(&w, option, several == 0 || several == 7);
    add_reading(&w, option[2]);
    if (option[5] % 4 == 3)
        gf_fuzz_words_add(&w, "--from=%s", gf_file_formats[option[5] / 4 % gf_file_format_count]->name);
    add_inputs(&w, piped ? pipe.path : input.path, several);
    gf_fuzz_words_add(&w, "-o%s", places[option[4] % 4]);
    if (several != 5 && several != 6)                    /* --info takes no stages */
        add_stages(&w, option[3]);
    gf_fuzz_folder_enter();
    gf_fuzz_program(&w);
    gf_fuzz_folder_leave();
    gf_fuzz_output_empty();
    if (piped)
        gf_fuzz_pipe_close(&pipe);
    gf_fuzz_words_free(&w);
}
