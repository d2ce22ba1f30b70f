/* Finds a case among those of all operations. */
#include "bench/bench_cases.h"

#include <string.h>

const struct gf_bench_case *gf_bench_case_find(const char *name)
{
    for (const struct gf_bench_case *c = gf_bench_image_cases; c->name != NULL; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    for (const struct gf_bench_case *c = gf_bench_audio_cases; c->name != NULL; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}
