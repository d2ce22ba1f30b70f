/* Writes JSON: keys, values, commas and brackets. */
#include "table/json.h"

#include "base/utf8.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>

static void put_text(FILE *to, const char *text)
{
    fputc('"', to);
    while (*text != '\0') {
        uint32_t letter;
        const int bytes = gf_utf8_letter(text, &letter);

        if (bytes <= 0)
            fputs("\\ufffd", to);
        else if (gf_utf8_is_control(letter))
            fprintf(to, "\\u%04x", (unsigned)letter);
        else
            fprintf(to, "%s%.*s", letter == '"' || letter == '\\' ? "\\" : "", bytes, text);
        text += bytes > 0 ? bytes : 1;
    }
    fputc('"', to);
}

/* Writes the comma and the key before a value. */
static void put_key(struct gf_json *j, const char *key)
{
    if (j->comma)
        fputc(',', j->to);
    j->comma = 1;
    if (key != NULL) {
        put_text(j->to, key);
        fputc(':', j->to);
    }
}

void gf_json_begin(struct gf_json *j, const char *key, char bracket)
{
    put_key(j, key);
    fputc(bracket, j->to);
    assert(j->depth < (int)sizeof j->closing);
    j->closing[j->depth++] = bracket == '{' ? '}' : ']';
    j->comma = 0;
}

void gf_json_end(struct gf_json *j)
{
    assert(j->depth > 0);
    fputc(j->closing[--j->depth], j->to);
    j->comma = 1;
}

void gf_json_finish(struct gf_json *j)
{
    while (j->depth > 0)
        gf_json_end(j);
    fputc('\n', j->to);
}

void gf_json_break(struct gf_json *j)
{
    fputs(j->comma ? ",\n" : "\n", j->to);
    j->comma = 0;
}

void gf_json_text(struct gf_json *j, const char *key, const char *text)
{
    put_key(j, key);
    put_text(j->to, text);
}

void gf_json_integer(struct gf_json *j, const char *key, int64_t value)
{
    put_key(j, key);
    fprintf(j->to, "%" PRId64, value);
}

void gf_json_number(struct gf_json *j, const char *key, const char *format, double value)
{
    put_key(j, key);
    fprintf(j->to, isfinite(value) ? format : "null", value);
}
