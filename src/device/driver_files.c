/* The files of NVIDIA's driver, also on WSL and Tegra. */
#define _GNU_SOURCE
#include "device/driver_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How names in /dev begin that belong to the driver. */
static const char *const own_devices[] = { "nvidia", "nvhost", "nvmap", "nvgpu", "dxg", NULL };
static const char *const facts[] = { "/sys", "/etc/nvidia", "/etc/nv_tegra_release", "/run/nvidia", NULL };

/*
 * Calls use() for each of the driver's devices until it returns true. glob() would crash in some C
 * libraries if memory is short.
 */
static bool find_devices(bool (*use)(const char *path, struct gf_sandbox *s), struct gf_sandbox *s)
{
    DIR *folder = opendir("/dev");
    const struct dirent *entry;
    bool found = false;

    while (!found && folder != NULL && (entry = readdir(folder)) != NULL)
        for (const char *const *begin = own_devices; !found && *begin != NULL; begin++)
            if (strncmp(entry->d_name, *begin, strlen(*begin)) == 0) {
                char path[sizeof entry->d_name + sizeof "/dev/"];

                snprintf(path, sizeof path, "/dev/%s", entry->d_name);
                found = use(path, s);
            }
    if (folder != NULL)
        closedir(folder);
    return found;
}

static bool stop_there(const char *path, struct gf_sandbox *s)
{
    (void)path;
    (void)s;
    return true;
}

bool gf_driver_files_exist(void)
{
    return find_devices(stop_there, NULL);
}

static bool allow_device(const char *path, struct gf_sandbox *s)
{
    gf_sandbox_allow(s, path, GF_SANDBOX_WRITE);
    return false;
}

/* Returns the folder of the pipes and sockets of MPS. */
static const char *mps_folder(void)
{
    const char *folder = getenv("CUDA_MPS_PIPE_DIRECTORY");

    return folder != NULL && folder[0] != '\0' ? folder : "/tmp/nvidia-mps";
}

bool gf_driver_files_mps(void)
{
    return access(mps_folder(), F_OK) == 0;
}

/* Allows the cache of kernels that the driver has compiled for a GPU that is newer than the program. */
static void allow_kernel_cache(struct gf_sandbox *s, enum gf_sandbox_use use)
{
    const char *cache = getenv("CUDA_CACHE_PATH"), *home = getenv("HOME");
    char path[4096];

    if (cache != NULL && cache[0] != '\0')
        gf_sandbox_allow(s, cache, use);
    else if (home != NULL && snprintf(path, sizeof path, "%s/.nv/ComputeCache", home) < (int)sizeof path)
        gf_sandbox_allow(s, path, use);
}

/*
 * The driver writes the names of its threads into /proc, and does not start without them. The
 * folder stays open, because the rule is lost when the kernel drops its entry from memory.
 */
static void allow_thread_names(struct gf_sandbox *s)
{
    static int kept = -1;

    if (kept < 0)
        kept = open("/proc/self/task", O_PATH | O_DIRECTORY | O_CLOEXEC);
    gf_sandbox_allow(s, "/proc/self/task", GF_SANDBOX_WRITE);
}

void gf_driver_files_allow(struct gf_sandbox *s, bool cache)
{
    for (const char *const *path = facts; *path != NULL; path++)
        gf_sandbox_allow(s, *path, GF_SANDBOX_LIST);
    find_devices(allow_device, s);
    gf_sandbox_allow(s, "/dev/dri", GF_SANDBOX_WRITE);
    gf_sandbox_allow(s, "/dev/shm", GF_SANDBOX_TEMPORARY);
    allow_thread_names(s);
    if (gf_driver_files_mps())
        gf_sandbox_allow(s, mps_folder(), GF_SANDBOX_WRITE);
    allow_kernel_cache(s, cache ? GF_SANDBOX_CREATE : GF_SANDBOX_READ);
}
