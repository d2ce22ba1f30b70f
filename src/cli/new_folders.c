/* Folders of outputs that are created before the sandbox closes, so that no folder above them has to be open. */
#define _GNU_SOURCE
#include "cli/new_folders.h"

#include "base/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the folder that the first new folder is in. */
static char *parent_of(const struct gf_new_folder *new)
{
    const char *slash = memrchr(new->path, '/', (size_t)new->made);

    if (slash == NULL)
        return strdup(".");
    return strndup(new->path, slash == new->path ? 1 : (size_t)(slash - new->path));
}

/* Returns the length of a folder's name without a final "/" or "/.". */
static int bare_length(const char *folder)
{
    size_t length = strlen(folder);

    while (length > 1 && (folder[length - 1] == '/' || (folder[length - 1] == '.' && folder[length - 2] == '/')))
        length--;
    return (int)length;
}

int gf_new_folders_create(struct gf_new_folders *n, const char *folder, bool batch, char **parent,
                          struct gf_error *err)
{
    struct gf_new_folder *more = realloc(n->folder, ((size_t)n->count + 1) * sizeof *more), *new;
    int result;

    *parent = NULL;
    if (more == NULL)
        return gf_fail_memory(err, folder);
    n->folder = more;
    new = &more[n->count];
    *new = (struct gf_new_folder) { .batch = batch };
    if (asprintf(&new->path, "%.*s/.", bare_length(folder), folder) < 0)
        return gf_fail_memory(err, folder);
    n->count++;
    result = gf_path_make_folders(new->path, NULL, &new->made, NULL, err);
    if (result == 0 && (*parent = parent_of(new)) == NULL)
        result = gf_fail_memory(err, folder);
    return result;
}

static void note(const struct gf_new_folder *new, struct gf_notices *notices)
{
    if (new->made > 0)
        gf_note(notices, "created-folder", NULL, "created folder %.*s", new->made, new->path);
}

void gf_new_folders_note_batch(const struct gf_new_folders *n, struct gf_notices *notices)
{
    for (int i = 0; i < n->count; i++)
        if (n->folder[i].batch)
            note(&n->folder[i], notices);
}

void gf_new_folders_tidy(struct gf_new_folders *n, struct gf_notices *notices)
{
    for (int i = n->count - 1; i >= 0; i--)
        if (n->folder[i].made > 0)
            gf_path_remove_folders(n->folder[i].path, n->folder[i].made);
    for (int i = 0; i < n->count; i++) {
        if (!n->folder[i].batch && gf_path_is_folder(n->folder[i].path))
            note(&n->folder[i], notices);
        free(n->folder[i].path);
    }
    free(n->folder);
    *n = (struct gf_new_folders) { 0 };
}
