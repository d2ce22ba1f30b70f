/* Tables as text: TSV, CSV and JSON of histograms, statistics and timelines. */
#include "table/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const gf_table_levels[] = { "min", "max", "rms", "clipped" };

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
static void put_json_timeline(FILE *to, const struct gf_table *t)
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
                fprintf(to, "%s%.6g", i > 0 ? "," : "", (double)t->timeline[(n * t->channels + c) * t->cells + i]);
            fputc(']', to);
        }
        fputs("]}", to);
    }
    fputs("]}", to);
}

void gf_table_put_json_body(FILE *to, const struct gf_table *t)
{
    if (t->columns > 0) {
        put_json_timeline(to, t);
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

void gf_table_put_json(FILE *to, const struct gf_table *t)
{
    fputc('{', to);
    gf_table_put_json_body(to, t);
    fputc('\n', to);
}
