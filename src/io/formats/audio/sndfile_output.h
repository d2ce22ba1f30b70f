/*
 * The output that libsndfile writes to: a file, which it may patch later, or a pipe, which gets
 * bytes as soon as they are final.
 */
#ifndef GF_FORMATS_SNDFILE_OUTPUT_H
#define GF_FORMATS_SNDFILE_OUTPUT_H

#include "base/spool.h"
#include "io/formats/audio/libsndfile.h"
#include "io/formats/audio/ogg_pages.h"
#include "io/output.h"

struct gf_sndfile_output {
    struct gf_output *out;
    struct gf_ogg_pages pages;
    bool ogg;                    /* Ogg is written in order, with rebuilt pages */
    bool memory;                 /* the output is a pipe: bytes are buffered, because headers cannot be patched there */
    bool waits;                  /* buffer until the end, in memory or on disk, because the format needs its patches */
    size_t most_held;            /* otherwise, buffer so many bytes; later patches are dropped */
    struct gf_spool held;        /* buffered bytes, from offset `gone` on */
    int64_t gone;                /* bytes that the pipe has received */
    int64_t base, size, at;      /* in the output: our start; bytes written; libsndfile's position */
    bool draft;                  /* drop what is written: headers that a shorter one replaces */
    bool aiff;                   /* find in the header of an AIFF: */
    int64_t count_at, size_at;   /* its number of frames, and the size of the chunk of samples; 0: not found */
    struct gf_error error;       /* an error of the output inside a callback of libsndfile */
    bool broken;
};

extern SF_VIRTUAL_IO gf_sndfile_output_calls;

/*
 * Writes the sizes of an AIFF of so many frames, which have `bytes` bytes together, after libsndfile has closed the
 * file. Returns -1 after an error of the output.
 */
int gf_sndfile_output_end_aiff(struct gf_sndfile_output *p, int64_t frames, int64_t bytes) GF_MUST_CHECK;
/* Writes what is still buffered, after libsndfile has closed the file. */
int gf_sndfile_output_end(struct gf_sndfile_output *p, struct gf_error *err) GF_MUST_CHECK;
void gf_sndfile_output_release(struct gf_sndfile_output *p);

#endif
