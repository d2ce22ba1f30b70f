/* Libraries that are opened when they are first needed, because loading them takes longer than a small run. */
#ifndef GF_BASE_LATE_LIBRARY_H
#define GF_BASE_LATE_LIBRARY_H

#include "base/error.h"

#include <pthread.h>
#include <stdbool.h>

struct gf_late_library {
    const char *file;            /* such as libtiff.so.6 */
    const char *const *names;    /* of its functions; the last is NULL */
    void *functions;             /* a struct of pointers to them, in the same order */
    pthread_mutex_t lock;
    bool open;
};

/*
 * Opens the library and finds its functions, once. It stays open until the program ends. errno is
 * ENOMEM if memory is short.
 */
int gf_late_library_open(struct gf_late_library *l, struct gf_error *err) GF_MUST_CHECK;

#endif
