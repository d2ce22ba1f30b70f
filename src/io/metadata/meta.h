/* Metadata of an image or recording, on its way from the input to the output. */
#ifndef GF_METADATA_META_H
#define GF_METADATA_META_H

#include "base/error.h"
#include "io/metadata/parts.h"

#include <stddef.h>
#include <stdint.h>

/* A text entry; key and value are UTF-8. */
struct gf_text {
    char *key, *value;
};

/* Data of a file that gpufilter does not store: a tag, or something like cover art. */
struct gf_extra {
    char *name;
    char *file;                              /* that it comes from; NULL: the input */
    int count;                               /* number of items; 0: not countable */
    bool tag;
    bool riff;                               /* it is part of gf_meta.riff, which a WAV can store */
    unsigned needs;                          /* then: enum gf_riff_needs */
};

/* How a page of a TIFF is compressed, as numbers of TIFF. */
struct gf_packing {
    int compression;                         /* 0: not a TIFF */
    int predictor;
};

/* The loudspeaker positions of an extensible WAV. */
struct gf_speaker_layout {
    int channels;                            /* channels of that file; 0: no positions stated */
    uint32_t mask;                           /* a bit for each loudspeaker; 0: unspecified */
    bool other;                              /* `guid` is not the standard one, as for ambisonics */
    unsigned char guid[14];                  /* the encoding, without its first two bytes */
};

/* How long a frame of an animation is shown: count / per_second seconds; and how often all of them play. */
struct gf_shown {
    int count, per_second;                   /* per_second 0: not stated */
    int plays;                               /* 0: without end */
};

/* Color chunks of PNG, in the order of writing. Each is copied unchanged. */
enum gf_colour_chunk { GF_CHUNK_CICP, GF_CHUNK_MDCV, GF_CHUNK_CLLI, GF_CHUNK_CHRM, GF_CHUNK_GAMA, GF_COLOUR_CHUNKS };
#define GF_COLOUR_CHUNK_BYTES 32

/* The most memory for the metadata of an input, from --max-memory and --memory. */
struct gf_meta_limit {
    const char *name;                        /* the file, for messages */
    int64_t bytes;                           /* 0: no limit */
    const char *option;                      /* the option that sets it */
};

/* Further texts are dropped, with GF_PART_LONG_TEXT. */
#define GF_META_MOST_TEXTS 1000

/*
 * The input and result for which an output's metadata was made, and the output about whose losses there was a
 * warning. Frames of an animation have all of this in common.
 */
struct gf_meta_origin {
    int64_t number;                          /* the reader's meta_number; 0: unknown */
    int64_t width, units;
    int aspect[2];
    bool settled, srgb;
    const void *warned;                      /* the writer_ops of that output; NULL: no warning yet */
    int colours_in, colours_out;
    unsigned parts;
};

/* All zero means no metadata. */
struct gf_meta {
    const struct gf_meta_limit *limit;       /* set by the reader; NULL, also in copies: no limit */
    size_t counted;                          /* bytes that count under the limit */
    int orientation;                         /* EXIF orientation, 1 to 8; 0: not stated */
    double x_per_metre, y_per_metre;         /* resolution in pixels per meter; 0: not stated */
    double x_per_unit, y_per_unit;           /* resolution in an unknown unit; 0: not stated */
    bool measured;                           /* the resolution is a scale to measure with, so it follows the pixels */
    bool per_centimetre;                     /* the file states it per centimeter, and a text may refer to that */
    bool recoded;                            /* the reader changed what sample values mean */
    int64_t images;                          /* images that its texts describe; 0: only this one */
    char dropped[40];                        /* kinds of metadata that the reader cannot read, "EXIF, GPS" */
    unsigned char *icc;
    size_t icc_bytes;
    unsigned char *exif;                     /* the TIFF block, without "Exif\0\0" before it */
    size_t exif_bytes;
    unsigned char *xmp;                      /* the XML packet */
    size_t xmp_bytes;
    unsigned char *iptc;                     /* records of IPTC-IIM: captions, keywords, rights */
    size_t iptc_bytes;
    struct gf_text *text;
    int texts;
    struct gf_extra *extra;                  /* audio: audio_extras.h */
    int extras;
    unsigned char *riff;                     /* chunks of a WAV that a WAV can store again, with headers */
    size_t riff_bytes;
    struct gf_speaker_layout layout;
    struct gf_packing packing;
    struct gf_shown shown;                   /* output_metadata.c sets it for each frame */
    unsigned char chunk[GF_COLOUR_CHUNKS][GF_COLOUR_CHUNK_BYTES];
    bool has_chunk[GF_COLOUR_CHUNKS];
    unsigned parts;                          /* enum gf_meta_part */
    struct gf_meta_origin origin;            /* output_metadata.c; copies leave it out */
};

