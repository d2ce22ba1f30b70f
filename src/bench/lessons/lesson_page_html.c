/* Writes the parts of a page about lessons as HTML: one file without scripts, fonts or other files. */
#include <config.h>
#include "bench/lessons/lesson_page_html.h"

#include "base/utf8.h"
#include "bench/speed_table.h"
#include "table/plot.h"
#include "table/svg.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#define DRAWING_WIDTH 680                /* narrower than a drawing alone, so that a phone shows its numbers */

static void put(FILE *to, const char *text)
{
    gf_utf8_put_xml(to, text);
}

static void put_html(FILE *to, const char *text)
{
    fputs(text, to);
}

/* Writes a name without spaces, which an id must not have. */
static void put_id(FILE *to, const char *name)
{
    for (; *name != '\0'; name++)
        fputc(*name == ' ' ? '-' : *name, to);
}

/* man/web/lesson-page.html and lesson-words.html, which the build turns into page_text.c */
extern const char gf_lesson_page_text[], gf_lesson_words_text[];

/* Marks of colors of drawings, which get others on dark screens. */
static const struct {
    const char *mark;
    unsigned rgb;
} colours[] = {
    { "@INK@", GF_PLOT_INK }, { "@SOFT@", GF_PLOT_SOFT }, { "@GRID@", GF_PLOT_GRID }, { "@FINE@", GF_PLOT_FINE },
    { "@BLUE@", GF_PLOT_BLUE }, { "@VIOLET@", GF_SPEED_VIOLET }, { "@BROWN@", GF_SPEED_BROWN },
};

/* Writes the color whose mark is there. Returns the length of the mark; 0: there is none. */
static size_t put_colour(FILE *to, const char *at)
{
    for (size_t i = 0; i < sizeof colours / sizeof colours[0]; i++)
        if (strncmp(at, colours[i].mark, strlen(colours[i].mark)) == 0) {
            fprintf(to, "#%06x", colours[i].rgb);
            return strlen(colours[i].mark);
        }
    return 0;
}

void gf_lesson_page_html(FILE *to, const struct gf_lesson_page_parts *parts)
{
    const struct { const char *mark, *text; bool html; } fill[] = {
        { "@TITLE@", parts->title, false }, { "@DEVICE@", parts->device, false },
        { "@VERSION@", PACKAGE_VERSION, false }, { "@WORDS@", parts->lessons ? gf_lesson_words_text : "", true },
        { "@CONTENTS@", parts->contents, true }, { "@BODY@", parts->body, true },
    };
    const char *at = gf_lesson_page_text;

    while (*at != '\0') {
        size_t i = 0, length = 0;

        while (i < sizeof fill / sizeof fill[0] && strncmp(at, fill[i].mark, length = strlen(fill[i].mark)) != 0)
            i++;
        if (i < sizeof fill / sizeof fill[0])
            (fill[i].html ? put_html : put)(to, fill[i].text);
        else
            length = put_colour(to, at);
        if (length == 0)
            fputc(*at, to);
        at += length > 0 ? length : 1;
    }
}

/* ---- numbers ---- */

static bool is_time(const struct gf_table *t)
{
    return strcmp(t->field_names[gf_speeds_of(t)->drawn], "us") == 0;
}

/* Returns how many times as fast a way is as another one; NAN if it is not known. */
static double gain_of(const struct gf_table *t, int way, int from, int size)
{
    const double fast = gf_speed_table_value(t, way, size), slow = gf_speed_table_value(t, from, size);

    return fast > 0 && slow > 0 ? is_time(t) ? slow / fast : fast / slow : NAN;
}

/* Returns the way that a note explains; -1 if it explains none. */
static int explained_way(const struct gf_table *t, int note)
{
    for (int c = 0; note < gf_speeds_of(t)->explanations && c < t->channels; c++) {
        const size_t length = strlen(t->channel_names[c]);

        if (strncmp(t->notes[note], t->channel_names[c], length) == 0
            && strncmp(t->notes[note] + length, ": ", 2) == 0)
            return c;
    }
    return -1;
}

