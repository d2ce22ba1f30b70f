/* --from: the formats that an input may have. */
#ifndef GF_IO_READER_FROM_H
#define GF_IO_READER_FROM_H

#include "io/format.h"

/* Returns the format of inputs with this name or extension; NULL: there is none. */
const struct gf_file_format *gf_reader_by_name(const char *word);
/* Chooses the format by --from, a name or a list of names. Fails if the content is of another format. */
int gf_reader_from_choose(struct gf_source *s, const char *from, const struct gf_file_format **found,
                          struct gf_error *err) GF_MUST_CHECK;

#endif
