/* File names: extensions, symbolic links, folders, and whether two names mean one file. */
#define _GNU_SOURCE
#include "base/path.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool gf_path_is_standard(const char *path)
{
    return path == NULL || strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0
        || gf_path_descriptor(path) == STDOUT_FILENO;
}

int gf_path_descriptor(const char *path)
{
    static const char *const folders[] = { "/dev/fd/", "/proc/self/fd/" };

    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        const char *number = strncmp(path, folders[i], strlen(folders[i])) == 0 ? path + strlen(folders[i]) : "";
        const size_t digits = strspn(number, "0123456789");

        if (digits >= 1 && digits <= 9 && number[digits] == '\0')
            return atoi(number);
    }
    return -1;
}

const char *gf_path_extension(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *leaf = slash == NULL ? path : slash + 1;
    const char *dot = strrchr(leaf, '.');

    return dot == NULL || dot == leaf ? "" : dot + 1;
}

char *gf_path_beside(const char *path, const char *leaf)
{
    const char *slash = strrchr(path, '/');
    int dir = slash == NULL ? 0 : (int)(slash - path) + 1;
    char *name;

    return asprintf(&name, "%.*s%s", dir, path, leaf) < 0 ? NULL : name;
}

char *gf_path_resolve_links(const char *path)
{
    char link[PATH_MAX];
    char *at = realpath(path, NULL);

    if (at != NULL || errno != ENOENT)
        return at;
    at = strdup(path);
    for (int hops = 0; at != NULL && hops < 40; hops++) {                /* 40: as many links as Linux follows */
        ssize_t length = readlink(at, link, sizeof link - 1);
        char *next;

        if (length < 0)
            return at;
        link[length] = '\0';
        next = link[0] == '/' ? strdup(link) : gf_path_beside(at, link);
        free(at);
        at = next;
    }
    errno = at != NULL ? ELOOP : ENOMEM;
    free(at);
    return NULL;
}

int gf_path_check_beneath(const char *root, const char *folder, const char *name, struct gf_error *err)
{
    char *outer = realpath(root, NULL), *inner = outer != NULL ? realpath(folder, NULL) : NULL;
    const size_t length = outer != NULL ? strlen(outer) : 0;
    int result = 0;

    if (outer == NULL || inner == NULL)
        result = errno == ENOMEM
            ? gf_fail_memory(err, name)
            : gf_fail_system(err, errno, "%s: cannot resolve the folder of this file", name);
    else if (strncmp(inner, outer, length) != 0
             || !(inner[length] == '\0' || inner[length] == '/' || outer[length - 1] == '/'))
        result = gf_fail(err, GF_FAILED, "%s: a symbolic link leads outside %s; name the target folder with -o", name,
                         root);
    free(outer);
    free(inner);
    return result;
}

int gf_path_make_folders(const char *path, const char *root, struct gf_notices *notices, struct gf_error *err)
{
    const size_t literal = root == NULL || strcmp(root, ".") == 0 ? 0 : strlen(root);
    char folder[PATH_MAX];
    struct stat st;

    if (strlen(path) >= sizeof folder)               /* before a part of the folders exists */
        return gf_fail_system(err, ENAMETOOLONG, "%.60s...", path);
    for (const char *slash = strchr(path, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        const int n = (int)(slash - path);

        if (n == 0)
            continue;
        snprintf(folder, sizeof folder, "%.*s", n, path);
        if (stat(folder, &st) == 0) {
            if (root != NULL && (size_t)n >= literal && gf_path_check_beneath(root, folder, folder, err) != 0)
                return -1;
            continue;
        }
        if (mkdir(folder, 0777) == 0) {
            gf_note_folder(notices, folder);
        } else if (errno != EEXIST) {                        /* another worker may have created it */
            return gf_fail_system(err, errno, "%s: cannot create the folder", folder);
        }
    }
    return 0;
}

static int stat_output(const char *path, struct stat *st)
{
    return gf_path_is_standard(path) ? fstat(STDOUT_FILENO, st) : stat(path, st);
}

/* Returns the absolute name of a file that does not exist yet, if its folder does; else NULL. */
static char *absolute_name(const char *path)
{
    char *target = gf_path_resolve_links(path), *dot = target ? gf_path_beside(target, ".") : NULL;
    char *folder = dot ? realpath(dot, NULL) : NULL, *name = NULL;
    const char *slash = target ? strrchr(target, '/') : NULL;

    if (folder != NULL && asprintf(&name, "%s/%s", folder, slash ? slash + 1 : target) < 0)
        name = NULL;
    free(target);
    free(dot);
    free(folder);
    return name;
}

bool gf_path_same(const char *a, const char *b)
{
    struct stat first, second;
    const int no_first = stat_output(a, &first), no_second = stat_output(b, &second);
    char *x, *y;
    bool same;

    if (strcmp(a, b) == 0)
        return true;
    if (no_first != no_second)
        return false;
    if (no_first == 0)                               /* devices and pipes may have several writers */
        return S_ISREG(first.st_mode) && first.st_dev == second.st_dev && first.st_ino == second.st_ino;
    x = absolute_name(a);
    y = absolute_name(b);
    same = x != NULL && y != NULL && strcmp(x, y) == 0;
    free(x);
    free(y);
    return same;
}

bool gf_path_is_folder(const char *path)
{
    struct stat s;

    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

bool gf_path_is_newer(const char *path, const char *than)
{
    struct stat o, i;

    if (stat(path, &o) != 0 || stat(than, &i) != 0)
        return false;
    return o.st_mtim.tv_sec > i.st_mtim.tv_sec
        || (o.st_mtim.tv_sec == i.st_mtim.tv_sec && o.st_mtim.tv_nsec >= i.st_mtim.tv_nsec);
}
