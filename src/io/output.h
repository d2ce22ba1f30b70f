/* The file behind a writer: whole or not at all where it is a regular file, a plain stream otherwise. */
#ifndef GF_IO_OUTPUT_H
#define GF_IO_OUTPUT_H

#include "base/error.h"
#include "base/notice.h"

#include <stddef.h>
#include <stdint.h>

struct gf_output;
struct gf_ledger;

/* Rules for where an output may go. All zero: anywhere. The strings belong to the caller, and live as long as the output. */
struct gf_output_rules {
    bool keep;                   /* a file that exists is an error */
    const char *root;            /* the folder that the file has to lie beneath, links resolved; NULL: any */
    struct gf_ledger *ledger;    /* the files that it must not replace; NULL: none */
    const char *input;           /* except this one; NULL: no exception */
    struct gf_notices *notices;  /* for the names of folders that are created */
    bool in_order;               /* standard output is only written in order, for others may write to the same file */
};

/* path "-" or NULL is standard output. A reader that has gone away fails with err->status 0: end quietly. */
int gf_output_open(struct gf_output **out, const char *path, const struct gf_output_rules *rules, struct gf_error *err) GF_MUST_CHECK;
/* Whether gf_output_write_at() works: true for regular files. */
bool gf_output_random(const struct gf_output *out);
/* Bytes written in order so far: where the next gf_output_write() goes. */
int64_t gf_output_position(const struct gf_output *out);
void gf_output_set_position(struct gf_output *out, int64_t position);
/* What writing has taken so far; NULL is fine. */
void gf_output_cost(struct gf_output *out, double *seconds, int64_t *bytes);
int gf_output_write(struct gf_output *out, const void *bytes, size_t size, struct gf_error *err) GF_MUST_CHECK;
/* The same for a header: to a pipe it goes together with what follows, for readers that judge by what comes first. */
int gf_output_hold(struct gf_output *out, const void *bytes, size_t size, struct gf_error *err) GF_MUST_CHECK;
/* From any thread; does not move the position. */
int gf_output_write_at(struct gf_output *out, int64_t offset, const void *bytes, size_t size,
                       struct gf_error *err) GF_MUST_CHECK;
/* Bytes already written, for those who patch them; fewer at the end; -1. */
int64_t gf_output_read_at(struct gf_output *out, int64_t offset, void *bytes, size_t size) GF_MUST_CHECK;
/* Closes and puts a regular file in its place; the output is gone either way. */
int gf_output_commit(struct gf_output *out, struct gf_error *err) GF_MUST_CHECK;
/* Takes back what went to standard output, where that is a file: its header may tell of more than there is. NULL is fine. */
void gf_output_withdraw(struct gf_output *out);
/* Forgets it: what was not committed leaves no trace. NULL is fine. */
void gf_output_close(struct gf_output *out);

/* Fails as gf_output_open() would if `keep` and the file exists, without creating anything. */
int gf_output_check(const char *path, bool keep, struct gf_error *err) GF_MUST_CHECK;

#endif
