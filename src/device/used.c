/* The kinds of devices that run the plans of this process. */
#include "device/used.h"

#include <stdatomic.h>

static const struct gf_device_kind *used[2];
static atomic_bool lost;

const struct gf_device_kind *gf_device_for(bool cuda)
{
    return used[cuda] != NULL ? used[cuda] : cuda ? &gf_device_cuda : &gf_device_cpu;
}

void gf_device_use(const struct gf_device_kind *kind)
{
    used[kind->cuda] = kind;
}

void gf_device_lose(void)
{
    if (used[false] != NULL || used[true] != NULL)
        atomic_store(&lost, true);
}

bool gf_device_is_lost(void)
{
    return atomic_load(&lost);
}
