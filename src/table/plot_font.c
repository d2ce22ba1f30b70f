/* A font for the pixel surface: dots on a small grid, drawn as strokes that connect them. */
#include "table/plot.h"

#include "base/utf8.h"

#include <string.h>

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
            gf_plot_stroke(p, spot_of(h, x, y), spot_of(h, x, y), h->pen);
            if (right)
                gf_plot_stroke(p, spot_of(h, x, y), spot_of(h, x + 1, y), h->pen);
            if (below)
                gf_plot_stroke(p, spot_of(h, x, y), spot_of(h, x, y + 1), h->pen);
            if (!below && !right && has_dot(glyph, x + 1, y + 1))
                gf_plot_stroke(p, spot_of(h, x, y), spot_of(h, x + 1, y + 1), h->pen);
            if (!below && !left && has_dot(glyph, x - 1, y + 1))
                gf_plot_stroke(p, spot_of(h, x, y), spot_of(h, x - 1, y + 1), h->pen);
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

void gf_plot_letters(struct gf_plot *p, const struct gf_plot_label *w, const char *text)
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
    gf_plot_fill(p, (struct gf_plot_ink) { w->rgb, 1 });
}
