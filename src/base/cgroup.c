/* The control group that the program runs in, and how much memory it may have. */
#include "base/cgroup.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PATH 4096

static int64_t lesser(int64_t a, int64_t b)
{
    return a == 0 || (b > 0 && b < a) ? b : a;
}

/* The number that a file begins with; 0 where it says "max", or nothing that makes sense. */
static int64_t read_number(const char *name)
{
    char text[32] = "", *end;
    FILE *f = fopen(name, "re");
    long long n = 0;

    if (f == NULL)
        return 0;
    if (fgets(text, sizeof text, f) != NULL) {
        errno = 0;
        n = strtoll(text, &end, 10);
        if (end == text || errno != 0 || n < 0)
            n = 0;
    }
    fclose(f);
    return n;
}

/* From the group at `path` up to the one at the mount itself, which in a container is its own. */
static int64_t least_above(const char *mount, const char *path, const char *file)
{
    char folder[MOST_PATH], name[2 * MOST_PATH];
    int64_t least = 0;

    snprintf(folder, sizeof folder, "%s", strstr(path, "/..") == NULL ? path : "");      /* it lies beyond the mount */
    for (;;) {
        char *slash = strrchr(folder, '/');

        snprintf(name, sizeof name, "%s%s/%s", mount, folder, file);
        least = lesser(least, read_number(name));
        if (slash == NULL)
            return least;
        *slash = '\0';
    }
}

static bool names_memory(const char *controllers)
{
    for (const char *at = controllers; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, "memory", 6) == 0 && (at[6] == ',' || at[6] == '\0'))
            return true;
    }
    return false;
}

/* A line is NUMBER:CONTROLLERS:PATH; version 2 has one for all, numbered 0, that names none. */
static int64_t of_line(char *line, const char *mount)
{
    char *controllers = strchr(line, ':'), *path = controllers ? strchr(controllers + 1, ':') : NULL;
    char below[MOST_PATH];

    if (path == NULL)
        return 0;
    *controllers++ = '\0';
    *path++ = '\0';
    path[strcspn(path, "\n")] = '\0';
    if (strcmp(line, "0") == 0 && controllers[0] == '\0')
        return least_above(mount, path, "memory.max");
    if (!names_memory(controllers))
        return 0;
    snprintf(below, sizeof below, "%s/memory", mount);
    return least_above(below, path, "memory.limit_in_bytes");
}

int64_t gf_cgroup_memory(const char *list, const char *mount)
{
    FILE *f = fopen(list, "re");
    char line[MOST_PATH];
    int64_t least = 0;

    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        least = lesser(least, of_line(line, mount));
    if (f != NULL)
        fclose(f);
    return least;
}
