/* Images in memory that stages read beside their input: second images, and images of a window. */
#ifndef GF_RUN_SIDE_IMAGE_H
#define GF_RUN_SIDE_IMAGE_H

#include "base/spool.h"
#include "io/io.h"
#include "run/run.h"

#include <pthread.h>
#include <stdatomic.h>

/* The user of an image holds a reference to it. It is freed when its last user releases it. */
struct gf_side_image {
    atomic_int holders;
    uint64_t number;                     /* unique in the process */
    struct gf_format format;             /* as stages read it */
    struct gf_spool pixels;
    /* protects the samples below as they were read, turned or luma and chroma, until a stage needs pixels */
    pthread_mutex_t lock;
    struct gf_format packed;
    struct gf_spool samples;
    bool keeps;                          /* the samples stay after that */
    bool unpacked;
    double luma;                         /* the brightness of an image of a window, if it is needed */
    size_t most;                         /* bytes of the pixels that may be in memory */
};

/* Returns true if stages read other pixels than the reader delivers for images of this format. */
static inline bool gf_side_image_is_packed(const struct gf_format *f)
{
    return f->orientation != 0 || f->yuv.used;
}

static inline bool gf_side_image_on_disk(const struct gf_side_image *p)
{
    return p->pixels.on_disk;
}

/* Returns the current image of `r`, of which nothing is read yet, with room for at most `most` bytes in memory. */
struct gf_side_image *gf_side_image_new(const struct gf_reader *r, size_t most, struct gf_error *err);
/* Makes room for the pixels now; otherwise that happens when they are unpacked. */
int gf_side_image_reserve(struct gf_side_image *p, struct gf_error *err) GF_MUST_CHECK;
/* Reads all samples of the image. */
int gf_side_image_read(struct gf_side_image *p, struct gf_reader *r, struct gf_error *err) GF_MUST_CHECK;
/* Returns the samples as they were read. */
const void *gf_side_image_stored(const struct gf_side_image *p);
/*
 * Returns 1 if the samples of an image have to be unpacked from `from` to `to` before stages read them: then others
 * wait until gf_side_image_end_unpacking() is called. Returns 0 if not, -1 on failure.
 */
int gf_side_image_begin_unpacking(struct gf_side_image *p, struct gf_reader *from, struct gf_writer *to,
                                  struct gf_error *err) GF_MUST_CHECK;
void gf_side_image_end_unpacking(struct gf_side_image *p, bool done);
struct gf_side_samples gf_side_image_samples(const struct gf_side_image *p);
/* NULL is allowed. */
void gf_side_image_release(struct gf_side_image *p);

#endif
