/* Chooses the format of an output: by --to, then by its name, then by the kind of signal. */
#ifndef GF_IO_WRITER_CHOICE_H
#define GF_IO_WRITER_CHOICE_H

#include "io/io.h"

#include <limits.h>

/*
 * Sets w->ops; w->options are set before. Fails if the format cannot store such a result.
 * `redirected` receives the name of the file that standard output is, if its extension is
 * misleading.
 */
int gf_writer_choose(struct gf_writer *w, const char *path, const struct gf_format *f, bool table,
                     char redirected[PATH_MAX], struct gf_error *err) GF_MUST_CHECK;

#endif
