/* The images that a joining stage has collected. */
#ifndef GF_RUN_GATHERED_IMAGES_H
#define GF_RUN_GATHERED_IMAGES_H

#include "base/spool.h"
#include "chain/joining.h"
#include "io/io.h"

/* Packed samples in the spool; and a strip with the name of the file, of bytes that say how much of a pixel is ink. */
struct gf_gathered_image {
    struct gf_format format;
    const char *file;                    /* where it comes from, and its number there; NULL: unknown */
    int64_t number;
    size_t offset, label;
    int64_t label_width;
};

struct gf_gathered_images {
    const char *stage;                   /* for messages */
    struct gf_joining how;
    struct gf_spool spool;
    size_t bytes;                        /* in the spool */
    size_t work_bytes;                   /* memory of a thread for the rows of all images that it reads together */
    int64_t max_pixels;                  /* of the result; 0: no limit */
    int64_t total, room;
    struct gf_gathered_image *all;
    int64_t count;                       /* of those that the current result is made of */
    struct gf_gathered_image *image;
};

#endif
