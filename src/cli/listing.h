/* Lists everything that manuals and completions are made of, for scripts. */
#ifndef GF_CLI_LISTING_H
#define GF_CLI_LISTING_H

struct gf_cli_option;

/*
 * These print one record a line. Its first field is what the record describes, and tabs separate
 * fields. \\, \n and \t stand for a backslash, an end of line and a tab. man/listing.awk reads them.
 */
void gf_listing(void);
/* Prints the options of a program in records that begin with `record`. */
void gf_listing_options(const char *record, const struct gf_cli_option *row);
/* Prints a record of words. */
void gf_listing_words(const char *record, const char *const *words);

/* Prints the examples of all stages, one command a line. */
void gf_listing_examples(void);

#endif
