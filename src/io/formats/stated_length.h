/* The amount of audio that the headers of a file promise. libsndfile reads what is there, and does not say if that is less. */
#ifndef GF_FORMATS_STATED_LENGTH_H
#define GF_FORMATS_STATED_LENGTH_H

#include "io/seekable.h"

struct gf_stated_length {
    int64_t frames;              /* as the header states; 0: it does not */
    int64_t bytes, there;        /* of encoded audio: stated, and in the file; bytes is 0 if not stated */
    bool no_end;                 /* Ogg: the last page is missing, cut, or does not end the stream */
    int64_t usable;              /* of a cut file: bytes up to the end of the last whole page, or to tags; 0: all */
    int64_t patch_at;            /* a cut file: libsndfile finds these bytes here, a size that is true; */
    unsigned char patch[8];
    int patch_bytes;             /* 0: none */
    bool several_blocks;         /* VOC: libsndfile takes the headers of all but the first block for samples */
    bool cut_frame;              /* MP3 without a stated length: the last frame is cut, as recorders of streams leave it */
};

/* Looks at the headers, and at the end of Ogg and MP3. Damage elsewhere is for the decoder to find. */
int gf_stated_length_find(struct gf_stated_length *p, const struct gf_seekable *in, struct gf_error *err) GF_MUST_CHECK;
/* Notes that a size of `bytes` bytes at `at`, the highest byte first, is to be read as `size`. */
void gf_stated_length_patch(struct gf_stated_length *p, int64_t at, uint64_t size, int bytes);
/* True if the file has less than it promises. */
bool gf_stated_length_broken(const struct gf_stated_length *p);

/* The parts for Ogg and MP3; each leaves `p` alone if the file is of another format. */
int gf_stated_length_ogg(struct gf_stated_length *p, const struct gf_seekable *in, struct gf_error *err) GF_MUST_CHECK;
int gf_stated_length_mp3(struct gf_stated_length *p, const struct gf_seekable *in, struct gf_error *err) GF_MUST_CHECK;

#endif
