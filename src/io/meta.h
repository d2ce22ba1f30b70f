/* What a picture carries beside its samples, from the file it came in to the file it goes to. */
#ifndef GF_IO_META_H
#define GF_IO_META_H

#include "gpufilter.h"

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

/* Which loudspeakers the channels are for, as an extensible WAV says it. */
struct gf_layout {
    int channels;                            /* of the file that says so; 0: nothing is said */
    uint32_t mask;                           /* a bit for each loudspeaker; 0: none in particular */
    bool other;                              /* `guid` is not the usual one: ambisonics, for example */
    unsigned char guid[14];                  /* the encoding, after its number */
};

/* All zero: nothing is told. */
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
    struct gf_text *text;
    int texts;
    struct gf_extra *extra;                  /* audio: extras.h; copies leave them out */
    int extras;
    unsigned char *riff;                     /* chunks of a WAV that may be written again, with their headers */
    size_t riff_bytes;
    struct gf_layout layout;
};

/* Frees what it holds, and leaves it empty. */
void gf_meta_release(struct gf_meta *m);
/* `to` is empty, and stays so where it fails. */
int gf_meta_copy(struct gf_meta *to, const struct gf_meta *from, struct gf_error *err) GF_MUST_CHECK;

/* Each keeps a copy, in the place of what was there; EXIF may have "Exif\0\0" before it. */
int gf_meta_set_icc(struct gf_meta *m, const void *bytes, size_t size, struct gf_error *err) GF_MUST_CHECK;
int gf_meta_set_exif(struct gf_meta *m, const void *bytes, size_t size, struct gf_error *err) GF_MUST_CHECK;
int gf_meta_set_xmp(struct gf_meta *m, const void *bytes, size_t size, struct gf_error *err) GF_MUST_CHECK;
int gf_meta_add_text(struct gf_meta *m, const char *key, const char *value, struct gf_error *err) GF_MUST_CHECK;

/* Whether there is a profile, and it is one for pictures of so many colours. */
bool gf_meta_has_icc_for(const struct gf_meta *m, int colours);

/* What a block of EXIF says, 1 to 8; 0 where it says nothing that can be understood. */
int gf_meta_exif_orientation(const unsigned char *exif, size_t size);
/* Makes it say 1, where it says anything. */
void gf_meta_exif_reset_orientation(unsigned char *exif, size_t size);

/* The same for each tiff:Orientation of an XMP packet, which is never asked itself. */
void gf_meta_xmp_reset_orientation(unsigned char *xmp, size_t size);

/*
 * From what a file says to what is true once the picture stands upright: the orientation
 * is taken out, whether it is told beside the EXIF or in it or in XMP, and the resolutions change
 * places where the sides do. Returns the orientation that was told, 1 to 8, or 0.
 */
int gf_meta_stand_upright(struct gf_meta *m);

#endif
