/* What the reader and the writer of TIFF share: libtiff over our files or over memory, and its errors as ours. */
#ifndef GF_FORMATS_TIFF_H
#define GF_FORMATS_TIFF_H

#include "io/format.h"

#include <tiffio.h>

extern const struct gf_writer_ops gf_write_tiff;

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
    char text[200];                      /* libtiff's first error */
    bool in_pixels;                      /* the directory is read: warnings are about samples */
    char damage[200];                    /* the first warning about samples */
    char lost[40], ignored[40];          /* tags that libtiff could not read: samples depend on the first, metadata on the second */
};

/* NULL where libtiff will not have it. Whoever closes it releases f->bytes too. */
TIFF *gf_tiff_open(struct gf_tiff_file *f, const char *mode);
/* The line for what has gone wrong: the file's own, or what libtiff said; `doing` is "decoded" or "encoded". */
int gf_tiff_fail(const struct gf_tiff_file *f, const char *doing, struct gf_error *err);

/* Forgets errors and warnings, before another page is read. */
void gf_tiff_forget(struct gf_tiff_file *f);

/* The way a sample is stored, and becomes one of ours. */
enum gf_tiff_coding {
    GF_TIFF_AS_IS,                       /* 8 or 16 bits or a float: it is one of ours */
    GF_TIFF_PACKED,                      /* 1 to 15 bits, without gaps: u8 or u16 */
    GF_TIFF_S8, GF_TIFF_S16,             /* f32: divided by 128, by 32768 */
    GF_TIFF_F16, GF_TIFF_F64             /* f32 */
};

#define GF_TIFF_TAKEN 5                  /* channels at most: four inks and alpha */

struct gf_tiff_pixel {
    int samples;                         /* in the file */
    int bits;                            /* of one */
    enum gf_tiff_coding coding;
    size_t bytes;                        /* of a decoded sample */
    int channels, kept[GF_TIFF_TAKEN];   /* the samples that are taken, counted from 0 */
    unsigned flip;                       /* bit n: channel n counts down, white is 0 */
    uint32_t narrow;                     /* the largest sample, if samples are scaled up to all bits of theirs; 0: they are not */
    bool premultiplied;                  /* colours are multiplied by alpha */
    bool inks;                           /* the first four channels are cyan, magenta, yellow and black: they become RGB */
};

/* Decodes `count` samples that are stored one after another. */
void gf_tiff_decode(const struct gf_tiff_pixel *pixel, const unsigned char *from, size_t count, void *to);
/* Copies the channels of `count` pixels from decoded samples; `plane` is the one sample that `from` has of each, or -1. */
void gf_tiff_copy(const struct gf_tiff_pixel *pixel, const unsigned char *from, int plane, unsigned char *to, size_t count);
/* Turns `count` pixels of inks into RGB without a profile. */
void gf_tiff_mix_inks(const struct gf_tiff_pixel *pixel, const unsigned char *from, unsigned char *to, size_t count);
/* Turns channels round and divides colours by alpha, as `pixel` says. */
void gf_tiff_finish(const struct gf_tiff_pixel *pixel, const struct gf_format *f, unsigned char *b, size_t count);

/* Texts that have a tag, under the names that PNG has for them; ended by one without a key. */
struct gf_tiff_text {
    const char *key;
    uint32_t tag;
};
extern const struct gf_tiff_text gf_tiff_texts[];

#endif
