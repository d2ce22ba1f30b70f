/* Finds the folders and the names of the user's chains. */
#include "base/files.h"
#include "chain/named.h"
#include "chain/named_text.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define NAME_BYTES 64
#define FOLDER_BYTES 4096

/* Writes the next folder of the system. Returns as gf_named_folder() does. */
static int system_folder(const char **rest, char *folder, size_t room)
{
    const char *at = *rest;
    const size_t length = strcspn(at, ":");

    if (*at == '\0')
        return -1;
    *rest = at + length + (at[length] == ':');
    if (*at != '/' || length >= room)
        return 0;
    memcpy(folder, at, length);
    folder[length] = '\0';
    return 1;
}

int gf_named_folder(struct gf_named_place *at, char *folder, size_t room)
{
    const size_t end = strlen("/gpufilter");
    const char *folders = getenv("XDG_CONFIG_DIRS");
    const int found = at->system ? system_folder(&at->rest, folder, room)
        : gf_files_user_folder("XDG_CONFIG_HOME", ".config", folder, room);

    if (!at->system) {
        at->system = true;
        at->rest = folders != NULL && *folders != '\0' ? folders : "/etc/xdg";
    }

    if (found == 1 && strlen(folder) + end >= room)
        return 0;
    if (found == 1)
        strcat(folder, "/gpufilter");
    return found;
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

static bool is_file(DIR *folder, const char *name)
{
    struct stat s;

    return fstatat(dirfd(folder), name, &s, 0) == 0 && S_ISREG(s.st_mode);
}

char *gf_named_path(const char *word, char *stem)
{
    const size_t length = strcspn(word, ":");
    char folder[FOLDER_BYTES], path[FOLDER_BYTES + NAME_BYTES + 2];
    struct gf_named_place at = { 0 };
    struct stat s;
    int there;

    snprintf(stem, NAME_BYTES, "%.*s", (int)(length < NAME_BYTES ? length : 0), word);
    if (!is_name(stem))
        return NULL;
    while ((there = gf_named_folder(&at, folder, sizeof folder)) >= 0) {
        snprintf(path, sizeof path, "%s/%s", folder, stem);
        if (there == 1 && stat(path, &s) == 0)
            return strdup(path);
    }
    return NULL;
}

/* Does gf_named_dotted() in one folder. */
static char *find_dotted(const char *folder, const char *word, size_t length)
{
    char path[FOLDER_BYTES + 300];
    DIR *open = opendir(folder);
    const struct dirent *entry;
    char *found = NULL;

    while (open != NULL && found == NULL && (entry = readdir(open)) != NULL) {
        const char *rest = strncmp(entry->d_name, word, length) == 0 ? entry->d_name + length : "-";

        if (*rest != '.' && (*rest != '\0' || strchr(entry->d_name, '.') == NULL))
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        found = is_file(open, entry->d_name) ? strdup(path) : NULL;
    }
    if (open != NULL)
        closedir(open);
    return found;
}

char *gf_named_dotted(const char *word)
{
    const size_t length = strcspn(word, ":");
    struct gf_named_place at = { 0 };
    char folder[FOLDER_BYTES], *found = NULL;
    int there;

    while (length > 0 && found == NULL && (there = gf_named_folder(&at, folder, sizeof folder)) >= 0)
        found = there == 1 ? find_dotted(folder, word, length) : NULL;
    return found;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Appends a name to the list. */
static bool add_name(char ***names, int *count, const char *name)
{
    char **more = realloc(*names, (size_t)(*count + 2) * sizeof **names);

    if (more == NULL)
        return false;
    *names = more;
    more[*count] = strdup(name);
    if (more[*count] == NULL)
        return false;
    more[++*count] = NULL;
    return true;
}

/* Appends the names of one folder. */
static void list_folder(const char *folder, char ***names, int *count)
{
    DIR *open = opendir(folder);
    const struct dirent *entry;

    while (open != NULL && (entry = readdir(open)) != NULL)
        if (is_name(entry->d_name) && is_file(open, entry->d_name) && !add_name(names, count, entry->d_name))
            break;
    if (open != NULL)
        closedir(open);
}

char **gf_named_list(void)
{
    char folder[FOLDER_BYTES], **names = NULL;
    struct gf_named_place at = { 0 };
    int count = 0, kept = 0, there;

    while ((there = gf_named_folder(&at, folder, sizeof folder)) >= 0)
        if (there == 1)
            list_folder(folder, &names, &count);
    if (count > 1)
        qsort(names, (size_t)count, sizeof *names, by_name);
    for (int i = 0; i < count; i++)
        if (kept > 0 && strcmp(names[i], names[kept - 1]) == 0)
            free(names[i]);
        else
            names[kept++] = names[i];
    if (names != NULL)
        names[kept] = NULL;
    return names;
}

void gf_named_list_free(char **names)
{
    for (char **name = names; name != NULL && *name != NULL; name++)
        free(*name);
    free(names);
}
