/* Tables of speeds: channels are implementations, each measured at several sizes. */
#ifndef GF_BENCH_SPEED_TABLE_H
#define GF_BENCH_SPEED_TABLE_H

#include "table/plot.h"
#include "table/table.h"

/* More of a table of speeds, its `own`: values[(channel · sizes + size) · fields + field], NaN if not measured. */
struct gf_speeds {
    int sizes;
    const int64_t *size_samples;         /* numbers of samples, or what `axis` names */
    const char *axis;                    /* what varies; NULL: the number of samples */
    bool axis_linear;                    /* draw it linearly, as it may be 0; else as a logarithm */
    int drawn;                           /* the field that a drawing shows */
    int explanations;                    /* so many notes, the first ones, explain channels, as "NAME: …" */
};

static inline const struct gf_speeds *gf_speeds_of(const struct gf_table *t)
{
    return t->own;
}

/* Two colors of ways that are too dark for a black page. */
#define GF_SPEED_VIOLET 0x8A4FC7
#define GF_SPEED_BROWN 0x7A5230

/* Its drawing has lines over the sizes, or bars if there is only one size. */
extern const struct gf_table_kind gf_speed_table_kind;

/* Writes a line for each implementation and size. Without a separator, columns are aligned. */
void gf_speed_table_put(FILE *to, const struct gf_table *t, char separator);
void gf_speed_table_put_json(FILE *to, const struct gf_table *t);

double gf_speed_table_value(const struct gf_table *t, int way, int size);
/* Returns true if an implementation only copies, as a yardstick. */
bool gf_speed_table_is_copy(const struct gf_table *t, int way);
/* Writes a number of samples as "64K", where K is 1024; `text` has room for 24 characters. */
void gf_speed_table_size_text(int64_t samples, char *text);
/* Writes the number of a size of speeds: samples as above, others as they are. */
void gf_speed_table_axis_text(const struct gf_table *t, int size, char *text);
/* Returns what varies in a table of speeds: "samples", or another name. */
const char *gf_speed_table_axis_name(const struct gf_table *t);

#endif
