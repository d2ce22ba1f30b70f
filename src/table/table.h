/* Parts of tables that more than one file writes. */
#ifndef GF_IO_TABLE_H
#define GF_IO_TABLE_H

#include "io/io.h"

#include <stdio.h>

/* What the cells of a waveform are called: the least, the greatest and the RMS sample, and how many are clipped. */
extern const char *const gf_table_levels[];

/* A cell that holds the separator or a quote is quoted. */
void gf_table_put_cell(FILE *to, const char *text, char separator);
/* Of JSON; what is no letter becomes U+FFFD, what is not finite null. */
void gf_table_put_string(FILE *to, const char *text);
void gf_table_put_number(FILE *to, double value);

/* What a JSON object holds of it, and its end: "...}". */
void gf_table_put_json_body(FILE *to, const struct gf_table *t);

/* TSV for people: columns below each other, and no more digits than they read. */
int gf_table_align(FILE *to, const char *text, struct gf_error *err) GF_MUST_CHECK;

/* Those of several inputs as one, with the name of each in the column "file"; what one has no value for is left empty. */
int gf_table_put_many(FILE *to, const struct gf_tables *tables, char separator, struct gf_error *err) GF_MUST_CHECK;
int gf_table_put_json_many(FILE *to, const struct gf_tables *tables, struct gf_error *err) GF_MUST_CHECK;

/* How fast something is done: a line for each way and size. Without a separator, columns stand below each other. */
void gf_table_put_rates(FILE *to, const struct gf_table *t, char separator);
void gf_table_put_json_rates(FILE *to, const struct gf_table *t);
/* "64K", of 1024s; `text` has room for 24 characters. */
void gf_table_size_text(int64_t samples, char *text);

#endif
