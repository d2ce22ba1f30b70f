/* Names of outputs: extensions that change if they have to, and no two of one name. */
#ifndef GF_BATCH_OUTPUT_NAMES_H
#define GF_BATCH_OUTPUT_NAMES_H

#include "io/io.h"

/* Warns if the format does not follow from the name: an unknown extension, or standard output redirected to another one. */
void gf_output_names_warn_guess(const struct gf_writer *w);
/* No two inputs may go to one file. */
int gf_output_names_check(char *const *inputs, char *const *names, int count, struct gf_error *err) GF_MUST_CHECK;

/* Outputs that go to one folder. They are sorted by name to find two inputs that would write the same file. */
struct gf_output_names {
    char **inputs, **names;          /* the caller's; the names as they would be with their inputs' extensions */
    int count;
    struct gf_output_name *sorted;
};

int gf_output_names_sort(struct gf_output_names *o, struct gf_error *err) GF_MUST_CHECK;
void gf_output_names_release(struct gf_output_names *o);

/* Returns `name`, with another extension if its own is of no format for such a result. Free it. NULL: no memory. */
char *gf_output_names_change_extension(const char *name, enum gf_kind kind, bool table);
/*
 * Fails if another output has the better claim to `name`, the name that output `index` has got. Only names decide, so
 * the same output fails in every run and in every shard, whichever input is finished first.
 */
int gf_output_names_claim(const struct gf_output_names *o, int index, const char *name, enum gf_kind kind, bool table,
                          struct gf_error *err) GF_MUST_CHECK;

#endif
