/* Finds values that an output cannot store, and warns about them. */
#ifndef GF_RUN_VALUE_LOSSES_H
#define GF_RUN_VALUE_LOSSES_H

#include "base/notice.h"
#include "chain/binding.h"
#include "io/watch.h"

/*
 * Returns the properties of the input to watch for the outputs of a binding. The bits are those of enum gf_watched.
 */
unsigned gf_value_losses_choose(const struct gf_binding *binding, const struct gf_outputs *outputs);
/* Returns the properties of the second image `side` to watch. */
unsigned gf_value_losses_choose_side(const struct gf_binding *binding, const struct gf_outputs *outputs,
                                     const struct gf_side *side);
/* Warns about losses of the input `name`. `format` is that of the output, NULL for a table. */
void gf_value_losses_warn(struct gf_watch *w, struct gf_notices *n, const struct gf_binding *binding, const char *name,
                          const char *format);
/* Warns about losses of the second image `side` beside the input `name`, among the properties `lost`. */
void gf_value_losses_warn_side(struct gf_watch *w, struct gf_notices *n, const struct gf_binding *binding,
                               unsigned lost, const struct gf_side *side, const char *name);

/* Warns that `stage` makes pixels transparent and that `format` has no alpha. */
void gf_value_losses_warn_clears(struct gf_notices *n, const char *name, const char *stage, const char *format);

#endif
