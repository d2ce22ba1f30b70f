/* Folders of outputs that are created before the sandbox closes, so that no folder above them has to be open. */
#ifndef GF_CLI_NEW_FOLDERS_H
#define GF_CLI_NEW_FOLDERS_H

#include "base/error.h"
#include "base/notice.h"

#include <stdbool.h>

struct gf_new_folder {
    char *path;                  /* a name in the folder; its folders may be new */
    int made;                    /* length of the name of the first folder that was created */
    bool batch;                  /* names of outputs in it are filled in, and its note comes before the first of them */
};

struct gf_new_folders {
    struct gf_new_folder *folder;
    int count;
};

/*
 * Creates a missing folder. *parent becomes the name of the folder that the first new one is in,
 * which the caller frees.
 */
int gf_new_folders_create(struct gf_new_folders *n, const char *folder, bool batch, char **parent,
                          struct gf_error *err) GF_MUST_CHECK;
/* Adds notes about folders of a batch, once it is known that the batch runs. */
void gf_new_folders_note_batch(const struct gf_new_folders *n, struct gf_notices *notices);
/* Removes the folders that are still empty, adds notes about the others that have none, and releases the list. */
void gf_new_folders_tidy(struct gf_new_folders *n, struct gf_notices *notices);

#endif
