/* Tiles: arranges images in rows and columns, and composes the rows of the result. */
#include "run/gathered_tiles.h"

#include "kernels/base/pack.h"
#include "table/plot.h"

#include <stdlib.h>
#include <string.h>

#define LABEL_ROWS   22
#define LABEL_SIZE   14.0                /* of the letters */
#define MOST_LABEL   2000                /* pixels that a label is wide */
#define LABEL_BASE   16.0                /* rows above their base line */

/* ---- labels ---- */

/* Writes the name of a file without its folder; further images of the file have a number. */
static void name_image(const char *file, int64_t number, char *text, size_t bytes)
{
    const char *const slash = strrchr(file, '/'), *const name = slash != NULL ? slash + 1 : file;

    if (number > 1)
        snprintf(text, bytes, "%s %lld", name, (long long)number);
    else
        snprintf(text, bytes, "%s", name);
}

/* Shortens a text to a width, from its end on. */
static void shorten(char *text, double width)
{
    size_t length = strlen(text);

    while (length > 0 && gf_plot_letters_width(LABEL_SIZE, text, length) > width) {
        length--;
        while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80)
            length--;                    /* a letter of several bytes */
    }
    text[length] = '\0';
}

/* ---- places ---- */

/* The part of an image that is shown, and the size of its tile. */
struct part {
    int64_t x, y, width, height;
};

/*
 * Returns how many pixels a tile has in common with the next one. The last tile has its own pixels after those of the
 * overlap; if these are fewer than the overlap, the one before has only them.
 */
static int64_t common(int64_t at, int64_t count, int64_t overlap, int64_t next)
{
    return at + 1 == count ? 0 : at + 2 == count && next - overlap < overlap ? next - overlap : overlap;
}

static struct part shown_part(const struct gf_tiles *t, const struct gf_gathered_images *g, int64_t i)
{
    const struct gf_format *const f = &g->image[i].format;
    const int64_t column = i % t->columns, row = i / t->columns, overlap = g->how.overlap;
    const int64_t right = i + 1 < g->count ? g->image[i + 1].format.width : 0;
    const int64_t below = i + t->columns < g->count ? g->image[i + t->columns].format.units : 0;
    struct part p = { column > 0 ? overlap : 0, row > 0 ? overlap : 0, 0, 0 };

    p.width = f->width - p.x - common(column, t->columns, overlap, right);
    p.height = f->units - p.y - common(row, t->rows, overlap, below);
    return p;
}

static int fail_tile(const struct gf_gathered_images *g, int64_t i, const char *what, int64_t is, int64_t other,
                     struct gf_error *err)
{
    return gf_fail(err, GF_FAILED, "%s: tile %lld is %lld pixels %s, but another one in its %s is %lld", g->stage,
                   (long long)i + 1, (long long)is, what, what[0] == 'w' ? "column" : "row", (long long)other);
}

/* Finds the widths of columns and the heights of rows; they are in `left` and `top` until they become sums. */
static int measure(struct gf_tiles *t, const struct gf_gathered_images *g, struct gf_error *err)
{
    for (int64_t i = 0; i < g->count; i++) {
        const struct part p = shown_part(t, g, i);
        int64_t *const width = &t->left[g->how.equal_columns ? 0 : i % t->columns];
        int64_t *const height = &t->top[i / t->columns];

        if (p.width < 1 || p.height < 1)
            return gf_fail(err, GF_FAILED, "%s: tile %lld is %lldx%lld, too small for overlap=%lld", g->stage,
                           (long long)i + 1, (long long)g->image[i].format.width,
                           (long long)g->image[i].format.units, (long long)g->how.overlap);
        if (g->how.must_match && *width != 0 && *width != p.width)
            return fail_tile(g, i, "wide", p.width, *width, err);
        if (g->how.must_match && *height != 0 && *height != p.height)
            return fail_tile(g, i, "high", p.height, *height, err);
        *width = *width > p.width ? *width : p.width;
        *height = *height > p.height ? *height : p.height;
    }
    if (g->how.width > 0)
        t->left[0] = g->how.width;
    for (int64_t row = 0; g->how.width > 0 && row < t->rows; row++)
        t->top[row] = g->how.height;
    return 0;
}

/* Turns sizes into starts, each after the gap that follows the one before. */
static int64_t add_up(int64_t *size, int64_t count, bool equal, int64_t more, int64_t gap)
{
    const int64_t all = size[0];
    int64_t start = 0;

    for (int64_t i = 0; i <= count; i++) {
        const int64_t here = i < count ? (equal ? all : size[i]) + more + gap : 0;

        size[i] = start;
        start += here;
    }
    return size[count] - gap;
}

