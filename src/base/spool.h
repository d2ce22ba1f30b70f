/*
 * Keeps bytes in memory up to a limit; more of them go to an unlinked file in $TMPDIR. The system
 * deletes that file when the program ends, even after a crash.
 */
#ifndef GF_BASE_SPOOL_H
#define GF_BASE_SPOOL_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* All zero is an empty spool that keeps nothing in memory. */
struct gf_spool {
    size_t most;                 /* bytes that may stay in memory; if there are more, all of them go to the file */
    size_t bytes;                /* bytes stored */
    size_t room;                 /* bytes allocated at `memory`, while there is no file */
    void *memory;                /* all bytes, or the mapped file; NULL: none yet, or only in the file */
    bool on_disk;                /* there is a file, `fd` */
    int fd;
};

/* Returns the folder for temporary files: $TMPDIR, else /var/tmp. */
const char *gf_spool_folder(void);
/* Returns true if files in it need a name for a moment, because the file system has none without. */
bool gf_spool_needs_names(void);

/* Makes an empty spool, which grows as gf_spool_put() fills it. */
void gf_spool_begin(struct gf_spool *s, size_t most);
/* Stores bytes at `offset`. A gap before them is filled with zeros. Fails if the disk is full. */
int gf_spool_put(struct gf_spool *s, size_t offset, const void *from, size_t bytes, struct gf_error *err) GF_MUST_CHECK;
/*
 * Returns memory for `bytes` more; the caller then raises
 * s->bytes. NULL if memory is full: use gf_spool_put().
 */
void *gf_spool_room(struct gf_spool *s, size_t bytes);

/*
 * Makes room for `bytes`, all mapped at `memory` even if
 * they are on disk. Fails if the disk has too little space.
 */
int gf_spool_reserve(struct gf_spool *s, size_t bytes, size_t most, struct gf_error *err) GF_MUST_CHECK;
/* Like gf_spool_reserve(), but always on disk. */
int gf_spool_open(struct gf_spool *s, size_t bytes, struct gf_error *err) GF_MUST_CHECK;
/*
 * Releases the pages of a mapped file but not their
 * contents: they are read again when they are touched.
 */
void gf_spool_relax(const struct gf_spool *s);

/* Read and write within s->bytes. Several threads may call them at the same time. */
int gf_spool_read(const struct gf_spool *s, size_t offset, void *to, size_t bytes, struct gf_error *err) GF_MUST_CHECK;
int gf_spool_write(const struct gf_spool *s, size_t offset, const void *from, size_t bytes,
                   struct gf_error *err) GF_MUST_CHECK;

/* Releases all bytes; the spool may grow again. */
void gf_spool_close(struct gf_spool *s);

/* Bytes that leave in the order in which they came. */
struct gf_spool_queue {
    struct gf_spool spool;
    size_t room, first, bytes;   /* of a ring: its size, where the first byte is, how many there are */
};

/* Makes an empty queue for up to `room` bytes; if they are more than `most`, it is on disk. */
void gf_spool_queue_begin(struct gf_spool_queue *q, size_t room, size_t most);
/* Adds bytes, for which there is room. */
int gf_spool_queue_put(struct gf_spool_queue *q, const void *from, size_t bytes, struct gf_error *err) GF_MUST_CHECK;
/* Takes the first bytes, which are there. */
int gf_spool_queue_take(struct gf_spool_queue *q, void *to, size_t bytes, struct gf_error *err) GF_MUST_CHECK;

#endif
