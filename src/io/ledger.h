/* The files that a run reads and has written, by identity: no output replaces another one, or an input that is not its own. */
#ifndef GF_IO_LEDGER_H
#define GF_IO_LEDGER_H

#include "io/atomic_file.h"

#include <stdint.h>

struct gf_ledger;

/* NULL if memory is short. */
struct gf_ledger *gf_ledger_new(void);
/* NULL is fine. */
void gf_ledger_free(struct gf_ledger *l);
/*
 * Protects a file that the run reads: only the output of an input may replace that input. A file that does not exist, and a
 * pipe, need no protection. Any thread may call it; `l` may be NULL.
 */
int gf_ledger_add_input(struct gf_ledger *l, const char *path, struct gf_error *err) GF_MUST_CHECK;
/* Does so for a file that is known by its identity; `name` is for messages. */
int gf_ledger_add_file(struct gf_ledger *l, uint64_t device, uint64_t inode, const char *name, struct gf_error *err) GF_MUST_CHECK;
/*
 * Puts a file in its place, as gf_atomic_file_put() does, unless that would replace what the ledger protects. `input` is the
 * input that the file may replace (NULL: none), `name` the name of the file for messages. Any thread may call it.
 */
int gf_ledger_put(struct gf_ledger *l, struct gf_atomic_file *file, bool keep, const char *input, const char *name,
                  struct gf_error *err) GF_MUST_CHECK;

#endif
