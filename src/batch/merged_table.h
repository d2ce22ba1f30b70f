/* Tables of many inputs, kept until they are written as one, in the order of the inputs. */
#ifndef GF_GATHER_H
#define GF_GATHER_H

#include "io/io.h"

struct gf_gather;

/* Room for tables of `count` inputs, whose names the caller keeps: up to `bytes` of numbers in memory, more of them on disk. */
struct gf_gather *gf_gather_new(char *const *inputs, int count, int64_t bytes, struct gf_error *err);
/* Keeps a copy of input `index`'s table, from any thread. */
int gf_gather_put(struct gf_gather *g, int index, const struct gf_table *table, struct gf_error *err) GF_MUST_CHECK;
/* Forgets it again: its input has failed after all. */
void gf_gather_drop(struct gf_gather *g, int index);
/* How many there are. */
int gf_gather_count(const struct gf_gather *g);
/* Writes them, once all are there. */
int gf_gather_write(struct gf_gather *g, struct gf_writer *w, struct gf_error *err) GF_MUST_CHECK;
/* NULL is fine. */
void gf_gather_free(struct gf_gather *g);

#endif
