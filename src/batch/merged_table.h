/* Tables of many inputs and their images, kept until they are written as one, in the order of the inputs. */
#ifndef GF_BATCH_MERGED_TABLE_H
#define GF_BATCH_MERGED_TABLE_H

#include "io/io.h"

struct gf_merged_table;

/*
 * Creates a collection for tables of `count` inputs. Up
 * to `bytes` of numbers stay in memory, more go to disk.
 */
struct gf_merged_table *gf_merged_table_new(char *const *inputs, int count, int64_t bytes, struct gf_error *err);
/* Stores a copy of the next table of input `index`. Any thread may call it, but only one for each input. */
int gf_merged_table_add(struct gf_merged_table *m, int index, const struct gf_table *table,
                        struct gf_error *err) GF_MUST_CHECK;
/* Removes the tables of an input that has failed after all. */
void gf_merged_table_drop(struct gf_merged_table *m, int index);
/* Returns the number of inputs with tables. */
int gf_merged_table_count(const struct gf_merged_table *m);
/* Writes all stored tables as one. */
int gf_merged_table_write(struct gf_merged_table *m, struct gf_writer *w, struct gf_error *err) GF_MUST_CHECK;
/* Frees the collection. NULL is fine. */
void gf_merged_table_free(struct gf_merged_table *m);

#endif
