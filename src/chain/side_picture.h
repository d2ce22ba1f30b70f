/* The second image of a stage, from a file. */
#ifndef GF_CHAIN_SIDE_PICTURE_H
#define GF_CHAIN_SIDE_PICTURE_H

#include "base/signal.h"

#define GF_CHAIN_SIDES 8

struct gf_spool;

/* The whole image: packed samples, upright, in host memory or in a mapped file. */
struct gf_side_picture {
    const char *file;            /* as typed */
    const char *name;            /* the file that was opened, with {stem} and the like filled in */
    const char *stage;           /* the first stage that uses it, as typed */
    struct gf_format format;     /* as stored; luma and chroma become floats of red, green and blue */
    const void *data;
    const struct gf_spool *spool;    /* the file that `data` is mapped from; NULL: none */
    /* unique in the run, so that owners of a copy can tell if it is still current */
    uint64_t number;
};

/* Returns the rows, within `all`, that correspond to units `span` of the signal; row 0 corresponds to unit `shift`. */
static inline struct gf_span gf_side_picture_rows(struct gf_span all, int64_t shift, struct gf_span span)
{
    const int64_t start = span.start - shift, end = span.end - shift;
    const struct gf_span rows = { start < all.start ? all.start : start > all.end ? all.end : start,
                                  end < all.start ? all.start : end > all.end ? all.end : end };

    return rows;
}

#endif
