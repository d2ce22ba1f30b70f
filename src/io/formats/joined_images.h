/* Images joined to one stream, for formats that are decoded in memory: where each ends, and which PNG are animations. */
#ifndef GF_FORMATS_JOINED_IMAGES_H
#define GF_FORMATS_JOINED_IMAGES_H

#include "io/source.h"

#include <stdbool.h>
#include <stddef.h>

/* All that a stream holds, in memory, for those who decode there: picture after picture. `bytes` are freed by the owner. */
struct gf_joined_images {
    unsigned char *bytes;
    size_t size, at;             /* the next one begins here */
    bool opened;
};

/*
 * The bytes of the next one: 1, 0 at the end, -1. `length` tells how many of those that are left are its own; no more than
 * `most` are read, if that is not 0.
 */
int gf_joined_images_next(struct gf_joined_images *p, struct gf_source *s, int64_t most, size_t (*length)(const unsigned char *b, size_t size),
                          const unsigned char **bytes, size_t *size, struct gf_error *err) GF_MUST_CHECK;

/* Bytes of the first of several PNG or JPEG pictures in a row; all of them where it is the only one. */
size_t gf_joined_images_length(const unsigned char *b, size_t size);
/* An acTL chunk before the image data makes a PNG an animation. */
bool gf_joined_images_animated_png(const unsigned char *b, size_t size);

#endif
