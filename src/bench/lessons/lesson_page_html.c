/* Writes the parts of a page about lessons as HTML: one file without scripts, fonts or other files. */
#include <config.h>
#include "bench/lessons/lesson_page_html.h"

#include "base/utf8.h"
#include "table/plot.h"
#include "table/svg.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#define DRAWING_WIDTH 680                /* narrower than a drawing alone, so that a phone shows its numbers */

/*
 * Drawings get other colors on dark screens: rules name the colors that plots use. Paper is always
 * white.
 */
static const char style[] =
    ":root { color-scheme: light dark; --paper: #ffffff; --ink: #202428; --soft: #5a6068; --line: #dde1e6;"
    " --link: #2b63e0; }\n"
    "* { box-sizing: border-box; }\n"
    "body { margin: 0; background: var(--paper); color: var(--ink);"
    " font: 1rem/1.55 system-ui, \"Helvetica Neue\", Arial, sans-serif; overflow-wrap: anywhere; }\n"
    "main { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }\n"
    "h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .5rem; }\n"
    "h2 { font-size: 1.3rem; margin: 3rem 0 .25rem; padding-top: 1rem; border-top: 1px solid var(--line); }\n"
    "h3 { font-size: 1rem; margin: 1.5rem 0 .25rem; }\n"
    "p { margin: .5rem 0; } .soft { color: var(--soft); } a { color: var(--link); }\n"
    "dt { font-weight: 600; margin-top: .6rem; } dd { margin: 0 0 0 1rem; }\n"
    "ul, ol { padding-left: 1.2rem; } li { margin: .35rem 0; }\n"
    ".wide { overflow-x: auto; } .wide svg { display: block; width: 100%; min-width: 34rem; height: auto; }\n"
    "table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; }\n"
    "th, td { padding: .25rem .6rem .25rem 0; text-align: right; white-space: nowrap;"
    " border-bottom: 1px solid var(--line); }\n"
    "th:first-child { text-align: left; white-space: normal; min-width: 10rem; font-weight: inherit; }\n"
    "thead th { color: var(--soft); font-weight: inherit; }\n"
    "@media screen and (prefers-color-scheme: dark) {\n"
    ":root { --paper: #16191d; --ink: #e6e8eb; --soft: #a2a9b2; --line: #383e46; --link: #8ab0ff; }\n"
    "svg rect[fill=\"#ffffff\"] { fill: var(--paper); } svg text[fill=\"#202428\"] { fill: var(--ink); }\n"
    "svg text[fill=\"#5a6068\"] { fill: var(--soft); } svg path[stroke=\"#202428\"] { stroke: var(--ink); }\n"
    "svg path[stroke=\"#dde1e6\"] { stroke: #383e46; } svg path[stroke=\"#eef0f3\"] { stroke: #262b31; }\n"
    "svg path[stroke=\"#2b63e0\"] { stroke: #6b96ff; } svg path[fill=\"#2b63e0\"] { fill: #6b96ff; }\n"
    "svg path[stroke=\"#7a5230\"] { stroke: #b98a62; } svg path[fill=\"#7a5230\"] { fill: #b98a62; }\n"
    "svg path[stroke=\"#8a4fc7\"] { stroke: #b486e6; } svg path[fill=\"#8a4fc7\"] { fill: #b486e6; }\n"
    "}\n"
    "@media print {\n"
    "main { max-width: none; padding: 0; } body { font-size: 10pt; } .wide { overflow: visible; }\n"
    ".wide svg { min-width: 0; max-height: 18cm; } a { color: inherit; text-decoration: none; }\n"
    "h2, h3 { break-after: avoid; } svg, tr, li, dd { break-inside: avoid; }\n"
    "}\n";

/* These words are new to someone who knows C and no GPU. */
static const char words[] =
    "<details open=\"open\"><summary>Words</summary>\n<dl>\n"
    "<dt>kernel</dt><dd>A C function that many threads of a GPU run at the same time.</dd>\n"
    "<dt>thread, warp, block</dt><dd>Each thread computes a few values. 32 threads are a warp: it is issued one "
    "instruction at a time, for all of them that have come to it. Up to 1024 threads are a block: they share fast "
    "memory and can wait for each other.</dd>\n"
    "<dt>multiprocessor</dt><dd>A GPU has many. Each runs several blocks, and switches to another warp when one waits "
    "for memory.</dd>\n"
    "<dt>registers, shared memory, global memory</dt><dd>A thread has registers, a block has shared memory, and all "
    "threads have the global memory of the GPU: large, and hundreds of times slower to reach than a register. A CPU "
    "has caches in the place of shared memory.</dd>\n"
    "<dt>latency, bandwidth</dt><dd>How long one value takes to arrive, and how many arrive in a second. A GPU has a "
    "long latency and a high bandwidth, so it needs many threads that wait at the same time.</dd>\n"
    "<dt>coalesced</dt><dd>Neighboring threads of a warp read neighboring places of memory, which then takes "
    "four sectors of 32 bytes instead of up to 32.</dd>\n"
    "<dt>GB/s, GFLOP/s</dt><dd>Billions of bytes moved, and of floating-point operations done, in a second.</dd>\n"
    "</dl></details>\n"
    "<p>Each lesson solves one problem in several steps. Each step is checked against plain C, and says what it does "
    "differently. A gray line in a drawing is a copy: work that must read and write all samples is hardly "
    "faster. Scales are logarithmic, so equal distances are equal ratios.</p>\n";

