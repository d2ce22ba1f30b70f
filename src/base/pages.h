/* Memory for samples: aligned for vectors; large blocks use large pages. */
#ifndef GF_BASE_PAGES_H
#define GF_BASE_PAGES_H

#include "base/error.h"

#include <stddef.h>

/* Allocates `bytes`, to be released with free(); *memory is NULL on failure. */
int gf_pages_alloc(size_t bytes, void **memory, struct gf_error *err) GF_MUST_CHECK;

#endif