/* Returns the first step of a lesson: a way that a note explains, or else any that is no copy. -1: none. */
static int first_step(const struct gf_table *t)
{
    for (int i = 0; i < gf_speeds_of(t)->explanations; i++)
        if (explained_way(t, i) >= 0)
            return explained_way(t, i);
    for (int c = 0; c < t->channels; c++)
        if (!gf_speed_table_is_copy(t, c))
            return c;
    return -1;
}

/* Writes a value of the axis: "64K samples" or "stride = 4". */
static void put_axis_value(FILE *to, const struct gf_table *t, int size)
{
    char value[24];

    gf_speed_table_axis_text(t, size, value);
    if (gf_speeds_of(t)->axis != NULL) {
        put(to, gf_speeds_of(t)->axis);
        fprintf(to, " = %s", value);
    } else
        fprintf(to, "%s samples", value);
}

static void put_number(FILE *to, double value)
{
    const int digits = fabs(value) >= 100 ? 0 : fabs(value) >= 10 ? 1 : fabs(value) >= 1 ? 2 : 3;

    if (isfinite(value))
        fprintf(to, "%.*f", digits, value);
    else
        fputs("\xe2\x80\x93", to);                           /* a dash */
}

/* Writes the largest gain of all ways after the first step, and where it is. */
static void put_largest_gain(FILE *to, const struct gf_table *t)
{
    const int first = first_step(t);
    double largest = 1;
    int size = -1;

    for (int c = first + 1; first >= 0 && c < t->channels; c++)
        for (int i = 0; i < gf_speeds_of(t)->sizes; i++)
            if (!gf_speed_table_is_copy(t, c) && gain_of(t, c, first, i) > largest) {
                largest = gain_of(t, c, first, i);
                size = i;
            }
    if (size < 0)
        return;
    fputs(". <span class=\"soft\">Up to ", to);
    put_number(to, largest);
    fputs(" times as fast as \xe2\x80\x98", to);
    put(to, t->channel_names[first]);
    fputs("\xe2\x80\x99 (at ", to);
    put_axis_value(to, t, size);
    fputs(")</span>", to);
}

void gf_lesson_page_html_link(FILE *to, const struct gf_lesson_section *s)
{
    fputs("<li><a href=\"#", to);
    put_id(to, s->name);
    fprintf(to, "\">%s</a>", s->name);
    if (s->summary != NULL) {
        fputs(": ", to);
        put(to, s->summary);
    }
    if (s->table != NULL && s->table->kind == &gf_speed_table_kind)
        put_largest_gain(to, s->table);
    fputs(s->table == NULL ? " <span class=\"soft\">(not measured)</span></li>\n" : "</li>\n", to);
}

/* ---- sections ---- */

/* Writes the drawing of a table without its notes, which are text of the page. */
static int put_drawing(FILE *to, const struct gf_table *table, struct gf_error *err)
{
    struct gf_table t = *table;
    struct gf_plot p;
    int width, height, result;

    t.notes = NULL;
    t.draw_width = DRAWING_WIDTH;
    gf_plot_size(&t, &width, &height);
    fputs("<div class=\"wide\">\n", to);
    gf_plot_svg(&p, width, height, to);
    result = gf_plot_table(&p, &t, err);
    gf_svg_end(to);
    fputs("</div>\n", to);
    return result;
}

static void put_explanations(FILE *to, const struct gf_table *t)
{
    bool any = false;

    for (int i = 0; t->notes != NULL && t->notes[i] != NULL; i++) {
        const int way = explained_way(t, i);

        if (way < 0)
            continue;
        fputs(any ? "<dt>" : "<h3>Steps</h3>\n<dl>\n<dt>", to);
        any = true;
        put(to, t->channel_names[way]);
        fputs("</dt><dd>", to);
        put(to, t->notes[i] + strlen(t->channel_names[way]) + 2);
        fputs("</dd>\n", to);
    }
    fputs(any ? "</dl>\n" : "", to);
}

