/*
 * Writes JSON. Commas and closing brackets are kept here; so is what JSON has no word for: bytes of a text that are
 * not UTF-8 become U+FFFD, numbers that are not finite become null.
 */
#ifndef GF_TABLE_JSON_H
#define GF_TABLE_JSON_H

#include <stdint.h>
#include <stdio.h>

/* Begins as { .to = FILE }. */
struct gf_json {
    FILE *to;
    int comma;                   /* not 0: what comes next needs one before it */
    int depth;
    char closing[8];             /* the brackets that are missing: so many may be open at once */
};

/* All of these take the key of a member of an object, or NULL for an element of a list. */
void gf_json_begin(struct gf_json *j, const char *key, char bracket);
void gf_json_text(struct gf_json *j, const char *key, const char *text);
void gf_json_integer(struct gf_json *j, const char *key, int64_t value);
/* `format` is that of printf for one double. */
void gf_json_number(struct gf_json *j, const char *key, const char *format, double value);

/* Ends the object or list begun last; */
void gf_json_end(struct gf_json *j);
/* ends all that are left, and the line. */
void gf_json_finish(struct gf_json *j);
/* Continues on a new line; the comma that is due stands before it. */
void gf_json_break(struct gf_json *j);

#endif
