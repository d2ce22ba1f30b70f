/* What the reader and the writer of Y4M share: the words of its header. */
#ifndef GF_FORMATS_Y4M_H
#define GF_FORMATS_Y4M_H

#include "io/format.h"

extern const struct gf_writer_ops gf_write_y4m;

#define GF_Y4M_MAGIC "YUV4MPEG2"
#define GF_Y4M_HD_ROWS 720               /* from here on the matrix is BT.709, as players take it; the file does not tell */

/* Fills in a format from the words behind the magic; `words` is changed. */
int gf_y4m_header(struct gf_format *f, char *words, const struct gf_reader *r, struct gf_error *err) GF_MUST_CHECK;
/* Writes the header's line with its newline; returns its length. The frame of a field has twice its rows. */
int gf_y4m_header_text(const struct gf_format *f, char *to, size_t size);
/* The rows of a frame: a format may be one field of it. */
static inline int64_t gf_y4m_rows(const struct gf_format *f)
{
    return f->yuv.fields ? 2 * f->units : f->units;
}
/* Adds a tag that only travels. False if there is no room for it; there always is for the one that says the range. */
bool gf_y4m_keep_tag(struct gf_yuv *yuv, const char *tag);
/* Takes the tags that begin with `start` out. */
void gf_y4m_drop_tags(struct gf_yuv *yuv, const char *start);

#endif
