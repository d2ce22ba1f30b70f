/* Names of outputs: extensions that change if they have to, and no two of one name. */
#ifndef GF_OUTPUT_NAMES_H
#define GF_OUTPUT_NAMES_H

#include "io/io.h"

/* Warns if the format does not follow from the name: an unknown extension, or standard output redirected to another one. */
void gf_output_names_warn_guess(const struct gf_writer *w);
/* No two inputs may go to one file. */
int gf_output_names_check(char *const *inputs, char *const *names, int count, struct gf_error *err) GF_MUST_CHECK;

/* Those of a folder. */
struct gf_output_names {
    char **inputs, **names;          /* the caller's; the names as they would be with their inputs' endings */
    int count;
    struct gf_output_name *sorted;
};

int gf_output_names_sort(struct gf_output_names *o, struct gf_error *err) GF_MUST_CHECK;
void gf_output_names_release(struct gf_output_names *o);

/* The name for such a result: with another ending where its own is that of no format for it. To be freed; NULL: no memory. */
char *gf_output_names_change_extension(const char *name, enum gf_kind kind, bool table);
/*
 * Fails where output `index`, whose name has become `name`, gives way to another of that name.
 * Names alone decide, so it is the same one in every run, whoever comes first, and in every shard.
 */
int gf_output_names_claim(const struct gf_output_names *o, int index, const char *name, enum gf_kind kind, bool table,
                          struct gf_error *err) GF_MUST_CHECK;

#endif
