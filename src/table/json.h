/*
 * Writes JSON with its commas and closing brackets. JSON cannot represent all values: bytes of a
 * text that are not UTF-8 become U+FFFD, numbers that are not finite become null.
 */
#ifndef GF_TABLE_JSON_H
#define GF_TABLE_JSON_H

#include <stdint.h>
#include <stdio.h>

/* Initialize it as { .to = FILE }. */
struct gf_json {
    FILE *to;
    int comma;                   /* not 0: the next item needs a comma before it */
    int depth;
    char closing[8];             /* closing brackets of all open objects and lists */
};

/* `key` is the key of a member of an object, or NULL for an element of a list. */
void gf_json_begin(struct gf_json *j, const char *key, char bracket);
void gf_json_text(struct gf_json *j, const char *key, const char *text);
void gf_json_integer(struct gf_json *j, const char *key, int64_t value);
/* `format` is a printf format for one double. */
void gf_json_number(struct gf_json *j, const char *key, const char *format, double value);

/* Ends the innermost object or list. */
void gf_json_end(struct gf_json *j);
/* Ends all objects and lists that are open, and the line. */
void gf_json_finish(struct gf_json *j);
/* Starts a new line, after the comma if one is needed. */
void gf_json_break(struct gf_json *j);

#endif
