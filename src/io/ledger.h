/* Protects the files that a run reads and has written: an output may replace only its own input. */
#ifndef GF_IO_LEDGER_H
#define GF_IO_LEDGER_H

#include "io/atomic_file.h"

#include <stdbool.h>
#include <stdint.h>

struct gf_ledger;

/* Creates an empty ledger; NULL if memory is short. */
struct gf_ledger *gf_ledger_new(void);
/* Frees a ledger. NULL is fine. */
void gf_ledger_free(struct gf_ledger *l);
/*
 * Protects a file that the run reads: only its own output may replace it. "-" is standard input.
 * Missing files and pipes need no protection. Any thread may call it; `l` may be NULL.
 */
int gf_ledger_add_input(struct gf_ledger *l, const char *path, struct gf_error *err) GF_MUST_CHECK;
/* Like gf_ledger_add_input(), for a file known by device and inode; `name` is for messages. */
int gf_ledger_add_file(struct gf_ledger *l, uint64_t device, uint64_t inode, const char *name,
                       struct gf_error *err) GF_MUST_CHECK;
/* Returns true if the run reads this file. */
bool gf_ledger_has_input(struct gf_ledger *l, const char *path);
/*
 * Fails if gf_ledger_put() would, so that an error does not wait for the end of the work. `l` may be NULL.
 */
int gf_ledger_check(struct gf_ledger *l, const char *path, const char *input, struct gf_error *err) GF_MUST_CHECK;
/*
 * Gives a file its final name, like gf_atomic_file_put(), unless that would replace a protected
 * file. `input` is the input that the file may replace (NULL: none); `name` is the name of the
 * file for messages. Any thread may call it.
 */
int gf_ledger_put(struct gf_ledger *l, struct gf_atomic_file *file, bool keep, const char *input, const char *name,
                  struct gf_error *err) GF_MUST_CHECK;

#endif
