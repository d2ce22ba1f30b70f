/* Finds the files of named chains: in the user's folder, and in folders of the system. */
#define _GNU_SOURCE
#include "chain/named_files.h"

#include "base/files.h"
#include "base/words.h"
#include "chain/foreign.h"
#include "chain/stage.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define NAME_BYTES 64
#define FOLDER_BYTES 4096
#define OWN "/gpufilter"

/*
 * Writes the next folder of chains: the user's, then those of the system, which `*rest` lists. It is NULL at
 * the first. Returns false at the end.
 */
static bool next_folder(const char **rest, char *folder)
{
    if (*rest == NULL) {
        const char *folders = getenv("XDG_CONFIG_DIRS");

        *rest = folders != NULL && *folders != '\0' ? folders : "/etc/xdg";
        if (gf_files_user_folder("XDG_CONFIG_HOME", ".config", folder, FOLDER_BYTES - strlen(OWN))) {
            strcat(folder, OWN);
            return true;
        }
    }
    while (**rest != '\0') {
        const char *at = *rest;
        const size_t length = strcspn(at, ":");

        *rest += length + (at[length] == ':');
        if (*at == '/' && length + strlen(OWN) < FOLDER_BYTES) {
            sprintf(folder, "%.*s" OWN, (int)length, at);
            return true;
        }
    }
    return false;
}

/* Copies the name in a word, up to a colon; an empty one if it is too long. */
static void copy_name(char name[NAME_BYTES], const char *word)
{
    const size_t length = strcspn(word, ":");

    snprintf(name, NAME_BYTES, "%.*s", (int)(length < NAME_BYTES ? length : 0), word);
}

/* True for letters, digits, - and _. This excludes paths and backup files of editors. */
static bool is_name(const char *name)
{
    const size_t length = strlen(name);

    if (length == 0 || length >= NAME_BYTES || *name == '-')
        return false;
    while (isalnum((unsigned char)*name) || *name == '-' || *name == '_')
        name++;
    return *name == '\0';
}

char *gf_named_files_path(const char *word)
{
    char name[NAME_BYTES], folder[FOLDER_BYTES], path[FOLDER_BYTES + NAME_BYTES + 2];
    const char *rest = NULL;
    struct stat s;

    copy_name(name, word);
    while (is_name(name) && next_folder(&rest, folder)) {
        snprintf(path, sizeof path, "%s/%s", folder, name);
        if (stat(path, &s) == 0)
            return strdup(path);
    }
    return NULL;
}

/* ---- all files ---- */

static bool is_file(const char *path)
{
    struct stat s;

    return stat(path, &s) == 0 && S_ISREG(s.st_mode);
}

/* Appends the files of a folder, those with names of chains or all. */
static struct gf_named_file *list_folder(struct gf_named_file *files, int *count, const char *folder, int order,
                                         bool all)
{
    DIR *open = opendir(folder);
    const struct dirent *entry;
    struct gf_named_file *more;
    char *path;

    while (open != NULL && (entry = readdir(open)) != NULL) {
        if ((!all && !is_name(entry->d_name)) || asprintf(&path, "%s/%s", folder, entry->d_name) < 0)
            continue;
        more = is_file(path) ? realloc(files, (size_t)(*count + 2) * sizeof *files) : NULL;
        if (more == NULL) {
            free(path);
            continue;
        }
        files = more;
        files[(*count)++] = (struct gf_named_file) { path, strrchr(path, '/') + 1, order };
        files[*count] = (struct gf_named_file) { 0 };
    }
    if (open != NULL)
        closedir(open);
    return files;
}

static int by_name(const void *a, const void *b)
{
    const struct gf_named_file *x = a, *y = b;
    const int order = strcmp(x->name, y->name);

    return order != 0 ? order : x->folder - y->folder;
}

static int by_folder(const void *a, const void *b)
{
    const struct gf_named_file *x = a, *y = b;

    return x->folder != y->folder ? x->folder - y->folder : strcmp(x->name, y->name);
}

struct gf_named_file *gf_named_files_list(void)
{
    char folder[FOLDER_BYTES];
    const char *rest = NULL;
    struct gf_named_file *files = NULL;
    int count = 0, kept = 0;

    for (int order = 0; next_folder(&rest, folder); order++)
        files = list_folder(files, &count, folder, order, false);
    if (files == NULL)
        return NULL;
    qsort(files, (size_t)count, sizeof *files, by_name);
    for (int i = 0; i < count; i++)
        if (kept > 0 && strcmp(files[i].name, files[kept - 1].name) == 0)
            free(files[i].path);
        else
            files[kept++] = files[i];
    files[kept] = (struct gf_named_file) { 0 };
    qsort(files, (size_t)kept, sizeof *files, by_folder);
    return files;
}

void gf_named_files_free(struct gf_named_file *files)
{
    for (struct gf_named_file *file = files; file != NULL && file->path != NULL; file++)
        free(file->path);
    free(files);
}

/* ---- words that name no chain ---- */

/* Fails if a file of the user would match, except that its name has a dot. */
static int check_dots(const char *word, struct gf_error *err)
{
    const int length = (int)strcspn(word, ":");
    char folder[FOLDER_BYTES];
    const char *rest = NULL;
    int result = 0;

    while (length > 0 && result == 0 && next_folder(&rest, folder)) {
        int count = 0;
        struct gf_named_file *files = list_folder(NULL, &count, folder, 0, true);

        for (const struct gf_named_file *file = files; result == 0 && file != NULL && file->name != NULL; file++)
            if (strchr(file->name, '.') != NULL && strncmp(file->name, word, (size_t)length) == 0
                && (file->name[length] == '.' || file->name[length] == '\0'))
                result = gf_fail(err, GF_MISUSED, "no stage is called '%.*s'; %.300s is not used, because names of "
                                                  "chains have no dot; rename it or write @%.300s",
                                 length < 60 ? length : 60, word, file->path, file->path);
        gf_named_files_free(files);
    }
    return result;
}

/* Fails with a suggestion if a chain of the user has a name nearer than any stage. */
static int check_near(unsigned kinds, const char *word, struct gf_error *err)
{
    struct gf_named_file *files = gf_named_files_list();
    const char *names[1024], *near;
    char name[61];
    int n = 0, stages, result = 0;

    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, ":"), word);
    for (int i = 0; i < gf_stage_count && n < 512; i++)
        if (kinds == 0 || (kinds >> gf_stages[i]->kind & 1) != 0)
            names[n++] = gf_stages[i]->name;
    stages = n;
    for (const struct gf_named_file *file = files; file != NULL && file->name != NULL && n < 1023; file++)
        names[n++] = file->name;
    names[n] = NULL;
    near = gf_foreign_hint(name, kinds) == NULL ? gf_nearest_word(name, names) : NULL;
    for (int i = stages; near != NULL && i < n; i++)
        if (names[i] == near)
            result = gf_fail(err, GF_MISUSED, "no stage is called '%.80s'; did you mean '%s'?", name, near);
    gf_named_files_free(files);
    return result;
}

int gf_named_files_refuse(unsigned kinds, const char *word, struct gf_error *err)
{
    return check_dots(word, err) != 0 || check_near(kinds, word, err) != 0 ? -1 : 0;
}
