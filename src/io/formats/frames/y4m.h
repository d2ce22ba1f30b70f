/* Shared by the Y4M reader and writer: the header and its parameters. */
#ifndef GF_FORMATS_Y4M_H
#define GF_FORMATS_Y4M_H

#include "io/format.h"

extern const struct gf_writer_ops gf_write_y4m;

#define GF_Y4M_MAGIC "YUV4MPEG2"
/* from this height on the matrix is BT.709, as in players; files do not state it */
#define GF_Y4M_HD_ROWS 720

/* Parses the parameters after the magic. `words` is modified. */
int gf_y4m_header(struct gf_format *f, char *words, const struct gf_reader *r, struct gf_error *err) GF_MUST_CHECK;
/*
 * Writes the header line, with its newline, and returns its length. For a field, it states the
 * height of the frame.
 */
int gf_y4m_header_text(const struct gf_format *f, char *to, size_t size);
/* Returns the rows of a frame. A format may be one of its fields. */
static inline int64_t gf_y4m_rows(const struct gf_format *f)
{
    return f->yuv.fields ? 2 * f->units : f->units;
}
/*
 * Adds a tag that is passed through. Returns false if there is no room; room for the range tag is
 * reserved.
 */
bool gf_y4m_keep_tag(struct gf_yuv *yuv, const char *tag);
/* Removes the tags that begin with `start`. */
void gf_y4m_drop_tags(struct gf_yuv *yuv, const char *start);

#endif
