/* Signals that lie in a file as units of linear samples, one behind another: reading and writing them, whatever the header. */
#ifndef GF_FORMATS_UNCOMPRESSED_H
#define GF_FORMATS_UNCOMPRESSED_H

#include "io/format.h"
#include "io/formats/pcm.h"

#include <stdatomic.h>

/* The head of a reader's state. */
struct gf_uncompressed {
    struct gf_pcm pcm;
    int64_t unit_bytes;          /* stored */
    int64_t data;                /* where the first unit lies */
    int64_t unit;                /* the next one read in order */
    int64_t promised;            /* units that the header states; GF_UNKNOWN: it does not */
    int64_t there;               /* units in a file; on a pipe GF_UNKNOWN */
    bool plain;                  /* pictures: samples are packed as they are stored but for the order of bytes */
    bool more;                   /* another signal may follow, so what is left is not drained */
};

/* Begins a reader if `match` is 1, that of libsndfile if it is 0. */
int gf_uncompressed_open(struct gf_reader *r, struct gf_source *s, const struct gf_read_options *o, int match,
                         const struct gf_reader_ops *ops, size_t state_bytes, struct gf_error *err) GF_MUST_CHECK;
/* The bodies of ops->read and ->read_at. What is whole before a cut is handed over; the next call tells of the cut. */
int64_t gf_uncompressed_read(struct gf_reader *r, void *units, int64_t count, struct gf_error *err);
int gf_uncompressed_read_at(struct gf_reader *r, int64_t start, void *units, int64_t count, struct gf_error *err);
/*
 * Whoever fills a pipe is let finish: what follows the samples is read and forgotten. Where the header
 * did not say how many there are, there may be no end of it, and the pipe is left.
 */
int gf_uncompressed_drain(struct gf_reader *r, struct gf_error *err) GF_MUST_CHECK;
/*
 * Units are stored one after another, without padding, channels in our order, and none takes more bytes than a packed one.
 * The samples begin where the source stands, and take `size` bytes, or go on to the end where it is
 * GF_UNKNOWN: sets what the reader says of the signal. Audio of a file that
 * ends before fails when a missing unit is read, so that trim can take what is there; an image fails here.
 */
int gf_uncompressed_begin(struct gf_reader *r, int64_t size, struct gf_error *err) GF_MUST_CHECK;

/* The head of a writer's state. */
struct gf_uncompressed_out {
    struct gf_pcm pcm;
    int64_t unit_bytes;          /* stored */
    int64_t start;               /* of the header in the output */
    size_t header_bytes;
    int64_t unit;                /* the next one written in order */
    _Atomic int64_t units;       /* as far as any thread has written */
};

/* The bodies of ops->write and ->write_at. */
int gf_uncompressed_write(struct gf_writer *w, const void *units, int64_t count, struct gf_error *err);
int gf_uncompressed_write_at(struct gf_writer *w, int64_t start, const void *units, int64_t count, struct gf_error *err);
/* Stored bytes, `offset` behind the header. */
int gf_uncompressed_store(struct gf_writer *w, int64_t offset, const void *bytes, size_t size, struct gf_error *err) GF_MUST_CHECK;

#endif
