/* Formats that stb_image reads or stb_image_write writes. */
#ifndef GF_FORMATS_STB_H
#define GF_FORMATS_STB_H

#include "io/format.h"

int gf_stb_open(struct gf_reader *r, struct gf_source *s, const struct gf_read_options *o,
                struct gf_error *err) GF_MUST_CHECK;

extern const struct gf_writer_ops gf_stb_write_jpeg, gf_stb_write_bmp, gf_stb_write_tga, gf_stb_write_hdr;

#endif
