/* Memory for samples: aligned for vectors; large blocks use large pages. */
#ifndef GF_BASE_PAGES_H
#define GF_BASE_PAGES_H

#include "base/error.h"

#include <stddef.h>

/* Allocates `bytes`, to be released with free(); *memory is NULL on failure. */
int gf_pages_alloc(size_t bytes, void **memory, struct gf_error *err) GF_MUST_CHECK;

/*
 * Returns true if this much memory can be had now. Some libraries crash instead of failing, so this
 * is called before them.
 */
bool gf_pages_probe(size_t bytes);
/*
 * Returns true if errno, which was 0 before calls of a library, says that memory ran out, and there is still
 * none. errno alone is no proof, because malloc() also sets it before it finds memory elsewhere.
 */
bool gf_pages_ran_out(void);

#endif
