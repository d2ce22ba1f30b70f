/* Which format an output is written in. */
#ifndef GF_IO_WRITER_CHOICE_H
#define GF_IO_WRITER_CHOICE_H

#include "io/io.h"

#include <limits.h>

/*
 * Sets w->ops, whose options are set; refuses a format that cannot hold such a result. `redirected` keeps the name of the file
 * that standard output is, if it misleads.
 */
int gf_writer_choose(struct gf_writer *w, const char *path, const struct gf_format *f, bool table, char redirected[PATH_MAX],
                     struct gf_error *err) GF_MUST_CHECK;

#endif
