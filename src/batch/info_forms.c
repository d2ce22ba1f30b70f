/* Writes the facts of a file as a line for people, as a row of a table, and as JSON. */
#include "batch/info_facts.h"

#include "base/utf8.h"
#include "io/metadata/exif.h"
#include "plan/explain.h"
#include "table/json.h"
#include "table/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MOST_TEXT 2000                   /* bytes of a text of EXIF, or of a marker */
#define MOST_MARKERS 20

/* ---- texts of the metadata ---- */

/* Takes away a character at the end of a text that fills its room, unless it is ASCII: it may be cut. */
static void drop_cut(char *text, size_t room)
{
    size_t n = strlen(text);

    if (n + 1 < room)
        return;
    while (n > 0 && ((unsigned char)text[n - 1] & 0xc0) == 0x80)
        n--;
    text[n > 0 && (unsigned char)text[n - 1] >= 0xc0 ? n - 1 : n] = '\0';
}

/* Calls put() for each of the first markers, with its time and label. */
static void each_marker(const struct gf_info_facts *f, void (*put)(void *to, const char *key, const char *value),
                        void *to)
{
    char value[MOST_TEXT];
    const char *label;
    int64_t frame;
    int length;

    for (size_t i = 0; i < MOST_MARKERS && (frame = gf_riff_markers_at(&f->markers, i, &label, &length)) >= 0; i++) {
        snprintf(value, sizeof value, "%.3f s%s%.*s", (double)frame / f->signal.rate, length > 0 ? " " : "", length,
                 label);
        drop_cut(value, sizeof value);
        put(to, "marker", value);
    }
}

/* Calls put() for each text: those of EXIF, the others, and markers. */
static void each_text(const struct gf_info_facts *f, void (*put)(void *to, const char *key, const char *value),
                      void *to)
{
    char value[MOST_TEXT];
    const char *key;

    for (int i = 0; f->meta.exif_bytes > 0; i++) {
        key = gf_exif_text(f->meta.exif, f->meta.exif_bytes, i, value, sizeof value);
        if (key == NULL)
            break;
        if (value[0] != '\0')
            put(to, key, value);
    }
    for (int i = 0; i < f->meta.texts; i++)
        put(to, f->meta.text[i].key, f->meta.text[i].value);
    each_marker(f, put, to);
}

/* ---- values that all forms have ---- */

static const char *name_of(const struct gf_info_facts *f)
{
    return strcmp(f->name, "-") == 0 ? "standard input" : f->name;
}

/* The depth of video is that of its planes. */
static int depth_of(const struct gf_info_facts *f)
{
    return f->signal.yuv.used ? f->signal.yuv.bits : f->signal.bits;
}

static int orientation_of(const struct gf_info_facts *f)
{
    return f->signal.orientation >= 2 ? f->signal.orientation : 1;
}

/* ---- a line for people ---- */

static void put_line_text(void *to, const char *key, const char *value)
{
    fputs("  ", to);
    gf_utf8_print(to, key, strlen(key), false);
    fputs(": ", to);
    gf_utf8_print(to, value, strlen(value), false);
    fputc('\n', to);
}

static void put_seconds(FILE *to, double seconds)
{
    const int64_t minutes = (int64_t)(seconds / 60);

    if (seconds < 60)
        fprintf(to, ", %.6g s", seconds);
    else if (minutes < 60)
        fprintf(to, ", %" PRId64 ":%06.3f", minutes, seconds - 60.0 * (double)minutes);
    else
        fprintf(to, ", %" PRId64 ":%02" PRId64 ":%06.3f", minutes / 60, minutes % 60,
                seconds - 60.0 * (double)minutes);
}

static void put_image(FILE *to, const struct gf_info_facts *f)
{
    char text[100];

    gf_explain_format(&f->signal, text);
    fputs(text, to);
    if (f->frames > 1)
        fprintf(to, ", %" PRId64 " images", f->frames);
    else if (f->frames == GF_UNKNOWN)
        fputs(", unknown number of images", to);
    if (f->rate > 0)
        fprintf(to, ", %.6g per second", f->rate);
    if (orientation_of(f) > 1)
        fprintf(to, ", orientation %d", orientation_of(f));
    if (f->dots[0] > 0 && f->dots[0] == f->dots[1])
        fprintf(to, ", %.6g dpi", f->dots[0]);
    else if (f->dots[0] > 0)
        fprintf(to, ", %.6g x %.6g dpi", f->dots[0], f->dots[1]);
}

static void put_audio(FILE *to, const struct gf_info_facts *f)
{
    fprintf(to, "%d Hz, %d channel%s", f->signal.rate, f->signal.channels, f->signal.channels == 1 ? "" : "s");
    if (!f->lossy)
        fprintf(to, " %s", gf_type_word(&f->signal));
    if (f->bit_rate > 0)
        fprintf(to, ", %.0f kbit/s", f->bit_rate / 1000);
    if (f->frames == GF_UNKNOWN)
        fputs(", unknown length", to);
}

void gf_info_put_line(FILE *to, const struct gf_info_facts *f, bool texts)
{
    gf_utf8_print(to, name_of(f), strlen(name_of(f)), false);
    fprintf(to, ": %s, ", f->title);
    (f->signal.kind == GF_AUDIO ? put_audio : put_image)(to, f);
    if (f->seconds >= 0)
        put_seconds(to, f->seconds);
    if (f->profile[0] != '\0') {
        fputs(", profile ", to);
        gf_utf8_print(to, f->profile, strlen(f->profile), false);
    }
    fprintf(to, "%s%s\n", f->blocks[0] != '\0' ? ", " : "", f->blocks);
    if (texts)
        each_text(f, put_line_text, to);
}

