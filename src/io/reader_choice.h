/* Which format reads an input. */
#ifndef GF_IO_READER_CHOICE_H
#define GF_IO_READER_CHOICE_H

#include "io/format.h"

/* The reader that takes an input; refuses one that cannot do what the options ask for. */
int gf_reader_choose(struct gf_source *s, const struct gf_read_options *o, const struct gf_file_format **found,
                     struct gf_error *err) GF_MUST_CHECK;
/* The reader of a picture that follows the last one of a format with `joined`: 1, 0 if none follows, -1. */
int gf_reader_choose_joined(struct gf_source *s, const struct gf_file_format **found, struct gf_error *err) GF_MUST_CHECK;

#endif
