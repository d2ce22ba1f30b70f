/* Splits a stream of concatenated images, for decoders that work in memory. */
#ifndef GF_FORMATS_JOINED_IMAGES_H
#define GF_FORMATS_JOINED_IMAGES_H

#include "io/io.h"

#include <stdbool.h>
#include <stddef.h>

/* A whole stream in memory, handed out image by image. The owner frees `bytes`. */
struct gf_joined_images {
    unsigned char *bytes;
    size_t size, at;             /* size of the stream; offset of the next image */
    bool opened;
};

/* The images that may follow one another. */
struct gf_joined_kinds {
    bool (*begins)(const unsigned char *b, size_t size);         /* true if one begins with these bytes */
    size_t (*length)(const unsigned char *b, size_t size);       /* how many of the bytes belong to the first */
};

/*
 * Sets *bytes and *size to the next image. Returns 1, 0 at the end, or -1. A stream that is longer than
 * --max-memory is an error.
 */
int gf_joined_images_next(struct gf_joined_images *p, struct gf_reader *r, const struct gf_joined_kinds *kinds,
                          const unsigned char **bytes, size_t *size, struct gf_error *err) GF_MUST_CHECK;

/* Returns true if a PNG or a JPEG begins here. */
bool gf_joined_images_begin(const unsigned char *b, size_t size);
/* Returns the size of the first PNG or JPEG in `b`, or `size` if no other image follows. */
size_t gf_joined_images_length(const unsigned char *b, size_t size);
/* Returns true if a PNG is animated: it has an acTL chunk before its image data. */
bool gf_joined_images_animated_png(const unsigned char *b, size_t size);

#endif
