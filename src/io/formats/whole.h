/* Signals that are decoded as a whole, and given from memory. */
#ifndef GF_FORMATS_WHOLE_H
#define GF_FORMATS_WHOLE_H

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

#endif
