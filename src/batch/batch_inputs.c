/* Collects the inputs of a batch: named files, files of folders and patterns, and lists of names. */
#define _GNU_SOURCE
#include "base/path.h"
#include "base/shell_line.h"
#include "batch/batch.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Limits of a list of names, because it may come from a program that does not end. */
#define MOST_NAMES 4000000
#define MOST_NAMES_MB 256

static int add_name(struct gf_batch *b, const char *path, struct gf_error *err)
{
    if (b->count == b->room) {
        const int room = b->room ? 2 * b->room : 64;
        char **more = realloc(b->inputs, (size_t)room * sizeof *more);

        if (more == NULL)
            return gf_fail_memory(err, NULL);
        b->inputs = more;
        b->room = room;
    }
    b->inputs[b->count] = strdup(path);
    return b->inputs[b->count++] ? 0 : gf_fail_memory(err, NULL);
}

/* Files of a folder in unknown formats: their number, and the first few names. */
struct unknown_files {
    int count;
    char names[200];
};

/*
 * Returns true if the extension or the content of a file
 * is of a known format; counts it in *others if not.
 */
static bool is_known(const struct gf_batch *b, const char *path, struct unknown_files *others)
{
    const char *slash = strrchr(path, '/');
    const size_t used = strlen(others->names);

    if (b->from != NULL || gf_reader_kinds(path) != 0 || gf_reader_knows(path) != 0)
        return true;
    if (others->count++ < 3)
        snprintf(others->names + used, sizeof others->names - used, "%s%.60s", used > 0 ? ", " : "",
                 slash ? slash + 1 : path);
    else if (others->count == 4)
        snprintf(others->names + used, sizeof others->names - used, ", ...");
    return false;
}

/* Adds a file that a folder or pattern contains. Subfolders are only counted. */
static int add_found(struct gf_batch *b, const char *path, struct gf_batch_search *search, struct gf_error *err)
{
    struct stat s;

    if (stat(path, &s) != 0) {
        if (lstat(path, &s) == 0 && S_ISLNK(s.st_mode))
            gf_warn(b->notices, "broken-link", path, "skipped, because it is a link to a file that does not exist");
        return 0;
    }
    search->folders += S_ISDIR(s.st_mode);
    return S_ISREG(s.st_mode) ? add_name(b, path, err) : 0;
}

/* ---- folders and patterns ---- */

static size_t count_digits(const char *s)
{
    size_t n = 0;

    while (isdigit((unsigned char)s[n]))
        n++;
    return n;
}

/*
 * Compares names for the order of inputs: digits by their value, so that 2 comes before 10, and everything
 * else by bytes. Of names that differ only in leading zeros, the shorter number comes first.
 */
static int compare_names(const char *a, const char *b)
{
    int zeros = 0;

    while (*a != '\0' && *b != '\0') {
        const size_t skip_a = strspn(a, "0"), skip_b = strspn(b, "0");
        const size_t m = count_digits(a), n = count_digits(b);
        int order;

        if (m == 0 || n == 0) {
            if (*a != *b)
                break;
            a++;
            b++;
            continue;
        }
        order = m - skip_a != n - skip_b ? (m - skip_a < n - skip_b ? -1 : 1)
                                         : memcmp(a + skip_a, b + skip_b, m - skip_a);
        if (order != 0)
            return order;
        if (zeros == 0 && m != n)
            zeros = m < n ? -1 : 1;
        a += m;
        b += n;
    }
    return *a != *b ? (unsigned char)*a - (unsigned char)*b : zeros;
}

static int by_entry(const struct dirent **a, const struct dirent **b)
{
    return compare_names((*a)->d_name, (*b)->d_name);
}

static int by_path(const void *a, const void *b)
{
    return compare_names(*(char *const *)a, *(char *const *)b);
}

