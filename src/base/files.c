/* Helpers for files and user folders. */
#include "base/files.h"

#include <stdlib.h>

int gf_files_close_written(FILE *to)
{
    const bool lost = ferror(to) != 0;               /* fclose() only reports the last flush */

    return fclose(to) != 0 || lost ? -1 : 0;
}

bool gf_files_user_folder(const char *variable, const char *at_home, char *folder, size_t room)
{
    const char *set = getenv(variable), *home = getenv("HOME");
    int n = -1;

    if (set != NULL && set[0] == '/')
        n = snprintf(folder, room, "%s", set);
    else if (home != NULL && home[0] == '/')
        n = snprintf(folder, room, "%s/%s", home, at_home);
    return n > 0 && (size_t)n < room;
}
