/* Writes tables as TSV, CSV and JSON: one, those of several images as they come, or those of several inputs. */
#define _GNU_SOURCE
#include "io/formats/values_write.h"
#include "io/text_output.h"
#include "table/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_json(const struct gf_writer *w)
{
    return strcmp(w->ops->name, "json") == 0;
}

static char separator_of(const struct gf_writer *w)
{
    return strcmp(w->ops->name, "csv") == 0 ? ',' : '\t';
}

/* Returns true if a table goes to a terminal and TSV was not requested explicitly. */
static bool is_for_people(const struct gf_writer *w)
{
    return w->on_terminal && w->options.to == NULL && !is_json(w) && separator_of(w) == '\t';
}

static void put_table(FILE *to, const struct gf_table *t, const struct gf_writer *w)
{
    const char separator = separator_of(w);

    if (is_json(w))
        gf_table_put_json(to, t);
    else if (t->kind != NULL && t->kind->put != NULL)
        t->kind->put(to, t, separator);
    else if (t->numbers == GF_TABLE_TIMELINE)
        gf_table_put_timeline(to, t, separator);
    else if (t->numbers == GF_TABLE_COUNTS)
        gf_table_put_counts(to, t, separator, is_for_people(w));
    else
        gf_table_put_fields(to, t, separator);
}

#define USUAL_WIDTH 9                    /* characters of most numbers */

/* The tables of several images, of which each is written when it is there. */
struct table_out {
    struct gf_table_rows *rows;
    struct gf_table_widths widths;
};

static char rows_separator(const struct gf_writer *w)
{
    return is_json(w) ? 0 : separator_of(w);
}

/* Writes one table, that of an image among several, or the merged table of several inputs. */
static int put_all(FILE *to, const struct gf_table *t, const struct gf_tables *tables, const struct gf_writer *w,
                   struct gf_error *err)
{
    const struct table_out *o = w->state;

    if (tables != NULL)
        return gf_table_put_merged(to, tables, rows_separator(w), err);
    if (o != NULL)
        return gf_table_rows_put(o->rows, to, t, err);
    put_table(to, t, w);
    return 0;
}

/* Writes aligned columns for people. The text must be complete before it can be aligned. */
static int put_aligned(FILE *to, const struct gf_table *t, const struct gf_tables *tables, const struct gf_writer *w,
                       struct gf_error *err)
{
    struct table_out *o = w->state;
    struct gf_table_widths own = { 0 };
    struct gf_text_output first;
    FILE *at = gf_text_output_open(&first, NULL, w->name, err);
    int result = at != NULL ? gf_text_output_close(&first, at, put_all(at, t, tables, w, err), err) : -1;

    if (result == 0)
        result = gf_table_align(to, first.text, o != NULL ? &o->widths : &own, err);
    free(first.text);
    gf_table_widths_release(&own);
    return result;
}

/* Writes tables. Long ones are written piece by piece. */
static int write_text(struct gf_writer *w, const struct gf_table *t, const struct gf_tables *tables,
                      struct gf_error *err)
{
    struct gf_text_output text;
    FILE *to = gf_text_output_open(&text, w->out, w->name, err);
    int result = 0;

    if (to == NULL)
        return -1;
    if (t != NULL && t->kind != NULL && t->kind->put != NULL && w->on_terminal && separator_of(w) == '\t'
        && !is_json(w))
        t->kind->put(to, t, 0);
    else
        result = (is_for_people(w) ? put_aligned : put_all)(to, t, tables, w, err);
    return gf_text_output_close(&text, to, result, err);
}

static int begin_rows(struct gf_writer *w, struct gf_error *err)
{
    struct table_out *o = calloc(1, sizeof *o);

    if (o == NULL)
        return gf_fail_memory(err, w->name);
    w->state = o;
    o->widths.least = USUAL_WIDTH;
    o->rows = gf_table_rows_new(rows_separator(w), false, err);
    return o->rows != NULL ? 0 : -1;
}

static int table_table(struct gf_writer *w, const struct gf_table *t, struct gf_error *err)
{
    return t->frame > 0 && w->state == NULL && begin_rows(w, err) != 0 ? -1 : write_text(w, t, NULL, err);
}

static int table_tables(struct gf_writer *w, const struct gf_tables *tables, struct gf_error *err)
{
    return write_text(w, NULL, tables, err);
}

static int table_finish(struct gf_writer *w, struct gf_error *err)
{
    const struct table_out *o = w->state;
    struct gf_text_output text;
    FILE *to = o != NULL ? gf_text_output_open(&text, w->out, w->name, err) : NULL;

    if (to != NULL)
        gf_table_rows_end(o->rows, to);
    return o == NULL ? 0 : to == NULL ? -1 : gf_text_output_close(&text, to, 0, err);
}

static void table_release(struct gf_writer *w)
{
    struct table_out *o = w->state;

    if (o == NULL)
        return;
    gf_table_rows_free(o->rows);
    gf_table_widths_release(&o->widths);
    free(o);
}

#define TABLE_WRITER(word) \
    static const struct gf_writer_ops word##_writer = { \
        .name = #word, .table = table_table, .tables = table_tables, .finish = table_finish, \
        .release = table_release, \
    }

TABLE_WRITER(tsv);
TABLE_WRITER(csv);
TABLE_WRITER(json);

const struct gf_file_format gf_file_format_tsv = {
    .name = "tsv", .title = "TSV", .table = &tsv_writer, .usual = GF_USUAL_TABLE,
    .image = &gf_write_tsv_image, .audio = &gf_write_tsv_audio,
};
const struct gf_file_format gf_file_format_csv = {
    .name = "csv", .title = "CSV", .table = &csv_writer, .image = &gf_write_csv_image, .audio = &gf_write_csv_audio,
};
const struct gf_file_format gf_file_format_json = { .name = "json", .title = "JSON", .table = &json_writer };
