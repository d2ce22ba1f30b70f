/* What the reader and the writer of TIFF share: libtiff over our files or over memory, and its errors as ours. */
#ifndef GF_TIFF_H
#define GF_TIFF_H

#include <tiffio.h>

#include "io/out.h"
#include "io/source.h"

/* One of three: a file that is read, one that is written, or memory for either. */
struct gf_tiff_file {
    const char *name;                    /* for messages */
    const struct gf_source *source;
    struct gf_output *out;
    int64_t base;                        /* where in the output our byte 0 lies */
    unsigned char *bytes;
    size_t room;
    int64_t size, at;
    bool failed;                         /* reading or writing did, and `error` says how */
    struct gf_error error;
    char text[200];                      /* the first thing that libtiff complained of */
};

/* NULL where libtiff will not have it. Whoever closes it releases f->bytes too. */
TIFF *gf_tiff_open(struct gf_tiff_file *f, const char *mode);
/* The line for what has gone wrong: the file's own, or what libtiff said; `doing` is "decoded" or "encoded". */
int gf_tiff_fail(const struct gf_tiff_file *f, const char *doing, struct gf_error *err);

/* How a pixel is stored. */
struct gf_tiff_pixel {
    int samples, kept[4];                /* and which of them are channels */
    size_t bytes;                        /* a sample */
    bool flip, premultiplied;            /* white is 0; colours are multiplied by alpha */
};

/* The channels of `count` pixels; `plane` is the one sample that `from` has of each, or -1 for all of them. */
void gf_tiff_copy(const struct gf_tiff_pixel *pixel, int channels, const unsigned char *from, int plane, unsigned char *to,
                  size_t count);
/* Then makes of them what they stand for. */
void gf_tiff_finish(const struct gf_tiff_pixel *pixel, const struct gf_format *f, unsigned char *b, size_t count);

/* Texts that have a tag, under the names that PNG has for them; ended by one without a key. */
struct gf_tiff_text {
    const char *key;
    uint32_t tag;
};
extern const struct gf_tiff_text gf_tiff_texts[];

#endif
