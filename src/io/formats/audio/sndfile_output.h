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
    struct gf_error error;       /* an error of the output inside a callback of libsndfile */
    bool broken;
};

extern SF_VIRTUAL_IO gf_sndfile_output_calls;

/* Writes what is still buffered, after libsndfile has closed the file. */
int gf_sndfile_output_end(struct gf_sndfile_output *p, struct gf_error *err) GF_MUST_CHECK;
void gf_sndfile_output_release(struct gf_sndfile_output *p);

#endif
