/* All formats, for those who choose one; and for a format that hands over to another one. */
#ifndef GF_IO_FORMAT_LIST_H
#define GF_IO_FORMAT_LIST_H

#include "io/format.h"

extern const struct gf_read_format gf_read_pnm;
extern const struct gf_read_format gf_read_png, gf_read_jpeg, gf_read_bmp, gf_read_psd, gf_read_hdr,
    gf_read_pic, gf_read_tga;
extern const struct gf_read_format gf_read_gif, gf_read_qoi;
extern const struct gf_read_format gf_read_tiff, gf_read_webp;
extern const struct gf_read_format gf_read_y4m;
extern const struct gf_read_format gf_read_wav, gf_read_au, gf_read_raw, gf_read_sndfile;

extern const struct gf_writer_ops gf_write_pbm, gf_write_pgm, gf_write_ppm, gf_write_pnm, gf_write_pam, gf_write_pfm;
extern const struct gf_writer_ops gf_write_png, gf_write_jpeg, gf_write_bmp, gf_write_tga, gf_write_hdr, gf_write_qoi;
extern const struct gf_writer_ops gf_write_tiff, gf_write_webp;
extern const struct gf_writer_ops gf_write_y4m;
extern const struct gf_writer_ops gf_write_wav, gf_write_rf64, gf_write_raw, gf_write_raw_picture;
extern const struct gf_writer_ops gf_write_flac, gf_write_ogg, gf_write_opus, gf_write_aiff, gf_write_au, gf_write_caf,
    gf_write_w64, gf_write_mp3;
extern const struct gf_writer_ops gf_write_tsv, gf_write_csv, gf_write_json, gf_write_svg, gf_write_term;
/* What formats of pictures make of a table: a drawing. */
extern const struct gf_writer_ops gf_draw_png, gf_draw_term;

#endif
