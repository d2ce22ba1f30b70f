/* What the two halves of the PNM reader share: headers and rows. */
#ifndef GF_FORMATS_PNM_H
#define GF_FORMATS_PNM_H

#include "io/format.h"

extern const struct gf_writer_ops gf_write_pbm, gf_write_pgm, gf_write_ppm, gf_write_pnm, gf_write_pam, gf_write_pfm;

struct gf_pnm {
    int depth;                   /* channels in the file */
    char kind;                   /* '1' … '7', 'F' or 'f' */
    bool big_endian;             /* PFM */
    size_t stored_bytes;         /* of a row in the file; 0 where it is plain text */
    int64_t data;                /* where the first stored row lies */
    int64_t row;                 /* the next one read in order */
    unsigned char *whole;        /* PFM from a pipe: the last row comes first, so all of it */
    int64_t images;
};

static inline bool gf_pnm_blank(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The next byte that is neither blank nor in a comment; -1 at the end, -2 after an error. */
int gf_pnm_byte(struct gf_reader *r, struct gf_error *err);
/* Reads digits that begin with `c`, and the one byte after them. */
int gf_pnm_digits(struct gf_reader *r, int c, int64_t *value, struct gf_error *err) GF_MUST_CHECK;
/* What follows the magic: fills in r->format and the bytes of a row. */
int gf_pnm_header(struct gf_reader *r, struct gf_error *err) GF_MUST_CHECK;
int gf_pnm_fail_header(const struct gf_reader *r, struct gf_error *err);

#endif
