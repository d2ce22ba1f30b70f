/* Reads and writes linear samples that follow a header, for all uncompressed formats. */
#ifndef GF_FORMATS_UNCOMPRESSED_H
#define GF_FORMATS_UNCOMPRESSED_H

#include "io/format.h"
#include "io/formats/audio/pcm.h"

#include <stdatomic.h>

/* First member of a reader's state. */
struct gf_uncompressed {
    struct gf_pcm pcm;
    int64_t unit_bytes;          /* of a stored unit */
    int64_t data;                /* offset of the first unit */
    int64_t unit;                /* next unit to be read in order */
    int64_t promised;            /* units that the header states; GF_UNKNOWN: not stated */
    int64_t there;               /* units in the file; GF_UNKNOWN on a pipe */
    bool plain;                  /* images: stored and packed samples differ only in byte order */
    bool more;                   /* another signal may follow, so the rest must not be drained */
};

/* Opens a reader with `ops` if `match` is 1, or the one of libsndfile if it is 0. */
int gf_uncompressed_open(struct gf_reader *r, struct gf_source *s, const struct gf_read_options *o, int match,
                         const struct gf_reader_ops *ops, size_t state_bytes, struct gf_error *err) GF_MUST_CHECK;
/*
 * Implement ops->read and ops->read_at. Complete units before a cut are returned; the next call
 * fails.
 */
int64_t gf_uncompressed_read(struct gf_reader *r, void *units, int64_t count, struct gf_error *err);
int gf_uncompressed_read_at(struct gf_reader *r, int64_t start, void *units, int64_t count, struct gf_error *err);
/*
 * Reads and ignores data after the samples of a pipe, so that the program that writes it can
 * finish. Does nothing if the header did not state a length, because the input may be endless.
 */
int gf_uncompressed_drain(struct gf_reader *r, struct gf_error *err) GF_MUST_CHECK;
/*
 * Prepares for units that begin at the current position of the source and have `size` bytes, or
 * extend to the end if `size` is GF_UNKNOWN. Units must be stored without padding, with channels in
 * our order, and not be larger than packed ones. Sets the length of the signal. An audio file that
 * is too short fails only when a missing unit is read, so that trim can use the rest; an image
 * fails here.
 */
int gf_uncompressed_begin(struct gf_reader *r, int64_t size, struct gf_error *err) GF_MUST_CHECK;

/* First member of a writer's state. */
struct gf_uncompressed_out {
    struct gf_pcm pcm;
    int64_t unit_bytes;          /* of a stored unit */
    int64_t start;               /* offset of the header in the output */
    size_t header_bytes;
    int64_t unit;                /* next unit to be written in order */
    _Atomic int64_t units;       /* highest unit that any thread has written, plus one */
};

/* Implement ops->write and ops->write_at. */
int gf_uncompressed_write(struct gf_writer *w, const void *units, int64_t count, struct gf_error *err);
int gf_uncompressed_write_at(struct gf_writer *w, int64_t start, const void *units, int64_t count,
                             struct gf_error *err);
/* Writes stored bytes, `offset` bytes after the header. */
int gf_uncompressed_store(struct gf_writer *w, int64_t offset, const void *bytes, size_t size,
                          struct gf_error *err) GF_MUST_CHECK;

#endif