/* ---- a row of a table ---- */

struct cells {
    FILE *to;
    char separator;
    bool shown;                  /* on a terminal */
    char texts[4096];            /* those of the metadata, as far as they fit */
    size_t used;
};

/* Appends text with its controls escaped. It is left out from the first character on that does not fit. */
static void append(struct cells *c, const char *text)
{
    while (*text != '\0' && c->used + GF_UTF8_SHOWN < sizeof c->texts)
        c->used += gf_utf8_show(&text, false, c->texts + c->used);
    c->texts[c->used] = '\0';
}

static void append_text(void *to, const char *key, const char *value)
{
    struct cells *c = to;

    append(c, c->used > 0 ? "; " : "");
    append(c, key);
    append(c, "=");
    append(c, value);
}

static void put_cell(struct cells *c, const char *text)
{
    fputc(c->separator, c->to);
    gf_table_put_cell(c->to, text, c->separator);
}

/* Writes a number, or nothing if it is not there. */
static void put_number(struct cells *c, bool there, double value)
{
    fputc(c->separator, c->to);
    if (there)
        fprintf(c->to, "%.15g", value);
}

void gf_info_put_header(FILE *to, char separator)
{
    static const char *const names[] = { "file", "format", "kind", "width", "height", "channels", "alpha", "type",
                                         "depth", "frames", "rate", "seconds", "bit_rate", "orientation", "x_dpi",
                                         "y_dpi", "profile", "blocks", "texts" };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        fprintf(to, "%s%c", names[i], i + 1 < sizeof names / sizeof *names ? separator : '\n');
}

void gf_info_put_row(FILE *to, const struct gf_info_facts *f, char separator, bool shown)
{
    const struct gf_format *s = &f->signal;
    const bool image = s->kind == GF_IMAGE;
    struct cells c = { .to = to, .separator = separator };

    if (shown)
        append(&c, name_of(f));
    gf_table_put_cell(to, shown ? c.texts : name_of(f), separator);
    c.used = 0;
    put_cell(&c, f->format);
    put_cell(&c, image ? "image" : "audio");
    put_number(&c, image, (double)s->width);
    put_number(&c, image && s->units != GF_UNKNOWN, (double)s->units);
    put_number(&c, true, s->channels);
    put_number(&c, image, s->alpha);
    put_cell(&c, f->lossy ? "" : gf_type_word(s));
    put_number(&c, !f->lossy, depth_of(f));
    put_number(&c, f->frames != GF_UNKNOWN, (double)f->frames);
    put_number(&c, f->rate > 0, f->rate);
    put_number(&c, f->seconds >= 0, f->seconds);
    put_number(&c, f->bit_rate > 0, f->bit_rate);
    put_number(&c, image, orientation_of(f));
    put_number(&c, f->dots[0] > 0, f->dots[0]);
    put_number(&c, f->dots[1] > 0, f->dots[1]);
    put_cell(&c, f->profile);
    put_cell(&c, f->blocks);
    c.texts[0] = '\0';
    each_text(f, append_text, &c);
    put_cell(&c, c.texts);
    fputc('\n', to);
}

/* ---- JSON ---- */

static void put_json_text(void *to, const char *key, const char *value)
{
    struct gf_json *j = to;

    gf_json_begin(j, NULL, '{');
    gf_json_text(j, "key", key);
    gf_json_text(j, "value", value);
    gf_json_end(j);
}

static void put_json_number(struct gf_json *j, const char *key, bool there, double value)
{
    if (there)
        gf_json_number(j, key, "%.15g", value);
}

void gf_info_put_json(FILE *to, const struct gf_info_facts *f)
{
    const struct gf_format *s = &f->signal;
    const bool image = s->kind == GF_IMAGE;
    struct gf_json j = { .to = to };

    gf_json_begin(&j, NULL, '{');
    gf_json_text(&j, "file", name_of(f));
    gf_json_text(&j, "format", f->format);
    gf_json_text(&j, "kind", image ? "image" : "audio");
    put_json_number(&j, "width", image, (double)s->width);
    put_json_number(&j, "height", image && s->units != GF_UNKNOWN, (double)s->units);
    gf_json_integer(&j, "channels", s->channels);
    put_json_number(&j, "alpha", image, s->alpha);
    if (!f->lossy) {
        gf_json_text(&j, "type", gf_type_word(s));
        gf_json_integer(&j, "depth", depth_of(f));
    }
    put_json_number(&j, "frames", f->frames != GF_UNKNOWN, (double)f->frames);
    put_json_number(&j, "rate", f->rate > 0, f->rate);
    put_json_number(&j, "seconds", f->seconds >= 0, f->seconds);
    put_json_number(&j, "bit_rate", f->bit_rate > 0, f->bit_rate);
    put_json_number(&j, "orientation", image, orientation_of(f));
    put_json_number(&j, "x_dpi", f->dots[0] > 0, f->dots[0]);
    put_json_number(&j, "y_dpi", f->dots[1] > 0, f->dots[1]);
    if (f->profile[0] != '\0')
        gf_json_text(&j, "profile", f->profile);
    gf_json_text(&j, "blocks", f->blocks);
    gf_json_begin(&j, "texts", '[');
    each_text(f, put_json_text, &j);
    gf_json_end(&j);
    gf_json_end(&j);
}
