/* Names with {stem}, {ext}, {dir} and {n} in them, filled in from an input's name and number. */
#ifndef GF_IO_NAME_PATTERN_H
#define GF_IO_NAME_PATTERN_H

#include "base/error.h"

/* The parts of a name: folder (with its slash), stem, extension (without its point). */
struct gf_name_parts {
    int dir, stem;                       /* lengths */
    const char *name, *ext;
};

struct gf_name_parts gf_name_parts(const char *path);
/* Refuses {words} that stand for nothing. */
int gf_name_pattern_check(const char *pattern, struct gf_error *err) GF_MUST_CHECK;
/* Returns true if the pattern has {n} or, say, {n:4}. */
bool gf_name_pattern_has_number(const char *pattern);
/* True if something in it is to be filled in. */
bool gf_name_pattern_has_fields(const char *text);
/* Whether the name has a place for a number as other programs write it: %d, %03d. */
bool gf_name_pattern_has_percent(const char *name);
/* The name of a file to read, {n} filled in if `number` is above 0; the caller frees it. NULL if memory is short. */
char *gf_name_pattern_fill(const char *pattern, const char *input, int number);

/* The name of a file to write. */
struct gf_filled_name {
    char *name;
    char *root;          /* the folder that the user named: the file has to lie beneath it */
    bool stripped;       /* {dir} lost a leading / or ../ */
};

/*
 * Fills in the name of an output. {dir} loses leading / and ../ unless the pattern begins with it, and the part that is
 * filled in must not have .. in it. Release `filled` after success.
 */
int gf_name_pattern_fill_output(const char *pattern, const char *input, int number, struct gf_filled_name *filled, struct gf_error *err) GF_MUST_CHECK;
void gf_filled_name_release(struct gf_filled_name *filled);

#endif
