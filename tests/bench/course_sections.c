/* Sections of the page of lessons, as a GPU would fill them: steps, gains, escaped text. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/lessons/lesson_page_html.h"
#include "bench/speed_table.h"
#include "tests/tap.h"

static char text[200000];

static const char *const names[] = { "copy", "plain C, 1 thread", "a <slow> step", "fast & last" },
    *const fields[] = { "us", "GB/s", "of_copy", "Msamples/s" },
    *const notes[] = { "a <slow> step: each thread waits", "fast & last: no thread waits; a < b",
                       "'fast & last' is 40 times as fast as 'a <slow> step'",
                         "plain C, 1 thread: larger sizes were skipped", NULL };

/* Two sizes of four ways. The first step is 2 and 5 GB/s, the last 20 and 200. */
static const double values[] = {
    1, 100, 1, 1,  1, 400, 1, 1,
    1, 10, 1, 1,   1, 10, 1, 1,
    8, 2, 1, 1,    4, 5, 1, 1,
    2, 20, 1, 1,   0.5, 200, 1, NAN,
};
static const int64_t strides[] = { 1, 32 };

/* Here, the last step is faster at the first size only. */
static const double other_values[] = {
    1, 100, 1, 1,  1, 400, 1, 1,
    1, 90, 1, 1,   1, 900, 1, 1,
    8, 2, 1, 1,    4, 6, 1, 1,
    2, 50, 1, 1,   8, 3, 1, 1,
};
static const int64_t counts[] = { 65536, 1 << 20 };

static void keep(FILE *from)
{
    rewind(from);
    text[fread(text, 1, sizeof text - 1, from)] = '\0';
    fclose(from);
}

static int sections;                     /* written so far */

static void write_section(const struct gf_lesson_section *s, bool link)
{
    FILE *to = tmpfile();
    struct gf_error err;

    if (to == NULL)
        exit(99);
    if (link)
        gf_lesson_page_html_link(to, s);
    else
        gf_ok(gf_lesson_page_html_section(to, s, &err) == 0, "section %d is written", ++sections);
    keep(to);
}

static void has(const char *wanted, const char *what)
{
    gf_ok(strstr(text, wanted) != NULL, "%s", what);
}

int main(void)
{
    struct gf_speeds speeds = { .sizes = 2, .size_samples = strides, .axis = "stride", .drawn = 1, .explanations = 2 };
    struct gf_table t = { .kind = &gf_speed_table_kind, .own = &speeds, .source = "stride on a GPU", .channels = 4,
                          .channel_names = names, .fields = 4,
                          .field_names = fields, .values = values, .notes = notes };
    struct gf_lesson_section s = { .name = "stride", .summary = "read memory with gaps", .table = &t };
    const char *steps, *table, *gains;

    write_section(&s, false);
    has("<h2 id=\"stride\">stride</h2>\n<p>Read memory with gaps.</p>", "heading and summary");
    has("<dt>a &lt;slow&gt; step</dt><dd>each thread waits</dd>", "a step and its explanation");
    has("<dt>fast &amp; last</dt><dd>no thread waits; a &lt; b</dd>", "another, escaped");
    has("<li>'fast &amp; last' is 40 times as fast as 'a &lt;slow&gt; step'</li>", "the measured ratio");
    has("<li>plain C, 1 thread: larger sizes were skipped</li>", "a note about another way is no explanation");
    has("<th>GB/s at stride</th><th>1</th><th>32</th><th>gain</th>", "the table has the values of the axis");
    has("<th>fast &amp; last</th><td>20.0</td><td>200</td><td>40.0</td>", "the gain over the first step");
    has("<th>plain C, 1 thread</th><td>10.0</td><td>10.0</td><td>2.00</td>", "of plain C, too");
    has("<th>copy</th><td>100</td><td>400</td><td>\xe2\x80\x93</td>", "a copy gains nothing");
    has("<title>fast &amp; last</title>", "the drawing is escaped");
    gf_ok(strstr(text, "a <slow>") == NULL && strstr(text, "fast & last") == NULL, "nothing is not escaped");
    steps = strstr(text, "<h3>Steps");
    table = strstr(text, "<table>");
    gains = strstr(text, "<h3>Result");
    gf_ok(strstr(text, "<svg") < steps && steps < table && table < gains, "drawing, steps, table, ratios");
    write_section(&s, true);
    has("<a href=\"#stride\">stride</a>: read memory with gaps.", "the link to it");
    has("Up to 40.0 times as fast as \xe2\x80\x98" "a &lt;slow&gt; step\xe2\x80\x99 (at stride = 32)",
        "the gain of the best step");
    t.values = other_values;
    speeds.axis = NULL;
    speeds.size_samples = counts;
    write_section(&s, true);
    has("Up to 25.0 times as fast as \xe2\x80\x98" "a &lt;slow&gt; step\xe2\x80\x99 (at 64K samples)",
        "the largest gain, which is not the last");
    write_section(&s, false);
    has("<td>0.500</td></tr>\n</tbody>", "the table has the last");
    has("a &lt;slow&gt; step\xe2\x80\x99, at 1M samples</p>", "and says so");
    t.values = values;
    speeds.axis = "stride";
    speeds.size_samples = strides;
    speeds.drawn = 0;
    write_section(&s, false);
    has("<th>fast &amp; last</th><td>2.00</td><td>0.500</td><td>8.00</td>", "less time is a gain");
    s.table = NULL;
    s.missing = "a & b";
    write_section(&s, false);
    has("Not measured: a &amp; b</p>", "a lesson that cannot be measured");
    return gf_tap_end();
}
