/* The kinds of devices that run the plans of this process. */
#include "device/used.h"

static const struct gf_device_kind *used[2];

const struct gf_device_kind *gf_device_for(bool cuda)
{
    return used[cuda] != NULL ? used[cuda] : cuda ? &gf_device_cuda : &gf_device_cpu;
}

void gf_device_use(const struct gf_device_kind *kind)
{
    used[kind->cuda] = kind;
}
