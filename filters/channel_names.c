/* Names the channels of a signal in tables. */
#include "filters/channel_names.h"

#include <stdio.h>

const char *const *gf_channel_names(const struct gf_format *f, struct gf_build *build)
{
    static const char *const image_names[][4] = { { "y" }, { "y", "a" }, { "r", "g", "b" }, { "r", "g", "b", "a" } };
    const char **names = gf_build_alloc(build, (size_t)f->channels * sizeof *names);

    for (int c = 0; names != NULL && c < f->channels; c++) {
        char *number;

        if (f->kind == GF_IMAGE) {
            names[c] = image_names[f->channels - 1][c];
            continue;
        }
        number = gf_build_alloc(build, 12);
        if (number == NULL)
            return NULL;
        snprintf(number, 12, "%d", c + 1);
        names[c] = number;
    }
    return (const char *const *)names;
}