/* Adds the files of a folder, except hidden ones. */
static int add_folder(struct gf_batch *b, struct gf_batch_search *search, struct gf_error *err)
{
    const char *slash = search->name[strlen(search->name) - 1] == '/' ? "" : "/";
    struct dirent **entries = NULL;
    const int n = scandir(search->name, &entries, NULL, by_entry);
    int result = n < 0 ? gf_fail_system(err, errno, "%s", search->name) : 0;

    for (int i = 0; i < n; i++) {
        char path[PATH_MAX + NAME_MAX + 2];

        snprintf(path, sizeof path, "%s%s%s", search->name, slash, entries[i]->d_name);
        if (result == 0 && entries[i]->d_name[0] != '.')
            result = add_found(b, path, search, err);
        free(entries[i]);
    }
    free(entries);
    return result;
}

/* Adds the files that a quoted shell pattern with *, ? or [ matches. */
static int add_matches(struct gf_batch *b, struct gf_batch_search *search, struct gf_error *err)
{
    glob_t found;
    int result = glob(search->name, GLOB_NOSORT, NULL, &found);

    if (result != 0)
        return result == GLOB_NOSPACE ? gf_fail_memory(err, search->name)
                                      : gf_fail(err, GF_FAILED, "%s: matches no file", search->name);
    qsort(found.gl_pathv, found.gl_pathc, sizeof *found.gl_pathv, by_path);
    for (size_t i = 0; result == 0 && i < found.gl_pathc; i++)
        result = add_found(b, found.gl_pathv[i], search, err);
    globfree(&found);
    return result;
}

/* Adds the files of a folder or pattern, and notes which they are. */
static int add_search(struct gf_batch *b, const char *name, bool folder, struct gf_error *err)
{
    struct gf_batch_search *more = realloc(b->search, (size_t)(b->searches + 1) * sizeof *more), *search;
    int result;

    if (more == NULL)
        return gf_fail_memory(err, NULL);
    b->search = more;
    search = &more[b->searches++];
    *search = (struct gf_batch_search) { .name = name, .folder = folder, .begin = b->count };
    b->many = true;
    result = (folder ? add_folder : add_matches)(b, search, err);
    search->end = b->count;
    return result;
}

/*
 * Writes the command with find(1) for the files below a folder, the first `length` bytes of `folder`, whose names
 * match `leaf` unless that is empty. Hidden files are left out, as by a pattern.
 */
static void advise_find(struct gf_shell_line *line, const char *folder, size_t length, const char *leaf)
{
    char base[PATH_MAX], hidden[PATH_MAX + 4];

    snprintf(base, sizeof base, "%s%.*s", length == 0 ? "." : strchr("-(!,", *folder) != NULL ? "./" : "", (int)length,
             folder);
    snprintf(hidden, sizeof hidden, "%s*/.*", strstr(base, "/.") != NULL ? base : "");
    gf_shell_line_put_name(line, "find -L ", base);
    gf_shell_line_put(line, " -type f");
    if (*leaf != '\0' && strcmp(leaf, "*") != 0)
        gf_shell_line_put_name(line, " -name ", leaf);
    if (*leaf != '.')
        gf_shell_line_put_name(line, " ! -path ", hidden);
    gf_shell_line_put(line, " -print0 | sort -zV | gpufilter --files-from - -0 ...");
    if (line->full || strcspn(folder, "*?[\\") < length || strchr(leaf, '/') != NULL)
        *line = (struct gf_shell_line) { .text = "find ... -print0 | gpufilter --files-from - -0 ..." };
}

/* Fails because a folder or pattern has no file of a known format. */
static int fail_without_files(const struct gf_batch_search *s, const struct unknown_files *others, struct gf_error *err)
{
    struct gf_shell_line line = { .text = "" };

    if (!s->folder)
        return gf_fail(err, GF_FAILED,
                       others->count > 0 ? "%s: matches no image or audio file, only %s"
                                         : "%s: matches only folders; name one of them with -i",
                       s->name, others->names);
    advise_find(&line, s->name, strlen(s->name), "");
    if (s->folders > 0)
        return gf_fail(err, GF_FAILED,
                       "%s: contains no image or audio files, only %d folder%s, which -i does not search; use: %s",
                       s->name, s->folders, s->folders == 1 ? "" : "s", line.text);
    if (others->count > 0)
        return gf_fail(err, GF_FAILED, "%s: contains no image or audio files, only %s", s->name, others->names);
    return gf_fail(err, GF_FAILED, "%s: contains no files", s->name);
}

