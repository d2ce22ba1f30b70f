/* Opens files with libsndfile, whose error state is global to the program. */
#include "io/formats/audio/sndfile_open.h"

#include "base/pages.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>

#define MOST_CODEC_BYTES (4 << 20)       /* of an encoder or decoder; many of them crash if memory is short */

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

/* Opens a file once. Libraries continue after some refused allocations and would lose part of the file. */
static SNDFILE *open_once(SF_VIRTUAL_IO *calls, int mode, SF_INFO *info, void *user)
{
    SNDFILE *file;

    if (!gf_pages_probe(MOST_CODEC_BYTES))
        return NULL;
    errno = 0;
    file = sf_open_virtual(calls, mode, info, user);
    if (file == NULL || (!gf_pages_ran_out() && (errno != ENOMEM || sf_error(file) == SF_ERR_NO_ERROR)))
        return file;
    sf_close(file);
    errno = ENOMEM;
    return NULL;
}

/*
 * Returns the reason for a failure, or NULL if memory ran out. Beyond its public errors, messages of
 * libsndfile describe its internals.
 */
static const char *failure_reason(int mode)
{
    if (errno == ENOMEM)
        return NULL;
    if (mode == SFM_READ && sf_error(NULL) == SF_ERR_UNRECOGNISED_FORMAT)
        return "its header is damaged or of an unknown format; to read uncompressed samples after it, describe them "
               "with --from raw:rate=48000,channels=2,type=s16";
    if (mode == SFM_WRITE || sf_error(NULL) <= SF_ERR_UNSUPPORTED_ENCODING)
        return sf_strerror(NULL);
    return "it is damaged, or is not the format that its first bytes indicate";
}

SNDFILE *gf_sndfile_open(SF_VIRTUAL_IO *calls, int mode, SF_INFO *info, void *user, void (*rewind)(void *user),
                         char *why, size_t size)
{
    const SF_INFO asked = *info;
    const char *why_not = NULL;
    struct gf_error err;
    SNDFILE *file;

    if (gf_libsndfile_open(&err) != 0) {
        snprintf(why, size, "%s", errno == ENOMEM ? "" : err.text);
        return NULL;
    }
    pthread_rwlock_rdlock(&lock);
    file = open_once(calls, mode, info, user);
    pthread_rwlock_unlock(&lock);
    why[0] = '\0';
    if (file != NULL || (mode == SFM_WRITE && errno == ENOMEM))
        return file;
    pthread_rwlock_wrlock(&lock);
    *info = asked;
    if (rewind != NULL)
        rewind(user);
    file = open_once(calls, mode, info, user);
    if (file == NULL)
        why_not = failure_reason(mode);
    if (file == NULL && why_not != NULL)
        snprintf(why, size, "%s", why_not);
    pthread_rwlock_unlock(&lock);
    return file;
}
