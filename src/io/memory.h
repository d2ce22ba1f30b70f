/* Readers and writers for signals in memory, used to run a plan on frames in memory of a device. */
#ifndef GF_IO_MEMORY_H
#define GF_IO_MEMORY_H

#include "io/io.h"

/* Makes r read the signal at `units`. It allocates nothing and need not be closed. */
void gf_memory_reader(struct gf_reader *r, const struct gf_format *f, const void *units, const char *name);
/* Makes w write one signal to `units`, which has enough room. */
void gf_memory_writer(struct gf_writer *w, const struct gf_format *f, void *units, const char *name);

#endif
