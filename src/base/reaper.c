/* Finds out whether process 1 waits for children whose parent is gone. */
#include "base/reaper.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads a whole file, as text. Fails if it does not fit. */
static bool read_text(const char *path, char *text, size_t room)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n, used = 0;

    if (fd < 0)
        return false;
    while ((n = read(fd, text + used, room - (size_t)used)) > 0)
        used += n;
    close(fd);
    if (n < 0 || (size_t)used == room)
        return false;
    text[used] = '\0';
    return true;
}

/* Returns true if the line of /proc/1/status that begins with `name` has SIGCHLD in its set. */
static bool has_sigchld(const char *status, const char *name)
{
    const char *line = strstr(status, name);

    return line != NULL && (strtoull(line + strlen(name), NULL, 16) >> (SIGCHLD - 1) & 1) != 0;
}

static bool is_dead(long pid)
{
    char path[40], text[512];
    const char *state;

    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    state = read_text(path, text, sizeof text) ? strrchr(text, ')') : NULL;
    return state != NULL && strncmp(state, ") Z", 3) == 0;
}

#define MOST_DEAD 20                     /* some look for dead children only now and then */

/*
 * An init either blocks SIGCHLD and waits for it, or ignores it, so that the system removes dead
 * children. For any other process 1, its dead children are counted.
 */
bool gf_reaper_works(void)
{
    char text[8192], *at = text, *end;
    int dead = 0;

    if (getpid() == 1 || !read_text("/proc/1/status", text, sizeof text))
        return false;                    /* all other processes end with process 1, which waits for them */
    if (has_sigchld(text, "\nSigBlk:") || has_sigchld(text, "\nSigIgn:"))
        return true;
    if (!read_text("/proc/1/task/1/children", text, sizeof text))
        return false;
    for (long pid; (pid = strtol(at, &end, 10)) > 0; at = end)
        dead += is_dead(pid);
    return dead < MOST_DEAD;
}
