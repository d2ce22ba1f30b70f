/* Help on the terminal: usage, one stage, lists. */
#include "cli/help.h"

#include "base/utf8.h"
#include "base/words.h"
#include "chain/foreign.h"
#include "chain/named_files.h"
#include "chain/named_text.h"
#include "chain/option.h"
#include "chain/stage.h"
#include "cli/cli_options.h"
#include "cli/describe.h"
#include "cli/wrap.h"
#include "io/io.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define COLUMNS 79

static const char *kind_word(enum gf_kind kind)
{
    return kind == GF_IMAGE ? "images" : "audio";
}

/* Writes "-o, --output FILE". */
static void describe_option(const struct gf_cli_option *row, char *text, size_t bytes)
{
    const char *before = !row->optional ? " " : row->letter != 0 ? " [" : "[=";
    char letter[8] = "";

    if (row->letter != 0)
        snprintf(letter, sizeof letter, "-%c, ", row->letter);
    snprintf(text, bytes, "%s--%s%s%s%s", letter, row->name, row->argument ? before : "",
             row->argument ? row->argument : "", row->optional ? "]" : "");
}

void gf_help_options(const struct gf_cli_option *row)
{
    for (const struct gf_cli_option *first = row; row->name != NULL; row++) {
        char words[64];

        if (row->text == NULL)
            continue;
        if (row->group != NULL)
            printf("%s%s:\n", row == first ? "" : "\n", row->group);
        describe_option(row, words, sizeof words);
        if (row->letter == 0)
            printf("      %-22s", words);
        else
            printf("  %-26s", words);
        printf("%s", strlen(words) > (row->letter == 0 ? 21u : 25u) ? "\n                            " : "");
        gf_wrap_print(row->text, 28, COLUMNS);
    }
}

void gf_help_usage(void)
{
    puts("Usage: gpufilter [-i INPUT] [STAGE...] [-o OUTPUT] [OPTION...]\n"
         "Filters images, video and audio with a chain of stages, on a GPU or CPU cores.\n\n"
         "  gpufilter -i in.png gray blur:2 rotate:30 -o out.png\n"
         "  gpufilter -i in.wav gain:-3 fir:taps.txt -o out.wav\n\n"
         "A stage is NAME or NAME:VALUE,KEY=VALUE,...; @FILE reads stages from a file.\n"
         "Options may be anywhere on the command line.\n");
    gf_help_options(gf_cli_options);
    puts("\ngpufilter --list shows the stages, gpufilter --help STAGE explains one, and\n"
         "gpufilter --help colors lists colors. The manuals are gpufilter(1),\n"
         "gpufilter-stages(7), gpufilter-workflows(7), gpufilter-internals(7),\n"
         "gpufilter-lessons(7) and, for the library, gpufilter(3).");
}

static void print_option(const struct gf_option *row, int place)
{
    char range[256], initial[64];

    gf_option_range(row, range, sizeof range);
    gf_describe_default(row, initial, sizeof initial);
    if (row->key_only)
        printf("\n  %s=\n      ", row->name);
    else
        printf("\n  %s (value %d)\n      ", row->name, place);
    gf_wrap_print(row->text, 6, COLUMNS);
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

    gf_describe_stage(stage, words, sizeof words);
    printf("%s (%s): ", stage->name, kind_word(stage->kind));
    gf_wrap_print(stage->summary, 4, COLUMNS - 8);
    printf("\n  %s\n", words);
    for (const struct gf_option *row = stage->options; row != NULL && row->name != NULL; row++)
        print_option(row, ++place);
    if (stage->text != NULL) {
        putchar('\n');
        gf_wrap_print(stage->text, 0, COLUMNS);
    }
    if (stage->examples != NULL && stage->examples[0] != NULL)
        puts(stage->examples[1] == NULL ? "\nExample:" : "\nExamples:");
    for (const char *const *line = stage->examples; line != NULL && *line != NULL; line++)
        printf("  %s\n", *line);
}

static void print_colours(void)
{
    puts("Color names, as in CSS, including transparent. Upper and lower case are equal.\n");
    for (int i = 0; gf_named_colours[i].name != NULL; i++)
        printf("  %-20s #%06x%s", gf_named_colours[i].name, gf_named_colours[i].rgb,
               i % 2 == 1 || gf_named_colours[i + 1].name == NULL ? "\n" : "");
    puts("\nExample:\n  gpufilter -i photo.ppm pad:20,bg=rebeccapurple -o framed.png");
}

