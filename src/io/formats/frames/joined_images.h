/* Splits a stream of concatenated PNG or JPEG images, for decoders that work in memory. */
#ifndef GF_FORMATS_JOINED_IMAGES_H
#define GF_FORMATS_JOINED_IMAGES_H

#include "io/source.h"

#include <stdbool.h>
#include <stddef.h>

/* A whole stream in memory, handed out image by image. The owner frees `bytes`. */
struct gf_joined_images {
    unsigned char *bytes;
    size_t size, at;             /* size of the stream; offset of the next image */
    bool opened;
};

/*
 * Sets *bytes and *size to the next image. Returns 1, 0 at the end, or -1. `length` returns how
 * many of the remaining bytes belong to the image. A stream of more than `most` bytes is an error,
 * unless `most` is 0.
 */
int gf_joined_images_next(struct gf_joined_images *p, struct gf_source *s, int64_t most,
                          size_t (*length)(const unsigned char *b, size_t size),
                          const unsigned char **bytes, size_t *size, struct gf_error *err) GF_MUST_CHECK;

/* Returns the size of the first PNG or JPEG in `b`, or `size` if no other image follows. */
size_t gf_joined_images_length(const unsigned char *b, size_t size);
/* Returns true if a PNG is animated: it has an acTL chunk before its image data. */
bool gf_joined_images_animated_png(const unsigned char *b, size_t size);

#endif
