/* The pixel surface: fills polygons with antialiasing, by the covered part of each pixel. */
#include "base/utf8.h"
#include "table/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SLICES 16                /* per row of pixels, each sampled at its middle */

struct gf_edge {
    double x, y0, y1, slope;     /* x at y0, the upper end; slope is dx/dy */
    int turn;                    /* winding: 1 downwards, -1 upwards */
};

struct crossing {
    double x;
    int edge;
};

static void add_edge(struct gf_plot *p, struct gf_plot_spot from, struct gf_plot_spot to)
{
    const bool down = to.y > from.y;
    const struct gf_plot_spot upper = down ? from : to, lower = down ? to : from;

    if (!(from.y < to.y || from.y > to.y) || p->failed)
        return;
    if (p->edge_count == p->edge_room) {
        const int room = 2 * p->edge_room + 64;
        struct gf_edge *grown = realloc(p->edges, (size_t)room * sizeof *grown);

        if (grown == NULL) {
            p->failed = true;
            return;
        }
        p->edges = grown;
        p->edge_room = room;
    }
    p->edges[p->edge_count++] = (struct gf_edge) { upper.x, upper.y, lower.y,
                                                   (lower.x - upper.x) / (lower.y - upper.y), down ? 1 : -1 };
}

/*
 * A stroke is a bar, a little longer at both ends so that
 * consecutive strokes overlap. All have the same winding.
 */
static void add_stroke(struct gf_plot *p, struct gf_plot_spot from, struct gf_plot_spot to, double width)
{
    const double dx = to.x - from.x, dy = to.y - from.y, length = sqrt(dx * dx + dy * dy), half = width / 2;
    const double ux = length > 0 ? dx / length : 1, uy = length > 0 ? dy / length : 0;
    const double more = ux == 0 || uy == 0 ? half : half / 2;
    const double ax = ux * more, ay = uy * more, bx = -uy * half, by = ux * half;
    const struct gf_plot_spot c[] = { { from.x - ax + bx, from.y - ay + by }, { to.x + ax + bx, to.y + ay + by },
                                      { to.x + ax - bx, to.y + ay - by }, { from.x - ax - bx, from.y - ay - by } };

    for (int i = 0; i < 4; i++)
        add_edge(p, c[i], c[(i + 1) % 4]);
}

static int compare_edges(const void *a, const void *b)
{
    const struct gf_edge *one = a, *other = b;

    if (one->y0 != other->y0)
        return one->y0 < other->y0 ? -1 : 1;
    return (one->x > other->x) - (one->x < other->x);
}

/* An area while it is filled, from its top to its bottom. */
struct filling {
    int left, right;                 /* columns of pixels that it may touch */
    int begun;                       /* edges that begin above the current height */
    struct crossing *found;          /* where edges cross the current height, from left to right */
    int count;
    float *cover;                    /* the covered part of each column in the current row */
};

/*
 * Finds where edges cross height y, which is below the last one. Insertion sort is fast here: edges keep their order
 * from one height to the next, except those that cross each other, and new ones are in order among themselves.
 */
static void cross(const struct gf_plot *p, struct filling *f, double y)
{
    int count = 0;

    for (; f->begun < p->edge_count && p->edges[f->begun].y0 <= y; f->begun++)
        f->found[f->count++].edge = f->begun;
    for (int i = 0; i < f->count; i++) {
        const struct gf_edge *e = &p->edges[f->found[i].edge];
        struct crossing c = { e->x + (y - e->y0) * e->slope, f->found[i].edge };
        int at;

        if (y >= e->y1)
            continue;
        for (at = count++; at > 0 && f->found[at - 1].x > c.x; at--)
            f->found[at] = f->found[at - 1];
        f->found[at] = c;
    }
    f->count = count;
}

/* Adds the coverage between x0 and x1 to the pixels of a row, for one slice. */
static void cover_span(const struct filling *f, double x0, double x1)
{
    x0 = x0 < f->left ? f->left : x0;
    x1 = x1 > f->right ? f->right : x1;
    for (int x = (int)x0; x < x1; x++) {
        const double from = x0 > x ? x0 : x, to = x1 < x + 1 ? x1 : x + 1;

        f->cover[x - f->left] += (float)((to - from) / SLICES);
    }
}

static void cover_row(const struct gf_plot *p, struct filling *f, int row)
{
    memset(f->cover, 0, (size_t)(f->right - f->left) * sizeof *f->cover);
    for (int slice = 0; slice < SLICES; slice++) {
        int depth = 0;

        cross(p, f, row + (slice + 0.5) / SLICES);
        for (int i = 0; i + 1 < f->count; i++) {
            depth += p->edges[f->found[i].edge].turn;
            if (depth != 0)
                cover_span(f, f->found[i].x, f->found[i + 1].x);
        }
    }
}