/* Frees the names of unknown files, and leaves gaps. */
static int drop_unknown(struct gf_batch *b, const struct gf_batch_search *s, struct gf_error *err)
{
    struct unknown_files others = { 0 };
    bool any = false;

    for (int i = s->begin; i < s->end; i++)
        if (is_known(b, b->inputs[i], &others)) {
            any = true;
        } else {
            free(b->inputs[i]);
            b->inputs[i] = NULL;
        }
    if (!any)
        return fail_without_files(s, &others, err);
    if (others.count > 0)
        gf_warn(b->notices, "strangers", s->name,
                others.count == 1 ? "%d file is neither an image nor audio and was skipped: %s"
                                  : "%d files are neither images nor audio and were skipped: %s",
                others.count, others.names);
    b->folders += s->folders;
    return 0;
}

int gf_batch_drop_unknown(struct gf_batch *b, struct gf_error *err)
{
    const int count = b->count;
    int result = 0;

    for (int k = 0; result == 0 && k < b->searches; k++)
        result = drop_unknown(b, &b->search[k], err);
    b->count = b->searches = 0;
    for (int i = 0; i < count; i++)
        if (b->inputs[i] != NULL)
            b->inputs[b->count++] = b->inputs[i];
    return result;
}

/* Returns the first component ** of a pattern, which stands for any number of folders in a shell; or NULL. */
static const char *find_deep(const char *pattern)
{
    for (const char *at = strstr(pattern, "**"); at != NULL; at = strstr(at + 1, "**"))
        if ((at == pattern || at[-1] == '/') && (at[2] == '/' || at[2] == '\0'))
            return at;
    return NULL;
}

/* Fails because ** would match one level of folders only, as * does. */
static int fail_deep(const char *pattern, const char *deep, struct gf_error *err)
{
    struct gf_shell_line line = { .text = "" };
    size_t length = (size_t)(deep - pattern);

    while (length > 1 && pattern[length - 1] == '/')
        length--;
    advise_find(&line, pattern, length, deep + 2 + strspn(deep + 2, "/"));
    return gf_fail(err, GF_MISUSED, "%s: ** does not search folders in folders; use: %s", pattern, line.text);
}

/* Adds a file that was named alone, and notes whether it is after the one before it by number or only by bytes. */
static int add_named(struct gf_batch *b, const char *path, struct gf_error *err)
{
    const char *before = b->named > 0 && b->named == b->count ? b->inputs[b->named - 1] : NULL;

    if (add_name(b, path, err) != 0)
        return -1;
    if (before != NULL && compare_names(before, path) > 0) {
        b->ordered = b->ordered || strcmp(before, path) > 0;
        b->unsorted = b->unsorted > 0 ? b->unsorted : b->count;
    }
    b->named = b->count;
    return 0;
}

void gf_batch_warn_order(const struct gf_batch *b)
{
    if (b->unsorted > 0 && !b->ordered)
        gf_warn(b->notices, "shell-order", b->inputs[b->unsorted - 1],
                "comes after %s, as the shell sorts; put the pattern in quotes for the order of numbers",
                b->inputs[b->unsorted - 2]);
}

int gf_batch_add(struct gf_batch *b, const char *path, struct gf_error *err)
{
    if (strcmp(path, "-") != 0 && gf_path_is_folder(path))
        return add_search(b, path, true, err);
    if (strpbrk(path, "*?[") != NULL && access(path, F_OK) != 0)
        return find_deep(path) != NULL ? fail_deep(path, find_deep(path), err) : add_search(b, path, false, err);
    if (path[0] != '\0' && path[strlen(path) - 1] == '/')
        return gf_fail(err, GF_FAILED, "%s: no such folder", path);
    return add_named(b, path, err);
}

