/* Writes tables for a terminal, with aligned columns and at most six digits per number. */
#define _GNU_SOURCE
#include "table/table.h"

#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

#define CELL 40                          /* bytes for a number that is shortened */

/* A cell as it is shown: its text, or a number with fewer digits in `room` of CELL bytes. */
struct shown_cell {
    const char *text;
    int bytes, wide;                     /* `wide` counts characters, not bytes */
    bool number;
};

static struct shown_cell format_cell(const char *cell, int bytes, char *room)
{
    struct shown_cell s = { .text = cell, .bytes = bytes };
    char *end = room, character[GF_UTF8_SHOWN];
    double value = 0;

    if (bytes > 0 && bytes < CELL) {
        snprintf(room, CELL, "%.*s", bytes, cell);
        value = strtod(room, &end);
    }
    s.number = end != room && *end == '\0';
    if (s.number && strpbrk(room, ".eE") != NULL) {
        s.bytes = snprintf(room, CELL, "%.6g", value);
        s.text = room;
    }
    for (const char *at = s.text; at < s.text + s.bytes;) {
        const size_t length = gf_utf8_show(&at, false, character);

        s.wide += (unsigned char)character[0] < 0x80 ? (int)length : 1;
    }
    return s;
}

/* Returns the bytes of a cell. One with a separator in it, such as a file name with a newline, has quotes. */
static int cell_bytes(const char *text)
{
    const char *end = *text == '"' ? strstr(text + 1, "\"") : NULL;

    while (end != NULL && end[1] == '"')
        end = strstr(end + 2, "\"");
    return end != NULL ? (int)(end - text) + 1 : (int)strcspn(text, "\t\n");
}

struct gf_table_column {
    int wide;
    bool words;                          /* the column has text below its header */
};

/* Goes through all cells twice: first without `to` to measure the columns, then to write them. */
static void measure_or_write(const char *text, struct gf_table_column *columns, int count, bool header, FILE *to)
{
    char room[CELL];

    for (int i = 0; *text != '\0'; i++) {
        const int bytes = cell_bytes(text);
        const struct shown_cell s = format_cell(text, bytes, room);
        struct gf_table_column *c = &columns[i < count ? i : count - 1];
        const bool last = text[bytes] != '\t';
        const int gap = to != NULL && c->wide > s.wide ? c->wide - s.wide : 0;

        if (to == NULL && s.wide > c->wide)
            c->wide = s.wide;
        c->words = c->words || (!header && !s.number && bytes > 0);
        if (to != NULL) {
            fprintf(to, "%*s", c->words ? 0 : gap, "");
            gf_utf8_print(to, s.text, (size_t)s.bytes, false);
            fprintf(to, "%*s%s", last ? 0 : (c->words ? gap : 0) + 2, "", last ? "\n" : "");
        }
        text += bytes + (text[bytes] != '\0');
        header = header && !last;
        i = last ? -1 : i;
    }
}

int gf_table_align(FILE *to, const char *text, struct gf_table_widths *widths, struct gf_error *err)
{
    const bool header = widths->count == 0;

    if (header) {
        widths->count = 1;
        for (const char *p = text; *p != '\0' && *p != '\n'; p++)
            widths->count += *p == '\t';
        widths->column = calloc((size_t)widths->count, sizeof *widths->column);
        for (int i = 0; widths->column != NULL && i < widths->count; i++)
            widths->column[i].wide = widths->least;
    }
    if (widths->column == NULL)
        return gf_fail_memory(err, NULL);
    measure_or_write(text, widths->column, widths->count, header, NULL);
    measure_or_write(text, widths->column, widths->count, header, to);
    return 0;
}

void gf_table_widths_release(struct gf_table_widths *widths)
{
    free(widths->column);
    *widths = (struct gf_table_widths) { 0 };
}
