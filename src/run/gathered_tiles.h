/* Tiles: images beside and below each other, as rows of one image. */
#ifndef GF_RUN_GATHERED_TILES_H
#define GF_RUN_GATHERED_TILES_H

#include "run/gathered_images.h"

struct gf_tiles {
    int64_t columns, rows;
    int64_t *left, *top;                 /* of each column and row, and after the last gap */
    struct gf_format format;             /* of the result */
    int most;                            /* channels of any image, */
    int64_t widest;                      /* and columns */
    unsigned char background[GF_MAX_CHANNELS * sizeof(double)];  /* a pixel */
    float paper[GF_MAX_CHANNELS];        /* the same, as floats */
    float ink;                           /* of labels, between black and white */
};

/* Finds the place of each image, and the format of the result, and draws the labels of images with a file. */
int gf_tiles_arrange(struct gf_tiles *t, struct gf_gathered_images *g, struct gf_error *err) GF_MUST_CHECK;
/* Reads rows of the result. Several threads may call it at the same time. */
int gf_tiles_read(const struct gf_tiles *t, const struct gf_gathered_images *g, int64_t start, void *units,
                  int64_t count, struct gf_error *err) GF_MUST_CHECK;
void gf_tiles_release(struct gf_tiles *t);

#endif
