/* A picture that a stage works with beside the signal, from a file of its own. */
#ifndef GF_CHAIN_SIDE_PICTURE_H
#define GF_CHAIN_SIDE_PICTURE_H

#include "base/signal.h"

#define GF_CHAIN_SIDES 8

struct gf_spool;

/* All of it at once: packed samples, upright, in memory of the host or on disk and seen as memory. */
struct gf_side_picture {
    const char *file;            /* as typed */
    const char *name;            /* the file that was opened: what stood in braces is filled in */
    const char *stage;           /* what asked for it first, as typed */
    struct gf_format format;     /* as stored; of luma and chroma: floats of red, green and blue */
    const void *data;
    const struct gf_spool *spool;    /* where `data` is on disk; NULL: nowhere */
    /* no other picture of a run has it: whoever has a copy knows whether it still is one */
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
