/* The words of a file of stages, for named.c and what describes such files. */
#ifndef GF_CHAIN_NAMED_TEXT_H
#define GF_CHAIN_NAMED_TEXT_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

#define GF_NAMED_TEXT_PLACE_BYTES 340

struct gf_named_text {
    const char *path;                /* for messages */
    const char *at;                  /* what is left to read */
    int line;
    bool fresh;                      /* nothing but blanks on this line so far */
    /* What $name stands for; NULL: it stays as it is. */
    const char *(*value)(void *context, const char *name, struct gf_error *err);
    void *context;
    /* The last word: */
    char *word;
    size_t used, room;
    int word_line;
    bool first;                      /* of its line */
    bool plain;                      /* without quotes and $ */
    bool quoted;                     /* it is a word even if it is empty */
};

/* All of a file of stages as text, and which file it is; `any`: it may be a pipe or the like. NULL where it fails. */
char *gf_named_text_read(const char *path, bool any, uint64_t *device, uint64_t *number, struct gf_error *err);
/* The next word: 1, 0 at the end, -1. */
int gf_named_text_next(struct gf_named_text *t, struct gf_error *err) GF_MUST_CHECK;
/* Whether `name` is one for an argument: letters, digits and _, a letter first. */
bool gf_named_text_is_argument(const char *name);
/* "PATH:LINE", of a long path the end. */
void gf_named_text_place(const char *path, int line, char *place);

#endif
