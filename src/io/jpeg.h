/* What the reader and the writer of JPEG share: the library's errors as ours. */
#ifndef GF_JPEG_H
#define GF_JPEG_H

#include <setjmp.h>
#include <stdio.h>
#include <jpeglib.h>

#include "gpufilter.h"
#include "io/meta.h"

/*
 * libjpeg ends what it can't go on with by calling error_exit(), which must not return:
 * it leaves by `home`, set by the call under way, with the line in `err`.
 */
struct gf_jpeg_trap {
    struct jpeg_error_mgr manager;       /* first: libjpeg knows the trap by it */
    jmp_buf home;
    struct gf_error *err;
    const char *name;                    /* of the file, for messages */
    const char *doing;                   /* "decoded", "encoded" */
    bool cut;                            /* the input has ended before the picture */
    bool starved;                        /* coded data ended before the pixels did */
};

/* Fills the trap and gives it as the error manager of a libjpeg object. */
struct jpeg_error_mgr *gf_jpeg_trap_open(struct gf_jpeg_trap *t, const char *name, const char *doing);
/* Leaves by `home`; the line is in t->err already. */
_Noreturn void gf_jpeg_leave(struct gf_jpeg_trap *t);

/* Before the header is read: what has to be kept of it. */
void gf_jpeg_keep_meta(j_decompress_ptr d);
int gf_jpeg_take_meta(j_decompress_ptr d, struct gf_meta *m, struct gf_error *err) GF_MUST_CHECK;
/* Before jpeg_start_compress(), and behind it; nothing of NULL. */
void gf_jpeg_put_density(j_compress_ptr c, const struct gf_meta *m);
void gf_jpeg_put_meta(j_compress_ptr c, const struct gf_meta *m);

#endif
