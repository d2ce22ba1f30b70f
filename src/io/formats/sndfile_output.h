/* Where libsndfile writes to: a file, which it may patch later, or a pipe, which gets what is done as soon as can be. */
#ifndef GF_FORMATS_SNDFILE_OUTPUT_H
#define GF_FORMATS_SNDFILE_OUTPUT_H

#include "base/spool.h"
#include "io/formats/ogg_pages.h"
#include "io/output.h"

#include <sndfile.h>

struct gf_sndfile_output {
    struct gf_output *out;
    struct gf_ogg_pages pages;
    bool ogg;                    /* Ogg is written in order, and its pages are rebuilt */
    bool memory;                 /* a pipe cannot seek to patch a header: bytes are held … */
    bool waits;                  /* … until the end, in memory or on disk, if the format needs its patches; else … */
    size_t most_held;            /* … up to this size; then they are written, and later patches are dropped */
    struct gf_spool held;        /* bytes from offset `gone` on */
    int64_t gone;                /* what the pipe has had */
    int64_t base, size, at;      /* in the output: where we start, how much there is, where libsndfile stands */
    struct gf_error error;       /* of the output, met inside libsndfile */
    bool broken;
};

extern SF_VIRTUAL_IO gf_sndfile_output_calls;

/* What libsndfile left to be written, once it has closed. */
int gf_sndfile_output_end(struct gf_sndfile_output *p, struct gf_error *err) GF_MUST_CHECK;
void gf_sndfile_output_release(struct gf_sndfile_output *p);

#endif
