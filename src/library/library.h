/* The structs to which the handles of libgpufilter point. */
#ifndef GF_LIBRARY_LIBRARY_H
#define GF_LIBRARY_LIBRARY_H

#include "chain/named.h"
#include "library/gpufilter.h"
#include "run/worker.h"

#include <stdatomic.h>
#include <sys/types.h>

struct gpufilter_session {
    atomic_int holders;                  /* itself, its chains and jobs */
    pid_t process;                       /* that opened it: threads and devices do not survive fork() */
    struct gf_run_context context;       /* devices and limits; jobs copy it */
    char device[40];
    void (*warn)(void *context, const char *name, const char *text);
    void *warn_context;
};

/* Parsed stages. Words that came from a file of stages point to their places in it, for messages. */
struct gf_library_stages {
    struct gf_chain chain;
    struct gf_named_words words;
};

struct gpufilter_chain {
    atomic_int holders;
    struct gpufilter_session *session;
    char *text;
    unsigned kinds;
    struct gf_library_stages parsed;
    bool waits;                          /* a file of numbers cannot be read: a job may have an array of its name */
};

/* Copies an error to the caller; returns -1. */
int gf_library_fail(gpufilter_error *to, const struct gf_error *from);
/* Parses a text of stages, with given arrays instead of files of their names. Release *s in any case. */
int gf_library_parse(struct gf_library_stages *s, const char *text, unsigned kinds, const struct gf_given *given,
                     struct gf_error *err) GF_MUST_CHECK;
/* Returns the first stage that works on consecutive images, or NULL. */
const struct gf_stage *gf_library_sequence_stage(const struct gf_chain *chain);
void gf_library_stages_release(struct gf_library_stages *s);
/* Fails if this process is not the one that opened the session. */
int gf_library_check(const struct gpufilter_session *s, struct gf_error *err) GF_MUST_CHECK;
void gf_library_release(struct gpufilter_session *s);
/* Fills in the struct gpufilter_`what` of the caller, as far as its size, which is at least `least`, has room. */
int gf_library_hand_out(void *to, const void *from, size_t size, size_t least, const char *what,
                        struct gf_error *err) GF_MUST_CHECK;
/* Copies a struct of the caller that may be of an older version: the rest is 0. Returns false if its size is wrong. */
bool gf_library_copy(void *to, size_t size, const void *from, size_t least);

#endif
