/* Reads a file of stages: its words, the arguments that it declares, and its description. */
#ifndef GF_CHAIN_NAMED_TEXT_H
#define GF_CHAIN_NAMED_TEXT_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

#define GF_NAMED_ARGUMENTS 12            /* most arguments of a chain */
#define GF_NAMED_TEXT_PLACE_BYTES 340

struct gf_named_argument {
    char *name;
    char *value;                         /* NULL: there is no default */
};

struct gf_named_text {
    char *path, *text;
    uint64_t device, number;             /* identity of the file */
    const char *at;                      /* the rest of the text */
    int line;
    bool fresh;                          /* only blanks so far on this line */
    /* Returns the value of $name; NULL: names stay as they are. */
    const char *(*value)(void *context, const char *name, struct gf_error *err);
    void *context;
    struct gf_named_argument argument[GF_NAMED_ARGUMENTS];
    int arguments;
    /* The last word: */
    char *word;
    size_t used, room;
    int word_line;
    bool first;                          /* number of its line */
    bool plain;                          /* without quotes and $ */
    bool quoted;                         /* quotes make it a word even if it is empty */
};

/* Reads the file at `path`. With `any` it may be a pipe or a device. Close `t` in any case. */
int gf_named_text_open(struct gf_named_text *t, const char *path, bool any, struct gf_error *err) GF_MUST_CHECK;
/* Reads a text instead of a file; messages call it chain. */
int gf_named_text_read(struct gf_named_text *t, const char *text, struct gf_error *err) GF_MUST_CHECK;
void gf_named_text_close(struct gf_named_text *t);
/* Reads the next word. Returns 1, 0 at the end, or -1. */
int gf_named_text_next(struct gf_named_text *t, struct gf_error *err) GF_MUST_CHECK;
/* True for a word that begins a line of arguments. */
bool gf_named_text_is_args(const struct gf_named_text *t);
/* Appends an argument. There must be room for it. A `value` of NULL is none. */
int gf_named_text_declare(struct gf_named_text *t, const char *name, const char *value, struct gf_error *err);
/*
 * Reads the arguments that the first lines declare, and returns the first comment without
 * "NAME: " before it, or an empty text. The caller frees it. NULL on failure.
 */
char *gf_named_text_describe(struct gf_named_text *t, const char *name, struct gf_error *err);
/* True if `name` may be that of an argument: letters, digits and _, with a letter first. */
bool gf_named_text_is_argument(const char *name);
/* Writes "PATH:LINE", with the end of a long path. */
void gf_named_text_place(const char *path, int line, char *place);

#endif
