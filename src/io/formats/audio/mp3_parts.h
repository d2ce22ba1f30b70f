/* Finds the parts of an MP3 that was joined from several, as by `cat A B`. */
#ifndef GF_FORMATS_MP3_PARTS_H
#define GF_FORMATS_MP3_PARTS_H

#include "io/formats/audio/mpeg.h"
#include "io/seekable.h"

/* libmpg123 gives up if more bytes than this between two frames are neither audio nor a tag. */
#define GF_MP3_MOST_JUNK 1000

/* A stretch of frames that one decoder reads. */
struct gf_mp3_part {
    int64_t start, end;          /* bytes of the file */
    int64_t next;                /* first frame of the next part; 0: this one is the last */
    struct gf_mpeg kind, next_kind;      /* of its frames, and of those of the next part */
    int64_t skipped;             /* bytes between both that are neither audio nor tags */
    int64_t frames;              /* its frames, without the one that states the length */
    struct gf_mpeg_length stated;
    int64_t stated_at;           /* offset of the frame that states the length; -1: none */
    bool varies;                 /* its frames have several bit rates */
    int64_t last, after;         /* offsets of its last frame, which may be cut, and after it */
};

/*
 * Finds the end of the part that begins at byte `start`. Returns 1, 0 if this is no MPEG audio, or -1. The
 * first part may begin with tags; the others begin with a frame.
 */
int gf_mp3_part_find(struct gf_mp3_part *p, const struct gf_seekable *in, int64_t start,
                     struct gf_error *err) GF_MUST_CHECK;

#endif
