/* Tables, the numeric results of a chain, and functions that write them as text. */
#ifndef GF_TABLE_TABLE_H
#define GF_TABLE_TABLE_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct gf_json;
struct gf_plot;
struct gf_table;

/* A kind of table that its maker writes and draws. */
struct gf_table_kind {
    const char *row, *rows;      /* what named values describe, as in "channel", "channels" */
    /* writes it as text; a separator of 0: in aligned columns. NULL: as named values */
    void (*put)(FILE *to, const struct gf_table *t, char separator);
    void (*put_json)(FILE *to, const struct gf_table *t);          /* NULL: as named values, with the notes */
    void (*put_json_facts)(struct gf_json *j, const struct gf_table *t);   /* more facts of those; NULL: none */
    void (*size)(const struct gf_table *t, int *width, int *height);       /* NULL, like draw: as named values */
    void (*draw)(struct gf_plot *p, const struct gf_table *t);
};

/*
 * The numbers of a table:
 * - named values, `fields` per channel: values[channel · fields + field]
 * - the counts of a histogram: counts[channel · bins + bin]
 * - a timeline of `columns`, with `cells` values per channel in each column:
 *   timeline[(column · channels + channel) · cells + cell]
 */
enum gf_table_numbers { GF_TABLE_VALUES, GF_TABLE_COUNTS, GF_TABLE_TIMELINE };

/* The numeric result of a chain or of a measurement. */
struct gf_table {
    enum gf_table_numbers numbers;
    const struct gf_table_kind *kind;    /* NULL: it is written and drawn as its numbers usually are */
    const void *own;             /* what only the functions of `kind` read */
    const char *source;          /* the name of the input; NULL: unknown */
    int64_t frame;               /* its image, from 1, if one table has several; 0: it has only one, or audio */
    bool timed;                  /* `time` is known: the seconds from the first image to this one */
    double time;
    const char *beside;          /* the name of the second image of a comparison; NULL: no comparison */
    /* message if a required value was not reached: the run fails after writing the table; or NULL */
    const char *unmet;
    int channels;
    const char *const *channel_names;
    bool total;                  /* the last channel is the total of all others */
    int64_t bins;
    double low, high;            /* the range of the bins */
    int64_t samples;             /* counted per channel */
    const uint64_t *counts;
    int fields;
    const char *const *field_names;
    const double *values;
    int64_t columns;
    int cells;
    const float *timeline;
    /* frames of a spectrum: cells are dBFS from 0 Hz to `high`. 0: cells are gf_table_levels */
    int window;
    double floor_db, top_db;     /* levels that are drawn black and white */
    bool by_octaves;             /* draw a logarithmic frequency axis; else a linear one */
    double seconds;              /* of all columns */
    int draw_width, draw_height; /* size of a drawing of a timeline or a kind, in pixels; 0: default */
    bool bare;                   /* draw no axes or text */
    const char *const *notes;    /* lines for people, ended by NULL */
};

/*
 * Tables of several inputs. get() fills in table n, whose source is the name of its input; it is valid until the
 * next call. Calls begin with 0, and n grows by 1 or begins again.
 */
struct gf_tables {
    int64_t count;
    int (*get)(void *context, int64_t n, struct gf_table *table, struct gf_error *err);
    void *context;
};

/* Names of the cells of a waveform: minimum, maximum, RMS, and the number of clipped samples. */
extern const char *const gf_table_levels[];

/* Writes a cell, quoted if it contains the separator, a quote or a line break. */
void gf_table_put_cell(FILE *to, const char *text, char separator);

/* Writes a histogram as TSV or CSV. With `people`, each row has the value at which its bin begins. */
void gf_table_put_counts(FILE *to, const struct gf_table *t, char separator, bool people);
/* Writes named values as TSV or CSV. */
void gf_table_put_fields(FILE *to, const struct gf_table *t, char separator);
/* Writes a timeline as TSV or CSV: a line for each column and channel, with its start in seconds. */
void gf_table_put_timeline(FILE *to, const struct gf_table *t, char separator);
/* Writes any of these three as a JSON object, with a newline. */
void gf_table_put_json(FILE *to, const struct gf_table *t);
/* Writes the table's members into the open JSON object. */
void gf_table_put_json_members(struct gf_json *j, const struct gf_table *t);

/* The widths of columns on a terminal. All zero: there are none yet. */
struct gf_table_widths {
    int least;                   /* of each column */
    struct gf_table_column *column;
    int count;
};

/*
 * Writes TSV for a terminal, with aligned columns and at most six digits per number. The text may be a part of a table:
 * the first has the header, and `widths` keeps the columns in their places, as far as their numbers fit.
 */
int gf_table_align(FILE *to, const char *text, struct gf_table_widths *widths, struct gf_error *err) GF_MUST_CHECK;
void gf_table_widths_release(struct gf_table_widths *widths);

/* Tables of the same kind, which are written as one, a table at a time. */
struct gf_table_rows;

/*
 * Begins such a table: TSV, CSV, or with a separator of 0 a list of JSON. With `files`, it has the file of each row,
 * and its image and time if an input has several images; else it has the image and the time.
 */
struct gf_table_rows *gf_table_rows_new(char separator, bool files, struct gf_error *err) GF_MUST_CHECK;
/* Adds the columns of a table that will be put later. Call it for all of them, or for none. */
int gf_table_rows_expect(struct gf_table_rows *r, const struct gf_table *t, struct gf_error *err) GF_MUST_CHECK;
/* Writes a table. Columns that it lacks are empty; one that the others lack is an error, unless it was expected. */
int gf_table_rows_put(struct gf_table_rows *r, FILE *to, const struct gf_table *t, struct gf_error *err) GF_MUST_CHECK;
/* Ends the table. */
void gf_table_rows_end(struct gf_table_rows *r, FILE *to);
void gf_table_rows_free(struct gf_table_rows *r);

/* Writes tables of several inputs as one. Missing values are empty. */
int gf_table_put_merged(FILE *to, const struct gf_tables *tables, char separator, struct gf_error *err) GF_MUST_CHECK;

#endif