static void put_ink(struct gf_plot *p, const struct filling *f, int row, struct gf_plot_ink ink)
{
    unsigned char *to = p->rgb + ((size_t)row * (size_t)p->width + (size_t)f->left) * 3;

    for (int x = 0; x < f->right - f->left; x++) {
        const double part = f->cover[x] < 1 ? ink.opacity * (double)f->cover[x] : ink.opacity;

        for (int c = 0; part > 0 && c < 3; c++) {
            const double old = to[3 * x + c], new = (double)(ink.rgb >> (16 - 8 * c) & 0xFF);

            to[3 * x + c] = (unsigned char)lrint(old + (new - old) * part);
        }
    }
}

static void fill_edges(struct gf_plot *p, struct gf_plot_ink ink)
{
    double top = p->height, bottom = 0, left = p->width, right = 0;
    struct filling f = { 0 };

    for (int i = 0; i < p->edge_count; i++) {
        const struct gf_edge *e = &p->edges[i];
        const double lower = e->x + (e->y1 - e->y0) * e->slope;

        top = fmin(top, e->y0);
        bottom = fmax(bottom, e->y1);
        left = fmin(left, fmin(e->x, lower));
        right = fmax(right, fmax(e->x, lower));
    }
    f.left = (int)fmax(left - 1, 0);                 /* a pixel more, for what was rounded */
    f.right = (int)fmin(right + 2, p->width);
    if (p->edge_count > 0 && f.left < f.right) {
        f.found = malloc((size_t)p->edge_count * sizeof *f.found);
        f.cover = malloc((size_t)(f.right - f.left) * sizeof *f.cover);
        p->failed = p->failed || f.found == NULL || f.cover == NULL;
        qsort(p->edges, (size_t)p->edge_count, sizeof *p->edges, compare_edges);
        for (int row = top > 0 ? (int)top : 0; !p->failed && row < bottom && row < p->height; row++) {
            cover_row(p, &f, row);
            put_ink(p, &f, row, ink);
        }
    }
    p->edge_count = 0;
    free(f.found);
    free(f.cover);
}

#define ROWS 9                   /* seven for capital letters, two below the base line */
#define BASE 6
#define COLUMNS 5
#define RIGHT 0.1                /* distance of columns, as a part of the size of letters */

/*
 * Glyphs from the space character on. Each row is a character, 0 to 9 or a to v, for a number of
 * five bits: its dots, with the highest bit on the left.
 */
static const char *const glyphs[] = {
    "0", "4444404", "aaa", "0avava0", "4fke5u4", "pq248bj", "8kk8lid", "444",
    "2488842", "8422248", "04lel40", "044v440", "000000448", "000e000", "0000004", "1122488",
    "ehhhhhe", "4c4444e", "eh1248v", "eh161he", "26aiv22", "vgu11he", "68guhhe", "v122444", "ehhehhe", "ehhf12c",
    "0040004", "004000448", "248g842", "00v0v00", "8421248", "eh12404", "ehnlnge",
    "ehhvhhh", "uhhuhhu", "ehgggge", "uhhhhhu", "vgguggv", "vgguggg", "ehgnhhe", "hhhvhhh", "e44444e", "11111he",
    "hikokih", "ggggggv", "hrllhhh", "hhpljhh", "ehhhhhe", "uhhuggg", "ehhhlid", "uhhukih", "fgge11u", "v444444",
    "hhhhhhe", "hhhhha4", "hhhllla", "hha4ahh", "hha4444", "v1248gv",
    "e88888e", "gg84211", "e22222e", "4ah", "0000000v", "84",
    "00e1fhf", "ggmphhu", "00ehghe", "11djhhf", "00ehvge", "68s8888", "00fhhhf1e", "ggmphhh", "4044444", "20222222c",
    "ggikoki", "8888884", "00qllll", "00mphhh", "00ehhhe", "00mphhugg", "00djhhf11", "00koggg", "00fge1u", "88s8886",
    "00hhhjd", "00hhha4", "00hhlla", "00ha4ah", "00hhhhf1e", "00v248v",
    "6448446", "44444444", "c44244c", "0009li0",
};

static const char unknown[] = "vhhhhhv";

static const char *glyph_of(uint32_t letter)
{
    return letter >= ' ' && letter - ' ' < sizeof glyphs / sizeof glyphs[0] ? glyphs[letter - ' '] : unknown;
}

static bool has_dot(const char *glyph, int x, int y)
{
    int bits;

    if (x < 0 || x >= COLUMNS || y >= (int)strlen(glyph))
        return false;
    bits = glyph[y] <= '9' ? glyph[y] - '0' : glyph[y] - 'a' + 10;
    return (bits >> (COLUMNS - 1 - x) & 1) != 0;
}

/*
 * Finds the first column with a dot, and returns the
 * width up to the last; a space has three columns.
 */
static int extent(const char *glyph, int *first)
{
    int last = -1;

    *first = 0;
    for (int x = COLUMNS - 1; x >= 0; x--)
        for (int y = 0; y < ROWS; y++)
            if (has_dot(glyph, x, y)) {
                last = last < 0 ? x : last;
                *first = x;
            }
    return last < 0 ? 3 : last - *first + 1;
}

