/* Names of files. */
#ifndef GF_BASE_PATH_H
#define GF_BASE_PATH_H

#include "base/error.h"
#include "base/notice.h"

/* Whether an output's name means standard output; NULL does. */
bool gf_path_is_standard(const char *path);
/* The extension of a file's name, after the last dot; "" if it has none. */
const char *gf_path_extension(const char *path);
/* "DIR/LEAF" where DIR is the folder of `path`. To be freed; NULL: no memory. */
char *gf_path_beside(const char *path, const char *leaf);
/* The file a path means, behind links, even where the last one points at nothing yet. To be freed; NULL with errno. */
char *gf_path_resolve_links(const char *path);
/* Fails if a folder is neither `root` nor in it, links resolved. Both exist; `name` is the file's, for the message. */
int gf_path_check_beneath(const char *root, const char *folder, const char *name, struct gf_error *err) GF_MUST_CHECK;
/*
 * Creates the folders of a file's name that are missing, and notes the first. Those after `root`, with which the name
 * begins, must lie beneath it, links resolved; NULL: anywhere. *made is the length of the first one's name; 0: none was missing.
 */
int gf_path_make_folders(const char *path, const char *root, int *made, struct gf_notices *notices, struct gf_error *err) GF_MUST_CHECK;
/* Removes those that it made, as far as they are empty. */
void gf_path_remove_folders(const char *path, int made);
/* Whether two names of outputs mean one regular file, there or to be made; a name is the same as itself. */
bool gf_path_same(const char *a, const char *b);
bool gf_path_is_folder(const char *path);
/* Reports two files that exist, the first not older than the second. */
bool gf_path_is_newer(const char *path, const char *than);

#endif
