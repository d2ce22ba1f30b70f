/* Opens the shared object with peers in CUDA. */
#include "bench/peers/cuda_peers.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Finds a function in the object next to the program. */
static void *find(const char *name)
{
    static void *opened;
    char path[PATH_MAX + sizeof GF_CUDA_PEERS];
    const ssize_t length = opened == NULL ? readlink("/proc/self/exe", path, PATH_MAX) : 0;

    if (length > 0) {
        path[length] = '\0';
        strcpy(strrchr(path, '/') + 1, GF_CUDA_PEERS);
        opened = dlopen(path, RTLD_NOW);
    }
    return opened != NULL ? dlsym(opened, name) : NULL;
}

const char *gf_cub_version(void)
{
    gf_cuda_peers_version *version;

    *(void **)&version = find("gf_peer_cub_version");
    return version != NULL ? version() : "no CUB";
}

#define PEER(function) \
    int gf_##function(const struct gf_peer_call *c) \
    { \
        static gf_peer_run *run; \
        if (run == NULL) \
            *(void **)&run = find("gf_peer_" #function); \
        return run != NULL ? run(c) : -1; \
    }

PEER(cub_histogram)
PEER(cub_scan)
PEER(cub_sum)
PEER(cub_records)
PEER(oaconvolve)