/* The common format: color if an image has color, alpha if one has alpha, and the largest depth. */
static int find_format(struct gf_tiles *t, const struct gf_gathered_images *g, struct gf_error *err)
{
    struct gf_format *const out = &t->format;

    *out = g->image[0].format;
    for (int64_t i = 0; i < g->count; i++) {
        const struct gf_format *const f = &g->image[i].format;
        const int colours = gf_colours(f), before = gf_colours(out);

        t->most = f->channels > t->most ? f->channels : t->most;
        t->widest = f->width > t->widest ? f->width : t->widest;
        if (colours != before && (colours != 1 || before != 3) && (colours != 3 || before != 1))
            return gf_fail(err, GF_FAILED, "%s: image %lld has %d channels, and others have %d; only gray and color "
                           "can be joined", g->stage, (long long)i + 1, f->channels, out->channels);
        out->alpha |= f->alpha;
        out->channels = (colours > before ? colours : before) + out->alpha;
        if (f->type != out->type || f->maxval != out->maxval) {
            out->type = f->type == GF_F32 || out->type == GF_F32 ? GF_F32
                : f->type == GF_U8 && out->type == GF_U8 ? GF_U8 : GF_U16;
            out->maxval = out->type == GF_U8 ? 255 : 65535;
        }
    }
    if (out->alpha && g->how.background.given && g->how.background.rgba[3] == 1) {
        out->alpha = false;                      /* the background is seen through the images */
        out->channels--;
    }
    out->bits = out->type == GF_F32 ? 32 : gf_maxval_bits(out->maxval);
    return 0;
}

static struct gf_block block_of(const struct gf_format *f, void *pixels)
{
    return (struct gf_block) { .data = pixels, .span = { 0, 1 }, .width = f->width, .channels = f->channels,
                               .pitch_samples = f->width * f->channels, .type = f->type, .bits = f->bits,
                               .maxval = f->maxval };
}

static void find_background(struct gf_tiles *t, const struct gf_colour *colour)
{
    const struct gf_block pixel = block_of(&t->format, t->background);
    const int colours = gf_colours(&t->format);
    float value[GF_MAX_CHANNELS] = { 0 };
    const float *row[GF_MAX_CHANNELS];

    for (int c = 0; c < t->format.channels; c++) {
        value[c] = !colour->given ? 0 : c < colours ? (float)gf_colour_sample(colour, colours, c)
            : (float)colour->rgba[3];
        row[c] = &value[c];
        t->paper[c] = value[c];
    }
    t->ink = colour->given && gf_colour_sample(colour, 1, 0) > 0.5 ? 0 : 1;
    gf_store_pixels(&pixel, 0, 0, 1, row);
}

/* Draws the label of an image, as wide as its tile at most. */
static int draw_label(struct gf_gathered_images *g, struct gf_gathered_image *p, int64_t most, struct gf_error *err)
{
    char text[200];
    struct gf_plot plot;
    int result;

    name_image(p->file, p->number, text, sizeof text);
    shorten(text, (double)(most < MOST_LABEL ? most : MOST_LABEL));
    p->label = g->bytes;
    p->label_width = (int64_t)gf_plot_letters_width(LABEL_SIZE, text, strlen(text)) + 1;
    p->label_width = p->label_width < most ? p->label_width : most;
    if (gf_plot_pixels(&plot, (int)p->label_width, LABEL_ROWS, err) != 0)
        return -1;
    gf_plot_write(&plot, (double)p->label_width / 2, LABEL_BASE, LABEL_SIZE, GF_ANCHOR_MIDDLE, 0, text);
    for (int64_t i = 0; i < p->label_width * LABEL_ROWS; i++)
        plot.rgb[i] = (unsigned char)(255 - plot.rgb[3 * i]);
    result = plot.failed ? gf_fail_memory(err, NULL)
        : gf_spool_put(&g->spool, g->bytes, plot.rgb, (size_t)(p->label_width * LABEL_ROWS), err);
    gf_plot_pixels_end(&plot);
    g->bytes += (size_t)(p->label_width * LABEL_ROWS);
    return result;
}

static int draw_labels(const struct gf_tiles *t, struct gf_gathered_images *g, struct gf_error *err)
{
    for (int64_t i = 0; g->how.labels && i < g->count; i++) {
        const int64_t column = i % t->columns;

        if (g->image[i].file != NULL
            && draw_label(g, &g->image[i], t->left[column + 1] - g->how.gap - t->left[column], err) != 0)
            return -1;
    }
    return 0;
}

