/* Readers of formats that are decoded as a whole: they keep all samples of the current signal. */
#ifndef GF_FORMATS_WHOLE_H
#define GF_FORMATS_WHOLE_H

#include "io/io.h"
#include "io/source.h"

/* First member of a reader's state. */
struct gf_whole {
    unsigned char *samples;      /* of the current signal */
    int64_t row;                 /* next row to be read in order */
};

/* Implement ops->read and ops->read_at. */
int64_t gf_whole_read(struct gf_reader *r, void *units, int64_t count, struct gf_error *err);
int gf_whole_read_at(struct gf_reader *r, int64_t start, void *units, int64_t count, struct gf_error *err);

#endif
