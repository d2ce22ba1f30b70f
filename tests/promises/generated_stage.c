/* Draws the values of a stage's options from the rows of its descriptor. */
#include "tests/promises/generated.h"

#include <math.h>
#include <string.h>

/* Numbers beyond this make signals that are too large for thousands of cases. */
#define LARGEST 600.0

static bool is_unit(const struct gf_option *row, const char *unit)
{
    return row->unit != NULL && strcmp(row->unit, unit) == 0;
}

/* Draws a number in the row's range: mostly a small one, at times one end of the range. */
static double draw_number(const struct gf_option *row, struct gf_dice *d)
{
    const bool hertz = is_unit(row, "Hz") || is_unit(row, "K");
    const double high = fmin(row->most, hertz ? 22000 : LARGEST), low = fmax(row->least, -LARGEST);
    const double largest = gf_dice_draw(d, 8) == 0 || hertz ? high : fmin(high, fmax(12, row->by_default * 2));
    const double smallest = hertz ? 5 : row->type == GF_OPTION_INT ? 1 : 0.02;
    double v;

    if (gf_dice_draw(d, 24) == 0)
        return gf_dice_draw(d, 2) == 0 ? low : high;
    v = smallest * pow(fmax(largest, smallest) / smallest, gf_dice_unit(d));
    if (low < 0 && gf_dice_draw(d, 2) == 0)
        v = -v;
    v = fmin(fmax(v, low), high);
    return row->type == GF_OPTION_INT ? rint(v) : v;
}

static int count_choices(const struct gf_option *row)
{
    int n = 0;

    while (row->choices != NULL && row->choices[n] != NULL)
        n++;
    return n;
}

static void put_colour(char *v, size_t room, struct gf_dice *d)
{
    static const char *const colours[] = { "red", "white", "black", "#3a7", "#12345680", "gray", "none" };

    snprintf(v, room, "%s", colours[gf_dice_draw(d, 7)]);
}

/* Times of audio are often beyond its end. */
static void put_time(const struct gf_option *row, const struct gf_made_signal *in, char *v, size_t room,
                     struct gf_dice *d)
{
    const char *sign = row->least >= 0 || gf_dice_draw(d, 3) != 0 ? "" : gf_dice_draw(d, 2) == 0 ? "-" : "+";
    const uint32_t frames = gf_dice_draw(d, (uint32_t)(gf_dice_draw(d, 8) == 0 ? 3 * in->units : in->units) + 1);

    if (gf_dice_draw(d, 2) == 0)
        snprintf(v, room, "%s%uf", sign, frames);
    else
        snprintf(v, room, "%s%.4g", sign, frames / 44100.0);
}

static void put_size(const struct gf_made_signal *in, char *v, size_t room, struct gf_dice *d)
{
    const int w = 1 + (int)gf_dice_draw(d, (uint32_t)in->width * 2 + 2);
    const int h = 1 + (int)gf_dice_draw(d, (uint32_t)in->units * 2 + 2);

    switch (gf_dice_draw(d, 4)) {
    case 0: snprintf(v, room, "%dx%d", w, h); break;
    case 1: snprintf(v, room, "%d", w); break;
    case 2: snprintf(v, room, "x%d", h); break;
    default: snprintf(v, room, "%d%%", 10 + (int)gf_dice_draw(d, 250)); break;
    }
}

static void put_geometry(const struct gf_made_signal *in, char *v, size_t room, struct gf_dice *d)
{
    const int x = (int)gf_dice_draw(d, (uint32_t)in->width), y = (int)gf_dice_draw(d, (uint32_t)in->units);
    const int w = 1 + (int)gf_dice_draw(d, (uint32_t)(in->width - x)),
              h = 1 + (int)gf_dice_draw(d, (uint32_t)(in->units - y));

    if (gf_dice_draw(d, 5) == 0)
        snprintf(v, room, "%d:%d", 1 + (int)gf_dice_draw(d, 16), 1 + (int)gf_dice_draw(d, 9));
    else if (gf_dice_draw(d, 5) == 0)
        snprintf(v, room, "%d%%x%d%%+0+0", 20 + (int)gf_dice_draw(d, 81), 20 + (int)gf_dice_draw(d, 81));
    else
        snprintf(v, room, "%dx%d+%d+%d", w, h, x, y);
}

/* A matrix of small numbers. `columns` 0 draws both sides. */
static void put_matrix(char *v, size_t room, int rows, int columns, struct gf_dice *d)
{
    size_t at = 1;

    snprintf(v, room, "[");
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns && at + 16 < room; c++)
            at += (size_t)snprintf(v + at, room - at, "%s%.3g", c > 0 ? " " : r > 0 ? "; " : "",
                                   gf_dice_draw(d, 2) == 0 ? (double)gf_dice_draw(d, 5) - 1 : gf_dice_unit(d) - 0.3);
    snprintf(v + at, room - at, "]");
}

