/* A signal in memory as a reader, and memory as a writer: for those who run a plan on frames they hold in a device's room. */
#ifndef GF_IO_MEMORY_H
#define GF_IO_MEMORY_H

#include "io/io.h"

/* `r` reads the one signal at `units`; nothing is allocated, nothing has to be closed. */
void gf_memory_reader(struct gf_reader *r, const struct gf_format *f, const void *units, const char *name);
/* `w` writes one signal to `units`, which has room for it. */
void gf_memory_writer(struct gf_writer *w, const struct gf_format *f, void *units, const char *name);

#endif
