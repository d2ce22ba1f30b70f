/* Looking stages up; the list itself is generated. */
#include "stage.h"

#include <string.h>

const struct gf_stage *gf_stage_find(const char *name, enum gf_kind kind)
{
    for (int i = 0; i < gf_stage_count; i++)
        if (gf_stages[i]->kind == kind && strcmp(gf_stages[i]->name, name) == 0)
            return gf_stages[i];
    return NULL;
}
