/* Finds functions of libraries and of the CUDA driver at run time. */
#include "bench/peers/driver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define MOST 64                          /* functions in the cache */

/* A function that was looked for; its symbol is NULL if it is missing. */
struct known {
    char name[80];
    void *symbol;
};

static void *find(const char *library, const char *name)
{
    static const char *const folders[] = { "", "/usr/local/cuda/lib64/" };
    static const char *const endings[] = { ".so.13", ".so.12", ".so.1", ".so" };
    char file[300];

    for (size_t f = 0; f < sizeof folders / sizeof *folders; f++)
        for (size_t e = 0; e < sizeof endings / sizeof *endings; e++) {
            void *opened, *found = NULL;

            snprintf(file, sizeof file, "%slib%s%s", folders[f], library, endings[e]);
            opened = dlopen(file, RTLD_NOW);
            if (opened != NULL)
                found = dlsym(opened, name);
            if (found != NULL)
                return found;
        }
    return NULL;
}

void *gf_peer_symbol(const char *library, const char *name)
{
    static struct known known[MOST];
    static int count;
    int i = 0;

    while (i < count && strcmp(known[i].name, name) != 0)
        i++;
    if (i < count)
        return known[i].symbol;
    if (count == MOST)
        return find(library, name);
    snprintf(known[i].name, sizeof known[i].name, "%s", name);
    known[i].symbol = find(library, name);
    return known[count++].symbol;
}

int gf_peer_device(void)
{
    int (*get)(int *);
    int device = 0;

    *(void **)&get = gf_peer_symbol("cuda", "cuCtxGetDevice");
    return get != NULL && get(&device) == 0 ? device : 0;
}

int gf_peer_attribute(int which)
{
    int (*get)(int *, int, int);
    int value = 0;

    *(void **)&get = gf_peer_symbol("cuda", "cuDeviceGetAttribute");
    return get != NULL && get(&value, which, gf_peer_device()) == 0 ? value : 0;
}

unsigned gf_peer_stream_flags(void *stream)
{
    int (*get)(void *, unsigned *);
    unsigned flags = 0;

    *(void **)&get = gf_peer_symbol("cuda", "cuStreamGetFlags");
    return get != NULL && get(stream, &flags) == 0 ? flags : 0;
}

void *gf_peer_room(size_t bytes)
{
    static unsigned long long room;
    static size_t had;
    int (*take)(unsigned long long *, size_t), (*give)(unsigned long long);

    if (bytes <= had)
        return (void *)(size_t)room;
    *(void **)&take = gf_peer_symbol("cuda", "cuMemAlloc_v2");
    *(void **)&give = gf_peer_symbol("cuda", "cuMemFree_v2");
    if (take == NULL || give == NULL)
        return NULL;
    if (had > 0)
        give(room);
    had = take(&room, bytes) == 0 ? bytes : 0;
    return had > 0 ? (void *)(size_t)room : NULL;
}
