/* The formats that the reader and writer tables try; each is one file. */
#ifndef GF_FORMATS_H
#define GF_FORMATS_H

#include "io/io.h"
#include "io/out.h"
#include "io/source.h"

/*
 * match: does the content look like this format? Peeks, takes nothing: 1, 0, -1.
 * open: makes r->state over the source, which stays the caller's. The first
 * signal is fetched by ops->next. On failure nothing is left in the reader.
 */
struct gf_read_format {
    const char *name;
    const char *const *endings;
    bool picks;                          /* it heeds --channels */
    int (*match)(struct gf_source *s, struct gf_error *err);
    int (*open)(struct gf_reader *r, struct gf_source *s, const struct gf_read_options *o, struct gf_error *err);
};

/* The reader that takes an input; refuses one that cannot do what the options ask for. */
int gf_choose_reader(struct gf_source *s, const struct gf_read_options *o, const struct gf_read_format **found,
                     struct gf_error *err) GF_MUST_CHECK;
/* A reader's state of so many bytes, cleared; NULL where there is no memory. */
void *gf_reader_state(struct gf_reader *r, const struct gf_reader_ops *ops, size_t bytes, struct gf_error *err) GF_MUST_CHECK;

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

/* Bytes of the first of several PNG or JPEG pictures in a row; all of them where it is the only one. */
size_t gf_picture_length(const unsigned char *b, size_t size);
/* An acTL chunk before the image data makes a PNG an animation. */
bool gf_is_animated_png(const unsigned char *b, size_t size);
/* NULL-terminated, for --list and completions. */
const char *const *gf_reader_names(void);
const char *const *gf_writer_names(void);

/* Whether the name has a place for a number as other programs write it: %d, %03d. */
bool gf_has_percent(const char *name);
/* There is no place for a second picture. */
int gf_fail_second(const struct gf_writer *w, struct gf_error *err);
/* Refuses pictures of too many pixels, or whose decoding takes too much memory, before anything is allocated. */
int gf_check_size(const char *name, int64_t width, int64_t height, int64_t pixel_bytes,
                  const struct gf_read_options *o, struct gf_error *err) GF_MUST_CHECK;
/* Refuses --channels that name a channel beyond `have`. */
int gf_check_picked(const struct gf_picked_channels *picked, int have, const char *name, struct gf_error *err) GF_MUST_CHECK;
/* Notes which of `have` channels are left out, if any are. */
void gf_note_picked(const struct gf_picked_channels *picked, int have, const char *name, struct gf_notices *notices);
/* The significant bits of integers up to maxval. */
int gf_bits_of(uint32_t maxval);
/* --depth of 1, 2 or 4 bits: whether it is one, and f stores them now, each in a byte. */
bool gf_fit_bits(const struct gf_writer *w, struct gf_format *f);
/* The integer image format that --depth (0, 8, 16) and the signal ask for; -1 for a depth that `what` can't hold. */
int gf_fit_image(struct gf_writer *w, struct gf_format *f, const char *what, struct gf_error *err) GF_MUST_CHECK;
/* Refuses what is neither gray nor RGB, with alpha or without. */
int gf_check_colours(const struct gf_writer *w, const struct gf_format *f, struct gf_error *err) GF_MUST_CHECK;
/* Samples of 8 bits, of a format that has no others. */
int gf_fit_bytes(const struct gf_writer *w, struct gf_format *f, struct gf_error *err) GF_MUST_CHECK;
/* The sample type that --depth and the signal ask for; 24 bits lie at the top of 32. */
void gf_fit_audio(const struct gf_writer *w, struct gf_format *f);
/* Writes into `to` (of `size`) the names nearest to `word`, "png, pnm", from a NULL-terminated list. */
void gf_nearest_names(const char *word, const char *const *names, char *to, size_t size);
/* The ending of a file's name after the last dot, "" where there is none. */
const char *gf_name_ending(const char *path);

#endif
