/* What the files of formats share: the state of a reader, and the error for a second image. */
#include "io/format.h"

#include "io/name_pattern.h"

#include <stdlib.h>

void *gf_reader_state(struct gf_reader *r, const struct gf_reader_ops *ops, size_t bytes, struct gf_error *err)
{
    void *state = calloc(1, bytes);

    if (state == NULL) {
        gf_fail_memory(err, r->name);
        return NULL;
    }
    r->ops = ops;
    r->state = state;
    return state;
}

int gf_fail_second_image(const struct gf_writer *w, struct gf_error *err)
{
    return gf_fail(err, GF_FAILED, "%s: %s holds one picture; .pam holds several, and %s in the output's name makes a file of each", w->name,
                   w->ops->name, gf_name_pattern_has_percent(w->name) ? "{n:3}" : "{n}");
}
