/* A joining stage: it makes one image of all images of a run, which other stages never see together. */
#ifndef GF_CHAIN_JOINING_H
#define GF_CHAIN_JOINING_H

#include "chain/option.h"

#include <stdbool.h>

enum gf_joining_kind { GF_JOINING_TILES, GF_JOINING_STACK };

/* The value that a stack keeps of all images, for each sample. */
enum gf_stack_of { GF_STACK_MEAN, GF_STACK_MEDIAN, GF_STACK_MIN, GF_STACK_MAX, GF_STACK_SUM, GF_STACK_SIGMA,
                   GF_STACK_CLIP };

/* How the images become one. */
struct gf_joining {
    enum gf_joining_kind kind;
    /* ---- tiles: images beside and below each other, row by row ---- */
    int64_t columns, rows;           /* 0: as many as there are images; further rows are those of another result */
    int64_t width, height;           /* images are made as large as fits into that; both 0: they keep their sizes */
    bool equal_columns;                    /* all columns are as wide as the widest image; otherwise as their own */
    bool must_match;                    /* tiles of a column must have one width, those of a row one height */
    int64_t gap, overlap;            /* pixels between tiles; pixels that neighbors have in common, which are dropped */
    double align;                    /* place of an image in its tile: 0 is left and above, 1 right and below */
    struct gf_colour background;
    bool labels;                     /* names of files below the images */
    /* ---- stack ---- */
    enum gf_stack_of of;
    double kappa;
};

/* Returns true if all images have to be kept until the last one has come, and not only sums of them. */
static inline bool gf_joining_keeps(const struct gf_joining *how)
{
    return how->kind == GF_JOINING_TILES || how->of == GF_STACK_MEDIAN || how->of == GF_STACK_CLIP;
}

#endif
