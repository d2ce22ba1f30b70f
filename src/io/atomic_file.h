/* A file that appears under its name once it is whole, and leaves no trace before. */
#ifndef GF_IO_ATOMIC_FILE_H
#define GF_IO_ATOMIC_FILE_H

#include "base/error.h"

struct gf_atomic_file {
    char *target;                /* the name that it gets: allocated, its own; NULL: there is no such file */
    /* from here on: since it was opened */
    char *temporary;             /* its name until then; NULL while it has none */
    int slot;                    /* of `temporary` among those a signal handler unlinks, from 1; 0: in none */
    int fd;
};

/* Makes it, empty, without a name or with a hidden one in the target's folder: a descriptor, to be closed, or -1 with errno. */
int gf_atomic_file_open(struct gf_atomic_file *file) GF_MUST_CHECK;
/* Puts it in its place; with `keep`, a file that has come there meanwhile stays: EEXIST. -1 with errno. */
int gf_atomic_file_put(struct gf_atomic_file *file, bool keep) GF_MUST_CHECK;
/* Does so with an error for people; `name` is the file's. */
int gf_atomic_file_commit(struct gf_atomic_file *file, bool keep, const char *name, struct gf_error *err) GF_MUST_CHECK;
/* Fails because --no-clobber keeps a file. */
int gf_atomic_file_fail_exists(const char *name, struct gf_error *err);
/* Forgets it: what was not put in its place is gone. */
void gf_atomic_file_drop(struct gf_atomic_file *file);

/* Unlinks every temporary file there is; for signal handlers. */
void gf_atomic_file_cleanup_all(void);

#endif
