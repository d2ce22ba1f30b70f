/* Libraries that are opened when they are first needed, because loading them takes longer than a small run. */
#ifndef GF_BASE_LATE_LIBRARY_H
#define GF_BASE_LATE_LIBRARY_H

#include "base/error.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define GF_FDO_DLOPEN 0x407c0c0a

/*
 * Names a library that is opened late in the section .note.dlopen, once in a source file. Packagers read
 * it, because the linker does not know the library. `need` is recommended or suggested. The format is the
 * "dlopen() metadata for ELF files" of the UAPI group.
 */
#define GF_LATE_NOTE(file, feature, does, need) \
    GF_LATE_NOTE_TEXT("[{\"feature\":\"" feature "\",\"description\":\"" does "\",\"priority\":\"" need \
                      "\",\"soname\":[\"" file "\"]}]")
#define GF_LATE_NOTE_TEXT(json) \
    static const struct { \
        uint32_t owner_bytes, bytes, type; \
        char owner[4], text[(sizeof(json) + 3) & ~(size_t)3]; \
    } gf_late_note __attribute__((used, section(".note.dlopen"), aligned(4))) \
        = { 4, sizeof(json), GF_FDO_DLOPEN, "FDO", json }

struct gf_late_library {
    const char *file;            /* such as libtiff.so.6 */
    const char *const *names;    /* of its functions; the last is NULL */
    void *functions;             /* a struct of pointers to them, in the same order */
    pthread_mutex_t lock;
    bool open;
};

/* Defines a library's struct of functions, and NAME_open(). CALLS(M) is M(function) for each of them. */
#define GF_LATE_OPEN(library, file_name, CALLS) \
    struct library library; \
    int library##_open(struct gf_error *err) \
    { \
        static const char *const names[] = { CALLS(GF_LATE_FUNCTION) NULL }; \
        static struct gf_late_library late = { .file = file_name, .names = names, .functions = &library, \
                                               .lock = PTHREAD_MUTEX_INITIALIZER }; \
        return gf_late_library_open(&late, err); \
    }
#define GF_LATE_FUNCTION(name) #name,
/* Defines NAME_open() for a library that is linked. */
#define GF_LATE_LINKED(library) \
    int library##_open(struct gf_error *err) \
    { \
        (void)err; \
        return 0; \
    }

/*
 * Opens the library and finds its functions, once. It stays open until the program ends. errno is
 * ENOMEM if memory is short.
 */
int gf_late_library_open(struct gf_late_library *l, struct gf_error *err) GF_MUST_CHECK;

#endif
