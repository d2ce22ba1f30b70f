/* Opens files with libsndfile, whose error state is global to the program. */
#include "io/formats/sndfile_open.h"

#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

/*
 * Returns the reason for a failure. Beyond its public errors, messages of libsndfile describe its
 * internals.
 */
static const char *failure_reason(int mode)
{
    if (mode == SFM_WRITE || sf_error(NULL) <= SF_ERR_UNSUPPORTED_ENCODING)
        return sf_strerror(NULL);
    return "it is damaged, or is not the format that its first bytes indicate";
}

SNDFILE *gf_sndfile_open(SF_VIRTUAL_IO *calls, int mode, SF_INFO *info, void *user, void (*rewind)(void *user),
                         char *why, size_t size)
{
    const SF_INFO asked = *info;
    SNDFILE *file;

    pthread_rwlock_rdlock(&lock);
    file = sf_open_virtual(calls, mode, info, user);
    pthread_rwlock_unlock(&lock);
    if (file != NULL)
        return file;
    pthread_rwlock_wrlock(&lock);
    *info = asked;
    if (rewind != NULL)
        rewind(user);
    file = sf_open_virtual(calls, mode, info, user);
    if (file == NULL)
        snprintf(why, size, "%s", failure_reason(mode));
    pthread_rwlock_unlock(&lock);
    return file;
}
