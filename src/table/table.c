/* Tables as text: TSV, CSV and JSON of histograms, statistics and timelines. */
#include "table/table.h"

#include "table/json.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *const gf_table_levels[] = { "min", "max", "rms", "clipped" };


void gf_table_put_cell(FILE *to, const char *text, char separator)
{
    if (strchr(text, separator) == NULL && strpbrk(text, "\"\n\r") == NULL) {
        fputs(text, to);
        return;
    }
    fputc('"', to);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', to);
        fputc(*text, to);
    }
    fputc('"', to);
}

void gf_table_put_counts(FILE *to, const struct gf_table *t, char separator, bool people)
{
    fputs(people ? "bin\tfrom" : "bin", to);
    for (int c = 0; c < t->channels; c++) {
        fputc(separator, to);
        gf_table_put_cell(to, t->channel_names[c], separator);
    }
    fputc('\n', to);
    for (int64_t bin = 0; bin < t->bins; bin++) {
        fprintf(to, "%" PRId64, bin);
        if (people)
            fprintf(to, "\t%.6g", t->low + (t->high - t->low) * (double)bin / (double)t->bins);
        for (int c = 0; c < t->channels; c++)
            fprintf(to, "%c%" PRIu64, separator, t->counts[c * t->bins + bin]);
        fputc('\n', to);
    }
}

void gf_table_put_fields(FILE *to, const struct gf_table *t, char separator)
{
    fputs(t->kind != NULL ? t->kind->row : "channel", to);
    for (int i = 0; i < t->fields; i++) {
        fputc(separator, to);
        gf_table_put_cell(to, t->field_names[i], separator);
    }
    fputc('\n', to);
    for (int c = 0; c < t->channels; c++) {
        gf_table_put_cell(to, t->channel_names[c], separator);
        for (int i = 0; i < t->fields; i++)
            fprintf(to, "%c%.9g", separator, t->values[c * t->fields + i]);
        fputc('\n', to);
    }
}

void gf_table_put_timeline(FILE *to, const struct gf_table *t, char separator)
{
    fprintf(to, "seconds%cchannel", separator);
    for (int i = 0; t->window > 0 && i < t->cells; i++)
        fprintf(to, "%c%.9g", separator, t->high * i / (t->cells - 1));
    for (int i = 0; t->window == 0 && i < t->cells; i++)
        fprintf(to, "%c%s", separator, gf_table_levels[i]);
    fputc('\n', to);
    for (int64_t n = 0; n < t->columns * t->channels; n++) {
        fprintf(to, "%.9g%c", t->seconds * (double)(n / t->channels) / (double)t->columns, separator);
        gf_table_put_cell(to, t->channel_names[n % t->channels], separator);
        for (int i = 0; i < t->cells; i++)
            fprintf(to, "%c%.6g", separator, (double)t->timeline[n * t->cells + i]);
        fputc('\n', to);
    }
}

static void put_json_channel(struct gf_json *j, const struct gf_table *t, int c)
{
    const bool named = !t->total || c < t->channels - 1;

    gf_json_begin(j, named ? NULL : t->channel_names[c], '{');
    if (named)
        gf_json_text(j, "name", t->channel_names[c]);
    if (t->numbers == GF_TABLE_COUNTS) {
        gf_json_begin(j, "counts", '[');
        for (int64_t bin = 0; bin < t->bins; bin++)
            gf_json_integer(j, NULL, (int64_t)t->counts[c * t->bins + bin]);
        gf_json_end(j);
    }
    for (int i = 0; t->numbers != GF_TABLE_COUNTS && i < t->fields; i++)
        gf_json_number(j, t->field_names[i], "%.9g", t->values[c * t->fields + i]);
    gf_json_end(j);
}

/* Writes the cells of a channel's columns. */
static void put_json_columns(struct gf_json *j, const struct gf_table *t, int c)
{
    gf_json_begin(j, NULL, '{');
    gf_json_text(j, "name", t->channel_names[c]);
    gf_json_begin(j, t->window > 0 ? "db" : "levels", '[');
    for (int64_t n = 0; n < t->columns; n++) {
        gf_json_begin(j, NULL, '[');
        for (int i = 0; i < t->cells; i++)
            gf_json_number(j, NULL, "%.6g", (double)t->timeline[(n * t->channels + c) * t->cells + i]);
        gf_json_end(j);
    }
    gf_json_end(j);
    gf_json_end(j);
}

/* Writes the members before the channels. */
static void put_json_facts(struct gf_json *j, const struct gf_table *t)
{
    if (t->numbers == GF_TABLE_TIMELINE) {
        gf_json_integer(j, "columns", t->columns);
        gf_json_number(j, "seconds", "%.9g", t->seconds);
    }
    if (t->window > 0)
        gf_json_integer(j, "window", t->window);
    if (t->numbers == GF_TABLE_COUNTS)
        gf_json_integer(j, "bins", t->bins);
    if (t->numbers == GF_TABLE_COUNTS || t->window > 0) {
        gf_json_begin(j, t->numbers == GF_TABLE_COUNTS ? "range" : "hertz", '[');
        gf_json_number(j, NULL, "%.9g", t->numbers == GF_TABLE_COUNTS ? t->low : 0);
        gf_json_number(j, NULL, "%.9g", t->high);
        gf_json_end(j);
    } else if (t->numbers == GF_TABLE_TIMELINE) {
        gf_json_begin(j, "fields", '[');
        for (int i = 0; i < t->cells; i++)
            gf_json_text(j, NULL, gf_table_levels[i]);
        gf_json_end(j);
    }
    if (t->numbers != GF_TABLE_TIMELINE)
        gf_json_integer(j, "samples", t->samples);
    if (t->kind != NULL && t->kind->put_json_facts != NULL)
        t->kind->put_json_facts(j, t);
}

static void put_json_notes(struct gf_json *j, const struct gf_table *t)
{
    gf_json_begin(j, "notes", '[');
    for (int i = 0; t->notes != NULL && t->notes[i] != NULL; i++)
        gf_json_text(j, NULL, t->notes[i]);
    gf_json_end(j);
}

void gf_table_put_json_members(struct gf_json *j, const struct gf_table *t)
{
    put_json_facts(j, t);
    gf_json_begin(j, t->kind != NULL ? t->kind->rows : "channels", '[');
    for (int c = 0; c < t->channels - t->total; c++)
        (t->numbers == GF_TABLE_TIMELINE ? put_json_columns : put_json_channel)(j, t, c);
    gf_json_end(j);
    if (t->total)
        put_json_channel(j, t, t->channels - 1);
    if (t->kind != NULL)
        put_json_notes(j, t);
}

void gf_table_put_json(FILE *to, const struct gf_table *t)
{
    struct gf_json j = { .to = to };

    if (t->kind != NULL && t->kind->put_json != NULL) {
        t->kind->put_json(to, t);
        return;
    }
    gf_json_begin(&j, NULL, '{');
    gf_table_put_json_members(&j, t);
    gf_json_finish(&j);
}
