/* Tiles: images beside and below each other, as rows of one image. */
#ifndef GF_RUN_GATHERED_TILES_H
#define GF_RUN_GATHERED_TILES_H

#include "run/gathered_images.h"

struct gf_tiles {
    int64_t columns, rows;
    int64_t *left, *top;                 /* of each column and row, and after the last gap */
    struct gf_format format;             /* of the result */
    int most;                            /* channels of any image */
    unsigned char background[GF_MAX_CHANNELS * sizeof(double)];  /* a pixel */
    float ink;                           /* of labels, between black and white */
};

/* Draws the label of the image that was added last: the name of its file, and its number in it from 2 on. */
int gf_tiles_label(struct gf_gathered_images *g, const char *file, int64_t number, struct gf_error *err) GF_MUST_CHECK;
/* Finds the place of each image, and the format of the result. */
int gf_tiles_arrange(struct gf_tiles *t, const struct gf_gathered_images *g, struct gf_error *err) GF_MUST_CHECK;
/* Reads rows of the result. Several threads may call it at the same time. */
int gf_tiles_read(const struct gf_tiles *t, const struct gf_gathered_images *g, int64_t start, void *units,
                  int64_t count, struct gf_error *err) GF_MUST_CHECK;
void gf_tiles_release(struct gf_tiles *t);

#endif
