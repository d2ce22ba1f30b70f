/*
 * File name patterns: {stem}, {ext}, {dir} and {n} are replaced by parts of the input name and
 * its number, {x} and {y} by the place of a tile.
 */
#ifndef GF_IO_NAME_PATTERN_H
#define GF_IO_NAME_PATTERN_H

#include "base/error.h"

#include <stdint.h>

/* The parts of a name: folder (with its slash), stem, extension (without the dot). */
struct gf_name_parts {
    int dir, stem;                       /* lengths */
    const char *name, *ext;
};

struct gf_name_parts gf_name_parts(const char *path);
/* Refuses unknown {placeholders}, and without `tiles` those of tiles. */
int gf_name_pattern_check(const char *pattern, bool tiles, struct gf_error *err) GF_MUST_CHECK;
/* Returns true if the pattern has {n} or a form such as {n:4}. */
bool gf_name_pattern_has_number(const char *pattern);
/* Returns true if the pattern has {x} and {y}, or forms such as {x:4}. */
bool gf_name_pattern_has_place(const char *pattern);
/* Returns true if nothing or only digits separate two numbers without a width, as in {y}{x}: 1 and 11 are 11 and 1. */
bool gf_name_pattern_runs_together(const char *pattern);
/* Returns the length of the folder before the first placeholder, with its slash. */
int gf_name_pattern_folder(const char *pattern);
/* Returns true if the text has a known placeholder, except {x} and {y}. */
bool gf_name_pattern_has_fields(const char *text);
/* Returns true if the name has a number pattern of other programs: %d, %03d. */
bool gf_name_pattern_has_percent(const char *name);
/*
 * Fills in the name of a file to read, with {n} if `number` is above 0. {dir} leaves out the first `base` bytes
 * of the input's name, unless that is -1 or the pattern begins with {dir}. Free it; NULL if memory is short.
 */
char *gf_name_pattern_fill(const char *pattern, const char *input, int base, int number);

/* Facts that fields of a name state beside the parts of another name. */
struct gf_name_facts {
    int base;                            /* {dir} begins after so many bytes of the input's name; -1: it is all of it */
    int64_t n;                           /* from 1; 0: {n} stays */
    bool of_tile;                        /* false: {x} and {y} stay */
    int64_t x, y;                        /* column and row of a tile, from 0 */
};

/* The name of a file to write. */
struct gf_filled_name {
    char *name;
    char *root;          /* the folder that the user named, which must contain the file */
    bool stripped;       /* {dir} lost a leading / or ../ */
};

/*
 * Fills in the name of an output. {dir} loses leading / and ../ unless the pattern begins with
 * {dir}. The filled-in part must not contain "..". Release `filled` after success.
 */
int gf_name_pattern_fill_output(const char *pattern, const char *input, const struct gf_name_facts *facts,
                                struct gf_filled_name *filled, struct gf_error *err) GF_MUST_CHECK;
void gf_filled_name_release(struct gf_filled_name *filled);

#endif
