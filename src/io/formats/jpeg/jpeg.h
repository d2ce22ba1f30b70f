/* Shared by the JPEG reader and writer: error handling and metadata. */
#ifndef GF_FORMATS_JPEG_H
#define GF_FORMATS_JPEG_H

#include "base/error.h"
#include "io/format.h"

#include <jpeglib.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>

extern const struct gf_writer_ops gf_write_jpeg;

#define GF_JPEG_SIGNATURE "\xff\xd8\xff"

/*
 * Error handling for libjpeg. Its error_exit() must not return, so it stores the message in `err`
 * and jumps to `home`, which the current call has set.
 */
struct gf_jpeg_errors {
    struct jpeg_error_mgr manager;       /* must be first: libjpeg passes a pointer to it */
    jmp_buf home;
    struct gf_error *err;
    const char *name;                    /* of the file, for messages */
    const char *doing;                   /* for messages: "decoded" or "encoded" */
    struct gf_notices *notices;          /* where warnings about damage go; NULL: nowhere */
    bool unused;                         /* the rows that are decoded now are not used, so their damage is ignored */
    bool cut;                            /* the input ended before the image did */
    bool starved;                        /* the coded data ended before the pixels did */
};

/* Initializes `e` and returns the error manager for a libjpeg object. */
struct jpeg_error_mgr *gf_jpeg_errors_open(struct gf_jpeg_errors *e, const char *name, const char *doing);
/* Jumps to `home`. The message must be in e->err. */
_Noreturn void gf_jpeg_leave(struct gf_jpeg_errors *e);

/* Identifies the markers that are kept; a zero byte follows, two follow that of EXIF. */
#define GF_JPEG_EXIF_NAME "Exif"
#define GF_JPEG_XMP_NAME "http://ns.adobe.com/xap/1.0/"
#define GF_JPEG_PROFILE_NAME "ICC_PROFILE"
#define GF_JPEG_INDEX_NAME "MPF"
#define GF_JPEG_RESOURCES_NAME "Photoshop 3.0"

/* The markers of a header that have metadata, as a list that libjpeg frees with the image. */
struct gf_jpeg_markers {
    struct jpeg_marker_struct *last;
    int kept, comments;
    size_t bytes;                        /* memory of the list */
    struct gf_meta *meta;                /* of the image; NULL: the header has ended, further markers are ignored */
};
/*
 * Makes libjpeg add metadata to d->marker_list. Its own jpeg_save_markers() takes a time that is quadratic
 * in the number of markers.
 */
void gf_jpeg_keep_markers(j_decompress_ptr d);
int gf_jpeg_take_meta(j_decompress_ptr d, struct gf_meta *m, struct gf_error *err) GF_MUST_CHECK;
/* Bytes of EXIF, XMP and IPTC that fit into one segment, after its identifier. */
#define GF_JPEG_MOST_EXIF 65527
#define GF_JPEG_MOST_XMP 65504
#define GF_JPEG_MOST_IPTC 65506
/* Returns true if a text fits into a comment. */
bool gf_jpeg_keeps_text(const struct gf_text *text);

/*
 * Further JPEG images in the same file that belong to the main one: previews, gain maps, depth
 * maps.
 */
#define GF_JPEG_MOST_FURTHER 16
struct gf_jpeg_further {
    int count;
    bool others;                         /* some are not previews */
    uint32_t main_bytes, bytes[GF_JPEG_MOST_FURTHER];
};
/* Notes a part of the file that cannot be kept, by the first bytes of its marker. */
void gf_jpeg_note_part(int marker, const unsigned char *b, size_t size, struct gf_meta *m);
/*
 * Notes the further parts that the header lists, and removes them from the XMP, because the output
 * does not have them.
 */
void gf_jpeg_take_parts(j_decompress_ptr d, struct gf_jpeg_further *f, struct gf_meta *m);

/*
 * Write the resolution before jpeg_start_compress() and other metadata after it. `m` may be NULL.
 */
void gf_jpeg_put_density(j_compress_ptr c, const struct gf_meta *m);
void gf_jpeg_put_meta(j_compress_ptr c, const struct gf_meta *m);

/* See single() of struct gf_file_format. */
bool gf_jpeg_is_single(const struct gf_source *s);

#endif
