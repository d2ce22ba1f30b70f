/* Writes tables of several inputs or images as one: TSV and CSV with these in the first columns, JSON as a list. */
#define _GNU_SOURCE
#include "table/table.h"

#include "table/json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- columns: the union over all tables, in order of first use ---- */

#define NAME_ROOM 40                     /* bytes for a name that is made from a number */
#define TIME_FORMAT "%.15g"              /* times have whole microseconds, so no digit is lost */

struct columns {
    char **name;
    int count, room;
    int *at;                             /* for each column, its index in the current table, or -1 */
};

static int own_columns(const struct gf_table *t)
{
    return t->numbers == GF_TABLE_COUNTS ? t->channels : t->numbers == GF_TABLE_TIMELINE ? t->cells : t->fields;
}

/* Returns the name of column i of a table; `text` has NAME_ROOM bytes. */
static const char *own_name(const struct gf_table *t, int i, char *text)
{
    if (t->numbers == GF_TABLE_COUNTS)
        return t->channel_names[i];
    if (t->numbers != GF_TABLE_TIMELINE)
        return t->field_names[i];
    if (t->window == 0)
        return gf_table_levels[i];
    snprintf(text, NAME_ROOM, "%.9g", t->high * i / (t->cells - 1));
    return text;
}

static int add_column(struct columns *c, const char *name)
{
    if (c->count == c->room) {
        const int room = c->room > 0 ? 2 * c->room : 64;
        char **names = realloc(c->name, (size_t)room * sizeof *names);
        int *at = realloc(c->at, (size_t)room * sizeof *at);

        c->name = names != NULL ? names : c->name;
        c->at = at != NULL ? at : c->at;
        if (names == NULL || at == NULL)
            return -1;
        c->room = room;
    }
    c->name[c->count] = strdup(name);
    return c->name[c->count] != NULL ? c->count++ : -1;
}

/* Finds a column by name, trying index `guess` first; -1 if there is none. */
static int find_column(const struct columns *c, const char *name, int guess)
{
    if (guess < c->count && strcmp(c->name[guess], name) == 0)
        return guess;
    for (int i = 0; i < c->count; i++)
        if (strcmp(c->name[i], name) == 0)
            return i;
    return -1;
}

/* Adds the new columns of a table, and sets c->at for it. */
static int map_columns(struct columns *c, const struct gf_table *t)
{
    char text[NAME_ROOM];
    int at;

    for (int i = 0; i < c->count; i++)
        c->at[i] = -1;
    for (int i = 0; i < own_columns(t); i++) {
        const char *name = own_name(t, i, text);

        at = find_column(c, name, i);
        if (at < 0 && (at = add_column(c, name)) < 0)
            return -1;
        c->at[at] = i;
    }
    return 0;
}

static void release(struct columns *c)
{
    for (int i = 0; i < c->count; i++)
        free(c->name[i]);
    free(c->name);
    free(c->at);
}

/* ---- rows ---- */

static void put_value(FILE *to, const struct gf_table *t, int64_t row, int column)
{
    if (t->numbers == GF_TABLE_COUNTS)
        fprintf(to, "%" PRIu64, t->counts[column * t->bins + row]);
    else if (t->numbers == GF_TABLE_TIMELINE)
        fprintf(to, "%.6g", (double)t->timeline[row * t->cells + column]);
    else
        fprintf(to, "%.9g", t->values[row * t->fields + column]);
}

/* Writes the cells that identify a row of a table. */
static void put_key(FILE *to, const struct gf_table *t, int64_t row, char separator)
{
    if (t->numbers == GF_TABLE_COUNTS)
        fprintf(to, "%" PRId64, row);
    else if (t->numbers == GF_TABLE_TIMELINE)
        fprintf(to, "%.9g%c", t->seconds * (double)(row / t->channels) / (double)t->columns, separator);
    if (t->numbers != GF_TABLE_COUNTS)
        gf_table_put_cell(to, t->channel_names[row % t->channels], separator);
}

/* ---- one table after another ---- */

struct gf_table_rows {
    char separator;                      /* 0: JSON */
    bool files, frames, times;           /* columns of all rows */
    bool begun;
    struct columns columns;
    struct gf_json json;
};

struct gf_table_rows *gf_table_rows_new(char separator, bool files, struct gf_error *err)
{
    struct gf_table_rows *r = calloc(1, sizeof *r);

    if (r == NULL) {
        gf_fail_memory(err, NULL);
        return NULL;
    }
    r->separator = separator;
    r->files = files;
    return r;
}

int gf_table_rows_expect(struct gf_table_rows *r, const struct gf_table *t, struct gf_error *err)
{
    r->frames = r->frames || t->frame > (r->files ? 1 : 0);
    r->times = r->times || t->timed;
    return r->separator == 0 || map_columns(&r->columns, t) == 0 ? 0 : gf_fail_memory(err, NULL);
}

