/* Tables and drawings of speeds: other axes than samples, many ways, long notes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/speed_table.h"
#include "table/plot.h"
#include "table/svg.h"
#include "table/table.h"
#include "tests/tap.h"

enum { WAYS = 16, SIZES = 5, NOTES = 40, ROOM = 400000 };

static char text[ROOM];
static char long_note[400];
static const char *names[WAYS], *notes[NOTES + 1];
static double values[WAYS * SIZES * 2];

static const int64_t shares[SIZES] = { 0, 25, 50, 75, 100 }, samples[SIZES] = { 1024, 4096, 16384, 65536, 262144 };

static struct gf_speeds speeds;

static struct gf_table make_table(int ways, int note_count)
{
    static const char *const fields[] = { "us", "GFLOP/s" };
    static char way_names[WAYS][40];

    for (int i = 0; i < ways; i++) {
        snprintf(way_names[i], sizeof way_names[i], i == 0 ? "copy" : "way %d", i);
        names[i] = way_names[i];
        for (int k = 0; k < SIZES; k++) {
            values[(i * SIZES + k) * 2] = 1.5;
            values[(i * SIZES + k) * 2 + 1] = 10.0 * (i + 1) + k;
        }
    }
    while (strlen(long_note) < sizeof long_note - 10)
        strcat(long_note, "a note ");
    for (int i = 0; i <= note_count; i++)
        notes[i] = i == note_count ? NULL : long_note;
    speeds = (struct gf_speeds) { .sizes = SIZES, .size_samples = shares, .axis = "divergent warps, %",
                                  .axis_linear = true, .drawn = 1 };
    return (struct gf_table) { .kind = &gf_speed_table_kind, .own = &speeds, .source = "divergence", .channels = ways,
                               .channel_names = names, .fields = 2,
                               .field_names = fields, .values = values, .notes = notes };
}

/* Keeps what was written in `text`. */
static void keep(FILE *from)
{
    rewind(from);
    text[fread(text, 1, ROOM - 1, from)] = '\0';
    fclose(from);
}

static int drawings;                     /* so far */

static void draw(const struct gf_table *t, struct gf_plot *p)
{
    FILE *to = tmpfile();
    int width, height;
    struct gf_error err;

    if (to == NULL)
        exit(99);
    gf_plot_size(t, &width, &height);
    gf_plot_svg(p, width, height, to);
    gf_ok(gf_plot_table(p, t, &err) == 0, "drawing %d: %d ways, %s notes", ++drawings, t->channels,
          t->notes[0] != NULL ? "with" : "without");
    gf_svg_end(to);
    keep(to);
}

static int count(const char *what)
{
    int n = 0;

    for (const char *at = text; (at = strstr(at, what)) != NULL; at += strlen(what))
        n++;
    return n;
}

/* Returns the place of the first mark of a way. */
static double mark_x(const char *way, int number)
{
    char title[60];
    const char *end = text, *at;

    snprintf(title, sizeof title, "<title>%s</title>", way);
    for (int i = 0; i <= number && end != NULL; i++)
        end = strstr(end + 1, title);
    if (end == NULL)
        return NAN;
    for (at = end; at > text && strncmp(at, "d=\"M", 4) != 0;)
        at--;
    return strtod(at + 4, NULL);
}

static bool starts_with(const char *wanted)
{
    return strncmp(text, wanted, strlen(wanted)) == 0;
}

static void test_text(void)
{
    struct gf_table t = make_table(2, 0);
    FILE *to = tmpfile();

    if (to == NULL)
        exit(99);
    gf_speed_table_put(to, &t, ',');
    keep(to);
    gf_ok(starts_with("way,\"divergent warps, %\",us,GFLOP/s\ncopy,0,1.5,10\n"), "CSV names the axis");
    to = tmpfile();
    if (to == NULL)
        exit(99);
    gf_speed_table_put(to, &t, 0);
    keep(to);
    gf_ok(starts_with("way   divergent warps, %           us      GFLOP/s\ncopy                   0"),
          "columns are aligned");
    to = tmpfile();
    if (to == NULL)
        exit(99);
    gf_speed_table_put_json(to, &t);
    keep(to);
    gf_ok(strstr(text, "\"divergent warps, %\": 25") != NULL || strstr(text, "\"divergent warps, %\":25") != NULL,
          "JSON names the axis");
}

/* Tests that no text of a drawing ends beyond its right side, as wide as the strokes of the pixel surface are. */
static bool fits(int width)
{
    for (const char *at = text; (at = strstr(at, "<text x=\"")) != NULL; at++) {
        const double x = strtod(at + 9, NULL), size = strtod(strstr(at, "font-size=\"") + 11, NULL);
        const char *word = strchr(at, '>') + 1;
        const bool starts = strstr(at, "text-anchor") == NULL || strstr(at, "text-anchor") > word;

        if (starts && x + gf_plot_letters_width(size, word, strcspn(word, "<")) > width)
            return false;
    }
    return true;
}

static void test_axes(void)
{
    struct gf_table t = make_table(3, 0);
    struct gf_plot p;

    draw(&t, &p);
    gf_ok(fabs(mark_x("way 1", 1) - mark_x("way 1", 0) - 215) < 0.1
          && fabs(mark_x("way 1", 4) - mark_x("way 1", 3) - 215) < 0.1, "a linear axis is even from 0 on");
    gf_is(count(">divergent warps, %</text>"), 1, "the axis has its name");
    gf_is(count(">31 GFLOP/s at 0<") + count(">34 GFLOP/s at 100<"), 1, "the legend has the last value");
    speeds.size_samples = samples;
    speeds.axis_linear = false;
    speeds.axis = NULL;
    draw(&t, &p);
    gf_is(count(">256K</text>"), 1, "samples have short names");
    gf_is(count(">samples</text>"), 1, "the axis of samples has a name");
    t.draw_width = 640;
    draw(&t, &p);
    gf_ok(p.width == 640 && fits(640), "a table of speeds can be drawn narrow");
}

static void test_many(void)
{
    struct gf_table t = make_table(WAYS, NOTES);
    struct gf_plot p;
    int words = 0;

    draw(&t, &p);
    gf_ok(fits(p.width), "texts end inside the drawing");
    for (int i = 1; i < WAYS; i++) {
        char title[40];

        snprintf(title, sizeof title, "<title>way %d</title>", i);
        gf_is(count(title), SIZES, "way %d has its marks", i);
    }
    gf_is(count("stroke=\"#d1495b\" stroke-width=\"2\"") > 20, 1, "dashes, if two ways have a color");
    for (const char *at = long_note; (at = strstr(at, "note")) != NULL; at++)
        words++;
    gf_is(count("note"), NOTES * words, "notes are complete");
}

int main(void)
{
    test_text();
    test_axes();
    test_many();
    return gf_tap_end();
}
