/*
 * Palettes of a GIF: the colors of an image as they are, or the best 256 for it, and dithering with these.
 * All steps have one order and use integers, or doubles without functions of libm that differ.
 */
#include "io/formats/frames/gif_palette.h"

#include "base/clones.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIDE 33                          /* cells along an axis of the cube of colors, after one of zeros */
#define SHIFT 3                          /* a cell has 8 levels of red, green and blue */
#define CELLS (SIDE * SIDE * SIDE)
#define EXACT_SLOTS 1024                 /* a power of two, at least twice 256 */
#define NEAREST_BITS 16
#define MATRIX 8                         /* columns and rows of the dither pattern */
#define UNUSED 1000                      /* the level of entries without a color, farther from any than two colors */
#define WIDEST_STEP 64                   /* distance of neighboring colors that dithering bridges */

/* Colors with red > from[0] and <= to[0], and so on, in cells. */
struct box {
    int from[3], to[3];
    double error;                        /* sum of squared distances from the mean color */
};

/* Count, sums of the colors, and sum of their squares; in the end of all cells up to one. */
struct moment {
    int64_t count, sum[3], squares;
};

struct gf_gif_chooser {
    uint32_t exact[EXACT_SLOTS];         /* colors and, in the upper byte, their index */
    bool taken[EXACT_SLOTS];
    struct moment moment[CELLS];
    struct box box[256];
    int step;                            /* distance between colors of the palette, in levels */
    uint32_t nearest[1 << NEAREST_BITS]; /* colors and, in the upper byte, the index of the nearest one */
    int32_t palette[3][256];
};

struct gf_gif_chooser *gf_gif_chooser_new(void)
{
    return calloc(1, sizeof(struct gf_gif_chooser));
}

void gf_gif_chooser_free(struct gf_gif_chooser *c)
{
    free(c);
}

/* ---- palettes with all colors ---- */

static uint32_t hash(uint32_t colour, int bits)
{
    return colour * 2654435761u >> (32 - bits);
}

/* Returns the slot of a color, or a free one. */
static uint32_t find_slot(const struct gf_gif_chooser *c, uint32_t colour)
{
    uint32_t slot = hash(colour, 10);

    while (c->taken[slot] && (c->exact[slot] & 0xFFFFFF) != colour)
        slot = (slot + 1) % EXACT_SLOTS;
    return slot;
}

static void index_colours(struct gf_gif_chooser *c, const struct gf_gif_palette *palette)
{
    memset(c->taken, 0, sizeof c->taken);
    for (int i = palette->colours - 1; i >= 0; i--) {
        const uint32_t slot = find_slot(c, palette->rgb[i]);

        c->taken[slot] = true;
        c->exact[slot] = palette->rgb[i] | (uint32_t)i << 24;
    }
}

bool gf_gif_add_colours(struct gf_gif_chooser *c, const uint32_t *pixels, int64_t n, int most,
                        struct gf_gif_palette *palette)
{
    uint32_t before = GF_GIF_KEEP;

    index_colours(c, palette);
    for (int64_t i = 0; i < n; i++) {
        uint32_t slot;

        if (pixels[i] == before || pixels[i] == GF_GIF_KEEP)
            continue;
        before = pixels[i];
        slot = find_slot(c, before);
        if (c->taken[slot])
            continue;
        if (palette->colours == most)
            return false;
        c->taken[slot] = true;
        c->exact[slot] = before | (uint32_t)palette->colours << 24;
        palette->rgb[palette->colours++] = before;
    }
    return palette->colours <= most;
}

void gf_gif_map(struct gf_gif_chooser *c, const struct gf_gif_palette *palette, const uint32_t *pixels, int64_t n,
                int kept, uint8_t *index)
{
    index_colours(c, palette);
    for (int64_t i = 0; i < n; i++) {
        if (pixels[i] == GF_GIF_KEEP)
            index[i] = (uint8_t)kept;
        else if (i > 0 && pixels[i] == pixels[i - 1])
            index[i] = index[i - 1];
        else
            index[i] = (uint8_t)(c->exact[find_slot(c, pixels[i])] >> 24);
    }
}

/* ---- palettes of chosen colors: Xiaolin Wu, Color quantization by dynamic programming and principal analysis ---- */

