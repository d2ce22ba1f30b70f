/* Collects the inputs of a batch: named files, files of folders and patterns, and lists of names. */
#define _GNU_SOURCE
#include "base/path.h"
#include "batch/batch.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
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

/* Adds a name. Its first `base` bytes are the folder whose tree outputs keep; -1: they keep none. */
static int add_name(struct gf_batch *b, const char *path, int base, struct gf_error *err)
{
    if (b->count == b->room) {
        const int room = b->room ? 2 * b->room : 64;
        char **more = realloc(b->inputs, (size_t)room * sizeof *more);
        int *bases = more != NULL ? realloc(b->bases, (size_t)room * sizeof *bases) : NULL;

        b->inputs = more != NULL ? more : b->inputs;
        if (bases == NULL)
            return gf_fail_memory(err, NULL);
        b->bases = bases;
        b->room = room;
    }
    b->bases[b->count] = base;
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

/* Finds out what a name that a folder or pattern contains is. Returns false after a warning about a broken link. */
static bool look_at(const struct gf_batch *b, const char *path, struct stat *s)
{
    if (stat(path, s) == 0)
        return true;
    if (lstat(path, s) == 0 && S_ISLNK(s->st_mode))
        gf_warn(b->notices, "broken-link", path, "skipped, because it is a link to a file that does not exist");
    return false;
}

/* Adds a file that a folder or pattern contains. Subfolders are only counted. */
static int add_found(struct gf_batch *b, const char *path, struct gf_batch_search *search, struct gf_error *err)
{
    struct stat s;

    if (!look_at(b, path, &s))
        return 0;
    search->folders += S_ISDIR(s.st_mode);
    return S_ISREG(s.st_mode) ? add_name(b, path, -1, err) : 0;
}

/* ---- the order of names ---- */

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

/* ---- folders in folders ---- */

#define MOST_PARTS 64                    /* of a pattern with ** */

/* A search in the folders below a folder. */
struct walk {
    struct gf_batch *b;
    struct gf_batch_search *search;
    char *part[MOST_PARTS];              /* what a pattern has after the folder, between slashes */
    int parts;                           /* 0: any file */
    int base;                            /* length of the name of the folder, with its slash */
    struct stat outputs;                 /* the folder of outputs, which is not searched; st_ino of 0: there is none */
    char path[PATH_MAX];                 /* of the folder or file where the search is */
};

/* Compares parts of a pattern with those of a name. ** stands for any number of folders. */
static bool matches(char *const *part, int parts, char *const *name, int names)
{
    while (parts > 0 && strcmp(part[0], "**") == 0) {
        part++;
        parts--;
        for (int i = 0; parts > 0 && i < names - 1; i++)
            if (matches(part, parts, name + i, names - i))
                return true;
        if (parts == 0)
            return name[names - 1][0] != '.';
        name += names - 1;
        names = 1;
    }
    return parts > 0 && names > 0 && fnmatch(part[0], name[0], FNM_PERIOD) == 0
        && (parts == 1 || names == 1 ? parts == names : matches(part + 1, parts - 1, name + 1, names - 1));
}

/* Cuts a text at its slashes. Returns the number of parts; -1 if there are more than `most`. */
static int split(char *text, char **part, int most)
{
    char *rest = NULL;
    int n = 0;

    for (char *at = strtok_r(text, "/", &rest); at != NULL; at = strtok_r(NULL, "/", &rest)) {
        if (n == most)
            return -1;
        part[n++] = at;
    }
    return n;
}

static bool is_wanted(const struct walk *w)
{
    char copy[PATH_MAX], *name[PATH_MAX / 2];

    if (w->parts == 0)
        return true;
    strcpy(copy, w->path + w->base);
    return matches(w->part, w->parts, name, split(copy, name, PATH_MAX / 2));
}

static int walk_folder(struct walk *w, struct gf_error *err);

/* Searches a folder in the folder, unless it is a link, which could lead anywhere, or the folder of outputs. */
static int walk_into(struct walk *w, const struct stat *found, struct gf_error *err)
{
    struct stat own;

    if (lstat(w->path, &own) != 0 || S_ISLNK(own.st_mode)) {
        w->search->links++;
        return 0;
    }
    if (w->outputs.st_ino != 0 && found->st_ino == w->outputs.st_ino && found->st_dev == w->outputs.st_dev) {
        gf_note(w->b->notices, "output-folder", w->path, "is the folder of outputs, so it is not searched");
        return 0;
    }
    return walk_folder(w, err);
}

static int walk_entry(struct walk *w, const struct dirent *entry, struct gf_error *err)
{
    const bool hidden = entry->d_name[0] == '.';
    struct stat s;

    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 || (hidden && w->parts == 0))
        return 0;
    if (entry->d_type == DT_REG)
        return is_wanted(w) ? add_name(w->b, w->path, w->base, err) : 0;
    if (!look_at(w->b, w->path, &s))
        return 0;
    if (S_ISDIR(s.st_mode))
        return hidden ? 0 : walk_into(w, &s, err);
    return S_ISREG(s.st_mode) && is_wanted(w) ? add_name(w->b, w->path, w->base, err) : 0;
}

