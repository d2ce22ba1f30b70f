/* --untrusted: only readers that are hardened against hostile input. */
#ifndef GF_IO_HARDENED_H
#define GF_IO_HARDENED_H

#include "io/source.h"

/* Refuses all other readers for the rest of the process. Call it before threads start. */
void gf_hardened_require(void);
bool gf_hardened_is_required(void);
/* Fails if only hardened readers are allowed, and the one for `what` is not. */
int gf_hardened_check(const struct gf_source *s, const char *what, bool hardened, struct gf_error *err) GF_MUST_CHECK;

#endif