int gf_batch_add_literal(struct gf_batch *b, const char *path, struct gf_error *err)
{
    if (strcmp(path, "-") != 0 && gf_path_is_folder(path))
        return gf_fail(err, GF_FAILED, "%s: is a folder, and --untrusted does not search for files; name each file",
                       path);
    return add_name(b, path, err);
}

/* A list of names that is being read. */
struct name_list {
    FILE *file;
    const char *called;              /* for messages */
    int end;                         /* the byte after each name */
    int64_t lines, names, bytes;     /* read so far; empty lines are no names */
    char name[PATH_MAX];
};

static int fail_line(const struct name_list *l, const char *why, struct gf_error *err)
{
    return gf_fail(err, GF_FAILED, "%s: %s %lld %s", l->called, l->end == '\0' ? "name" : "line",
                   (long long)l->lines + 1, why);
}

static int fail_reading(const struct name_list *l, struct gf_error *err)
{
    return errno == ENOMEM ? gf_fail_memory(err, l->called)
                           : gf_fail_system(err, errno, "%s", l->called);
}

/* Reads the next line to l->name, which may be empty. Returns 1, 0 at the end of the list, or -1. */
static int read_line(struct name_list *l, struct gf_error *err)
{
    size_t n = 0;
    int c;

    errno = 0;
    while ((c = getc_unlocked(l->file)) != EOF && c != l->end) {
        if (c == '\0')
            return fail_line(l, "contains a zero byte; use -0 if names end with zero bytes", err);
        if (n == sizeof l->name - 1)
            return fail_line(l, l->end == '\0' ? "is too long for a file name; use -0 only if names end with zero bytes"
                                               : "is too long for a file name; names must be on lines of their own",
                             err);
        l->name[n++] = (char)c;
    }
    l->name[n] = '\0';
    if (ferror(l->file))
        return fail_reading(l, err);
    l->bytes += (int64_t)n + (c != EOF);
    l->lines++;
    if (l->bytes > (int64_t)MOST_NAMES_MB << 20)
        return gf_fail(err, GF_FAILED, "%s: has more than %d MB of names; split the list", l->called, MOST_NAMES_MB);
    return c != EOF || n > 0;
}

/* Adds the name that was read. */
static int add_line(struct gf_batch *b, struct name_list *l, struct gf_error *err)
{
    const size_t n = strlen(l->name);

    if (l->end == '\n' && n > 0 && l->name[n - 1] == '\r' && access(l->name, F_OK) != 0)
        l->name[n - 1] = '\0';                   /* a list from Windows, unless the name does end so */
    if (l->name[0] == '\0')
        return 0;
    if (l->names++ == MOST_NAMES)
        return gf_fail(err, GF_FAILED, "%s: has more than %d names; split the list", l->called, MOST_NAMES);
    return add_name(b, l->name, err);
}

int gf_batch_add_list(struct gf_batch *b, const char *list, bool nul, struct gf_error *err)
{
    const bool standard = strcmp(list, "-") == 0;
    struct name_list l = { .file = standard ? stdin : fopen(list, "r"), .called = standard ? "standard input" : list,
                           .end = nul ? '\0' : '\n' };
    int more = 1;

    if (l.file == NULL)
        return gf_fail_system(err, errno, "%s", list);
    b->many = true;
    while (more > 0) {
        more = read_line(&l, err);
        if (more > 0 && add_line(b, &l, err) != 0)
            more = -1;
    }
    if (!standard)
        fclose(l.file);
    return more;
}

void gf_batch_release(struct gf_batch *b)
{
    for (int i = 0; i < b->count; i++)
        free(b->inputs[i]);
    free(b->inputs);
    free(b->search);
}
