/* Names of files. */
#ifndef GF_PATH_H
#define GF_PATH_H

#include "gpufilter.h"

/* Whether an output's name means standard output; NULL does. */
bool gf_path_is_standard(const char *path);
/* "DIR/LEAF" where DIR is the folder of `path`. To be freed; NULL: no memory. */
char *gf_path_beside(const char *path, const char *leaf);
/* The file a path means, behind links, even where the last one points at nothing yet. To be freed; NULL with errno. */
char *gf_path_behind_links(const char *path);
/* Makes the folders that a file's name speaks of, where they are missing; -1 and the one that can't be made, with errno. */
int gf_path_make_folders(const char *path, char *failed, size_t room) GF_MUST_CHECK;
/* Whether two names of outputs mean one regular file, there or to be made; a name is the same as itself. */
bool gf_path_same(const char *a, const char *b);

#endif
