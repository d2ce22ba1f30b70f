/* File name patterns with {stem}, {ext}, {dir}, {n}, {x} and {y}. */
#include "io/name_pattern.h"

#include "io/text_output.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DIGITS 18

struct gf_name_parts gf_name_parts(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *point = strrchr(name, '.');

    if (point == NULL || point == name)
        point = name + strlen(name);
    return (struct gf_name_parts) { (int)(name - path), (int)(point - name), name, *point ? point + 1 : point };
}

/* Kinds of placeholders. */
enum placeholder { NOTHING, STEM, EXT, DIR, NUMBER, COLUMN, ROW, UNKNOWN };

/*
 * Reads a placeholder at `at`; other braces are plain
 * text. Sets *digits of a number; 0: as many as needed.
 */
static enum placeholder read_placeholder(const char *at, int *length, int *digits)
{
    static const char *const words[] = { "{stem}", "{ext}", "{dir}", "{n}", "{x}", "{y}" };
    size_t n = 1;

    *digits = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(at, words[i], strlen(words[i])) == 0) {
            *length = (int)strlen(words[i]);
            return (enum placeholder)(STEM + i);
        }
    if (at[0] != '{' || !isalpha((unsigned char)at[1]))
        return NOTHING;
    while (isalnum((unsigned char)at[n]) || at[n] == '_' || at[n] == ':')
        n++;
    if (at[n] != '}')
        return NOTHING;
    *length = (int)n + 1;
    if (strchr("nxy", at[1]) == NULL || at[2] != ':' || n == 3 || n > 6 || strspn(at + 3, "0123456789") != n - 3)
        return UNKNOWN;
    *digits = atoi(at + 3);
    return *digits > MAX_DIGITS ? UNKNOWN : at[1] == 'n' ? NUMBER : at[1] == 'x' ? COLUMN : ROW;
}

int gf_name_pattern_check(const char *pattern, bool tiles, struct gf_error *err)
{
    int length, digits;

    for (; *pattern != '\0'; pattern++) {
        const enum placeholder what = read_placeholder(pattern, &length, &digits);

        if (!tiles && (what == COLUMN || what == ROW))
            return gf_fail(err, GF_MISUSED, "%.*s: is the place of a tile; end the stages with tile, such as "
                           "tile:512x512", length, pattern);
        if (what == UNKNOWN)
            return gf_fail(err, GF_MISUSED,
                           "%.*s: unknown placeholder; use {stem}, {ext} and {dir} for parts of the input's name, "
                           "{n} for its number, {n:4} for 4 digits%s",
                           length < 80 ? length : 80, pattern, tiles ? ", {x} and {y} for the place of a tile" : "");
    }
    return 0;
}

static bool has_placeholder(const char *pattern, enum placeholder wanted)
{
    int length, digits;

    for (; *pattern != '\0'; pattern++)
        if (read_placeholder(pattern, &length, &digits) == wanted)
            return true;
    return false;
}

bool gf_name_pattern_has_number(const char *pattern)
{
    return has_placeholder(pattern, NUMBER);
}

bool gf_name_pattern_has_place(const char *pattern)
{
    return has_placeholder(pattern, COLUMN) && has_placeholder(pattern, ROW);
}

bool gf_name_pattern_runs_together(const char *pattern)
{
    bool after = false;                      /* a number of no fixed width, and perhaps digits, are before `pattern` */
    int length, digits;

    for (; *pattern != '\0'; pattern += length) {
        const enum placeholder what = read_placeholder(pattern, &length, &digits);
        const bool number = what == NUMBER || what == COLUMN || what == ROW;

        if (number && digits == 0 && after)
            return true;
        if (what == NOTHING)
            length = 1;
        after = number ? digits == 0 : after && what == NOTHING && isdigit((unsigned char)*pattern);
    }
    return false;
}

bool gf_name_pattern_has_fields(const char *text)
{
    int length, digits;

    for (; *text != '\0'; text++) {
        const enum placeholder what = read_placeholder(text, &length, &digits);

        if (what >= STEM && what <= NUMBER)
            return true;
    }
    return false;
}

/* Writes the pattern with its placeholders filled in; `dir` replaces {dir}. */
static void write_filled(FILE *f, const char *pattern, const struct gf_name_parts *p, const char *dir, int dir_length,
                         const struct gf_name_facts *facts)
{
    int length, digits;

    for (; *pattern != '\0'; pattern += length) {
        const enum placeholder what = read_placeholder(pattern, &length, &digits);

        if (what == STEM)
            fprintf(f, "%.*s", p->stem, p->name);
        else if (what == EXT)
            fprintf(f, "%s", p->ext);
        else if (what == DIR)
            fprintf(f, "%.*s", dir_length, dir);
        else if (what == NUMBER && facts->n > 0)
            fprintf(f, "%0*lld", digits, (long long)facts->n);
        else if ((what == COLUMN || what == ROW) && facts->of_tile)
            fprintf(f, "%0*lld", digits, (long long)(what == COLUMN ? facts->x : facts->y));
        else if (what == NOTHING)
            fprintf(f, "%.*s", length = 1, pattern);
        else
            fprintf(f, "%.*s", length, pattern);
    }
}

