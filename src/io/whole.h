/* Signals that are decoded as a whole, and given from memory. */
#ifndef GF_IO_WHOLE_H
#define GF_IO_WHOLE_H

#include "io/io.h"
#include "io/source.h"

/* The head of a reader's state. */
struct gf_whole {
    unsigned char *samples;      /* of the signal at hand */
    int64_t row;                 /* the next one read in order */
};

/* The bodies of ops->read and ->read_at. */
int64_t gf_whole_read(struct gf_reader *r, void *units, int64_t count, struct gf_error *err);
int gf_whole_read_at(struct gf_reader *r, int64_t start, void *units, int64_t count, struct gf_error *err);

/* All that a stream holds, in memory, for those who decode there: picture after picture. `bytes` are freed by the owner. */
struct gf_pictures {
    unsigned char *bytes;
    size_t size, at;             /* the next one begins here */
    bool opened;
};

/*
 * The bytes of the next one: 1, 0 at the end, -1. `length` tells how many of those that are left are its own; no more than
 * `most` are read, if that is not 0.
 */
int gf_pictures_next(struct gf_pictures *p, struct gf_source *s, int64_t most, size_t (*length)(const unsigned char *b, size_t size),
                     const unsigned char **bytes, size_t *size, struct gf_error *err) GF_MUST_CHECK;

#endif
