/* Shows images and tables on a terminal. Images are scaled down row by row as they arrive. */
#define _GNU_SOURCE
#include "base/utf8.h"
#include "io/format.h"
#include "io/formats/term.h"
#include "io/text_output.h"
#include "table/plot.h"
#include "table/table.h"

#include <stdlib.h>
#include <string.h>

struct view {
    struct gf_term term;
    int cells_x, cells_y;
    int width, height;           /* visible pixels */
    unsigned char *rgb;          /* the visible pixels */
    uint64_t *sums;              /* sums of the row that is being scaled */
    int64_t row, summed;         /* rows received; rows in `sums` */
};

static int term_fit(struct gf_writer *w, struct gf_format *f, struct gf_error *err)
{
    if (gf_colours(f) != 1 && gf_colours(f) != 3)
        return gf_fail(err, GF_MISUSED, "%s: a terminal shows gray or RGB, but the image has %d channels; add the "
                       "stage channel to select one",
                       w->name, f->channels);
    f->channels = gf_colours(f);         /* no alpha: pixels are blended with black */
    f->alpha = false;
    f->type = GF_U8;
    f->maxval = 255;
    f->bits = 8;
    return 0;
}

static void free_view(struct view *v)
{
    free(v->rgb);
    free(v->sums);
    v->rgb = NULL;
    v->sums = NULL;
}

static int term_begin(struct gf_writer *w, struct gf_error *err)
{
    const struct gf_format *f = &w->format;
    struct view *v = w->state != NULL ? w->state : calloc(1, sizeof *v);

    w->state = v;
    if (v == NULL)
        return gf_fail_memory(err, w->name);
    if (f->units < 0)
        return gf_fail(err, GF_FAILED, "%s: a terminal needs the height in advance", w->name);
    if (gf_term_look(&v->term, w->options.to, w->on_terminal, err) != 0)
        return -1;
    gf_term_fit(&v->term, f->width, f->units, &v->cells_x, &v->cells_y, &v->width, &v->height);
    free_view(v);
    v->row = v->summed = 0;
    v->rgb = malloc((size_t)v->width * (size_t)v->height * 3);
    v->sums = calloc((size_t)v->width * 3, sizeof *v->sums);
    return v->rgb != NULL && v->sums != NULL ? 0 : gf_fail_memory(err, w->name);
}

/* Returns the first of `from` columns or rows that belongs to number `i` of `to`. */
static int64_t first_of(int64_t i, int64_t from, int64_t to)
{
    return gf_ceil_div(i * from, to);
}

static void sum_row(struct view *v, const struct gf_format *f, const unsigned char *row)
{
    const int n = f->channels;

    for (int x = 0; x < v->width; x++)
        for (int64_t at = first_of(x, f->width, v->width); at < first_of(x + 1, f->width, v->width); at++)
            for (int c = 0; c < 3; c++)
                v->sums[3 * x + c] += row[at * n + (n == 3 ? c : 0)];
    v->summed++;
}

/* Divides the sums by their count, which completes a visible row. */
static void finish_row(struct view *v, const struct gf_format *f, int64_t y)
{
    unsigned char *to = v->rgb + (size_t)y * (size_t)v->width * 3;

    for (int i = 0; i < 3 * v->width; i++) {
        const int64_t columns = first_of(i / 3 + 1, f->width, v->width) - first_of(i / 3, f->width, v->width);
        const uint64_t count = (uint64_t)(columns * v->summed);

        to[i] = (unsigned char)((v->sums[i] + count / 2) / count);
        v->sums[i] = 0;
    }
    v->summed = 0;
}

static int term_write(struct gf_writer *w, const void *units, int64_t count, struct gf_error *err)
{
    struct view *v = w->state;
    const struct gf_format *f = &w->format;
    const unsigned char *from = units;

    if (count > f->units - v->row)
        return gf_fail(err, GF_FAILED, "%s: more rows than the image has", w->name);
    for (; count > 0; count--, from += gf_unit_bytes(f)) {
        const int64_t y = v->row * v->height / f->units;

        sum_row(v, f, from);
        v->row++;
        if (v->row == first_of(y + 1, f->units, v->height))
            finish_row(v, f, y);
    }
    return 0;
}

