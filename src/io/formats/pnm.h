/* State of the PNM reader, shared by the code for headers and for rows. */
#ifndef GF_FORMATS_PNM_H
#define GF_FORMATS_PNM_H

#include "io/format.h"

extern const struct gf_writer_ops gf_write_pbm, gf_write_pgm, gf_write_ppm, gf_write_pnm, gf_write_pam, gf_write_pfm;

struct gf_pnm {
    int depth;                   /* channels in the file */
    char kind;                   /* '1' to '7', 'F' or 'f' */
    bool big_endian;             /* PFM only */
    size_t stored_bytes;         /* of a row; 0: plain text */
    int64_t data;                /* offset of the first stored row */
    int64_t row;                 /* next row to be read in order */
    unsigned char *whole;        /* the whole of a PFM from a pipe, because its last row comes first */
    int64_t images;
};

static inline bool gf_pnm_blank(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/*
 * Returns the next byte that is neither whitespace nor in a comment; -1 at the end, -2 after an
 * error.
 */
int gf_pnm_byte(struct gf_reader *r, struct gf_error *err);
/* Reads a number that begins with `c`, and the byte after it. */
int gf_pnm_digits(struct gf_reader *r, int c, int64_t *value, struct gf_error *err) GF_MUST_CHECK;
/* Reads the header after the two magic bytes. Sets r->format and the bytes of a row. */
int gf_pnm_header(struct gf_reader *r, struct gf_error *err) GF_MUST_CHECK;
int gf_pnm_fail_header(const struct gf_reader *r, struct gf_error *err);

#endif