static void put(FILE *to, const char *text)
{
    gf_utf8_put_xml(to, text);
}

/* Writes a name without spaces, which an id must not have. */
static void put_id(FILE *to, const char *name)
{
    for (; *name != '\0'; name++)
        fputc(*name == ' ' ? '-' : *name, to);
}

void gf_lesson_page_html_begin(FILE *to, const char *title, const char *device, const char *contents, bool lessons)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
          "<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
          "<title>", to);
    put(to, title);
    fputs(", measured on ", to);
    put(to, device);
    fprintf(to, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n<h1>", style);
    put(to, title);
    fputs("</h1>\n<p class=\"soft\">Measured on ", to);
    put(to, device);
    fprintf(to, ", by gpufilter-bench %s.</p>\n%s", PACKAGE_VERSION, lessons ? words : "");
    if (contents != NULL)
        fprintf(to, "<h3>Contents</h3>\n<ol>\n%s</ol>\n", contents);
}

void gf_lesson_page_html_end(FILE *to)
{
    fputs("</main>\n</body>\n</html>\n", to);
}

/* ---- numbers ---- */

static double value_of(const struct gf_table *t, int way, int size)
{
    return t->values[((int64_t)way * t->sizes + size) * t->fields + t->drawn];
}

static bool is_time(const struct gf_table *t)
{
    return strcmp(t->field_names[t->drawn], "us") == 0;
}

/* Returns how many times as fast a way is as another one; NAN if it is not known. */
static double gain_of(const struct gf_table *t, int way, int from, int size)
{
    const double fast = value_of(t, way, size), slow = value_of(t, from, size);

    return fast > 0 && slow > 0 ? is_time(t) ? slow / fast : fast / slow : NAN;
}

static bool is_copy(const struct gf_table *t, int way)
{
    return strncmp(t->channel_names[way], "copy", 4) == 0 || strncmp(t->channel_names[way], "copies", 6) == 0;
}

/* Returns the way that a note explains; -1 if it explains none. */
static int explained_way(const struct gf_table *t, int note)
{
    for (int c = 0; t->sizes > 0 && note < t->explanations && c < t->channels; c++) {
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
    for (int i = 0; i < t->explanations; i++)
        if (explained_way(t, i) >= 0)
            return explained_way(t, i);
    for (int c = 0; c < t->channels; c++)
        if (!is_copy(t, c))
            return c;
    return -1;
}

/* Writes a value of the axis: "64K samples" or "stride = 4". */
static void put_axis_value(FILE *to, const struct gf_table *t, int size)
{
    char value[24];

    gf_table_axis_text(t, size, value);
    if (t->axis != NULL) {
        put(to, t->axis);
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
        for (int i = 0; i < t->sizes; i++)
            if (!is_copy(t, c) && gain_of(t, c, first, i) > largest) {
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
    if (s->table != NULL && s->table->sizes > 0)
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
    put(to, t->field_names[t->drawn]);
    fputs(" at ", to);
    put(to, gf_table_axis_name(t));
    fputs("</th>", to);
    for (int i = 0; i < t->sizes; i++) {
        gf_table_axis_text(t, i, size);
        fprintf(to, "<th>%s</th>", size);
    }
    fputs("<th>gain</th></tr></thead>\n<tbody>\n", to);
    for (int c = 0; c < t->channels; c++) {
        fputs("<tr><th>", to);
        put(to, t->channel_names[c]);
        fputs("</th>", to);
        for (int i = 0; i < t->sizes; i++) {
            fputs("<td>", to);
            put_number(to, value_of(t, c, i));
            fputs("</td>", to);
        }
        fputs("<td>", to);
        put_number(to, first >= 0 && !is_copy(t, c) ? gain_of(t, c, first, t->sizes - 1) : NAN);
        fputs("</td></tr>\n", to);
    }
    fputs("</tbody></table></div>\n", to);
    if (first < 0)
        return;
    fputs("<p class=\"soft\">gain: how many times as fast as \xe2\x80\x98", to);
    put(to, t->channel_names[first]);
    fputs("\xe2\x80\x99, at ", to);
    put_axis_value(to, t, t->sizes - 1);
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
        (s->table->sizes > 0 ? put_speeds : put_fields)(to, s->table);
        put_other_notes(to, s->table);
    }
    fputs("</section>\n", to);
    return result;
}