/* Points of a curve, whose first numbers rise. */
static void put_points(char *v, size_t room, struct gf_dice *d)
{
    const int points = 2 + (int)gf_dice_draw(d, 5);
    size_t at = 1;

    snprintf(v, room, "[");
    for (int i = 0; i < points; i++)
        at += (size_t)snprintf(v + at, room - at, "%s%.3g %.3g", i > 0 ? "; " : "",
                               (i + 0.9 * gf_dice_unit(d)) / points, gf_dice_unit(d));
    snprintf(v + at, room - at, "]");
}

/* A table of colors that depends on its name alone. */
static bool put_colors(char *v, size_t room, struct gf_dice *d)
{
    const int n = 2 + (int)gf_dice_draw(d, 5), cube = (int)gf_dice_draw(d, 2);
    uint32_t state = (uint32_t)(2 * n + cube);
    FILE *f;

    snprintf(v, room, "%s-%d.cube", cube ? "cube" : "curve", n);
    f = fopen(v, "w");
    if (f == NULL)
        return false;
    fprintf(f, "LUT_%dD_SIZE %d\nDOMAIN_MAX %d 1 1\n", cube ? 3 : 1, n, 1 + n % 2);
    for (int i = 0; i < (cube ? n * n * n : n); i++)
        for (int c = 0; c < 3; c++) {
            state = state * 1664525u + 1013904223u;
            fprintf(f, "%.4f%c", (double)(state >> 8) / 14000000.0 - 0.1, c < 2 ? ' ' : '\n');
        }
    return fclose(f) == 0;
}

/* A map near the identity, or points of warp. Their number depends on the image, because from= and to= have as many. */
static void put_map(const struct gf_option *row, const struct gf_made_signal *in, char *v, size_t room,
                    struct gf_dice *d)
{
    const int points = 3 + (int)(in->width % 2);
    size_t at = 0;

    if (strcmp(row->name, "matrix") == 0) {
        at = (size_t)snprintf(v, room, "[%.3g %.3g %.3g; %.3g %.3g %.3g", gf_dice_unit(d) + 0.5, gf_dice_unit(d) - 0.5,
                              gf_dice_unit(d) * 9 - 4, gf_dice_unit(d) - 0.5, gf_dice_unit(d) + 0.5,
                              gf_dice_unit(d) * 9 - 4);
        if (gf_dice_draw(d, 2) == 0)
            at += (size_t)snprintf(v + at, room - at, "; %.3g %.3g 1", (gf_dice_unit(d) - 0.5) / (double)in->width,
                                   (gf_dice_unit(d) - 0.5) / (double)in->units);
    }
    for (int i = 0; at == 0 || (row->name[0] != 'm' && i < points); i++)
        at += (size_t)snprintf(v + at, room - at, "%s%d %d", i == 0 ? "[" : "; ",
                               (int)gf_dice_draw(d, (uint32_t)in->width + 4),
                               (int)gf_dice_draw(d, (uint32_t)in->units + 4));
    snprintf(v + at, room - at, "]");
}

/* True if an option that need not be given is left out. Either a matrix or points define a warp. */
static bool leaves_out(const struct gf_drawn_stage *s, const struct gf_option *row, struct gf_dice *d)
{
    if (strcmp(s->stage->name, "warp") == 0 && row->type == GF_OPTION_MASK)
        return strcmp(row->name, "matrix") == 0 ? gf_dice_draw(d, 2) == 0
             : strcmp(row->name, "from") == 0 ? s->values > 0
                                              : strncmp(s->value[0], "from", 4) != 0 || gf_dice_draw(d, 2) == 0;
    return gf_dice_draw(d, 3) != 0;
}

static void put_mask(const struct gf_stage *stage, const struct gf_option *row, const struct gf_made_signal *in,
                     char *v, size_t room, struct gf_dice *d)
{
    const int colours = in->channels > 2 ? 3 : 1;
    int rows = 1, columns = 1 + (int)gf_dice_draw(d, 20);

    if (stage->kind == GF_IMAGE && strcmp(row->name, "points") == 0) {
        put_points(v, room, d);
        return;
    }
    if (strcmp(stage->name, "warp") == 0) {
        put_map(row, in, v, room, d);
        return;
    }
    if (stage->kind == GF_IMAGE && strcmp(row->name, "rows") == 0) {
        rows = columns = colours;                            /* a matrix of channels */
    } else if (stage->kind == GF_IMAGE && strcmp(stage->name, "conv1d") != 0) {
        rows = 1 + (int)gf_dice_draw(d, 5);
        columns = gf_dice_draw(d, 2) == 0 ? rows : 1 + (int)gf_dice_draw(d, 5);
    }
    if (row->masks != NULL && gf_dice_draw(d, 4) == 0) {
        int n = 0;

        while (row->masks[n].name != NULL)
            n++;
        snprintf(v, room, "%s", row->masks[gf_dice_draw(d, (uint32_t)n)].name);
        return;
    }
    put_matrix(v, room, rows, columns, d);
}

