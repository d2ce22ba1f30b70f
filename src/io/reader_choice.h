/* Chooses the format of an input: by --from, then by its content, then by its name. */
#ifndef GF_IO_READER_CHOICE_H
#define GF_IO_READER_CHOICE_H

#include "io/format.h"

/* Finds the format of an input. Fails if it does not support the options. */
int gf_reader_choose(struct gf_source *s, const struct gf_read_options *o, const struct gf_file_format **found,
                     struct gf_error *err) GF_MUST_CHECK;
/*
 * Finds the format of the next image in a file of mixed
 * formats (`joined`). Returns 1, 0 if none follows, or -1.
 */
int gf_reader_choose_joined(struct gf_source *s, const struct gf_file_format **found,
                            struct gf_error *err) GF_MUST_CHECK;
/* Returns the format of an image that begins with up to 64 bytes, joined or not; NULL: there is none. */
const struct gf_file_format *gf_reader_other_image(const unsigned char *bytes, size_t count);

#endif