static char *fill_text(const char *pattern, const char *input, const char *dir, int dir_length,
                       const struct gf_name_facts *facts)
{
    const struct gf_name_parts p = gf_name_parts(strcmp(input, "-") == 0 ? "stdin" : input);
    struct gf_text_output name;
    struct gf_error ignored;
    FILE *f = gf_text_output_open(&name, NULL, NULL, &ignored);

    if (f == NULL)
        return NULL;
    write_filled(f, pattern, &p, dir, dir_length, facts);
    if (gf_text_output_close(&name, f, 0, &ignored) == 0)
        return name.text;
    free(name.text);
    return NULL;
}

/*
 * Returns the folder of an input, without the final slash, except for the root. Unless `base` is -1, it is
 * that below another folder.
 */
static const char *folder_of(const char *input, int base, int *length)
{
    const int before = base > 0 ? base : 0, dir = gf_name_parts(input).dir - before;

    *length = dir > 1 ? dir - 1 : 1;
    return dir > 0 ? input + before : ".";
}

/* A pattern that begins with {dir} means the folder of the input, so {dir} keeps its full name. */
static bool is_beside(const char *pattern)
{
    return strncmp(pattern, "{dir}", 5) == 0;
}

char *gf_name_pattern_fill(const char *pattern, const char *input, int base, int number)
{
    const struct gf_name_facts facts = { .base = is_beside(pattern) ? -1 : base, .n = number };
    int length;
    const char *dir = folder_of(input, facts.base, &length);

    return fill_text(pattern, input, dir, length, &facts);
}

/* ---- outputs ---- */

/* Skips each leading /, ./ and ../ of a folder's name, as tar does. */
static const char *strip_leading(const char *dir, int *length)
{
    const char *end = dir + *length;

    while (dir < end) {
        const size_t left = (size_t)(end - dir), dots = dir[0] != '.' ? 0 : left > 1 && dir[1] == '.' ? 2 : 1;

        if (dir[dots] != '/' && dots != left)
            break;
        dir += dots < left ? dots + 1 : dots;
    }
    *length = (int)(end - dir);
    return dir;
}

int gf_name_pattern_folder(const char *pattern)
{
    int length, digits, folder = 0;

    for (int i = 0; pattern[i] != '\0' && (read_placeholder(pattern + i, &length, &digits) == NOTHING); i++)
        folder = pattern[i] == '/' ? i + 1 : folder;
    return folder;
}

static bool has_parent(const char *path)
{
    for (const char *at = path; (at = strstr(at, "..")) != NULL; at++)
        if ((at == path || at[-1] == '/') && (at[2] == '/' || at[2] == '\0'))
            return true;
    return false;
}

/* Returns true if strip_leading() removed / or ../, which lead to another folder, and not just ./ */
static bool leads_away(const char *dir, const char *stripped)
{
    for (const char *at = dir; at < stripped; at++)
        if (*at == '/' ? at == dir : at[0] == '.' && at[1] == '.')
            return true;
    return false;
}

int gf_name_pattern_fill_output(const char *pattern, const char *input, const struct gf_name_facts *facts,
                                struct gf_filled_name *filled, struct gf_error *err)
{
    const bool beside = is_beside(pattern);
    int length, literal = gf_name_pattern_folder(pattern);
    const char *dir = folder_of(input, beside ? -1 : facts->base, &length), *stripped = dir;

    *filled = (struct gf_filled_name) { 0 };
    if (beside)
        literal = length + gf_name_pattern_folder(pattern + 5);
    else
        stripped = strip_leading(dir, &length);
    filled->stripped = leads_away(dir, stripped) && strstr(pattern, "{dir}") != NULL;
    if (length == 0) {
        stripped = ".";
        length = 1;
    }
    filled->name = fill_text(pattern, input, stripped, length, facts);
    filled->root = filled->name == NULL ? NULL : literal == 0 ? strdup(".") : strndup(filled->name, (size_t)literal);
    if (filled->root == NULL) {
        gf_filled_name_release(filled);
        return gf_fail_memory(err, NULL);
    }
    if (!has_parent(filled->name + literal))
        return 0;
    gf_fail(err, GF_FAILED, "%s: would be written to %s, where .. leads outside the output folder", input,
            filled->name);
    gf_filled_name_release(filled);
    return -1;
}

void gf_filled_name_release(struct gf_filled_name *filled)
{
    free(filled->name);
    free(filled->root);
    *filled = (struct gf_filled_name) { 0 };
}

bool gf_name_pattern_has_percent(const char *name)
{
    for (; (name = strchr(name, '%')) != NULL; name++)
        if (name[1 + strspn(name + 1, "0123456789")] == 'd')
            return true;
    return false;
}
