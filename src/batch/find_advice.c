/* Translates a pattern with ** to find(1), so that its files can be read with --files-from. */
#include "batch/find_advice.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#define TEXT_BYTES (2 * PATH_MAX)

/* Text under construction. A name that does not fit is cut, and too long for advice. */
struct text {
    char bytes[TEXT_BYTES];
    size_t used;
};

static void put(struct text *t, const char *bytes, size_t length)
{
    if (t->used + length >= sizeof t->bytes)
        return;
    memcpy(t->bytes + t->used, bytes, length);
    t->used += length;
}

static void put_letter(struct text *t, char letter)
{
    put(t, &letter, 1);
}

static bool is_deep(const char *component, size_t length)
{
    return length == 2 && component[0] == '*' && component[1] == '*';
}

bool gf_find_advice_needed(const char *pattern)
{
    for (size_t n; *pattern != '\0'; pattern += n + (pattern[n] == '/')) {
        n = strcspn(pattern, "/");
        if (is_deep(pattern, n))
            return true;
    }
    return false;
}

/* Returns the length of the folder before the first component with a wildcard, without its slash, except for /. */
static size_t base_length(const char *pattern)
{
    size_t wild = 0, end;

    while (pattern[wild] != '\0' && strchr("*?[", pattern[wild]) == NULL)
        wild += pattern[wild] == '\\' && pattern[wild + 1] != '\0' ? 2 : 1;
    for (end = wild; end > 0 && pattern[end - 1] != '/'; end--)
        ;
    while (end > 1 && pattern[end - 1] == '/')
        end--;
    return end;
}

/* Appends a literal letter to a regular expression of find. */
static void put_literal(struct text *t, char letter)
{
    if (strchr("\\.^$*+?[", letter) != NULL)
        put_letter(t, '\\');
    put_letter(t, letter);
}

/* Appends a set such as [a-z] or [!a-z] at `set` and returns its length; 0: its bracket is a letter. */
static size_t put_set(struct text *t, const char *set, size_t length)
{
    const size_t negated = length > 1 && set[1] == '!';
    size_t end = 2 + negated;                    /* the first member may be ] */

    while (end < length && set[end] != ']')
        end++;
    if (end >= length)
        return 0;
    put(t, negated ? "[^" : "[", 1 + negated);
    put(t, set + 1 + negated, end - negated);
    return end + 1;
}

/* Appends one component of a pattern as a regular expression. */
static void put_component(struct text *t, const char *at, size_t length)
{
    for (size_t i = 0, set; i < length; i += set > 0 ? set : 1) {
        set = at[i] == '[' ? put_set(t, at + i, length - i) : 0;
        if (set > 0)
            continue;
        if (at[i] == '\\' && i + 1 < length)
            put_literal(t, at[++i]);
        else if (at[i] == '*')
            put(t, "[^/]*", 5);
        else if (at[i] == '?')
            put(t, "[^/]", 4);
        else
            put_literal(t, at[i]);
    }
}

/* Appends the components from `at` to `end` as a regular expression. */
static void put_components(struct text *t, const char *at, const char *end)
{
    for (size_t n; at < end; at += n + 1) {
        n = strcspn(at, "/");
        n = n < (size_t)(end - at) ? n : (size_t)(end - at);
        if (n == 0)
            continue;
        if (is_deep(at, n)) {
            put(t, at + n < end ? "\\(.*/\\)*" : ".*", at + n < end ? 8 : 2);
            continue;
        }
        put_component(t, at, n);
        if (at + n < end)
            put_letter(t, '/');
    }
}

/* Appends the tests of find for the components after the folder: by the last name if that is enough. */
static void put_tests(struct gf_shell_line *line, const struct text *base, const char *rest, const char *end)
{
    const char *leaf = end;
    struct text test = { .used = 0 };

    while (leaf > rest && leaf[-1] != '/')
        leaf--;
    if (is_deep(rest, strcspn(rest, "/")) && (leaf == rest || leaf == rest + 3)) {
        if (is_deep(leaf, (size_t)(end - leaf)) || (end - leaf == 1 && *leaf == '*'))
            return;
        put(&test, leaf, (size_t)(end - leaf));
        gf_shell_line_put_name(line, " -name ", test.bytes);
        return;
    }
    for (size_t i = 0; i < base->used; i++)
        put_literal(&test, base->bytes[i]);
    if (base->bytes[base->used - 1] != '/')
        put_letter(&test, '/');
    put_components(&test, rest, end);
    gf_shell_line_put_name(line, " -regex ", test.bytes);
}

/* Returns true if a component of the pattern begins with a dot, and so means hidden files. */
static bool wants_hidden(const char *rest)
{
    return rest[0] == '.' || strstr(rest, "/.") != NULL;
}

/* Appends a test that leaves out hidden files below the folder, as a pattern does. */
static void put_hidden(struct gf_shell_line *line, const struct text *base)
{
    struct text test = { .used = 0 };

    for (size_t i = 0; strstr(base->bytes, "/.") != NULL && i < base->used; i++) {
        if (strchr("*?[\\", base->bytes[i]) != NULL)
            put_letter(&test, '\\');
        put_letter(&test, base->bytes[i]);
    }
    put(&test, "*/.*", 4);
    gf_shell_line_put_name(line, " ! -path ", test.bytes);
}

/* Writes the command for the folder `base` and the components from `rest` to `end` below it. */
static void put_command(struct gf_shell_line *line, const struct text *base, const char *rest, const char *end)
{
    gf_shell_line_put_name(line, "find -L ", base->bytes);
    gf_shell_line_put(line, " -type f");
    put_tests(line, base, rest, end);
    if (!wants_hidden(rest))
        put_hidden(line, base);
    gf_shell_line_put(line, " -print0 | sort -zV | gpufilter --files-from - -0 ...");
    if (line->full)
        *line = (struct gf_shell_line) { .text = "find ... -print0 | gpufilter --files-from - -0 ..." };
}

/* Begins the name of a folder, which must not look like an option or an operator of find. */
static void begin_base(struct text *base, const char *name)
{
    if (name[0] != '\0' && strchr("-(!,", name[0]) != NULL)
        put(base, "./", 2);
}

void gf_find_advice_pattern(const char *pattern, struct gf_shell_line *line)
{
    const size_t length = base_length(pattern);
    const char *rest = pattern + length, *end = pattern + strlen(pattern);
    struct text base = { .used = 0 };

    begin_base(&base, pattern);
    for (size_t i = 0; i < length; i++)
        put_letter(&base, pattern[i] == '\\' && i + 1 < length ? pattern[++i] : pattern[i]);
    if (base.used == 0)
        put_letter(&base, '.');
    while (*rest == '/')
        rest++;
    while (end > rest && end[-1] == '/')
        end--;
    put_command(line, &base, rest, end);
}

void gf_find_advice_folder(const char *folder, struct gf_shell_line *line)
{
    static const char all[] = "**";
    struct text base = { .used = 0 };

    begin_base(&base, folder);
    put(&base, folder, strlen(folder));
    put_command(line, &base, all, all + 2);
}
