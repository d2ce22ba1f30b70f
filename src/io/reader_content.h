/* Finds the format of an input by its content. */
#ifndef GF_IO_READER_CONTENT_H
#define GF_IO_READER_CONTENT_H

#include "io/format.h"

/* Returns 1 if the content surely begins like this format, 0 if not, or -1. */
int gf_content_matches(struct gf_source *s, const struct gf_file_format *f, struct gf_error *err) GF_MUST_CHECK;
/* Finds the format; *found is NULL if none matches. A format that the content only resembles counts, too. */
int gf_content_find(struct gf_source *s, const struct gf_file_format **found, struct gf_error *err) GF_MUST_CHECK;
/* Returns true if the content identifies the format. PGM, for example, is detected as PNM. */
bool gf_content_identifies(const struct gf_file_format *f);

#endif