/* ---- named chains ---- */

/* Prints text that may have any characters: of a chain's file, or the name of its folder. */
static void put(const char *text, size_t length)
{
    gf_utf8_print(stdout, text, length, true);
}

static bool is_hidden(const char *name)
{
    return gf_stage_find(name, GF_IMAGE) != NULL || gf_stage_find(name, GF_AUDIO) != NULL;
}

/* Reads the description of a chain. Returns its summary, which the caller frees, or NULL. Close `t` in any case. */
static char *describe(struct gf_named_text *t, const char *path, const char *name, struct gf_error *err)
{
    return gf_named_text_open(t, path, false, err) == 0 ? gf_named_text_describe(t, name, err) : NULL;
}

static void list_chain(const struct gf_named_file *file)
{
    struct gf_error err = { 0 };
    struct gf_named_text text;
    char *summary = describe(&text, file->path, file->name, &err);

    printf("  %-11s ", file->name);
    if (strlen(file->name) > 11)
        printf("\n%14s", "");
    gf_wrap_print(is_hidden(file->name) ? "not used, because a stage has this name" : summary ? summary : err.text, 14,
                  79);
    free(summary);
    gf_named_text_close(&text);
}

/* Lists all chains, by folder. */
static void list_chains(void)
{
    struct gf_named_file *files = gf_named_files_list();

    for (const struct gf_named_file *file = files; file != NULL && file->name != NULL; file++) {
        if (file == files || file->folder != file[-1].folder) {
            fputs("Chains in ", stdout);
            put(file->path, (size_t)(file->name - file->path) - 1);
            puts(":");
        }
        list_chain(file);
        if (file[1].name == NULL || file[1].folder != file->folder)
            putchar('\n');
    }
    gf_named_files_free(files);
}

void gf_help_chains(void)
{
    struct gf_named_file *files = gf_named_files_list();

    for (const struct gf_named_file *file = files; file != NULL && file->name != NULL; file++) {
        struct gf_error err = { 0 };
        struct gf_named_text text;
        char *summary = describe(&text, file->path, file->name, &err);

        if (!is_hidden(file->name) && summary != NULL) {
            printf("%s\t", file->name);
            for (int i = 0; i < text.arguments; i++)
                printf("%s= ", text.argument[i].name);
            putchar('\t');
            gf_utf8_print(stdout, summary, strlen(summary), false);
            putchar('\n');
        }
        free(summary);
        gf_named_text_close(&text);
    }
    gf_named_files_free(files);
}

/* Prints the syntax of a call: scan[:RADIUS[,LEVEL]]. */
static void print_call(const char *word, const struct gf_named_text *t)
{
    int open = 0;

    fputs("\n  ", stdout);
    put(word, strcspn(word, ":"));
    for (int i = 0; i < t->arguments; i++) {
        char large[64];

        gf_capital_word(t->argument[i].name, large, sizeof large);
        printf("%s%s", t->argument[i].value ? "[" : "", i == 0 ? ":" : ",");
        put(large, strlen(large));
        open += t->argument[i].value != NULL;
    }
    while (open-- > 0)
        putchar(']');
    putchar('\n');
}

static void print_arguments(const struct gf_named_text *t)
{
    for (int i = 0; i < t->arguments; i++) {
        const struct gf_named_argument *a = &t->argument[i];

        fputs("\n  ", stdout);
        put(a->name, strlen(a->name));
        printf(" (value %d)\n      %s", i + 1, a->value ? "default " : "required");
        put(a->value ? a->value : "", a->value ? strlen(a->value) : 0);
        putchar('\n');
    }
}

static void print_file(const char *text)
{
    puts("\nThe file:");
    while (*text != '\0') {
        const size_t n = strcspn(text, "\r\n");

        fputs(n > 0 ? "  " : "", stdout);
        put(text, n);
        putchar('\n');
        text += n + (text[n] == '\r' && text[n + 1] == '\n');
        text += *text != '\0';
    }
}