static void put_head(const struct gf_table_rows *r, FILE *to, const struct gf_table *t)
{
    const struct { bool used; const char *name; } keys[] = {
        { r->files, "file" }, { r->frames, "frame" }, { r->frames && r->times, "time" },
        { t->numbers == GF_TABLE_TIMELINE, "seconds" },
    };

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].used)
            fprintf(to, "%s%c", keys[i].name, r->separator);
    fputs(t->numbers == GF_TABLE_COUNTS ? "bin" : t->kind != NULL ? t->kind->row : "channel", to);
    for (int i = 0; i < r->columns.count; i++) {
        fputc(r->separator, to);
        gf_table_put_cell(to, r->columns.name[i], r->separator);
    }
    fputc('\n', to);
}

/* Writes the cells that say where a table is from. */
static void put_origin(const struct gf_table_rows *r, FILE *to, const struct gf_table *t)
{
    if (r->files) {
        gf_table_put_cell(to, t->source, r->separator);
        fputc(r->separator, to);
    }
    if (r->frames && t->frame > 0)
        fprintf(to, "%" PRId64, t->frame);
    if (r->frames)
        fputc(r->separator, to);
    if (r->frames && r->times && t->timed)
        fprintf(to, TIME_FORMAT, t->time);
    if (r->frames && r->times)
        fputc(r->separator, to);
}

static void put_rows(const struct gf_table_rows *r, FILE *to, const struct gf_table *t)
{
    const struct columns *c = &r->columns;
    const int64_t rows = t->numbers == GF_TABLE_COUNTS ? t->bins
                       : t->numbers == GF_TABLE_TIMELINE ? t->columns * t->channels : t->channels;

    for (int64_t row = 0; row < rows; row++) {
        put_origin(r, to, t);
        put_key(to, t, row, r->separator);
        for (int i = 0; i < c->count; i++) {
            fputc(r->separator, to);
            if (c->at[i] >= 0)
                put_value(to, t, row, c->at[i]);
        }
        fputc('\n', to);
    }
}

static void put_object(struct gf_table_rows *r, FILE *to, const struct gf_table *t)
{
    struct gf_json *j = &r->json;

    j->to = to;
    if (r->begun)
        gf_json_break(j);
    else
        gf_json_begin(j, NULL, '[');
    gf_json_begin(j, NULL, '{');
    if (r->files)
        gf_json_text(j, "file", t->source);
    if (r->frames && t->frame > 0)
        gf_json_integer(j, "frame", t->frame);
    if (r->frames && t->timed)
        gf_json_number(j, "time", TIME_FORMAT, t->time);
    gf_table_put_json_members(j, t);
    gf_json_end(j);
}

/* All tables come from the same stage, so they are of one kind. */
int gf_table_rows_put(struct gf_table_rows *r, FILE *to, const struct gf_table *t, struct gf_error *err)
{
    const int expected = r->columns.count;

    if (!r->begun && expected == 0 && gf_table_rows_expect(r, t, err) != 0)
        return -1;
    if (r->separator == 0) {
        put_object(r, to, t);
        r->begun = true;
        return 0;
    }
    if (map_columns(&r->columns, t) != 0)
        return gf_fail_memory(err, NULL);
    if (r->begun && r->columns.count > expected)
        return gf_fail(err, GF_FAILED, "%s: image %lld has the column %s, which the first image lacks;; use -t json",
                       t->source, (long long)t->frame, r->columns.name[expected]);
    if (!r->begun)
        put_head(r, to, t);
    put_rows(r, to, t);
    r->begun = true;
    return 0;
}

void gf_table_rows_end(struct gf_table_rows *r, FILE *to)
{
    if (r->separator != 0)
        return;
    r->json.to = to;
    if (!r->begun)
        gf_json_begin(&r->json, NULL, '[');
    gf_json_finish(&r->json);
}

void gf_table_rows_free(struct gf_table_rows *r)
{
    if (r == NULL)
        return;
    release(&r->columns);
    free(r);
}

int gf_table_put_merged(FILE *to, const struct gf_tables *tables, char separator, struct gf_error *err)
{
    struct gf_table_rows *r = gf_table_rows_new(separator, true, err);
    struct gf_table t;
    int result = r != NULL ? 0 : -1;

    for (int64_t n = 0; result == 0 && n < tables->count; n++) {
        result = tables->get(tables->context, n, &t, err);
        if (result == 0)
            result = gf_table_rows_expect(r, &t, err);
    }
    for (int64_t n = 0; result == 0 && n < tables->count && !ferror(to); n++) {
        result = tables->get(tables->context, n, &t, err);
        if (result == 0)
            result = gf_table_rows_put(r, to, &t, err);
    }
    if (result == 0)
        gf_table_rows_end(r, to);
    gf_table_rows_free(r);
    return result;
}
