/* Writes tables: TSV, CSV and JSON of histograms and statistics. */
#define _GNU_SOURCE
#include "io/format.h"
#include "io/text_output.h"
#include "table/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const gf_table_levels[] = { "min", "max", "rms", "clipped" };

static int table_fit(struct gf_writer *w, struct gf_format *f, struct gf_error *err)
{
    (void)f;
    return gf_fail(err, GF_MISUSED, "%s: %s holds a table; end the chain with histogram, stats or compare", w->name,
                   w->ops->name);
}

/* A cell that holds the separator or a quote is quoted. */
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

/* For people, each bin with the value that it begins at. */
static void put_counts(FILE *to, const struct gf_table *t, char separator, bool people)
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

static void put_fields(FILE *to, const struct gf_table *t, char separator)
{
    fputs("channel", to);
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

/* A line for each column and channel: where it begins, and what there is of it. */
static void put_course(FILE *to, const struct gf_table *t, char separator)
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
            fprintf(to, "%c%.6g", separator, (double)t->course[n * t->cells + i]);
        fputc('\n', to);
    }
}

/* How many bytes the UTF-8 letter at `text` has; 0 where there is none. */
static int letter_bytes(const unsigned char *text)
{
    static const unsigned least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    const int bytes = *text < 0x80 ? 1 : *text < 0xc2 ? 0 : *text < 0xe0 ? 2 : *text < 0xf0 ? 3 : *text < 0xf5 ? 4 : 0;
    unsigned code = bytes < 2 ? 0 : *text & (0x7fu >> bytes);

    for (int i = 1; i < bytes; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (text[i] & 0x3f);
    }
    return bytes > 1 && (code < least[bytes] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) ? 0 : bytes;
}

void gf_table_put_string(FILE *to, const char *text)
{
    fputc('"', to);
    while (*text != '\0') {
        const unsigned char c = (unsigned char)*text;
        const int bytes = letter_bytes((const unsigned char *)text);

        if (c == '"' || c == '\\')
            fprintf(to, "\\%c", c);
        else if (c < 0x20)
            fprintf(to, "\\u%04x", c);
        else if (bytes == 0)                 /* names of files can be any bytes, JSON can not */
            fputs("\\ufffd", to);
        else
            fwrite(text, 1, (size_t)bytes, to);
        text += bytes > 0 ? bytes : 1;
    }
    fputc('"', to);
}

/* JSON has no word for what is not finite. */
void gf_table_put_number(FILE *to, double value)
{
    if (isfinite(value))
        fprintf(to, "%.9g", value);
    else
        fputs("null", to);
}

static void put_json_channel(FILE *to, const struct gf_table *t, int c)
{
    const bool named = !t->total || c < t->channels - 1;

    fputc('{', to);
    if (named) {
        fputs("\"name\":", to);
        gf_table_put_string(to, t->channel_names[c]);
    }
    if (t->bins > 0)
        fputs(",\"counts\":[", to);
    for (int64_t bin = 0; bin < t->bins; bin++)
        fprintf(to, "%s%" PRIu64, bin > 0 ? "," : "", t->counts[c * t->bins + bin]);
    if (t->bins > 0)
        fputc(']', to);
    for (int i = 0; t->bins == 0 && i < t->fields; i++) {
        if (i > 0 || named)
            fputc(',', to);
        gf_table_put_string(to, t->field_names[i]);
        fputc(':', to);
        gf_table_put_number(to, t->values[c * t->fields + i]);
    }
    fputc('}', to);
}

/* Columns of each channel, lists of what there is of them. */
static void put_json_course(FILE *to, const struct gf_table *t)
{
    fprintf(to, "\"columns\":%" PRId64 ",\"seconds\":%.9g,", t->columns, t->seconds);
    if (t->window > 0)
        fprintf(to, "\"window\":%d,\"hertz\":[0,%.9g],\"channels\":[", t->window, t->high);
    for (int i = 0; t->window == 0 && i < t->cells; i++)
        fprintf(to, "%s\"%s\"%s", i == 0 ? "\"fields\":[" : ",", gf_table_levels[i], i == t->cells - 1 ? "],\"channels\":[" : "");
    for (int c = 0; c < t->channels; c++) {
        fputs(c > 0 ? ",{\"name\":" : "{\"name\":", to);
        gf_table_put_string(to, t->channel_names[c]);
        fputs(t->window > 0 ? ",\"db\":[" : ",\"levels\":[", to);
        for (int64_t n = 0; n < t->columns; n++) {
            fputs(n > 0 ? ",[" : "[", to);
            for (int i = 0; i < t->cells; i++)
                fprintf(to, "%s%.6g", i > 0 ? "," : "", (double)t->course[(n * t->channels + c) * t->cells + i]);
            fputc(']', to);
        }
        fputs("]}", to);
    }
    fputs("]}", to);
}