/* Prints the help of the chain that `word` names. Returns 1, 0 if it names none, or -1 with the error. */
static int print_chain(const char *word, struct gf_error *err)
{
    const char *at = *word == '@' ? word + 1 : "";
    char *path = *word == '@' ? strndup(at, strcspn(at, ":")) : gf_named_files_path(word), *summary;
    struct gf_named_text text;
    int result = -1;

    if (path == NULL)
        return 0;
    if (*path == '\0') {
        free(path);
        return gf_fail(err, GF_MISUSED, "'@': missing the name of a file of stages; write @FILE");
    }
    summary = describe(&text, path, *word == '@' ? "" : strrchr(path, '/') + 1, err);
    if (summary != NULL) {
        put(word, strcspn(word, ":"));
        fputs(" (a chain of ", stdout);
        put(path, strlen(path));
        printf(")%s ", summary[0] != '\0' ? ":" : "");
        gf_wrap_print(summary, 4, 71);
        print_call(word, &text);
        print_arguments(&text);
        print_file(text.text);
        result = 1;
    }
    gf_named_text_close(&text);
    free(summary);
    free(path);
    return result;
}

/* ---- topics and lists ---- */

/* Reports a name that is neither a stage nor a chain. */
static int fail_unknown(const char *name, struct gf_error *err)
{
    const char *names[512], *near = gf_foreign_hint(name, 0);
    int count = 0;

    if (gf_named_files_refuse(0, name, err) != 0)
        return -1;
    for (; count < gf_stage_count && count < 511; count++)
        names[count] = gf_stages[count]->name;
    names[count] = NULL;
    if (near == NULL)
        near = gf_nearest_word(name, names);
    if (near == NULL)
        return gf_fail(err, GF_MISUSED, "no stage is called '%s' (see gpufilter --list)", name);
    return gf_fail(err, GF_MISUSED, gf_foreign_is_clause(near) ? "no stage is called '%s'; %s"
                                                               : "no stage is called '%s'; did you mean '%s'?",
                   name, near);
}

int gf_help_stage(const char *topic, unsigned kinds, struct gf_error *err)
{
    const bool audio_first = kinds == 1u << GF_AUDIO;
    char name[64];
    int found = 0;

    if (strcasecmp(topic, "colors") == 0 || strcasecmp(topic, "colours") == 0) {
        print_colours();
        return 0;
    }
    snprintf(name, sizeof name, "%.*s", (int)strcspn(topic, ":"), topic);
    for (int kind = 0; kind < 2; kind++)
        for (int i = 0; i < gf_stage_count; i++)
            if ((gf_stages[i]->kind == GF_AUDIO) == (kind != audio_first)
                && strcasecmp(gf_stages[i]->name, name) == 0) {
                if (found++ > 0)
                    puts("");
                print_stage(gf_stages[i]);
            }
    if (found == 0)
        found = print_chain(topic, err);
    if (found != 0)
        return found < 0 ? -1 : 0;
    if (gf_foreign_alias(name, NULL) != NULL)
        return gf_help_stage(gf_foreign_alias(name, NULL), kinds, err);
    return fail_unknown(name, err);
}

/* Lists the stages of a group under its heading; nothing if there are none. */
static void list_group(enum gf_kind kind, enum gf_group group)
{
    bool any = false;

    for (int i = 0; i < gf_stage_count; i++) {
        if (gf_stages[i]->kind != kind || gf_stages[i]->group != group)
            continue;
        if (!any)
            printf(" %s:\n", gf_describe_group(group));
        any = true;
        printf("  %-12s", gf_stages[i]->name);
        gf_wrap_print(gf_stages[i]->summary, 14, COLUMNS);
    }
}

static void list_stages(enum gf_kind kind)
{
    printf("Stages for %s:\n", kind_word(kind));
    for (int group = 0; group < GF_GROUPS; group++)
        list_group(kind, (enum gf_group)group);
    putchar('\n');
}

static void list_formats(const char *what, const char *const *names)
{
    char line[1024] = "";
    size_t used = 0;

    for (; *names != NULL && used + 1 < sizeof line; names++)
        used += (size_t)snprintf(line + used, sizeof line - used, "%s ", *names);
    printf("%-14s", what);
    gf_wrap_print(line, 14, COLUMNS);
}

void gf_help_list(void)
{
    list_stages(GF_IMAGE);
    list_stages(GF_AUDIO);
    list_chains();
    list_formats("Reads:", gf_reader_names());
    list_formats("Writes:", gf_writer_names());
}
