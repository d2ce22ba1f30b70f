/* The second input of a stage, as binding sees it. Its samples belong to the task that runs. */
#ifndef GF_CHAIN_SIDE_H
#define GF_CHAIN_SIDE_H

#include "kernels/base/op.h"

#define GF_CHAIN_SIDES 8

/* A whole image or audio beside the input. */
struct gf_side {
    enum gf_kind kind;           /* of the signal, and so of the file */
    const char *file;            /* as typed */
    const char *name;            /* the file that was opened, with {stem} and the like filled in; NULL: as typed */
    int32_t rate;                /* with evens_sides: what the stage gets; 0: as stored */
    int channels;
    int word;                    /* index in the chain of the first stage that uses it */
    struct gf_format format;     /* upright; luma and chroma become floats of red, green and blue */
    bool on_disk;                /* its samples need no memory */
};

/*
 * Returns the format in which stages read the images beside their input, which are stored as *f: upright pixels; floats
 * for luma and chroma, because whole levels of red, green and blue would differ.
 */
struct gf_format gf_unpacked_format(const struct gf_format *f);

/* Returns the rows, within `all`, that correspond to units `span` of the signal; row 0 corresponds to unit `shift`. */
static inline struct gf_span gf_side_rows(struct gf_span all, int64_t shift, struct gf_span span)
{
    const int64_t start = span.start - shift, end = span.end - shift;
    const struct gf_span rows = { start < all.start ? all.start : start > all.end ? all.end : start,
                                  end < all.start ? all.start : end > all.end ? all.end : end };

    return rows;
}

/* Returns such rows of an image of `units` rows that begins again at its end: its row 0 follows its last one. */
static inline struct gf_span gf_side_looped_rows(int64_t units, int64_t shift, struct gf_span span)
{
    const int64_t start = span.start > shift ? span.start - shift : 0, count = span.end - shift - start;

    if (count <= 0 || count >= units)
        return (struct gf_span) { 0, count <= 0 ? 0 : units };
    return (struct gf_span) { gf_looped_row(start, units, 0), gf_looped_row(start, units, 0) + count };
}

#endif