int gf_tiles_arrange(struct gf_tiles *t, struct gf_gathered_images *g, struct gf_error *err)
{
    const struct gf_joining *how = &g->how;
    int64_t pixels;

    t->columns = how->columns > 0 ? how->columns : g->count;
    t->rows = gf_ceil_div(g->count, t->columns);
    if (how->must_match && g->count % t->columns != 0)
        return gf_fail(err, GF_FAILED, "%s: %lld tiles do not fill rows of %lld", g->stage, (long long)g->count,
                       (long long)t->columns);
    t->left = calloc((size_t)t->columns + 1, sizeof *t->left);
    t->top = calloc((size_t)t->rows + 1, sizeof *t->top);
    if (t->left == NULL || t->top == NULL)
        return gf_fail_memory(err, NULL);
    if (find_format(t, g, err) != 0 || measure(t, g, err) != 0)
        return -1;
    t->format.width = add_up(t->left, t->columns, how->equal_columns, 0, how->gap);
    t->format.units = add_up(t->top, t->rows, false, how->labels ? LABEL_ROWS : 0, how->gap);
    if (g->max_pixels > 0 && (__builtin_mul_overflow(t->format.width, t->format.units, &pixels)
                              || pixels > g->max_pixels))
        return gf_fail(err, GF_FAILED,
                       "%s: its result of %lldx%lld has more than %lld pixels;; raise --max-pixels to allow it",
                       g->stage, (long long)t->format.width, (long long)t->format.units, (long long)g->max_pixels);
    find_background(t, &how->background);
    return draw_labels(t, g, err);
}

void gf_tiles_release(struct gf_tiles *t)
{
    free(t->left);
    free(t->top);
}

/* ---- rows ---- */

/* Memory for a row of an image: packed samples, and planes of floats. */
struct work {
    char *packed;
    float *planar;
    float *row[GF_MAX_CHANNELS];
};

static int open_work(struct work *w, const struct gf_tiles *t, struct gf_error *err)
{
    const int most = (t->most > t->format.channels ? t->most : t->format.channels) + 1;

    w->packed = malloc((size_t)t->widest * (size_t)most * sizeof(float));
    w->planar = malloc((size_t)t->widest * (size_t)most * sizeof(float));
    for (int c = 0; w->planar != NULL && c < most; c++)
        w->row[c] = w->planar + (int64_t)c * t->widest;
    return w->packed != NULL && w->planar != NULL ? 0 : gf_fail_memory(err, NULL);
}

/* Lays pixels over the background of a result without alpha. */
static void lay_over(const struct gf_tiles *t, int colours, int64_t n, float *const *row)
{
    for (int c = 0; c < colours; c++)
        for (int64_t i = 0; i < n; i++)
            row[c][i] = t->paper[c] + row[colours][i] * (row[c][i] - t->paper[c]);
}

/* Copies gray into all colors, and makes pixels opaque, as the result needs it. */
static void add_channels(const struct gf_tiles *t, const struct gf_format *from, int64_t n, float *const *row)
{
    const struct gf_format *const to = &t->format;
    const int colours = gf_colours(to);

    if (to->alpha && from->alpha && gf_colours(from) != colours)
        memcpy(row[colours], row[gf_colours(from)], (size_t)n * sizeof **row);
    for (int64_t i = 0; to->alpha && !from->alpha && i < n; i++)
        row[colours][i] = 1;
    if (from->alpha && !to->alpha && gf_colours(from) != colours)
        memcpy(row[colours], row[1], (size_t)n * sizeof **row);
    for (int c = 1; gf_colours(from) == 1 && c < colours; c++)
        memcpy(row[c], row[0], (size_t)n * sizeof **row);
    if (from->alpha && !to->alpha)
        lay_over(t, colours, n, row);
}

