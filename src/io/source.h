/*
 * The input of a reader: a file with random access,
 * or a pipe that is read in order with lookahead.
 */
#ifndef GF_IO_SOURCE_H
#define GF_IO_SOURCE_H

#include "base/error.h"
#include "base/spool.h"

#include <stddef.h>
#include <stdint.h>

/* WAV and PFM samples are copied without swapping bytes. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "readers and writers expect a little-endian machine");

#define GF_PIPE_BYTES (1 << 20)              /* the largest pipe size that Linux allows by default */

struct gf_source {
    const char *name;            /* for messages */
    int fd;
    bool owned;                  /* gf_source_close() closes the descriptor */
    bool random;                 /* a regular file or a buffered pipe: pread works, `size` is known */
    struct gf_spool spool;       /* all data of a buffered pipe; not used in a twin */
    const struct gf_spool *held; /* the spool, also in a twin; NULL: not buffered */
    int64_t base;                /* random: offset of our byte 0 in the file */
    int64_t size;                /* random: bytes from there to the end */
    int64_t position;            /* bytes taken so far */
    unsigned char *ahead;        /* lookahead: bytes read but not taken */
    size_t ahead_start, ahead_end;
    double slurp_seconds;        /* time of gf_source_slurp() and gf_source_hold() */
    double read_seconds;         /* time of reading in order */
    /* Fails instead of reading a pipe to its end; NULL: reading is allowed. */
    int (*refuse_whole)(const struct gf_source *s, struct gf_error *err);
    bool ended;                  /* no data after the lookahead */
    bool failed;                 /* a read failed: missing data does not mean damage */
};

/* Opens an input; `path` "-" or NULL is standard input. A folder or an empty input is an error. */
int gf_source_open(struct gf_source *s, const char *path, struct gf_error *err) GF_MUST_CHECK;
void gf_source_close(struct gf_source *s);
/* Makes an independent copy of a random source at its position. Close it before the original. */
int gf_source_twin(struct gf_source *twin, const struct gf_source *s, struct gf_error *err) GF_MUST_CHECK;

/*
 * Makes up to `want` bytes visible without taking them. Returns their number, fewer at the end, or
 * -1.
 */
int64_t gf_source_peek(struct gf_source *s, size_t want, const unsigned char **bytes,
                       struct gf_error *err) GF_MUST_CHECK;
/* Returns 1 if the next bytes are this signature, else 0 or -1. Takes none of them. */
int gf_source_begins(struct gf_source *s, const void *signature, size_t size, struct gf_error *err) GF_MUST_CHECK;
/* Takes `size` bytes, fewer only at the end. Returns their number, or -1. */
int64_t gf_source_read(struct gf_source *s, void *to, size_t size, struct gf_error *err) GF_MUST_CHECK;
/* Takes and returns the next byte; -1 at the end, -2 on failure. */
int gf_source_byte(struct gf_source *s, struct gf_error *err) GF_MUST_CHECK;
/* Skips `size` bytes, fewer only at the end. Returns their number, or -1. */
int64_t gf_source_skip(struct gf_source *s, int64_t size, struct gf_error *err) GF_MUST_CHECK;
/*
 * Reads at an offset of a random source, on any thread;
 * fewer bytes only at the end. Returns their number, or -1.
 */
int64_t gf_source_read_at(const struct gf_source *s, int64_t offset, void *to, size_t size,
                          struct gf_error *err) GF_MUST_CHECK;
/* Reads the rest into memory, to be freed. Fails if it exceeds `limit` bytes (0: no limit). */
int gf_source_slurp(struct gf_source *s, int64_t limit, unsigned char **bytes, size_t *size,
                    struct gf_error *err) GF_MUST_CHECK;
/*
 * Buffers a pipe to its end: up to `most` bytes in
 * memory, more on disk. The source becomes random access.
 */
int gf_source_hold(struct gf_source *s, int64_t most, struct gf_error *err) GF_MUST_CHECK;

#endif
