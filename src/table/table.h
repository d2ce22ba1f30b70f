/* Tables: the numbers that the end of a chain leaves, and the parts of their texts that several writers share. */
#ifndef GF_TABLE_TABLE_H
#define GF_TABLE_TABLE_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct gf_json;

/*
 * What the end of a chain leaves as numbers. Either counts[channel · bins + bin], or
 * `fields` named values a channel at values[channel · fields + field], or how it goes on with
 * time: `columns` one after another, `cells` values of each channel in one, at
 * timeline[(column · channels + channel) · cells + cell]. Or how fast something is done: the channels
 * are ways of doing it, to each of `sizes` numbers of samples, with named values at
 * values[(channel · sizes + size) · fields + field], NaN where there is none.
 */
struct gf_table {
    const char *source;          /* the name of what it is of; NULL: not said */
    const char *beside;          /* of what it was compared with; NULL: with nothing */
    const char *unmet;           /* a line where what was found is not what was asked for: the run fails once the table is written; NULL */
    int channels;
    const char *const *channel_names;
    bool total;                  /* the last of them stands for all the others together */
    int64_t bins;                /* 0 where there are fields */
    double low, high;            /* the range of the bins */
    int64_t samples;             /* counted, a channel */
    const uint64_t *counts;
    int fields;
    const char *const *field_names;
    const double *values;
    int64_t columns;             /* 0 where there are bins or fields */
    int cells;
    const float *timeline;
    int window;                  /* frames that a spectrum is made of: cells are dB of full scale, from 0 Hz to `high`; */
    double floor_db, top_db;     /* black and what is below, white and what is above. Or 0: cells are those of gf_table_levels */
    bool by_octaves;             /* drawn so that these are equally high; else as many Hz are */
    double seconds;              /* of all columns */
    int draw_width, draw_height; /* of a drawing of columns, pixels; 0: as it comes */
    bool bare;                   /* without axes and words */
    int sizes;                   /* 0 unless it is about speed */
    const int64_t *size_samples;
    int drawn;                   /* the field that a drawing shows */
    const char *const *notes;    /* lines for people, ended by NULL */
};

/* Tables of several inputs: get() fills in the n-th, whose source is its input's name; it is good until the next is asked for. */
struct gf_tables {
    int count;
    int (*get)(void *context, int n, struct gf_table *table, struct gf_error *err);
    void *context;
};

/* What the cells of a waveform are called: the least, the greatest and the RMS sample, and how many are clipped. */
extern const char *const gf_table_levels[];

/* A cell that holds the separator or a quote is quoted. */
void gf_table_put_cell(FILE *to, const char *text, char separator);

/* As TSV or CSV: counts, with `people` each bin with the value that it begins at; */
void gf_table_put_counts(FILE *to, const struct gf_table *t, char separator, bool people);
/* named values; */
void gf_table_put_fields(FILE *to, const struct gf_table *t, char separator);
/* a line for each column and channel: where it begins, and what there is of it. */
void gf_table_put_timeline(FILE *to, const struct gf_table *t, char separator);
/* Any of these three as a JSON object, with a newline. */
void gf_table_put_json(FILE *to, const struct gf_table *t);
/* Writes the table's members into the open JSON object. */
void gf_table_put_json_members(struct gf_json *j, const struct gf_table *t);

/* TSV for people: columns below each other, and no more digits than they read. */
int gf_table_align(FILE *to, const char *text, struct gf_error *err) GF_MUST_CHECK;

/* Those of several inputs as one, with the name of each in the column "file"; what one has no value for is left empty. */
int gf_table_put_merged(FILE *to, const struct gf_tables *tables, char separator, struct gf_error *err) GF_MUST_CHECK;
int gf_table_put_json_merged(FILE *to, const struct gf_tables *tables, struct gf_error *err) GF_MUST_CHECK;

/* How fast something is done: a line for each way and size. Without a separator, columns stand below each other. */
void gf_table_put_speed(FILE *to, const struct gf_table *t, char separator);
void gf_table_put_json_speed(FILE *to, const struct gf_table *t);
/* "64K", of 1024s; `text` has room for 24 characters. */
void gf_table_size_text(int64_t samples, char *text);

#endif
