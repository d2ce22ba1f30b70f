/* The file that a writer writes to: a regular file, which is complete or absent, or a stream. */
#ifndef GF_IO_OUTPUT_H
#define GF_IO_OUTPUT_H

#include "base/error.h"
#include "base/notice.h"

#include <stddef.h>
#include <stdint.h>

struct gf_output;
struct gf_ledger;

/*
 * Rules for the place of an output. All zero: no rules. The
 * caller keeps the strings as long as the output exists.
 */
struct gf_output_rules {
    bool keep;                   /* an existing file is an error */
    bool no_sync;                /* do not wait for the disk before the file replaces an input */
    const char *root;            /* the folder that must contain the file, links resolved; NULL: any */
    struct gf_ledger *ledger;    /* files that it must not replace; NULL: none */
    const char *input;           /* except this file; NULL: no exception */
    struct gf_notices *notices;  /* for the names of folders that are created */
    bool in_order;               /* write standard output in order, because others may write to the same file */
};

/*
 * Opens an output; `path` "-" or NULL is standard output. A write
 * to a closed pipe fails with err->status 0, for a quiet end.
 */
int gf_output_open(struct gf_output **out, const char *path, const struct gf_output_rules *rules,
                   struct gf_error *err) GF_MUST_CHECK;
/* Returns true if gf_output_write_at() works, as for regular files. */
bool gf_output_random(const struct gf_output *out);
/* Returns the bytes written in order so far, the offset of the next gf_output_write(). */
int64_t gf_output_position(const struct gf_output *out);
void gf_output_set_position(struct gf_output *out, int64_t position);
/*
 * Reserves space for a new file that will have about `bytes`, at most `ahead` beyond its data. It makes
 * writing faster and changes nothing else. Call it before the first byte is written.
 */
void gf_output_reserve(struct gf_output *out, int64_t bytes, int64_t ahead);
/* Gets the seconds and bytes of writing so far. `out` may be NULL. */
void gf_output_cost(struct gf_output *out, double *seconds, int64_t *bytes);
int gf_output_write(struct gf_output *out, const void *bytes, size_t size, struct gf_error *err) GF_MUST_CHECK;
/*
 * Writes a header; to a pipe, together with the next bytes,
 * because some readers detect formats by the first read.
 */
int gf_output_hold(struct gf_output *out, const void *bytes, size_t size, struct gf_error *err) GF_MUST_CHECK;
/* Writes at an offset, on any thread. Does not move the position. */
int gf_output_write_at(struct gf_output *out, int64_t offset, const void *bytes, size_t size,
                       struct gf_error *err) GF_MUST_CHECK;
/* Reads written bytes back, to patch them; fewer at the end; -1 with errno. */
int64_t gf_output_read_at(struct gf_output *out, int64_t offset, void *bytes, size_t size) GF_MUST_CHECK;
/* Gives a regular file its final name, and closes the output in any case. */
int gf_output_commit(struct gf_output *out, struct gf_error *err) GF_MUST_CHECK;
/*
 * Truncates standard output or /dev/fd/N, if it is a file, because the
 * header may state more data than it has. NULL is fine.
 */
void gf_output_withdraw(struct gf_output *out);
/* Closes the output. A file that was not committed leaves no trace. NULL is fine. */
void gf_output_close(struct gf_output *out);

/* Fails as gf_output_open() would if `keep` and the file exists, without creating anything. */
int gf_output_check(const char *path, bool keep, struct gf_error *err) GF_MUST_CHECK;

#endif