static size_t cell(int red, int green, int blue)
{
    return ((size_t)red * SIDE + (size_t)green) * SIDE + (size_t)blue;
}

static void add_moment(struct moment *to, const struct moment *m, int sign)
{
    to->count += sign * m->count;
    to->squares += sign * m->squares;
    for (int k = 0; k < 3; k++)
        to->sum[k] += sign * m->sum[k];
}

/* Counts the colors of the pixels in their cells. Returns how many pixels there are. */
static int64_t count_cells(struct gf_gif_chooser *c, const uint32_t *pixels, int64_t n)
{
    int64_t counted = 0;

    memset(c->moment, 0, sizeof c->moment);
    for (int64_t i = 0; i < n; i++) {
        const int red = (int)(pixels[i] >> 16), green = (int)(pixels[i] >> 8 & 255), blue = (int)(pixels[i] & 255);
        struct moment *m;

        if (pixels[i] == GF_GIF_KEEP)
            continue;
        m = &c->moment[cell((red >> SHIFT) + 1, (green >> SHIFT) + 1, (blue >> SHIFT) + 1)];
        m->count++;
        m->sum[0] += red;
        m->sum[1] += green;
        m->sum[2] += blue;
        m->squares += red * red + green * green + blue * blue;
        counted++;
    }
    return counted;
}

/* Adds to each cell all cells before it along the three axes. */
static void sum_cells(struct gf_gif_chooser *c)
{
    static const size_t steps[] = { 1, SIDE, SIDE * SIDE };

    for (int axis = 0; axis < 3; axis++)
        for (size_t i = steps[axis]; i < CELLS; i++)
            if (i / steps[axis] % SIDE != 0)
                add_moment(&c->moment[i], &c->moment[i - steps[axis]], 1);
}

static struct moment box_moment(const struct gf_gif_chooser *c, const struct box *b)
{
    struct moment m = { 0 };

    for (int corner = 0; corner < 8; corner++) {
        const int lower = (corner & 1) + (corner >> 1 & 1) + (corner >> 2);

        add_moment(&m, &c->moment[cell((corner & 1) != 0 ? b->from[0] : b->to[0],
                                       (corner & 2) != 0 ? b->from[1] : b->to[1],
                                       (corner & 4) != 0 ? b->from[2] : b->to[2])], lower % 2 == 0 ? 1 : -1);
    }
    return m;
}

/* Returns the squared length of the sum of a box's colors, divided by their number. */
static double spread(const struct moment *m)
{
    double sum = 0;

    for (int k = 0; k < 3; k++)
        sum += (double)m->sum[k] * (double)m->sum[k];
    return m->count > 0 ? sum / (double)m->count : 0;
}

static void set_error(const struct gf_gif_chooser *c, struct box *b)
{
    const struct moment m = box_moment(c, b);
    const int cells = (b->to[0] - b->from[0]) * (b->to[1] - b->from[1]) * (b->to[2] - b->from[2]);

    b->error = cells > 1 ? (double)m.squares - spread(&m) : 0;
}

/* Divides a box where the sum of the squared errors becomes smallest. Returns false if all its colors are in a cell. */
static bool divide(const struct gf_gif_chooser *c, struct box *b, struct box *rest)
{
    const struct moment whole = box_moment(c, b);
    double best = 0;
    int axis = -1, place = 0;

    for (int k = 0; k < 3; k++)
        for (int at = b->from[k] + 1; at < b->to[k]; at++) {
            struct box part = *b;
            struct moment low, high = whole;
            double both;

            part.to[k] = at;
            low = box_moment(c, &part);
            add_moment(&high, &low, -1);
            both = spread(&low) + spread(&high);
            if (low.count > 0 && high.count > 0 && both > best) {
                best = both;
                axis = k;
                place = at;
            }
        }
    if (axis < 0)
        return false;
    *rest = *b;
    b->to[axis] = rest->from[axis] = place;
    set_error(c, b);
    set_error(c, rest);
    return true;
}

static int divide_boxes(struct gf_gif_chooser *c, int most)
{
    int boxes = 1;

    c->box[0] = (struct box) { .to = { SIDE - 1, SIDE - 1, SIDE - 1 } };
    set_error(c, &c->box[0]);
    while (boxes < most) {
        struct box *worst = &c->box[0];

        for (int i = 1; i < boxes; i++)
            worst = c->box[i].error > worst->error ? &c->box[i] : worst;
        if (worst->error <= 0)
            break;
        if (divide(c, worst, &c->box[boxes]))
            boxes++;
        else
            worst->error = 0;
    }
    return boxes;
}

