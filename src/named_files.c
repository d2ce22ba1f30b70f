/* Where chains of the user's own lie, and what they are called. */
#include "named.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "named_text.h"

#define NAME_BYTES 64
#define FOLDER_BYTES 4096

bool gf_named_folder(char *folder, size_t room)
{
    const size_t end = strlen("/gpufilter");

    if (!gf_user_folder("XDG_CONFIG_HOME", ".config", folder, room) || strlen(folder) + end >= room)
        return false;
    strcat(folder, "/gpufilter");
    return true;
}

/* Letters, digits, - and _: no paths, and nothing that editors leave behind. */
static bool is_name(const char *name)
{
    const size_t length = strlen(name);

    if (length == 0 || length >= NAME_BYTES || *name == '-')
        return false;
    while (isalnum((unsigned char)*name) || *name == '-' || *name == '_')
        name++;
    return *name == '\0';
}

static bool is_file(const char *path)
{
    struct stat s;

    return stat(path, &s) == 0 && S_ISREG(s.st_mode);
}

char *gf_named_path(const char *word, char *stem)
{
    const size_t length = strcspn(word, ":");
    char folder[FOLDER_BYTES], *path = NULL;
    struct stat s;

    snprintf(stem, NAME_BYTES, "%.*s", (int)(length < NAME_BYTES ? length : 0), word);
    if (!is_name(stem) || !gf_named_folder(folder, sizeof folder))
        return NULL;
    path = malloc(strlen(folder) + NAME_BYTES + 2);
    if (path == NULL)
        return NULL;
    sprintf(path, "%s/%s", folder, stem);
    if (stat(path, &s) == 0)
        return path;
    free(path);
    return NULL;
}

char *gf_named_dotted(const char *word)
{
    const size_t length = strcspn(word, ":");
    char folder[FOLDER_BYTES], path[FOLDER_BYTES + 300];
    DIR *open = length > 0 && gf_named_folder(folder, sizeof folder) ? opendir(folder) : NULL;
    const struct dirent *entry;
    char *found = NULL;

    while (open != NULL && found == NULL && (entry = readdir(open)) != NULL) {
        const char *rest = strncmp(entry->d_name, word, length) == 0 ? entry->d_name + length : "-";

        if (*rest != '.' && (*rest != '\0' || strchr(entry->d_name, '.') == NULL))
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        found = is_file(path) ? strdup(path) : NULL;
    }
    if (open != NULL)
        closedir(open);
    return found;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* One more name at the end of the list. */
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

char **gf_named_list(void)
{
    char folder[FOLDER_BYTES], path[FOLDER_BYTES + NAME_BYTES + 2];
    DIR *open = gf_named_folder(folder, sizeof folder) ? opendir(folder) : NULL;
    const struct dirent *entry;
    char **names = NULL;
    int count = 0;

    while (open != NULL && (entry = readdir(open)) != NULL) {
        if (!is_name(entry->d_name))
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (is_file(path) && !add_name(&names, &count, entry->d_name))
            break;
    }
    if (open != NULL)
        closedir(open);
    if (count > 1)
        qsort(names, (size_t)count, sizeof *names, by_name);
    return names;
}

void gf_named_list_free(char **names)
{
    for (char **name = names; name != NULL && *name != NULL; name++)
        free(*name);
    free(names);
}
