/* Shared by the TIFF reader and writer: libtiff on files or in memory, and its errors. */
#ifndef GF_FORMATS_TIFF_H
#define GF_FORMATS_TIFF_H

#include "io/format.h"
#include "io/formats/tiff/libtiff.h"

extern const struct gf_writer_ops gf_write_tiff;

/* One of three: a file that is read, a file that is written, or memory for either. */
struct gf_tiff_file {
    const char *name;                    /* for messages */
    const struct gf_source *source;
    struct gf_output *out;
    int64_t base;                        /* offset of our byte 0 in the input or output */
    unsigned char *bytes;
    size_t room;
    int64_t size, at;
    int64_t most_bytes;                  /* the most that libtiff may allocate at once; 0: no limit */
    bool failed;                         /* reading or writing failed; `error` has the reason */
    struct gf_error error;
    char text[200];                      /* libtiff's first error */
    bool in_pixels;                      /* the directory was read, so warnings are about samples */
    char damage[200];                    /* the first warning about samples, or that samples are missing */
    /* names of tags that libtiff could not read: needed for samples; needed for metadata */
    char lost[40], ignored[40];
    bool uncounted;                      /* the sizes of strips are wrong, so libtiff calculates them */
    bool looped;                         /* the list of pages returns to an earlier page */
};

/* Opens a file. Returns NULL if libtiff rejects it. The caller frees f->bytes after closing. */
TIFF *gf_tiff_open(struct gf_tiff_file *f, const char *mode);
/* Reads like libtiff, from an offset. Returns the number of bytes, or -1. */
int64_t gf_tiff_read_at(struct gf_tiff_file *f, int64_t at, void *to, size_t size);
/* Returns true if a TIFF of either byte order begins like this, with offsets of 32 or 64 bits. */
bool gf_tiff_begins(const unsigned char b[4]);
/* Writes bytes at an offset, at the end of a file that is written or after it. Returns false if that fails. */
bool gf_tiff_append(struct gf_tiff_file *f, int64_t at, void *bytes, size_t size);
/*
 * Returns the offset after everything that the directories of a file refer to, or its size if that is unknown. Counts
 * the pages, without smaller versions and masks.
 */
int64_t gf_tiff_end(struct gf_tiff_file *f, int64_t *pages);
/*
 * Many programs leave bytes at the end of a file to which no directory refers, such as room for values. Returns where
 * another TIFF begins, at the end of this one or soon after it; -1: there is none.
 */
#define GF_TIFF_UNUSED_BYTES 4096
int64_t gf_tiff_find_next(struct gf_tiff_file *f, int64_t end);
/* Reports the failure of the file, or libtiff's message. `doing` is "decoded" or "encoded". */
int gf_tiff_fail(const struct gf_tiff_file *f, const char *doing, struct gf_error *err);

/* Returns true for libtiff's warning that a strip ends early, after which it invents samples. */
bool gf_tiff_is_cut(const char *text);
/* Clears errors and warnings before another page is read. */
void gf_tiff_forget(struct gf_tiff_file *f);

/* How a sample is stored, and what it is converted to. */
enum gf_tiff_coding {
    GF_TIFF_AS_IS,                       /* 8 or 16 bits or a float: not converted */
    GF_TIFF_PACKED,                      /* 1 to 15 bits, without gaps: becomes u8 or u16 */
    GF_TIFF_S8, GF_TIFF_S16,             /* become f32: divided by 128 or 32768 */
    GF_TIFF_F16, GF_TIFF_F64             /* become f32 */
};

#define GF_TIFF_TAKEN 5                  /* most channels that are read: CMYK and alpha */

struct gf_tiff_pixel {
    int samples;                         /* per pixel in the file */
    int bits;                            /* per sample */
    enum gf_tiff_coding coding;
    size_t bytes;                        /* per decoded sample */
    int channels, kept[GF_TIFF_TAKEN];   /* number of samples that are read; which ones, counted from 0 */
    unsigned flip;                       /* bit n: channel n is inverted, 0 is white */
    uint32_t narrow;                     /* samples up to this value are scaled to their full type; 0: not scaled */
    bool premultiplied;                  /* colors are multiplied by alpha */
    bool indexed;                        /* the samples are indexes of `colors` */
    unsigned char colors[256][3];
    bool inks;                           /* the first four channels are CMYK and become RGB */
};

/* Decodes `count` consecutive samples. */
void gf_tiff_decode(const struct gf_tiff_pixel *pixel, const unsigned char *from, size_t count, void *to);
/*
 * Copies the channels of `count` pixels from decoded samples. `plane` is the only sample in `from`,
 * or -1 if all are.
 */
void gf_tiff_copy(const struct gf_tiff_pixel *pixel, const unsigned char *from, int plane, unsigned char *to,
                  size_t count);
/* Converts `count` pixels from CMYK to RGB without a profile. */
void gf_tiff_mix_inks(const struct gf_tiff_pixel *pixel, const unsigned char *from, unsigned char *to, size_t count);
/* Inverts channels and divides colors by alpha, as `pixel` says. */
void gf_tiff_finish(const struct gf_tiff_pixel *pixel, const struct gf_format *f, unsigned char *b, size_t count);

/* Texts that TIFF has a tag for, with PNG's names. Ends with a key of NULL. */
struct gf_tiff_text {
    const char *key;
    uint32_t tag;
};
extern const struct gf_tiff_text gf_tiff_texts[];

#endif