/* The outputs of remix, the only stage whose text is free. */
static void put_rest(const struct gf_made_signal *in, char *v, size_t room, struct gf_dice *d)
{
    const int outputs = 1 + (int)gf_dice_draw(d, 4);
    size_t at = 0;

    for (int o = 0; o < outputs; o++) {
        const int a = 1 + (int)gf_dice_draw(d, (uint32_t)in->channels);
        const int b = 1 + (int)gf_dice_draw(d, (uint32_t)in->channels);

        at += (size_t)(gf_dice_draw(d, 2) == 0 ? snprintf(v + at, room - at, "%s%d", o > 0 ? "," : "", a)
                       : snprintf(v + at, room - at, "%s.5*%d-.25*%d", o > 0 ? "," : "", a, b));
    }
}

/* A second signal of another form. */
static bool put_input(const struct gf_made_signal *in, struct gf_made_signal *second, char *v, size_t room,
                      struct gf_dice *d)
{
    gf_made_choose(second, in->made == GF_MADE_SOUND ? GF_MADE_SOUND : GF_MADE_IMAGE, -1, d);
    if (gf_dice_draw(d, 2) == 0 && in->made == GF_MADE_IMAGE)
        *second = *in;
    snprintf(v, room, "%s", second->name);
    return gf_made_write(second);
}

static bool put_value(struct gf_drawn_stage *s, const struct gf_option *row, const struct gf_made_signal *in,
                      char *v, size_t room, struct gf_dice *d)
{
    const int choices = count_choices(row);

    switch (row->type) {
    case GF_OPTION_CHOICE:
        snprintf(v, room, "%s", row->choices[gf_dice_draw(d, (uint32_t)choices)]);
        return true;
    case GF_OPTION_EITHER:
        if (gf_dice_draw(d, 2) == 0)
            snprintf(v, room, "%s", row->choices[gf_dice_draw(d, (uint32_t)choices)]);
        else
            snprintf(v, room, "%.4g", draw_number(row, d));
        return true;
    case GF_OPTION_FLAG: snprintf(v, room, "%s", gf_dice_draw(d, 2) == 0 ? "on" : "off"); return true;
    case GF_OPTION_COLOUR: put_colour(v, room, d); return true;
    case GF_OPTION_GEOMETRY: put_geometry(in, v, room, d); return true;
    case GF_OPTION_SIZE: put_size(in, v, room, d); return true;
    case GF_OPTION_TIME: put_time(row, in, v, room, d); return true;
    case GF_OPTION_REST: put_rest(in, v, room, d); return true;
    case GF_OPTION_INPUT: return put_input(in, &s->second, v, room, d);
    case GF_OPTION_OUTPUT: snprintf(v, room, in->made == GF_MADE_SOUND ? "tee.au" : "tee.pam"); return true;
    case GF_OPTION_EXTENT:
        snprintf(v, room, "%.3g,%.3g", row->least < 0 ? gf_dice_unit(d) - 1 : 0.1 * gf_dice_unit(d),
                 0.1 + gf_dice_unit(d));
        return true;
    case GF_OPTION_MASK:
        if (row->colors)
            return put_colors(v, room, d);
        if (row->counts)
            return put_input(in, &s->second, v, room, d);
        put_mask(s->stage, row, in, v, room, d);
        return true;
    default: snprintf(v, room, "%.4g", draw_number(row, d)); return true;
    }
}

bool gf_drawn_stage_draw(struct gf_drawn_stage *s, const struct gf_stage *stage, const struct gf_made_signal *in,
                         struct gf_dice *d)
{
    *s = (struct gf_drawn_stage) { .stage = stage };
    for (const struct gf_option *row = stage->options; row != NULL && row->name != NULL; row++) {
        char value[200];

        if (!row->required && leaves_out(s, row, d))
            continue;
        if (!put_value(s, row, in, value, sizeof value, d))
            return false;
        snprintf(s->value[s->values++], sizeof s->value[0], "%s%s%s", row->type == GF_OPTION_REST ? "" : row->name,
                 row->type == GF_OPTION_REST ? "" : "=", value);
    }
    return true;
}

void gf_drawn_stage_print(const struct gf_drawn_stage *s, char *text, size_t bytes)
{
    size_t at = (size_t)snprintf(text, bytes, "%s", s->stage->name);

    for (int i = 0; i < s->values && at < bytes; i++)
        at += (size_t)snprintf(text + at, bytes - at, "%c%s", i == 0 ? ':' : ',', s->value[i]);
}
