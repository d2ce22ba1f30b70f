/* Tables of many inputs, kept until they are written as one, in the order of the inputs. */
#ifndef GF_BATCH_MERGED_TABLE_H
#define GF_BATCH_MERGED_TABLE_H

#include "io/io.h"

struct gf_merged_table;

/* Room for tables of `count` inputs, whose names the caller keeps: up to `bytes` of numbers in memory, more of them on disk. */
struct gf_merged_table *gf_merged_table_new(char *const *inputs, int count, int64_t bytes, struct gf_error *err);
/* Keeps a copy of input `index`'s table, from any thread. */
int gf_merged_table_add(struct gf_merged_table *m, int index, const struct gf_table *table,
                        struct gf_error *err) GF_MUST_CHECK;
/* Forgets it again: its input has failed after all. */
void gf_merged_table_drop(struct gf_merged_table *m, int index);
/* How many there are. */
int gf_merged_table_count(const struct gf_merged_table *m);
/* Writes them, once all are there. */
int gf_merged_table_write(struct gf_merged_table *m, struct gf_writer *w, struct gf_error *err) GF_MUST_CHECK;
/* NULL is fine. */
void gf_merged_table_free(struct gf_merged_table *m);

#endif
