/*
 * Writes tables of several inputs as one: TSV and CSV
 * with the file in the first column, JSON as a list.
 */
#define _GNU_SOURCE
#include "table/table.h"

#include "table/json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- columns: the union over all tables, in order of first use ---- */

#define NAME_ROOM 40                     /* bytes for a name that is made from a number */

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

static void put_rows(FILE *to, const struct gf_table *t, const struct columns *c, char separator)
{
    const int64_t rows = t->numbers == GF_TABLE_COUNTS ? t->bins
                       : t->numbers == GF_TABLE_TIMELINE ? t->columns * t->channels : t->channels;

    for (int64_t row = 0; row < rows; row++) {
        gf_table_put_cell(to, t->source, separator);
        fputc(separator, to);
        put_key(to, t, row, separator);
        for (int i = 0; i < c->count; i++) {
            fputc(separator, to);
            if (c->at[i] >= 0)
                put_value(to, t, row, c->at[i]);
        }
        fputc('\n', to);
    }
}

static void put_head(FILE *to, const struct gf_table *t, const struct columns *c, char separator)
{
    fprintf(to, "file%c", separator);
    if (t->numbers == GF_TABLE_TIMELINE)
        fprintf(to, "seconds%c", separator);
    fputs(t->numbers == GF_TABLE_COUNTS ? "bin" : "channel", to);
    for (int i = 0; i < c->count; i++) {
        fputc(separator, to);
        gf_table_put_cell(to, c->name[i], separator);
    }
    fputc('\n', to);
}

/* All tables come from the same stage, so they are of one kind. */
int gf_table_put_merged(FILE *to, const struct gf_tables *tables, char separator, struct gf_error *err)
{
    struct columns c = { .count = 0 };
    struct gf_table t;
    int result = 0;

    for (int n = 0; result == 0 && n < tables->count; n++) {
        result = tables->get(tables->context, n, &t, err);
        if (result == 0 && map_columns(&c, &t) != 0)
            result = gf_fail_memory(err, NULL);
    }
    for (int n = 0; result == 0 && n < tables->count && !ferror(to); n++) {
        result = tables->get(tables->context, n, &t, err);
        if (result == 0 && map_columns(&c, &t) != 0)
            result = gf_fail_memory(err, NULL);
        if (result == 0 && n == 0)
            put_head(to, &t, &c, separator);
        if (result == 0)
            put_rows(to, &t, &c, separator);
    }
    release(&c);
    return result;
}

int gf_table_put_json_merged(FILE *to, const struct gf_tables *tables, struct gf_error *err)
{
    struct gf_json j = { .to = to };
    struct gf_table t;

    gf_json_begin(&j, NULL, '[');
    for (int n = 0; n < tables->count && !ferror(to); n++) {
        if (tables->get(tables->context, n, &t, err) != 0)
            return -1;
        if (n > 0)
            gf_json_break(&j);
        gf_json_begin(&j, NULL, '{');
        gf_json_text(&j, "file", t.source);
        gf_table_put_json_members(&j, &t);
        gf_json_end(&j);
    }
    gf_json_finish(&j);
    return 0;
}
