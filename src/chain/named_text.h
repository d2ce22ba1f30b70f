/* Reads the words of a file of stages. */
#ifndef GF_CHAIN_NAMED_TEXT_H
#define GF_CHAIN_NAMED_TEXT_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

#define GF_NAMED_TEXT_PLACE_BYTES 340

struct gf_named_text {
    const char *path;                /* for messages */
    const char *at;                  /* the rest of the text */
    int line;
    bool fresh;                      /* only blanks so far on this line */
    /* Returns the value of $name; NULL: names stay as they are. */
    const char *(*value)(void *context, const char *name, struct gf_error *err);
    void *context;
    /* The last word: */
    char *word;
    size_t used, room;
    int word_line;
    bool first;                      /* number of its line */
    bool plain;                      /* without quotes and $ */
    bool quoted;                     /* quotes make it a word even if it is empty */
};

/*
 * Returns the text of a file of stages, and its identity. With `any` it may be a pipe or a device.
 * NULL on failure.
 */
char *gf_named_text_read(const char *path, bool any, uint64_t *device, uint64_t *number, struct gf_error *err);
/* Reads the next word. Returns 1, 0 at the end, or -1. */
int gf_named_text_next(struct gf_named_text *t, struct gf_error *err) GF_MUST_CHECK;
/* True if `name` may be that of an argument: letters, digits and _, with a letter first. */
bool gf_named_text_is_argument(const char *name);
/* Writes "PATH:LINE", with the end of a long path. */
void gf_named_text_place(const char *path, int line, char *place);

#endif
