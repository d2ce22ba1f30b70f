/* The GPU device of a build without CUDA: it is never present. */
#include "device/device.h"

#include <stdio.h>
#include <string.h>

#define MISSING "gpufilter was built without CUDA"

static void no_facts(int index, struct gf_device_facts *facts, char *why, size_t why_bytes)
{
    (void)index;
    memset(facts, 0, sizeof *facts);
    if (why != NULL)
        snprintf(why, why_bytes, "%s", MISSING);
}

static int no_open(struct gf_device *d, int index, struct gf_error *err)
{
    (void)d;
    (void)index;
    return gf_fail(err, GF_FAILED, "no GPU: " MISSING);
}

static void nothing_begun(int index)
{
    (void)index;
}

static void nothing_to_wait_for(void)
{
}

static bool never_asked(void)
{
    return false;
}

static int owns_nothing(const void *memory)
{
    (void)memory;
    return -1;
}

static int has_none(int index)
{
    (void)index;
    return -1;
}

const struct gf_device_kind gf_device_cuda = {
    .name = "cuda", .missing = MISSING, .facts = no_facts, .begin = nothing_begun, .settle = nothing_to_wait_for,
    .asked = never_asked, .open = no_open, .owner = owns_nothing, .current = has_none,
};