/* Frees all members, and leaves it empty. */
void gf_meta_release(struct gf_meta *m);
/*
 * Copies metadata to `to`, which is empty; it stays empty on
 * failure. Extras are not copied.
 */
int gf_meta_copy(struct gf_meta *to, const struct gf_meta *from, struct gf_error *err) GF_MUST_CHECK;

/* Returns the bytes that are left under the limit, or SIZE_MAX. */
size_t gf_meta_room(const struct gf_meta *m);
/* Fails if `size` more bytes would exceed the limit. */
int gf_meta_check_room(const struct gf_meta *m, size_t size, struct gf_error *err) GF_MUST_CHECK;
/* Counts bytes of metadata under the limit. Functions below that add or set metadata do it themselves. */
int gf_meta_count(struct gf_meta *m, size_t size, struct gf_error *err) GF_MUST_CHECK;

/* Replace a member by a copy of the bytes. EXIF may begin with "Exif\0\0", which is removed. */
int gf_meta_set_icc(struct gf_meta *m, const void *bytes, size_t size, struct gf_error *err) GF_MUST_CHECK;
int gf_meta_set_exif(struct gf_meta *m, const void *bytes, size_t size, struct gf_error *err) GF_MUST_CHECK;
int gf_meta_set_xmp(struct gf_meta *m, const void *bytes, size_t size, struct gf_error *err) GF_MUST_CHECK;
int gf_meta_set_iptc(struct gf_meta *m, const void *bytes, size_t size, struct gf_error *err) GF_MUST_CHECK;
/* Adds bytes at the end of EXIF. */
int gf_meta_append_exif(struct gf_meta *m, const void *bytes, size_t size, struct gf_error *err) GF_MUST_CHECK;
int gf_meta_add_text(struct gf_meta *m, const char *key, const char *value, struct gf_error *err) GF_MUST_CHECK;
/* Writes "3 markers", or a name without a number. */
void gf_meta_extra_text(const struct gf_extra *e, char *text, size_t bytes);
/* Drops the texts with the key Comment. */
void gf_meta_drop_comment(struct gf_meta *m);

/* Returns true if there is a profile for images of so many colors: 1 gray, 3 RGB, 4 CMYK. */
bool gf_meta_has_icc_for(const struct gf_meta *m, int colours);

/*
 * Takes the resolution of EXIF for that of the image if the file states none elsewhere. One of pixels that are not
 * square is not taken, because EXIF would keep it when the pixels become square.
 */
void gf_meta_take_exif_resolution(struct gf_meta *m);
/*
 * Updates metadata for the upright image: sets each orientation to 1, and exchanges the
 * resolutions if width and height change places. Returns the orientation of the file, 1 to 8, from
 * `orientation`, EXIF or XMP; 0 if none is stated.
 */
int gf_meta_stand_upright(struct gf_meta *m);

/*
 * Sets aspect to pixel width / height as a fraction;
 * leaves it unchanged if pixels are square, or nearly so.
 */
void gf_meta_pixel_shape(const struct gf_meta *m, int *aspect);
struct gf_change;
/*
 * Updates EXIF, XMP and texts for a changed image: removes thumbnails, and sets sizes, positions and scales. Drops
 * what cannot be updated, such as EXIF that is too damaged; `parts` then says so.
 */
int gf_meta_settle(struct gf_meta *m, const struct gf_change *c, struct gf_error *err) GF_MUST_CHECK;
/* Parts that --strip=LIST leaves out, as bits. */
enum gf_strip {
    GF_STRIP_GPS = 1,                        /* the place, in EXIF, XMP, IPTC and texts */
    GF_STRIP_THUMBNAIL = 2,                  /* in EXIF and XMP */
    GF_STRIP_EXIF = 4,
    GF_STRIP_XMP = 8,
    GF_STRIP_IPTC = 16,
    GF_STRIP_ICC = 32,                       /* the profile, and color chunks of PNG */
    GF_STRIP_TEXT = 64,
    GF_STRIP_RESOLUTION = 128,               /* in EXIF and XMP, too, but not the shape of the pixels */
    GF_STRIP_ALL = 255
};

/*
 * Removes parts. EXIF or XMP that is too damaged to find the place or the thumbnail in is removed as a whole; `parts`
 * then says so.
 */
void gf_meta_strip(struct gf_meta *m, unsigned parts);
/*
 * Updates the resolution, if it is a scale to measure with. One to print with only turns with the image, and follows
 * the aspect of pixels; 0 means unknown.
 */
void gf_meta_settle_scale(struct gf_meta *m, const struct gf_change *c, const int *aspect);

#endif
