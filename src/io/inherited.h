/* Descriptors that the program got from its caller, as outputs: /dev/fd/5. */
#ifndef GF_IO_INHERITED_H
#define GF_IO_INHERITED_H

#include "base/error.h"

struct gf_ledger;

/*
 * Returns a duplicate of descriptor `number`, which `path` means, or -1. Opening the path would open its file again,
 * which may be deleted or closed to a sandbox. `ledger` has the inputs of the run; it may be NULL.
 */
int gf_inherited_open(int number, const char *path, struct gf_ledger *ledger, struct gf_error *err) GF_MUST_CHECK;

#endif
