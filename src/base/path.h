/* File names: extensions, symbolic links, folders, and whether two names mean one file. */
#ifndef GF_BASE_PATH_H
#define GF_BASE_PATH_H

#include "base/error.h"
#include "base/notice.h"

/* Returns true if the name of an output means standard output: NULL, "-", "/dev/stdout" or "/dev/fd/1". */
bool gf_path_is_standard(const char *path);
/* Returns N if the name is /dev/fd/N or /proc/self/fd/N, which mean an open descriptor; otherwise -1. */
int gf_path_descriptor(const char *path);
/* Returns the extension of a file name, after the last dot; "" if it has none. */
const char *gf_path_extension(const char *path);
/* Returns "DIR/LEAF", where DIR is the folder of `path`. Free it; NULL if memory is short. */
char *gf_path_beside(const char *path, const char *leaf);
/*
 * Resolves symbolic links, even if the last one points
 * to a missing file. Free the result; NULL with errno.
 */
char *gf_path_resolve_links(const char *path);
/*
 * Fails if `folder`, links resolved, is not inside `root`.
 * Both exist; messages begin with `name`, a file in it.
 */
int gf_path_check_beneath(const char *root, const char *folder, const char *name, struct gf_error *err) GF_MUST_CHECK;
/*
 * Creates the missing folders of a file name, and adds a note about them. The name begins with
 * `root`: folders after it must lie inside it, links resolved; if `root` is NULL, they may lie
 * anywhere. They stay, even if the file does not appear: another run may have begun to use them.
 */
int gf_path_make_folders(const char *path, const char *root, struct gf_notices *notices,
                         struct gf_error *err) GF_MUST_CHECK;
/*
 * Returns true if two output names mean one regular file,
 * whether it exists or not, or if the names are equal.
 */
bool gf_path_same(const char *a, const char *b);
bool gf_path_is_folder(const char *path);
/* Returns true if both files exist and the first is not older than the second. */
bool gf_path_is_newer(const char *path, const char *than);

#endif
