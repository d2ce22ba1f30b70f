/* Encodes FLAC on several threads: runs of blocks, whose frames are numbered anew. */
#ifndef GF_FORMATS_FLAC_FRAMES_H
#define GF_FORMATS_FLAC_FRAMES_H

#include "base/error.h"
#include "base/signal.h"

#include <stddef.h>

struct gf_flac_frames;

struct gf_flac_frames_options {
    const struct gf_format *format;      /* S16 or S32, with the bits to store in the high bits of each sample */
    int level;                           /* of compression, 0 to 8; -1: the default */
    int threads;
    int64_t memory_bytes;                /* --memory; 0: none */
    const char *name;                    /* for messages */
    /* Receives the frames in order, in pieces of any size. */
    int (*put)(void *user, const void *bytes, size_t size, struct gf_error *err);
    void *user;
};

/* Fields of the STREAMINFO block that are known only at the end. */
#define GF_FLAC_FRAME_SIZES_AT 4         /* offset in the block: smallest and largest frame */
#define GF_FLAC_TOTAL_AT 13              /* 4 bits of the sample size, 36 bits of the number of sample frames */
#define GF_FLAC_MD5_AT 18

struct gf_flac_totals {
    unsigned char frame_sizes[6], total[5], md5[16];
};

/*
 * The frames are those that one encoder of libFLAC makes. Returns NULL if they should be encoded in one thread: there
 * is little memory, or this build has no libFLAC.
 */
struct gf_flac_frames *gf_flac_frames_open(const struct gf_flac_frames_options *o);
int gf_flac_frames_write(struct gf_flac_frames *f, const void *units, int64_t count,
                         struct gf_error *err) GF_MUST_CHECK;
/* Writes the remaining frames. */
int gf_flac_frames_end(struct gf_flac_frames *f, struct gf_flac_totals *totals, struct gf_error *err) GF_MUST_CHECK;
/* NULL is fine. */
void gf_flac_frames_close(struct gf_flac_frames *f);

#endif