/* Puts a row of the shown part of an image at `to`. */
static int put_row(const struct gf_tiles *t, const struct gf_gathered_images *g, int64_t i, const struct part *p,
                   int64_t row, char *to, const struct work *w, struct gf_error *err)
{
    const struct gf_gathered_image *const image = &g->image[i];
    const struct gf_format *const f = &image->format;
    const size_t pixel = gf_type_bytes(f->type) * (size_t)f->channels;
    const size_t offset = image->offset + (size_t)((p->y + row) * f->width + p->x) * pixel;
    const bool same = f->type == t->format.type && f->channels == t->format.channels && f->maxval == t->format.maxval;
    const struct gf_block from = block_of(f, w->packed), result = block_of(&t->format, to);

    if (gf_spool_read(&g->spool, offset, same ? to : w->packed, (size_t)p->width * pixel, err) != 0)
        return -1;
    if (same)
        return 0;
    gf_load_pixels(&from, 0, 0, p->width, w->row);
    add_channels(t, f, p->width, w->row);
    gf_store_pixels(&result, 0, 0, p->width, (const float *const *)w->row);
    return 0;
}

/* Puts a row of a label, whose first pixel is at `to`. */
static int put_label(const struct gf_tiles *t, const struct gf_gathered_images *g, int64_t i, int64_t row, char *to,
                     struct gf_error *err)
{
    const struct gf_gathered_image *const image = &g->image[i];
    const struct gf_block pixels = block_of(&t->format, to);
    const int colours = gf_colours(&t->format);
    unsigned char ink[MOST_LABEL + 1];
    float value[GF_MAX_CHANNELS + 1], *at[GF_MAX_CHANNELS], alpha;

    if (gf_spool_read(&g->spool, image->label + (size_t)(row * image->label_width), ink, (size_t)image->label_width,
                      err) != 0)
        return -1;
    for (int c = 0; c < t->format.channels; c++)
        at[c] = &value[c];
    for (int64_t x = 0; x < image->label_width; x++) {
        const float part = (float)ink[x] / 255;

        if (ink[x] == 0)
            continue;
        gf_load_pixels(&pixels, 0, x, 1, at);
        alpha = t->format.alpha ? part + (1 - part) * value[colours] : 1;
        for (int c = 0; c < colours; c++)            /* ink over the pixel, whose color is not multiplied by alpha */
            value[c] += part / alpha * (t->ink - value[c]);
        value[colours] = alpha;
        gf_store_pixels(&pixels, 0, x, 1, (const float *const *)at);
    }
    return 0;
}

/* Puts the part of an image or its label that is in row `y` of its tile. */
static int put_tile(const struct gf_tiles *t, const struct gf_gathered_images *g, int64_t i, int64_t y, char *row,
                    const struct work *w, struct gf_error *err)
{
    const size_t pixel = gf_type_bytes(t->format.type) * (size_t)t->format.channels;
    const int64_t column = i % t->columns, line = i / t->columns;
    const int64_t width = t->left[column + 1] - g->how.gap - t->left[column];
    const int64_t height = t->top[line + 1] - g->how.gap - t->top[line] - (g->how.labels ? LABEL_ROWS : 0);
    const struct part p = shown_part(t, g, i);
    const int64_t x = t->left[column] + (int64_t)(g->how.align * (double)(width - p.width) + 0.5);
    const int64_t above = (int64_t)(g->how.align * (double)(height - p.height) + 0.5);
    const int64_t more = width - g->image[i].label_width;

    if (y >= above && y < above + p.height)
        return put_row(t, g, i, &p, y - above, row + (size_t)x * pixel, w, err);
    if (g->how.labels && y >= height && y < height + LABEL_ROWS)
        return put_label(t, g, i, y - height, row + (size_t)(t->left[column] + more / 2) * pixel, err);
    return 0;
}

/* Returns the row of tiles that has row `y` of the result, or the gap before. */
static int64_t find_line(const struct gf_tiles *t, int64_t y)
{
    int64_t low = 0, high = t->rows;

    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;

        *(t->top[middle] <= y ? &low : &high) = middle;
    }
    return low;
}

int gf_tiles_read(const struct gf_tiles *t, const struct gf_gathered_images *g, int64_t start, void *units,
                  int64_t count, struct gf_error *err)
{
    const size_t pixel = gf_type_bytes(t->format.type) * (size_t)t->format.channels;
    struct work w;
    int result = open_work(&w, t, err);

    for (int64_t y = start; result == 0 && y < start + count; y++) {
        char *const row = (char *)units + (size_t)(y - start) * gf_unit_bytes(&t->format);
        const int64_t line = find_line(t, y);

        for (int64_t x = 0; x < t->format.width; x++)
            memcpy(row + (size_t)x * pixel, t->background, pixel);
        for (int64_t i = line * t->columns; result == 0 && i < (line + 1) * t->columns && i < g->count; i++)
            result = put_tile(t, g, i, y - t->top[line], row, &w, err);
    }
    free(w.packed);
    free(w.planar);
    return result;
}
