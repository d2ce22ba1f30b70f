/* Answers requests about the program itself: help, lists, devices, completions. */
#include "cli/answer_request.h"

#include "base/terminal.h"
#include "chain/chain_advice.h"
#include "cli/about.h"
#include "cli/help.h"
#include "cli/listing.h"
#include "cli/start_bench.h"
#include "io/io.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/*
 * ---- the completion script for a shell ----
 *
 * It is that of the folder of the running program, or the installed one. The build makes it from man/completion.
 */

static const struct {
    const char *shell, *built, *installed;
} scripts[] = {
    { "bash", "completion/gpufilter", GF_BASHCOMPDIR "/gpufilter" },
    { "zsh", "completion/_gpufilter", GF_ZSHCOMPDIR "/_gpufilter" },
    { "fish", "completion/gpufilter.fish", GF_FISHCOMPDIR "/gpufilter.fish" },
};

static int print_completion(const char *shell, struct gf_error *err)
{
    char own[PATH_MAX], path[PATH_MAX + 32], bytes[4096];
    size_t i = 0, n;
    FILE *file;

    while (i + 1 < sizeof scripts / sizeof *scripts && strcmp(shell, scripts[i].shell) != 0)
        i++;
    gf_own_folder(own, sizeof own);
    snprintf(path, sizeof path, "%s/%s", own, scripts[i].built);
    file = fopen(path, "r");
    if (file == NULL)
        file = fopen(scripts[i].installed, "r");
    if (file == NULL)
        return gf_fail_system(err, errno, "the completion for %s: looked for it in %s and %s", shell, path,
                              scripts[i].installed);
    while ((n = fread(bytes, 1, sizeof bytes, file)) > 0 && fwrite(bytes, 1, n, stdout) == n)
        ;
    fclose(file);
    return 0;
}

/* ---- other programs' words, for the test that tries every answer ---- */

static const char *program_name(unsigned whose)
{
    return (whose & GF_PEOPLE) != 0 ? "people" : (whose & GF_FFMPEG) != 0 ? "ffmpeg" : (whose & GF_SOX) != 0 ? "sox"
        : (whose & GF_VIPS) != 0 ? "vips" : (whose & GF_MAGICK) != 0 ? "convert" : "ours";
}

static const char *kind_name(unsigned whose)
{
    return (whose & GF_FOR(GF_IMAGE)) != 0 ? "image" : (whose & GF_FOR(GF_AUDIO)) != 0 ? "audio" : "any";
}

/* Translates the example of a row; the text stays empty if the row needs words before it. */
static void fill_in_example(int number, const char *word, struct gf_foreign_words *words)
{
    const struct gf_foreign_row *row = &gf_foreign_rows[number];
    struct gf_foreign_settings settings = { .set = { false } };
    struct gf_foreign_call call = { .whose = row->whose, .name = word, .text = row->example };
    const char *value[8];
    char copy[200];

    /* they are separate arguments */
    if ((row->whose & (GF_SOX | GF_VIPS | GF_MAGICK)) != 0 && row->example != NULL) {
        snprintf(copy, sizeof copy, "%s", row->example);
        for (char *rest = copy, *next; call.count < 8 && (next = strtok_r(rest, " ", &rest)) != NULL; )
            value[call.count++] = next;
        call.text = NULL;
        call.value = value;
    }
    gf_foreign_set(&settings, 'F', "cutout.png");
    if (gf_foreign_find(&call, number, &settings, words) != number)
        words->text[0] = '\0';
}

static void print_row(int number, const char *word)
{
    const struct gf_foreign_row *row = &gf_foreign_rows[number];
    struct gf_foreign_words words = { "" };

    if (row->takes != NULL)
        fill_in_example(number, word, &words);
    printf("%s\t%s\t%s\t%s\t%s\t%s\n", row->takes == NULL ? "hint" : program_name(row->whose), kind_name(row->whose),
           word, row->example != NULL ? row->example : "", row->effect != NULL ? row->effect : "",
           row->takes == NULL ? row->gives : words.text);
}

/*
 * A line for each word of each row, with tabs: program or "hint", kind of signal, word, example, effect, our words.
 */
static void print_words(void)
{
    for (int i = 0; gf_foreign_rows[i].words != NULL; i++) {
        char copy[200];

        snprintf(copy, sizeof copy, "%s", gf_foreign_rows[i].words);
        for (char *rest = copy, *word; (word = strtok_r(rest, "|", &rest)) != NULL; )
            print_row(i, word);
    }
}

/* ---- requests ---- */

static void print_manual(const char *topic)
{
    if (strcmp(topic, "listing") == 0)
        gf_listing();
    else if (strcmp(topic, "examples") == 0)
        gf_listing_examples();
    else if (strcmp(topic, "words") == 0)
        print_words();
    else
        gf_help_chains();
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
        return print_completion(r->topic, err);
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
