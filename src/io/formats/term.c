/*
 * Finds the capabilities of the terminal and draws images with half blocks: two pixels, one above
 * the other, in each cell.
 */
#define _GNU_SOURCE
#include "io/formats/term.h"

#include "io/io.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define MOST_CELLS 1000          /* per side */

static const char *const ways[] = { "blocks", "symbols", "sixel", "kitty" };

static int parse_mode(const char *word, enum gf_term_way *way, struct gf_error *err)
{
    const char *asked = word[4] == ':' ? word + 5 : "";

    *way = GF_TERM_BEST;
    if (*asked == '\0')
        return 0;
    for (int i = 0; i < (int)(sizeof ways / sizeof ways[0]); i++)
        if (strcasecmp(asked, ways[i]) == 0) {
            *way = (enum gf_term_way)i;
            return 0;
        }
    return gf_fail(err, GF_MISUSED, "%s: unknown terminal mode; use term:, term:blocks, term:symbols, term:sixel or "
                   "term:kitty", word);
}

/* Returns a number of cells from the environment, or `other`. */
static int cells_from(const char *name, int other)
{
    const char *text = getenv(name);
    const long value = text != NULL ? strtol(text, NULL, 10) : 0;

    return value > 0 && value <= MOST_CELLS ? (int)value : other > 0 && other <= MOST_CELLS ? other : 0;
}

static void find_size(struct gf_term *t, bool on_terminal)
{
    struct winsize size = { 0 };

    if (!on_terminal || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
        memset(&size, 0, sizeof size);
    t->columns = cells_from("COLUMNS", size.ws_col > 0 ? size.ws_col : 80);
    t->lines = cells_from("LINES", size.ws_row > 0 ? size.ws_row : 24);
    t->cell_x = size.ws_col > 0 ? size.ws_xpixel / size.ws_col : 0;
    t->cell_y = size.ws_row > 0 ? size.ws_ypixel / size.ws_row : 0;
    if (t->cell_x < 2 || t->cell_y < 2 || t->cell_x > 64 || t->cell_y > 64) {
        t->cell_x = 8;
        t->cell_y = 16;
    }
}

int gf_term_look(struct gf_term *t, const char *word, bool on_terminal, struct gf_error *err)
{
    if (parse_mode(word, &t->way, err) != 0)
        return -1;
    find_size(t, on_terminal);
    if (t->way == GF_TERM_BEST)
        t->way = on_terminal && gf_chafa_is_there() ? gf_chafa_best_way() : GF_TERM_BLOCKS;
    if (t->way == GF_TERM_BLOCKS) {
        t->cell_x = 1;
        t->cell_y = 2;
    } else if (!gf_chafa_is_there()) {
        return gf_fail(err, GF_FAILED, "%s: needs libchafa (libchafa.so.0), which is not installed; try term:blocks",
                       word);
    }
    return 0;
}

static int at_least_one(double value)
{
    return value < 1 ? 1 : (int)(value + 0.5);
}

void gf_term_fit(const struct gf_term *t, int64_t width, int64_t height, int *cells_x, int *cells_y,
                 int *seen_x, int *seen_y)
{
    const double across = (double)t->columns / (double)width;
    const double down = 2.0 * (t->lines > 1 ? t->lines - 1 : 1) / (double)height;
    const double scale = across < 1 || down < 1 ? across < down ? across : down : 1;
    const int high = at_least_one((double)height * scale);       /* in half cells */

    *cells_x = at_least_one((double)width * scale);
    *cells_y = (high + 1) / 2;
    *seen_x = *cells_x * t->cell_x;
    *seen_y = t->way == GF_TERM_BLOCKS ? high : *cells_y * t->cell_y;
    if (*seen_x > width)
        *seen_x = (int)width;
    if (*seen_y > height)
        *seen_y = (int)height;
}

/* Sets a color. `what` is 38 for the foreground, 48 for the background. */
static void put_colour(FILE *to, int what, const unsigned char *rgb)
{
    fprintf(to, "\033[%d;2;%d;%d;%dm", what, rgb[0], rgb[1], rgb[2]);
}

/*
 * Writes half blocks, with colors only where they change. The last cell of an odd number of rows
 * has no background.
 */
static void put_blocks(const unsigned char *rgb, int width, int height, FILE *to)
{
    const size_t pitch = (size_t)width * 3;

    for (int y = 0; y < height; y += 2) {
        const unsigned char *upper = rgb + (size_t)y * pitch, *lower = y + 1 < height ? upper + pitch : NULL;

        for (int x = 0; x < width; x++, upper += 3) {
            if (x == 0 || memcmp(upper, upper - 3, 3) != 0)
                put_colour(to, 38, upper);
            if (lower != NULL && (x == 0 || memcmp(lower, lower - 3, 3) != 0))
                put_colour(to, 48, lower);
            fputs("\xE2\x96\x80", to);           /* the upper half block */
            if (lower != NULL)
                lower += 3;
        }
        fputs("\033[0m\n", to);
    }
}

int gf_term_put(const struct gf_term *t, const unsigned char *rgb, int width, int height, int cells_x,
                int cells_y, FILE *to, struct gf_error *err)
{
    if (t->way != GF_TERM_BLOCKS)
        return gf_chafa_put(t, rgb, width, height, cells_x, cells_y, to, err);
    put_blocks(rgb, width, height, to);
    return 0;
}
