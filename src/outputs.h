/* What outputs are called: patterns filled in, endings that change where they have to, and no two of one name. */
#ifndef GF_OUTPUTS_H
#define GF_OUTPUTS_H

#include "io/io.h"

/* The parts of a name: folder (with its slash), stem, ending (without its point). */
struct gf_name_parts {
    int dir, stem;                       /* lengths */
    const char *name, *ext;
};

struct gf_name_parts gf_name_parts(const char *path);
/* Refuses {words} that stand for nothing. */
int gf_check_pattern(const char *pattern, struct gf_error *err) GF_MUST_CHECK;
/* The first {n} or {n:4} in it, or NULL; *length is its own, *digits how many it has at least. */
const char *gf_find_number(const char *pattern, int *length, int *digits);
/* Whether something in it is to be filled in. */
bool gf_is_pattern(const char *text);
/* The name with {stem}, {ext}, {dir} and, for a number above 0, {n} and {n:4} filled in; the caller frees it. */
char *gf_fill_pattern(const char *pattern, const char *input, int number);
/* Warns if the format does not follow from the name: an unknown extension, or standard output redirected to another one. */
void gf_output_warn_guess(const struct gf_writer *w);
/*
 * Warns about options that no output of an input uses: `heeds` has the bits of enum gf_heeds of all of them. `name` is the
 * output (NULL: none in particular), `format` what it is for people.
 */
void gf_output_warn_ignored(struct gf_notices *n, const struct gf_write_options *options, unsigned heeds, const char *name,
                            const char *format);
/* No two inputs may go to one file. */
int gf_outputs_check(char *const *inputs, char *const *names, int count, struct gf_error *err) GF_MUST_CHECK;

/* Those of a folder. */
struct gf_outputs {
    char **inputs, **names;          /* the caller's; the names as they would be with their inputs' endings */
    int count;
    struct gf_output_name *sorted;
};

int gf_outputs_sort(struct gf_outputs *o, struct gf_error *err) GF_MUST_CHECK;
void gf_outputs_release(struct gf_outputs *o);

/* The name for such a result: with another ending where its own is that of no format for it. To be freed; NULL: no memory. */
char *gf_output_ending(const char *name, enum gf_kind kind, bool table);
/*
 * Fails where output `index`, whose name has become `name`, gives way to another of that name.
 * Names alone decide, so it is the same one in every run, whoever comes first, and in every shard.
 */
int gf_outputs_claim(const struct gf_outputs *o, int index, const char *name, enum gf_kind kind, bool table,
                     struct gf_error *err) GF_MUST_CHECK;

#endif
