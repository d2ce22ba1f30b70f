/* Describes named chains in lists, in --help and for completions. */
#include "cli/named_help.h"

#include "base/utf8.h"
#include "chain/named.h"
#include "chain/stage.h"
#include "cli/wrap.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_hidden(const char *name)
{
    return gf_stage_find(name, GF_IMAGE) != NULL || gf_stage_find(name, GF_AUDIO) != NULL;
}

/* Reads the description of a chain, which may have been removed since it was listed. */
static int describe_name(const char *name, struct gf_named *n, struct gf_error *err)
{
    char stem[64], *path = gf_named_path(name, stem);
    int result;

    *n = (struct gf_named) { 0 };
    if (path == NULL)
        return gf_fail(err, GF_FAILED, "%s does not exist any more", name);
    result = gf_named_describe(path, name, n, err);
    free(path);
    return result;
}

/* True if a chain that was not in an earlier folder is in this one. */
static bool is_from(const char *name, const char *folder)
{
    char path[4096 + 64 + 2];
    struct stat s;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return stat(path, &s) == 0;
}

/* Prints text that may have any characters: of a chain's file, or the name of its folder. */
static void put(const char *text)
{
    gf_utf8_print(stdout, text, strlen(text), true);
}

static void list_chain(const char *name)
{
    struct gf_error err = { 0 };
    struct gf_named n;
    const int result = describe_name(name, &n, &err);

    printf("  %-11s ", name);
    if (strlen(name) > 11)
        printf("\n%14s", "");
    gf_wrap_print(is_hidden(name) ? "not used, because a stage has this name" : result != 0 ? err.text : n.summary, 14,
                  79);
    gf_named_release(&n);
}

void gf_named_help_list(void)
{
    char **names = gf_named_list(), folder[4096];
    struct gf_named_place at = { 0 };
    int there;

    while (names != NULL && (there = gf_named_folder(&at, folder, sizeof folder)) >= 0) {
        bool any = false;

        for (char **name = names; there == 1 && *name != NULL; name++) {
            if (**name == '\0' || !is_from(*name, folder))
                continue;
            if (!any) {
                fputs("Chains in ", stdout);
                put(folder);
                puts(":");
            }
            any = true;
            list_chain(*name);
            **name = '\0';                              /* mark it as listed; the same folder may follow again */
        }
        if (any)
            putchar('\n');
    }
    gf_named_list_free(names);
}

void gf_named_help_complete(void)
{
    char **names = gf_named_list();

    for (char **name = names; name != NULL && *name != NULL; name++) {
        struct gf_error err = { 0 };
        struct gf_named n;

        if (!is_hidden(*name) && describe_name(*name, &n, &err) == 0) {
            printf("%s\t", *name);
            for (int i = 0; i < n.arguments; i++)
                printf("%s= ", n.argument[i].name);
            putchar('\t');
            gf_utf8_print(stdout, n.summary, strlen(n.summary), false);
            putchar('\n');
        }
        if (!is_hidden(*name))
            gf_named_release(&n);
    }
    gf_named_list_free(names);
}

/* Prints the syntax of a call: scan[:RADIUS[,LEVEL]]. */
static void print_call(const char *word, const struct gf_named *n)
{
    int open = 0;

    fputs("\n  ", stdout);
    gf_utf8_print(stdout, word, strcspn(word, ":"), true);
    for (int i = 0; i < n->arguments; i++) {
        printf("%s%s", n->argument[i].value ? "[" : "", i == 0 ? ":" : ",");
        for (const char *c = n->argument[i].name; *c != '\0'; c++) {
            const char large[] = { (char)toupper((unsigned char)*c), '\0' };

            put(large);
        }
        open += n->argument[i].value != NULL;
    }
    while (open-- > 0)
        putchar(']');
    putchar('\n');
}

static void print_text(const char *text)
{
    puts("\nThe file:");
    while (*text != '\0') {
        const size_t n = strcspn(text, "\r\n");

        fputs(n > 0 ? "  " : "", stdout);
        gf_utf8_print(stdout, text, n, true);
        putchar('\n');
        text += n + (text[n] == '\r' && text[n + 1] == '\n');
        text += *text != '\0';
    }
}

int gf_named_help_print(const char *word, struct gf_error *err)
{
    char stem[64], *path = *word == '@' ? strndup(word + 1, strcspn(word + 1, ":")) : gf_named_path(word, stem);
    struct gf_named n;
    int result;

    if (path == NULL)
        return 0;
    if (*path == '\0') {
        free(path);
        return gf_fail(err, GF_MISUSED, "'@': missing the name of a file of stages; write @FILE");
    }
    result = gf_named_describe(path, *word == '@' ? "" : stem, &n, err);
    if (result == 0) {
        gf_utf8_print(stdout, word, strcspn(word, ":"), true);
        fputs(" (a chain of ", stdout);
        put(path);
        printf(")%s ", n.summary[0] != '\0' ? ":" : "");
        gf_wrap_print(n.summary, 4, 71);
        print_call(word, &n);
        for (int i = 0; i < n.arguments; i++) {
            fputs("\n  ", stdout);
            put(n.argument[i].name);
            printf(" (value %d)\n      %s", i + 1, n.argument[i].value ? "default " : "required");
            put(n.argument[i].value ? n.argument[i].value : "");
            putchar('\n');
        }
        print_text(n.text);
    }
    gf_named_release(&n);
    free(path);
    return result == 0 ? 1 : -1;
}
