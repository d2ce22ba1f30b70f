/* Files that appear under their name only when they are complete, and leave no trace otherwise. */
#ifndef GF_IO_ATOMIC_FILE_H
#define GF_IO_ATOMIC_FILE_H

#include "base/error.h"

struct gf_atomic_file {
    char *target;                /* the final name, owned; NULL: no such file */
    /* set by gf_atomic_file_open() */
    char *temporary;             /* the temporary name; NULL while it has no name */
    struct gf_atomic_slot *slot; /* of `temporary` in the list of the signal handler */
    int fd;
};

/*
 * Creates an empty file in the folder of the target, without a name or with a hidden one. It has
 * the mode `replaced`, whatever the umask is, or a usual one if it is -1. No other thread may
 * create a file or folder meanwhile. Returns a descriptor, which the caller closes, or -1 with errno.
 */
int gf_atomic_file_open(struct gf_atomic_file *file, int replaced) GF_MUST_CHECK;
/* Closes and deletes a file that was opened, so that it can be opened again, with another mode. */
void gf_atomic_file_discard(struct gf_atomic_file *file);
/* Reads the umask. Call it before other threads start, so that later the umask rarely has to change. */
void gf_atomic_file_read_umask(void);
/*
 * Gives the file its final name. With `keep`, it fails with EEXIST if a file of that name exists.
 * -1 with errno.
 */
int gf_atomic_file_put(struct gf_atomic_file *file, bool keep) GF_MUST_CHECK;
/* Like gf_atomic_file_put(), with an error message about the file `name`. */
int gf_atomic_file_commit(struct gf_atomic_file *file, bool keep, const char *name, struct gf_error *err) GF_MUST_CHECK;
/* Fails because --no-clobber keeps a file. */
int gf_atomic_file_fail_exists(const char *name, struct gf_error *err);
/* Releases the file, and deletes it if it did not get its final name. */
void gf_atomic_file_drop(struct gf_atomic_file *file);

/*
 * Keeps files in memory that are replaced until the process ends, because freeing 1 GB takes 0.1 s. Call
 * it if the process writes one output, and another process outlives it.
 */
void gf_atomic_file_keep_replaced(void);
/*
 * Unlinks all temporary files, and lets no thread create another one. Safe in signal handlers. The
 * process must end afterwards.
 */
void gf_atomic_file_cleanup_all(void);

#endif
