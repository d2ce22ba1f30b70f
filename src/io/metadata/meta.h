/* Metadata of an image or a recording, from the file it came in to the file it goes to. */
#ifndef GF_METADATA_META_H
#define GF_METADATA_META_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* Both in UTF-8. */
struct gf_text {
    char *key, *value;
};

/* Something that a file carries and gpufilter does not keep: a tag, or a thing like cover art. */
struct gf_extra {
    char *name;
    int count;                               /* 0: it is not counted */
    bool tag;
    bool riff;                               /* it is in gf_meta.riff: a WAV may keep it */
};

/* The loudspeakers that the channels are for, as an extensible WAV says it. */
struct gf_speaker_layout {
    int channels;                            /* of the file that says so; 0: nothing is said */
    uint32_t mask;                           /* a bit for each loudspeaker; 0: none in particular */
    bool other;                              /* `guid` is not the usual one: ambisonics, for example */
    unsigned char guid[14];                  /* the encoding, after its number */
};

/* Chunks by which a PNG says what its samples mean, in the order of writing; each is kept as it is. */
enum gf_colour_chunk { GF_CHUNK_CICP, GF_CHUNK_MDCV, GF_CHUNK_CLLI, GF_CHUNK_CHRM, GF_CHUNK_GAMA, GF_COLOUR_CHUNKS };
#define GF_COLOUR_CHUNK_BYTES 32

/* Parts of a file that cannot be kept, as bits; gf_output_metadata_warn() names them. */
enum gf_meta_part {
    GF_PART_GAIN_MAP = 1,                    /* an image that brightens this one for HDR displays */
    GF_PART_IMAGES = 2,                      /* further images, such as depth */
    GF_PART_VIDEO = 4,
    GF_PART_CREDENTIALS = 8,                 /* C2PA */
    GF_PART_EXTENDED_XMP = 16,
    GF_PART_PATHS = 32,                      /* clipping paths */
    GF_PART_LONG_TEXT = 64,                  /* texts that are too long or too many */
    GF_PART_EXIF = 128,                      /* EXIF that is damaged, */
    GF_PART_PROFILE = 256,                   /* a profile that is */
    GF_PART_LATE = 512                       /* after the image, on a pipe */
};

/* All zero: there is none. */
struct gf_meta {
    int orientation;                         /* as EXIF counts, 1 to 8; 0: not told */
    double x_per_metre, y_per_metre;         /* pixels; 0: not told */
    double x_per_unit, y_per_unit;           /* the same in a unit that the file does not name; 0: not told */
    char dropped[40];                        /* kinds of metadata that the file has and its reader cannot take, "EXIF, GPS" */
    unsigned char *icc;
    size_t icc_bytes;
    unsigned char *exif;                     /* the TIFF block, without "Exif\0\0" before it */
    size_t exif_bytes;
    unsigned char *xmp;                      /* the packet: a text of XML */
    size_t xmp_bytes;
    unsigned char *iptc;                     /* records of IPTC-IIM: captions, keywords, rights */
    size_t iptc_bytes;
    struct gf_text *text;
    int texts;
    struct gf_extra *extra;                  /* audio: audio_extras.h; copies leave them out */
    int extras;
    unsigned char *riff;                     /* chunks of a WAV that may be written again, with their headers */
    size_t riff_bytes;
    struct gf_speaker_layout layout;
    unsigned char chunk[GF_COLOUR_CHUNKS][GF_COLOUR_CHUNK_BYTES];
    bool has_chunk[GF_COLOUR_CHUNKS];
    unsigned parts;                          /* enum gf_meta_part */
};

/* Frees what it holds, and leaves it empty. */
void gf_meta_release(struct gf_meta *m);
/* `to` is empty, and stays so where it fails. */
int gf_meta_copy(struct gf_meta *to, const struct gf_meta *from, struct gf_error *err) GF_MUST_CHECK;

/* Each keeps a copy, in the place of what was there; EXIF may have "Exif\0\0" before it. */
int gf_meta_set_icc(struct gf_meta *m, const void *bytes, size_t size, struct gf_error *err) GF_MUST_CHECK;
int gf_meta_set_exif(struct gf_meta *m, const void *bytes, size_t size, struct gf_error *err) GF_MUST_CHECK;
int gf_meta_set_xmp(struct gf_meta *m, const void *bytes, size_t size, struct gf_error *err) GF_MUST_CHECK;
int gf_meta_set_iptc(struct gf_meta *m, const void *bytes, size_t size, struct gf_error *err) GF_MUST_CHECK;
int gf_meta_add_text(struct gf_meta *m, const char *key, const char *value, struct gf_error *err) GF_MUST_CHECK;

/* Whether there is a profile, and it is one for pictures of so many colours. */
bool gf_meta_has_icc_for(const struct gf_meta *m, int colours);

/*
 * Makes it true of the upright image: every orientation in it says 1, and the resolutions change places if the sides do.
 * Returns the orientation of the image in the file, 1 to 8, or 0 if it states none: its own, else that in EXIF, else in XMP.
 */
int gf_meta_stand_upright(struct gf_meta *m);

/* The width of a pixel to its height, as a quotient; not changed if pixels are square, or nearly so. */
void gf_meta_pixel_shape(const struct gf_meta *m, int *aspect);
/* Makes the resolution true of pixels of another shape; a quotient of 0 says nothing. */
void gf_meta_reshape(struct gf_meta *m, const int *aspect);

/*
 * Makes it true of a changed image of this size: EXIF and XMP lose their thumbnails, and the sizes they state become these.
 * EXIF that is too damaged for that is dropped.
 */
int gf_meta_settle(struct gf_meta *m, int64_t width, int64_t height, struct gf_error *err) GF_MUST_CHECK;

#endif
