/* Finds stages by name. The list itself is generated. */
#include "chain/stage.h"

#include <string.h>

int gf_stage_check_hz(const char *stage, double hz, const struct gf_format *in, struct gf_error *err)
{
    if (hz < in->rate / 2.0)
        return 0;
    return gf_fail(err, GF_FAILED, "%s: %.10g Hz is too high for a sample rate of %d Hz; must be below %.10g Hz",
                   stage, hz, in->rate,
                   in->rate / 2.0);
}

const struct gf_stage *gf_stage_find(const char *name, enum gf_kind kind)
{
    for (int i = 0; i < gf_stage_count; i++)
        if (gf_stages[i]->kind == kind && strcmp(gf_stages[i]->name, name) == 0)
            return gf_stages[i];
    return NULL;
}
