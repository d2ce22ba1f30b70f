/* Finds the end of an image in a stream of PNG or JPEG images, and which PNG are animations. */
#ifndef GF_FORMATS_PICTURE_END_H
#define GF_FORMATS_PICTURE_END_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the first of several PNG or JPEG pictures in a row; all of them where it is the only one. */
size_t gf_picture_length(const unsigned char *b, size_t size);
/* An acTL chunk before the image data makes a PNG an animation. */
bool gf_is_animated_png(const unsigned char *b, size_t size);

#endif