void gf_table_put_json_body(FILE *to, const struct gf_table *t)
{
    if (t->columns > 0) {
        put_json_course(to, t);
        return;
    }
    if (t->bins > 0) {
        fprintf(to, "\"bins\":%" PRId64 ",\"range\":[", t->bins);
        gf_table_put_number(to, t->low);
        fputc(',', to);
        gf_table_put_number(to, t->high);
        fputs("],", to);
    }
    fprintf(to, "\"samples\":%" PRId64 ",\"channels\":[", t->samples);
    for (int c = 0; c < t->channels - t->total; c++) {
        if (c > 0)
            fputc(',', to);
        put_json_channel(to, t, c);
    }
    fputc(']', to);
    if (t->total) {
        fputc(',', to);
        gf_table_put_string(to, t->channel_names[t->channels - 1]);
        fputc(':', to);
        put_json_channel(to, t, t->channels - 1);
    }
    fputc('}', to);
}

static void put_json(FILE *to, const struct gf_table *t)
{
    fputc('{', to);
    gf_table_put_json_body(to, t);
    fputc('\n', to);
}

static bool is_json(const struct gf_writer *w)
{
    return strcmp(w->ops->name, "json") == 0;
}

static char separator_of(const struct gf_writer *w)
{
    return strcmp(w->ops->name, "csv") == 0 ? ',' : '\t';
}

/* Whether nobody asked for TSV, and people will read it. */
static bool is_for_people(const struct gf_writer *w)
{
    return w->on_terminal && w->options.to == NULL && !is_json(w) && separator_of(w) == '\t';
}

static void put_table(FILE *to, const struct gf_table *t, const struct gf_writer *w)
{
    const char separator = separator_of(w);

    if (t->sizes > 0 && is_json(w))
        gf_table_put_json_rates(to, t);
    else if (t->sizes > 0)
        gf_table_put_rates(to, t, separator);
    else if (is_json(w))
        put_json(to, t);
    else if (t->columns > 0)
        put_course(to, t, separator);
    else if (t->bins > 0)
        put_counts(to, t, separator, is_for_people(w));
    else
        put_fields(to, t, separator);
}

/* One table, or those of several inputs. */
static int put_all(FILE *to, const struct gf_table *t, const struct gf_tables *tables, const struct gf_writer *w, struct gf_error *err)
{
    if (tables == NULL)
        put_table(to, t, w);
    else
        return is_json(w) ? gf_table_put_json_many(to, tables, err) : gf_table_put_many(to, tables, separator_of(w), err);
    return 0;
}

/* The same for people, put together first. */
static int put_aligned(FILE *to, const struct gf_table *t, const struct gf_tables *tables, const struct gf_writer *w, struct gf_error *err)
{
    struct gf_sheet first;
    FILE *at = gf_sheet_open(&first, NULL, w->name, err);
    int result = at != NULL ? gf_sheet_close(&first, at, put_all(at, t, tables, w, err), err) : -1;

    if (result == 0)
        result = gf_table_align(to, first.text, err);
    free(first.text);
    return result;
}

/* Long ones go out piece by piece. */
static int write_sheet(struct gf_writer *w, const struct gf_table *t, const struct gf_tables *tables, struct gf_error *err)
{
    struct gf_sheet sheet;
    FILE *to = gf_sheet_open(&sheet, w->out, w->name, err);
    int result = 0;

    if (to == NULL)
        return -1;
    if (t != NULL && t->sizes > 0 && w->on_terminal && separator_of(w) == '\t' && !is_json(w))
        gf_table_put_rates(to, t, 0);
    else
        result = (is_for_people(w) ? put_aligned : put_all)(to, t, tables, w, err);
    return gf_sheet_close(&sheet, to, result, err);
}

static int table_table(struct gf_writer *w, const struct gf_table *t, struct gf_error *err)
{
    return write_sheet(w, t, NULL, err);
}

static int table_tables(struct gf_writer *w, const struct gf_tables *tables, struct gf_error *err)
{
    return write_sheet(w, NULL, tables, err);
}

#define TABLE_WRITER(word) \
    const struct gf_writer_ops gf_write_##word = { .name = #word, .fit = table_fit, .table = table_table, .tables = table_tables }

TABLE_WRITER(tsv);
TABLE_WRITER(csv);
TABLE_WRITER(json);
