/* What the reader and the writer of Y4M share: the words of its header. */
#ifndef GF_Y4M_H
#define GF_Y4M_H

#include "io/formats.h"

#define GF_Y4M_MAGIC "YUV4MPEG2"
#define GF_Y4M_HD_ROWS 720               /* from here on the matrix is BT.709, as players take it; the file does not tell */

/* Fills in a format from the words behind the magic; `words` is changed. */
int gf_y4m_header(struct gf_format *f, char *words, const char *name, struct gf_error *err) GF_MUST_CHECK;
/* Writes the header's line with its newline; returns its length. */
int gf_y4m_header_text(const struct gf_format *f, char *to, size_t size);
/* Adds a tag that only travels; one for which there is no room is dropped, but never the one that says the range. */
void gf_y4m_keep_tag(struct gf_yuv *yuv, const char *tag);
/* Takes the tags that begin with `start` out. */
void gf_y4m_drop_tags(struct gf_yuv *yuv, const char *start);

#endif