static void put_other_notes(FILE *to, const struct gf_table *t)
{
    bool any = false;

    for (int i = 0; t->notes != NULL && t->notes[i] != NULL; i++) {
        if (explained_way(t, i) >= 0)
            continue;
        fputs(any ? "<li>" : "<h3>Result</h3>\n<ul>\n<li>", to);
        any = true;
        put(to, t->notes[i]);
        fputs("</li>\n", to);
    }
    fputs(any ? "</ul>\n" : "", to);
}

/* Writes a row for each way: the drawn field at each size, and the gain over the first step. */
static void put_speeds(FILE *to, const struct gf_table *t)
{
    const int first = first_step(t);
    char size[24];

    fputs("<div class=\"wide\"><table>\n<thead><tr><th>", to);
    put(to, t->field_names[gf_speeds_of(t)->drawn]);
    fputs(" at ", to);
    put(to, gf_speed_table_axis_name(t));
    fputs("</th>", to);
    for (int i = 0; i < gf_speeds_of(t)->sizes; i++) {
        gf_speed_table_axis_text(t, i, size);
        fprintf(to, "<th>%s</th>", size);
    }
    fputs("<th>gain</th></tr></thead>\n<tbody>\n", to);
    for (int c = 0; c < t->channels; c++) {
        fputs("<tr><th>", to);
        put(to, t->channel_names[c]);
        fputs("</th>", to);
        for (int i = 0; i < gf_speeds_of(t)->sizes; i++) {
            fputs("<td>", to);
            put_number(to, gf_speed_table_value(t, c, i));
            fputs("</td>", to);
        }
        fputs("<td>", to);
        put_number(to, first >= 0 && !gf_speed_table_is_copy(t, c) ? gain_of(t, c, first, gf_speeds_of(t)->sizes - 1)
                                                                : NAN);
        fputs("</td></tr>\n", to);
    }
    fputs("</tbody></table></div>\n", to);
    if (first < 0)
        return;
    fputs("<p class=\"soft\">gain: how many times as fast as \xe2\x80\x98", to);
    put(to, t->channel_names[first]);
    fputs("\xe2\x80\x99, at ", to);
    put_axis_value(to, t, gf_speeds_of(t)->sizes - 1);
    fputs("</p>\n", to);
}

static void put_fields(FILE *to, const struct gf_table *t)
{
    fprintf(to, "<div class=\"wide\"><table>\n<thead><tr><th>operation</th>");
    for (int f = 0; f < t->fields; f++) {
        fputs("<th>", to);
        put(to, t->field_names[f]);
        fputs("</th>", to);
    }
    fputs("</tr></thead>\n<tbody>\n", to);
    for (int c = 0; c < t->channels; c++) {
        fputs("<tr><th>", to);
        put(to, t->channel_names[c]);
        fputs("</th>", to);
        for (int f = 0; f < t->fields; f++) {
            fputs("<td>", to);
            put_number(to, t->values[(ptrdiff_t)c * t->fields + f]);
            fputs("</td>", to);
        }
        fputs("</tr>\n", to);
    }
    fputs("</tbody></table></div>\n", to);
}

int gf_lesson_page_html_section(FILE *to, const struct gf_lesson_section *s, struct gf_error *err)
{
    int result = 0;

    fputs("<section>\n<h2 id=\"", to);
    put_id(to, s->name);
    fprintf(to, "\">%s</h2>\n", s->name);
    if (s->summary != NULL) {
        fprintf(to, "<p>%c", toupper((unsigned char)s->summary[0]));
        put(to, s->summary + (s->summary[0] != '\0'));
        fputs(".</p>\n", to);
    }
    if (s->table == NULL) {
        fputs("<p class=\"soft\">Not measured: ", to);
        put(to, s->missing);
        fputs("</p>\n", to);
    } else {
        result = put_drawing(to, s->table, err);
        put_explanations(to, s->table);
        (s->table->kind == &gf_speed_table_kind ? put_speeds : put_fields)(to, s->table);
        put_other_notes(to, s->table);
    }
    fputs("</section>\n", to);
    return result;
}
