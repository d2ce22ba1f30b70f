/*
 * The amount of audio that the headers of a file state. libsndfile does not report if the file has
 * less.
 */
#ifndef GF_FORMATS_STATED_LENGTH_H
#define GF_FORMATS_STATED_LENGTH_H

#include "io/seekable.h"

struct gf_stated_length {
    int64_t frames;              /* frames that the header states; 0: unknown */
    int64_t bytes, there;        /* encoded audio: bytes stated (0: unknown) and bytes in the file */
    /* Ogg: the last page is missing, incomplete, or not marked as last; or a first page is damaged */
    bool no_end;
    bool bad_start;              /* Ogg: a first page is damaged, but the end is there */
    int64_t usable;              /* a short file: usable bytes, up to the last complete page or the tags; 0: all */
    int64_t end;                 /* offset of something else that libsndfile would decode; 0: nothing */
    /*
     * a short file, or a counted pad byte: offset at which libsndfile gets these bytes instead, a size that is
     * true
     */
    int64_t patch_at;
    unsigned char patch[8];
    int patch_bytes;             /* 0: no patch */
    bool no_audio;               /* a file that ends before its samples begin */
    bool several_blocks;         /* VOC: libsndfile would read the headers of later blocks as samples */
    bool bad_rate;               /* AIFF: the sample rate is not a number from 1 to 2147483647 */
    bool cut_frame;              /* MP3 without a stated length: the last frame is incomplete, as in recorded streams */
};

/* Reads the headers, and the end of Ogg and MP3. Damage elsewhere is found by the decoder. */
int gf_stated_length_find(struct gf_stated_length *p, const struct gf_seekable *in, struct gf_error *err) GF_MUST_CHECK;
/* Notes that the big-endian number of `bytes` bytes at `at` is to be read as `size`. */
void gf_stated_length_patch(struct gf_stated_length *p, int64_t at, uint64_t size, int bytes);
/* Returns true if the file has less audio than its headers state. */
bool gf_stated_length_broken(const struct gf_stated_length *p);

#endif
