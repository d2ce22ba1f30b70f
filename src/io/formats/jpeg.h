/* What the reader and the writer of JPEG share: the library's errors as ours. */
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
 * libjpeg ends what it can't go on with by calling error_exit(), which must not return:
 * it leaves by `home`, set by the call under way, with the line in `err`.
 */
struct gf_jpeg_errors {
    struct jpeg_error_mgr manager;       /* first: libjpeg hands back this part alone */
    jmp_buf home;
    struct gf_error *err;
    const char *name;                    /* of the file, for messages */
    const char *doing;                   /* "decoded", "encoded" */
    bool cut;                            /* the input has ended before the picture */
    bool starved;                        /* coded data ended before the pixels did */
};

/* Fills `e` and gives it as the error manager of a libjpeg object. */
struct jpeg_error_mgr *gf_jpeg_errors_open(struct gf_jpeg_errors *e, const char *name, const char *doing);
/* Leaves by `home`; the line is in e->err already. */
_Noreturn void gf_jpeg_leave(struct gf_jpeg_errors *e);

/* Before the header is read: what has to be kept of it. */
void gf_jpeg_keep_meta(j_decompress_ptr d);
int gf_jpeg_take_meta(j_decompress_ptr d, struct gf_meta *m, struct gf_error *err) GF_MUST_CHECK;
/* Bytes that a segment holds of EXIF, XMP and IPTC, after what says which it is. */
#define GF_JPEG_MOST_EXIF 65527
#define GF_JPEG_MOST_XMP 65504
#define GF_JPEG_MOST_IPTC 65506
/* True if a text is short enough for a comment. */
bool gf_jpeg_keeps_text(const struct gf_text *text);

/* JPEG images that follow the main one in its file and belong to it: previews, gain maps, depth. */
#define GF_JPEG_MOST_FURTHER 16
struct gf_jpeg_further {
    int count;
    bool others;                         /* not just previews */
    uint32_t main_bytes, bytes[GF_JPEG_MOST_FURTHER];
};
/* Notes what else the header announces, and removes it from XMP, which then announces what is there. */
void gf_jpeg_take_parts(j_decompress_ptr d, struct gf_jpeg_further *f, struct gf_meta *m);

/* Before jpeg_start_compress(), and after it; nothing of NULL. */
void gf_jpeg_put_density(j_compress_ptr c, const struct gf_meta *m);
void gf_jpeg_put_meta(j_compress_ptr c, const struct gf_meta *m);

#endif