void gf_gif_choose_colours(struct gf_gif_chooser *c, const uint32_t *pixels, int64_t n, int most,
                           struct gf_gif_palette *palette)
{
    const int64_t counted = count_cells(c, pixels, n);
    double error = 0;

    sum_cells(c);
    palette->colours = divide_boxes(c, most);
    for (int i = 0; i < palette->colours; i++) {
        const struct moment m = box_moment(c, &c->box[i]);

        palette->rgb[i] = 0;
        for (int k = 0; k < 3 && m.count > 0; k++)
            palette->rgb[i] = palette->rgb[i] << 8 | (uint32_t)((m.sum[k] + m.count / 2) / m.count);
        error += m.count > 0 ? (double)m.squares - spread(&m) : 0;
    }
    /* errors that are spread evenly over a step have a mean square of step^2 / 12 */
    error = counted > 0 ? sqrt(12 * error / 3 / (double)counted) : 0;
    c->step = error < WIDEST_STEP ? (int)(error + 0.5) : WIDEST_STEP;
    for (int i = 0; i < 256; i++)
        for (int k = 0; k < 3; k++)
            c->palette[k][i] = i < palette->colours ? (int32_t)(palette->rgb[i] >> (16 - 8 * k) & 255) : UNUSED;
    memset(c->nearest, 0, sizeof c->nearest);
    c->nearest[0] = 1;                   /* a color that belongs to another slot, since 0 belongs to this one */
}

/* ---- dithering ---- */

/* Returns the index of the color that is nearest; of two, the first. */
GF_CLONES
static int search_nearest(const int32_t (*palette)[256], int32_t red, int32_t green, int32_t blue)
{
    int32_t best = INT32_MAX;

    for (int32_t i = 0; i < 256; i++) {
        const int32_t r = palette[0][i] - red, g = palette[1][i] - green, b = palette[2][i] - blue;
        const int32_t key = (r * r + g * g + b * b) << 8 | i;

        best = key < best ? key : best;
    }
    return best & 255;
}

static int find_nearest(struct gf_gif_chooser *c, uint32_t colour)
{
    uint32_t *slot = &c->nearest[hash(colour, NEAREST_BITS)];

    if ((*slot & 0xFFFFFF) != colour)
        *slot = colour | (uint32_t)search_nearest(c->palette, (int32_t)(colour >> 16), (int32_t)(colour >> 8 & 255),
                                                  (int32_t)(colour & 255)) << 24;
    return (int)(*slot >> 24);
}

/* Returns 0 to 63, in an order in which neighbors differ most (Bayer). */
static int threshold(int64_t x, int64_t y)
{
    int value = 0;

    for (int bit = 0; bit < 3; bit++)
        value = value << 2 | (int)((x ^ y) >> bit & 1) << 1 | (int)(y >> bit & 1);
    return value;
}

static uint32_t shifted(uint32_t level, int by)
{
    const int sum = (int)level + by;

    return sum < 0 ? 0 : sum > 255 ? 255 : (uint32_t)sum;
}

void gf_gif_dither(struct gf_gif_chooser *c, const uint32_t *pixels, const struct gf_canvas_place *place, int kept,
                   uint8_t *index)
{
    int offset[MATRIX][MATRIX];

    for (int y = 0; y < MATRIX; y++)
        for (int x = 0; x < MATRIX; x++)
            offset[y][x] = ((2 * threshold(x, y) - 63) * c->step + 64 + 64 * 128) / 128 - 64;      /* rounded */
    for (int64_t y = 0; y < place->height; y++)
        for (int64_t x = 0; x < place->width; x++, pixels++, index++) {
            const int by = offset[(place->y + y) % MATRIX][(place->x + x) % MATRIX];
            const uint32_t p = *pixels;

            *index = p == GF_GIF_KEEP ? (uint8_t)kept
                : (uint8_t)find_nearest(c, shifted(p >> 16, by) << 16 | shifted(p >> 8 & 255, by) << 8
                                               | shifted(p & 255, by));
        }
}