/* Maps the grid of a glyph to the drawing. */
struct glyph_grid {
    double x, y;                         /* position of column 0 and row 0 */
    double right, down;                  /* distances of columns and rows */
    double pen;                          /* width of strokes */
};

static struct gf_plot_spot spot_of(const struct glyph_grid *h, int x, int y)
{
    return (struct gf_plot_spot) { h->x + x * h->right, h->y + y * h->down };
}

/*
 * Connects neighboring dots: to the right, below, and
 * diagonally unless another dot connects them already.
 */
static void draw_glyph(struct gf_plot *p, const struct glyph_grid *h, const char *glyph)
{
    for (int y = 0; y < (int)strlen(glyph); y++)
        for (int x = 0; x < COLUMNS; x++) {
            const bool right = has_dot(glyph, x + 1, y), below = has_dot(glyph, x, y + 1),
                       left = has_dot(glyph, x - 1, y);

            if (!has_dot(glyph, x, y))
                continue;
            add_stroke(p, spot_of(h, x, y), spot_of(h, x, y), h->pen);
            if (right)
                add_stroke(p, spot_of(h, x, y), spot_of(h, x + 1, y), h->pen);
            if (below)
                add_stroke(p, spot_of(h, x, y), spot_of(h, x, y + 1), h->pen);
            if (!below && !right && has_dot(glyph, x + 1, y + 1))
                add_stroke(p, spot_of(h, x, y), spot_of(h, x + 1, y + 1), h->pen);
            if (!below && !left && has_dot(glyph, x - 1, y + 1))
                add_stroke(p, spot_of(h, x, y), spot_of(h, x - 1, y + 1), h->pen);
        }
}

double gf_plot_letters_width(double size, const char *text, size_t bytes)
{
    double columns = 0;
    int first;

    for (const char *at = text; at < text + bytes;)
        columns += extent(glyph_of(gf_utf8_next(&at)), &first) + 1;
    return columns * size * RIGHT;
}

static void write_letters(struct gf_plot *p, const struct gf_plot_label *w, const char *text)
{
    struct glyph_grid h = { .right = w->size * RIGHT, .down = w->size * 0.12,
                            .pen = w->size * (w->bold ? 0.125 : 0.1) };
    const double width = gf_plot_letters_width(w->size, text, strlen(text));
    const char *at = text;
    int first;

    h.y = w->y - BASE * h.down - h.pen / 2;
    h.x = w->x + h.right / 2 - (w->anchor == GF_ANCHOR_END ? width : w->anchor == GF_ANCHOR_MIDDLE ? width / 2 : 0);
    for (uint32_t letter = gf_utf8_next(&at); letter != 0; letter = gf_utf8_next(&at)) {
        const char *glyph = glyph_of(letter);
        const int columns = extent(glyph, &first);

        h.x -= first * h.right;
        draw_glyph(p, &h, glyph);
        h.x += (first + columns + 1) * h.right;
    }
    fill_edges(p, (struct gf_plot_ink) { w->rgb, 1 });
}

static void pixels_area(struct gf_plot *p, const struct gf_plot_spot *spots, int count, struct gf_plot_ink ink,
                        const char *title)
{
    (void)title;
    for (int i = 0; i < count; i++)
        add_edge(p, spots[i], spots[(i + 1) % count]);
    fill_edges(p, ink);
}

static void pixels_line(struct gf_plot *p, const struct gf_plot_spot *spots, int count, double width,
                        struct gf_plot_ink ink)
{
    for (int i = 0; i + 1 < count; i++)
        add_stroke(p, spots[i], spots[i + 1], width);
    fill_edges(p, ink);
}

static void pixels_picture(struct gf_plot *p, struct gf_plot_frame f, const unsigned char *rgb)
{
    const int left = (int)f.left, top = (int)f.top, width = (int)f.width;

    for (int y = 0; y < (int)f.height; y++)
        memcpy(p->rgb + ((size_t)(top + y) * (size_t)p->width + (size_t)left) * 3, rgb + (size_t)y * (size_t)width * 3,
               (size_t)width * 3);
}

int gf_plot_pixels(struct gf_plot *p, int width, int height, struct gf_error *err)
{
    static const struct gf_plot_ops ops = { pixels_area, pixels_line, write_letters, pixels_picture };
    const size_t bytes = (size_t)width * (size_t)height * 3;

    *p = (struct gf_plot) { .ops = &ops, .width = width, .height = height, .rgb = malloc(bytes + 1) };
    if (p->rgb == NULL)
        return gf_fail_memory(err, NULL);
    memset(p->rgb, 255, bytes);
    return 0;
}

void gf_plot_pixels_end(struct gf_plot *p)
{
    free(p->rgb);
    free(p->edges);
}
