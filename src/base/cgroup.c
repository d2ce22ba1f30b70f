/* Finds the memory limit of the control group that the program runs in. */
#include "base/cgroup.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_PATH 4096

/* Returns the lower of two limits; 0 means no limit. */
static int64_t lower_limit(int64_t a, int64_t b)
{
    return a == 0 || (b > 0 && b < a) ? b : a;
}

/* Reads the number at the start of a file; 0 for "max" and for anything else that is not a number. */
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

/*
 * Returns the lowest limit from the group at `path` up
 * to the mount, which in a container is its own group.
 */
static int64_t lowest_limit(const char *mount, const char *path, const char *file)
{
    char folder[MAX_PATH], name[2 * MAX_PATH];
    int64_t least = 0;

    /* a path with .. is outside the mount */
    snprintf(folder, sizeof folder, "%s", strstr(path, "/..") == NULL ? path : "");
    for (;;) {
        char *slash = strrchr(folder, '/');

        snprintf(name, sizeof name, "%s%s/%s", mount, folder, file);
        least = lower_limit(least, read_number(name));
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

/*
 * A line is NUMBER:CONTROLLERS:PATH. Version 2 has one
 * line for all controllers, with number 0 and no names.
 */
static int64_t read_line(char *line, const char *mount)
{
    char *controllers = strchr(line, ':'), *path = controllers ? strchr(controllers + 1, ':') : NULL;
    char below[MAX_PATH];

    if (path == NULL)
        return 0;
    *controllers++ = '\0';
    *path++ = '\0';
    path[strcspn(path, "\n")] = '\0';
    if (strcmp(line, "0") == 0 && controllers[0] == '\0')
        return lowest_limit(mount, path, "memory.max");
    if (!names_memory(controllers))
        return 0;
    snprintf(below, sizeof below, "%s/memory", mount);
    return lowest_limit(below, path, "memory.limit_in_bytes");
}

int64_t gf_cgroup_memory(const char *list, const char *mount)
{
    FILE *f = fopen(list, "re");
    char line[MAX_PATH];
    int64_t least = 0;

    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        least = lower_limit(least, read_line(line, mount));
    if (f != NULL)
        fclose(f);
    return least;
}