/* Adds the files of the folder w->path and of those in it, in the order of their names. */
static int walk_folder(struct walk *w, struct gf_error *err)
{
    const size_t length = strlen(w->path);
    const char *slash = length == 0 || w->path[length - 1] == '/' ? "" : "/";
    struct dirent **entries = NULL;
    const int n = scandir(length > 0 ? w->path : ".", &entries, NULL, by_entry);
    int result = n < 0 ? gf_fail_system(err, errno, "%s", length > 0 ? w->path : ".") : 0;

    for (int i = 0; i < n; i++) {
        const int room = (int)(sizeof w->path - length);

        if (result == 0 && snprintf(w->path + length, (size_t)room, "%s%s", slash, entries[i]->d_name) >= room)
            result = gf_fail_system(err, ENAMETOOLONG, "%.60s...", w->path);
        if (result == 0)
            result = walk_entry(w, entries[i], err);
        free(entries[i]);
    }
    w->path[length] = '\0';
    free(entries);
    return result;
}

/* Adds the files below a folder that match `pattern`, or all of them. */
static int add_below(struct gf_batch *b, const char *folder, const char *pattern, struct gf_batch_search *search,
                     struct gf_error *err)
{
    const size_t length = strlen(folder), slash = length > 0 && folder[length - 1] != '/';
    const int literal = gf_name_pattern_folder(b->names.text);
    struct walk *w = calloc(1, sizeof *w);
    char *parts = strdup(pattern), *outputs = b->names.folder ? strdup(b->names.text)
                                                              : strndup(b->names.text, (size_t)literal);
    int result = -1;

    if (w == NULL || parts == NULL || outputs == NULL) {
        gf_fail_memory(err, folder);
        goto out;
    }
    w->b = b;
    w->search = search;
    w->base = (int)(length + slash);
    w->parts = split(parts, w->part, MOST_PARTS);
    if (w->parts < 0)
        gf_fail(err, GF_MISUSED, "%s: has more than %d parts after **", search->name, MOST_PARTS);
    else if (length + 1 >= sizeof w->path)
        gf_fail_system(err, ENAMETOOLONG, "%.60s...", folder);
    else {
        if (outputs[0] == '\0' || stat(outputs, &w->outputs) != 0)
            w->outputs.st_ino = 0;
        strcpy(w->path, folder);
        result = walk_folder(w, err);
    }
out:
    free(w);
    free(parts);
    free(outputs);
    return result;
}

/* ---- folders and patterns ---- */

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
        result = b->recursive && gf_path_is_folder(found.gl_pathv[i])
            ? add_below(b, found.gl_pathv[i], "", search, err) : add_found(b, found.gl_pathv[i], search, err);
    globfree(&found);
    return result;
}

