/* Opening with libsndfile, whose reason for a failure is one for the whole program. */
#include "io/formats/sndfile_open.h"

#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

/* Beyond its few public errors libsndfile speaks of its own insides. */
static const char *reason(int mode)
{
    return mode == SFM_WRITE || sf_error(NULL) <= SF_ERR_UNSUPPORTED_ENCODING ? sf_strerror(NULL)
                                                                              : "it is damaged, or not what its beginning says";
}

SNDFILE *gf_sndfile_open(SF_VIRTUAL_IO *calls, int mode, SF_INFO *info, void *user, void (*rewind)(void *user), char *why, size_t size)
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
        snprintf(why, size, "%s", reason(mode));
    pthread_rwlock_unlock(&lock);
    return file;
}