static int term_end(struct gf_writer *w, struct gf_error *err)
{
    const struct view *v = w->state;
    struct gf_text_output text;
    FILE *to = gf_text_output_open(&text, w->out, w->name, err);

    if (to == NULL)
        return -1;
    return gf_text_output_close(&text, to, gf_term_put(&v->term, v->rgb, v->width, v->height, v->cells_x, v->cells_y,
                                                       to, err), err);
}

static void term_release(struct gf_writer *w)
{
    if (w->state != NULL)
        free_view(w->state);
    free(w->state);
}

/* ---- tables ---- */

#define LEAST_LINES 6
#define MOST_LINES 24
#define MOST_COLUMNS 128

static void put_name(const char *name, FILE *to)
{
    gf_utf8_print(to, name, strlen(name), false);
}

static void put_legend(const struct gf_table *t, FILE *to)
{
    char peak[120], ends[120];

    for (int c = 0; c < t->channels; c++) {
        const uint32_t rgb = gf_plot_bars_colour(t, c);

        gf_plot_bars_facts(t, c, peak, ends);
        fprintf(to, "\033[38;2;%u;%u;%um\xE2\x96\x88\xE2\x96\x88\033[0m %s: %s; %s\n", rgb >> 16,
                rgb >> 8 & 0xFF, rgb & 0xFF, gf_plot_bars_name(t, c), peak, ends);
    }
}

/* Writes the quarters of the range, below the cells at which they are. */
static void put_axis(const struct gf_table *t, int cells, FILE *to)
{
    char line[MOST_COLUMNS + 1], text[40];

    memset(line, ' ', sizeof line);
    for (int i = 0; i <= 4; i++) {
        const int size = snprintf(text, sizeof text, "%.4g", t->low + (t->high - t->low) * i / 4);
        int at = cells * i / 4 - (i == 4 ? size : i > 0 ? size / 2 : 0);

        if (at >= 0 && at + size <= cells)
            memcpy(line + at, text, (size_t)size);
    }
    fprintf(to, "%.*s\n", cells, line);
}

static int put_histogram(const struct gf_term *term, const struct gf_table *t, FILE *to, struct gf_error *err)
{
    const int columns = term->columns < MOST_COLUMNS ? term->columns : MOST_COLUMNS;
    const int room = term->lines - t->channels - 5;
    const int lines = room < LEAST_LINES ? LEAST_LINES : room < MOST_LINES ? room : MOST_LINES;
    const int width = columns * term->cell_x, height = lines * term->cell_y;
    struct gf_bars b;
    struct gf_plot p;
    char caption[400], top[40];
    int result = -1;

    if (gf_plot_bars_make(&b, t, width, err) != 0)
        return -1;
    gf_plot_bars_caption(t, &b, caption, sizeof caption);
    gf_plot_number(b.top, top);
    fputs("Histogram of ", to);
    put_name(gf_plot_source(t), to);
    fprintf(to, "\n%s\n", caption);
    put_legend(t, to);
    fprintf(to, "up to %s samples a %s:\n", top, b.joined > 1 ? "column" : "bin");
    if (gf_plot_pixels(&p, width, height, err) == 0) {
        gf_plot_bars_draw(&p, t, &b, (struct gf_plot_frame) { 0, 0, width, height },
                          term->way != GF_TERM_BLOCKS && term->way != GF_TERM_SYMBOLS);
        result = p.failed ? gf_fail_memory(err, NULL)
                          : gf_term_put(term, p.rgb, width, height, columns, lines, to, err);
        gf_plot_pixels_end(&p);
    }
    put_axis(t, columns, to);
    gf_plot_bars_free(&b);
    return result;
}

static void put_fields(const struct gf_table *t, FILE *to)
{
    fputs(t->beside != NULL ? "Comparison of " : "Statistics of ", to);
    put_name(gf_plot_source(t), to);
    if (t->beside != NULL) {
        fputs(" with ", to);
        put_name(t->beside, to);
    }
    fprintf(to, "\n%-8s", "");
    for (int i = 0; i < t->fields; i++)
        fprintf(to, "%14s", t->field_names[i]);
    for (int c = 0; c < t->channels; c++) {
        fprintf(to, "\n%-8s", gf_plot_bars_name(t, c));
        for (int i = 0; i < t->fields; i++)
            fprintf(to, "%14.6g", t->values[c * t->fields + i]);
    }
    fputc('\n', to);
}

