/* The bytes behind a reader: a file read from anywhere, or a pipe read in order with a look ahead. */
#ifndef GF_IO_SOURCE_H
#define GF_IO_SOURCE_H

#include "base/error.h"
#include "base/spool.h"

#include <stddef.h>
#include <stdint.h>

/* What lies in memory as files store it: WAV and PFM samples are moved without swapping. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "readers and writers expect a little-endian machine");

#define GF_PIPE_BYTES (1 << 20)              /* what anybody may ask of a pipe */

struct gf_source {
    const char *name;            /* for messages */
    int fd;
    bool owned;                  /* the descriptor is ours to close */
    bool random;                 /* a regular file, or a pipe that is held: pread works and `size` is known */
    struct gf_spool spool;       /* all of a pipe that is held; a twin has none of its own */
    const struct gf_spool *held; /* where that is; NULL: nothing is held */
    int64_t base;                /* random: where in the file our byte 0 lies */
    int64_t size;                /* random: bytes from there to the end */
    int64_t position;            /* bytes taken so far */
    unsigned char *ahead;        /* bytes read and not yet taken */
    size_t ahead_start, ahead_end;
    double slurp_seconds;        /* that gf_source_slurp() took */
    double read_seconds;         /* of waiting for bytes that are taken in order */
    int (*refuse_whole)(const struct gf_source *s, struct gf_error *err);    /* instead of reading a pipe to its end; NULL: that is fine */
    bool ended;                  /* nothing is left behind what lies ahead */
    bool failed;                 /* a read failed: what is missing is no damage of the input */
};

/* path "-" or NULL is standard input; a folder or an empty input is an error. */
int gf_source_open(struct gf_source *s, const char *path, struct gf_error *err) GF_MUST_CHECK;
void gf_source_close(struct gf_source *s);
/* Another look at a random source from where it stands, apart from it; closed before it. */
int gf_source_twin(struct gf_source *twin, const struct gf_source *s, struct gf_error *err) GF_MUST_CHECK;

/* Makes up to `want` bytes visible without taking them, and says how many there are; -1. */
int64_t gf_source_peek(struct gf_source *s, size_t want, const unsigned char **bytes,
                       struct gf_error *err) GF_MUST_CHECK;
/* Whether it goes on with these `size` bytes, none of which are taken: 1, 0, -1. */
int gf_source_begins(struct gf_source *s, const void *signature, size_t size, struct gf_error *err) GF_MUST_CHECK;
/* Takes `size` bytes; fewer only at the end; -1. */
int64_t gf_source_read(struct gf_source *s, void *to, size_t size, struct gf_error *err) GF_MUST_CHECK;
/* The next byte, or -1 at the end, or -2 after an error. */
int gf_source_byte(struct gf_source *s, struct gf_error *err) GF_MUST_CHECK;
/* Takes and forgets `size` bytes, as far as there are; returns how many; -1. */
int64_t gf_source_skip(struct gf_source *s, int64_t size, struct gf_error *err) GF_MUST_CHECK;
/* Random sources: reads at an offset from any thread; fewer only at the end; -1. */
int64_t gf_source_read_at(const struct gf_source *s, int64_t offset, void *to, size_t size,
                          struct gf_error *err) GF_MUST_CHECK;
/* Everything that is left, in memory to be freed, unless it is more than `limit` bytes (0: no limit). */
int gf_source_slurp(struct gf_source *s, int64_t limit, unsigned char **bytes, size_t *size,
                    struct gf_error *err) GF_MUST_CHECK;
/* Reads a pipe to its end, into memory or, if it is larger than `most` bytes, to disk. The source is random then. */
int gf_source_hold(struct gf_source *s, int64_t most, struct gf_error *err) GF_MUST_CHECK;

#endif
