/* Names of outputs: extensions that change if they have to, and no two of one name. */
#ifndef GF_OUTPUTS_H
#define GF_OUTPUTS_H

#include "io/io.h"

/* Warns if the format does not follow from the name: an unknown extension, or standard output redirected to another one. */
void gf_output_warn_guess(const struct gf_writer *w);
/*
 * Warns about options that no output of an input uses: `heeds` has the bits of enum gf_heeds of all of them. `name` is the
 * output, or the input of one table of many; `format` is what it becomes, for people.
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
