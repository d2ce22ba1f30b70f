/* The files of the system that a confined run may use. */
#define _GNU_SOURCE
#include "base/sandbox_system.h"

#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Some libraries are opened late: libsndfile, libtiff and others of late_library.h, libchafa, cuFFT,
 * nvJPEG, the driver. They are in these folders.
 */
static const char *const libraries[] = {
    "/usr", "/lib", "/lib64", "/opt/cuda", "/nix/store", "/gnu/store", "/run/opengl-driver", "/etc/ld.so.cache", NULL
};

/*
 * In /proc, Landlock denies the memory and the environment of other processes. A rule for
 * /proc/self alone would be lost when the kernel drops its entry from memory.
 */
static const char *const facts[] = { "/proc", "/sys/fs/cgroup", "/sys/devices/system", NULL };

static const char *const devices[] = { "/dev/null", "/dev/zero", NULL };

static void allow_all(struct gf_sandbox *s, const char *const *paths, enum gf_sandbox_use use)
{
    for (; *paths != NULL; paths++)
        gf_sandbox_allow(s, *paths, use);
}

/*
 * Allows each folder of a list with colons. Names that do not begin at the root mean the current
 * folder or one below it, which can have any files of the user.
 */
static void allow_list(struct gf_sandbox *s, const char *list)
{
    char folder[4096];

    while (list != NULL && *list != '\0') {
        const size_t length = strcspn(list, ":;");

        snprintf(folder, sizeof folder, "%.*s", (int)length, list);
        if (folder[0] == '/' && length < sizeof folder)
            gf_sandbox_allow(s, folder, GF_SANDBOX_READ);
        list += length + (list[length] != '\0');
    }
}

/* Returns true if a folder is "lib", "lib64" or "lib32", or is below one, and is not the user's home. */
static bool is_for_libraries(const char *folder)
{
    const char *home = getenv("HOME");

    if (home != NULL && strcmp(folder, home) == 0)
        return false;
    for (const char *at = strstr(folder, "/lib"); at != NULL; at = strstr(at + 1, "/lib")) {
        const size_t bits = strncmp(at + 4, "64", 2) == 0 || strncmp(at + 4, "32", 2) == 0 ? 2 : 0;

        if (at[4 + bits] == '\0' || at[4 + bits] == '/')
            return true;
    }
    return false;
}

/*
 * Allows the folder of a library that is loaded already, because those that are loaded later may be
 * beside it. A library elsewhere than in a folder "lib" may be in the user's home.
 */
static int allow_beside(struct dl_phdr_info *library, size_t size, void *sandbox)
{
    const char *name = library->dlpi_name, *slash = strrchr(name, '/');
    char folder[4096];

    (void)size;
    if (slash == NULL || strncmp(name, "/usr/", 5) == 0 || strncmp(name, "/lib", 4) == 0)
        return 0;
    snprintf(folder, sizeof folder, "%.*s", (int)(slash - name), name);
    if (is_for_libraries(folder))
        gf_sandbox_allow(sandbox, folder, GF_SANDBOX_READ);
    return 0;
}

void gf_sandbox_allow_system(struct gf_sandbox *s)
{
    allow_all(s, libraries, GF_SANDBOX_LIST);
    allow_list(s, getenv("LD_LIBRARY_PATH"));
    dl_iterate_phdr(allow_beside, s);
    allow_all(s, facts, GF_SANDBOX_LIST);
    allow_all(s, devices, GF_SANDBOX_WRITE);
    gf_sandbox_allow(s, "/dev/urandom", GF_SANDBOX_READ);
}
