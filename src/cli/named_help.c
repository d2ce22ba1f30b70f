/* Describes named chains in lists, in --help and for completions. */
#include "cli/named_help.h"

#include "base/utf8.h"
#include "base/words.h"
#include "chain/named_files.h"
#include "chain/named_text.h"
#include "chain/stage.h"
#include "cli/wrap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

void gf_named_help_list(void)
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

void gf_named_help_complete(void)
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

static void print_text(const char *text)
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

int gf_named_help_print(const char *word, struct gf_error *err)
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
        print_text(text.text);
        result = 1;
    }
    gf_named_text_close(&text);
    free(summary);
    free(path);
    return result;
}