/* Draws an image for each channel, as wide as the terminal allows. */
static int put_timeline(const struct gf_term *term, const struct gf_table *t, FILE *to, struct gf_error *err)
{
    const int columns = term->columns < MOST_COLUMNS ? term->columns : MOST_COLUMNS;
    const int room = (term->lines - 4) / t->channels - 1;
    const int lines = room < LEAST_LINES ? LEAST_LINES : room < MOST_LINES ? room : MOST_LINES;
    const int width = columns * term->cell_x, height = lines * term->cell_y;
    struct gf_plot p;
    char text[300];
    int result = 0;

    gf_plot_timeline_caption(t, text, sizeof text);
    fprintf(to, "%s of ", t->window > 0 ? "Spectrogram" : "Waveform");
    put_name(gf_plot_source(t), to);
    fprintf(to, "\n%s\n", text);
    for (int c = 0; c < t->channels && result == 0; c++) {
        const struct gf_plot_frame f = { 0, 0, width, height };
        unsigned char *rgb = t->window > 0 ? gf_plot_spectrogram_picture(t, c, width, height) : NULL;

        if (gf_plot_pixels(&p, width, height, err) != 0) {
            free(rgb);
            return -1;
        }
        if (rgb != NULL)
            p.ops->picture(&p, f, rgb);
        else if (t->window == 0)
            gf_plot_timeline_waveform(&p, t, c, f);
        else
            p.failed = true;
        if (t->channels > 1)
            fprintf(to, "channel %s\n", t->channel_names[c]);
        result = p.failed ? gf_fail_memory(err, NULL)
                          : gf_term_put(term, p.rgb, width, height, columns, lines, to, err);
        gf_plot_pixels_end(&p);
        free(rgb);
    }
    fprintf(to, "0 to %.4g s%s", t->seconds, t->window > 0 ? "" : "\n");
    if (t->window > 0)
        fprintf(to, ", %.3g to %g Hz upwards%s, black is %g dB and white %g dB\n",
                t->by_octaves ? gf_plot_spectrogram_lowest(t) : 0, t->high, t->by_octaves ? " by octaves" : "",
                t->floor_db, t->top_db);
    return result;
}

static int term_table(struct gf_writer *w, const struct gf_table *t, struct gf_error *err)
{
    struct gf_text_output text;
    struct gf_term term;
    FILE *to;
    int result = 0;

    if (gf_term_look(&term, w->options.to, w->on_terminal, err) != 0)
        return -1;
    to = gf_text_output_open(&text, w->out, w->name, err);
    if (to == NULL)
        return -1;
    if (t->kind != NULL && t->kind->put != NULL)
        t->kind->put(to, t, 0);
    else if (t->numbers == GF_TABLE_TIMELINE)
        result = put_timeline(&term, t, to, err);
    else if (t->numbers == GF_TABLE_COUNTS)
        result = put_histogram(&term, t, to, err);
    else
        put_fields(t, to);
    return gf_text_output_close(&text, to, result, err);
}

static const struct gf_writer_ops image_writer = {
    .name = "term", .kind = GF_IMAGE, .screen = true, .fit = term_fit, .begin = term_begin, .write = term_write,
    .end = term_end,
    .release = term_release, .writing = GF_LABOUR_CODE, .ending = GF_LABOUR_CODE,
};

static const struct gf_writer_ops table_writer = { .name = "term", .table = term_table };

static int check_way(const struct gf_writer *w, struct gf_error *err)
{
    struct gf_term term;

    return gf_term_look(&term, w->options.to, w->on_terminal, err);
}

const struct gf_file_format gf_file_format_term = {
    .name = "term", .title = "terminal", .image = &image_writer, .table = &table_writer, .arguments = true,
    .check_arguments = check_way,
};