/* Returns the first component ** of a pattern, which stands for any number of folders; or NULL. */
static const char *find_deep(const char *pattern)
{
    for (const char *at = strstr(pattern, "**"); at != NULL; at = strstr(at + 1, "**"))
        if ((at == pattern || at[-1] == '/') && (at[2] == '/' || at[2] == '\0'))
            return at;
    return NULL;
}

/* Adds the files that a pattern with ** matches. What is before it is a folder, or a pattern for some. */
static int add_deep_matches(struct gf_batch *b, struct gf_batch_search *search, struct gf_error *err)
{
    const char *deep = find_deep(search->name);
    char *before = strndup(search->name, (size_t)(deep - search->name));
    glob_t found = { 0 };
    int result = before == NULL ? gf_fail_memory(err, search->name) : 0;

    if (result == 0 && (before[0] == '\0' || strpbrk(before, "*?[\\") == NULL)) {
        result = add_below(b, before, deep, search, err);
    } else if (result == 0) {
        if (glob(before, GLOB_NOSORT, NULL, &found) == GLOB_NOSPACE)
            result = gf_fail_memory(err, search->name);
        qsort(found.gl_pathv, found.gl_pathc, sizeof *found.gl_pathv, by_path);
        for (size_t i = 0; result == 0 && i < found.gl_pathc; i++)
            result = gf_path_is_folder(found.gl_pathv[i]) ? add_below(b, found.gl_pathv[i], deep, search, err) : 0;
        globfree(&found);
    }
    free(before);
    return result != 0 || b->count > search->begin ? result
        : gf_fail(err, GF_FAILED, "%s: matches no file", search->name);
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
    result = !folder ? (find_deep(name) != NULL ? add_deep_matches : add_matches)(b, search, err)
           : b->recursive ? add_below(b, name, "", search, err) : add_folder(b, search, err);
    search->end = b->count;
    return result;
}

/* Fails because a folder or pattern has no file of a known format. */
static int fail_without_files(const struct gf_batch_search *s, const struct unknown_files *others, struct gf_error *err)
{
    if (!s->folder)
        return gf_fail(err, GF_FAILED,
                       others->count > 0 ? "%s: matches no image or audio file, only %s"
                                         : "%s: matches only folders; add -R to search them",
                       s->name, others->names);
    if (s->folders > 0)
        return gf_fail(err, GF_FAILED, "%s: contains no image or audio files, only %d folder%s; add -R to search %s",
                       s->name, s->folders, s->folders == 1 ? "" : "s", s->folders == 1 ? "it" : "them");
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
    if (s->links > 0)
        gf_warn(b->notices, "folder-links", s->name, "%d link%s to folders %s not followed; name their targets with -i",
                s->links, s->links == 1 ? "" : "s", s->links == 1 ? "was" : "were");
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
        if (b->inputs[i] != NULL) {
            b->bases[b->count] = b->bases[i];
            b->inputs[b->count++] = b->inputs[i];
        }
    return result;
}

/* Adds a file that was named alone, and notes whether it is after the one before it by number or only by bytes. */
static int add_named(struct gf_batch *b, const char *path, struct gf_error *err)
{
    const char *before = b->named > 0 && b->named == b->count ? b->inputs[b->named - 1] : NULL;

    if (add_name(b, path, -1, err) != 0)
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
        return add_search(b, path, false, err);
    if (path[0] != '\0' && path[strlen(path) - 1] == '/')
        return gf_fail(err, GF_FAILED, "%s: no such folder", path);
    return add_named(b, path, err);
}

int gf_batch_add_literal(struct gf_batch *b, const char *path, struct gf_error *err)
{
    if (strcmp(path, "-") != 0 && gf_path_is_folder(path))
        return gf_fail(err, GF_FAILED, "%s: is a folder, and --untrusted does not search for files; name each file",
                       path);
    return add_name(b, path, -1, err);
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
    return add_name(b, l->name, -1, err);
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
    free(b->bases);
    free(b->search);
}
