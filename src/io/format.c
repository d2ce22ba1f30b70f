/* What the files of formats share: the state of a reader, and the error for a second image. */
#include "io/format.h"

#include "io/name_pattern.h"

#include <stdlib.h>

int gf_reader_begin(struct gf_reader *r, struct gf_source *s, const struct gf_read_options *o, const struct gf_reader_ops *ops,
                    size_t state_bytes, struct gf_error *err)
{
    r->source = s;
    r->options = o;
    r->ops = ops;
    r->state = calloc(1, state_bytes);
    return r->state != NULL ? 0 : gf_fail(err, GF_FAILED, "%s: out of memory", r->name);
}

int gf_fail_second_image(const struct gf_writer *w, struct gf_error *err)
{
    return gf_fail(err, GF_FAILED, "%s: %s holds one picture; .pam holds several, and %s in the output's name makes a file of each", w->name,
                   w->ops->name, gf_name_pattern_has_percent(w->name) ? "{n:3}" : "{n}");
}
