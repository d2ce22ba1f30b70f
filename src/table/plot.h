/* A sheet to draw on: areas, lines and words, which become SVG or pixels. */
#ifndef GF_TABLE_PLOT_H
#define GF_TABLE_PLOT_H

#include "base/error.h"
#include "table/table.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Places and sizes are in pixels, from the left and from the top. */
struct gf_plot_spot {
    double x, y;
};

struct gf_plot_frame {
    double left, top, width, height;
};

struct gf_plot_ink {
    uint32_t rgb;                /* 0xRRGGBB */
    double opacity;              /* 0 to 1 */
};

enum gf_plot_anchor { GF_ANCHOR_START, GF_ANCHOR_MIDDLE, GF_ANCHOR_END };

struct gf_plot_label {
    double x, y;                 /* where the anchor stands, on the base line */
    double size;                 /* of the letters, as fonts count it */
    enum gf_plot_anchor anchor;
    bool bold;
    uint32_t rgb;
};

struct gf_plot;

/* What a kind of sheet knows how to do. */
struct gf_plot_ops {
    /* A closed polygon. `title` says what it is where a sheet can tell it; NULL is fine. */
    void (*area)(struct gf_plot *p, const struct gf_plot_spot *spots, int count, struct gf_plot_ink ink,
                 const char *title);
    void (*line)(struct gf_plot *p, const struct gf_plot_spot *spots, int count, double width, struct gf_plot_ink ink);
    void (*label)(struct gf_plot *p, const struct gf_plot_label *w, const char *text);
    /* A picture of RGB, as many pixels as the frame has. */
    void (*picture)(struct gf_plot *p, struct gf_plot_frame f, const unsigned char *rgb);
};

struct gf_edge;

struct gf_plot {
    const struct gf_plot_ops *ops;
    int width, height;
    bool failed;                 /* there was no memory for something */
    FILE *to;                    /* SVG goes here */
    unsigned char *rgb;          /* or pixels, row by row */
    struct gf_edge *edges;       /* of what is being filled */
    int edge_count, edge_room;
};

/* Begins a white SVG drawing; gf_svg_end() ends it. */
void gf_plot_svg(struct gf_plot *p, int width, int height, FILE *to);
/* A white sheet of pixels, released by gf_plot_pixels_end(). */
int gf_plot_pixels(struct gf_plot *p, int width, int height, struct gf_error *err) GF_MUST_CHECK;
void gf_plot_pixels_end(struct gf_plot *p);

/* What sheets of pixels are made of: edges are collected, then what they enclose is filled. */
void gf_plot_edge(struct gf_plot *p, struct gf_plot_spot from, struct gf_plot_spot to);
void gf_plot_stroke(struct gf_plot *p, struct gf_plot_spot from, struct gf_plot_spot to, double width);
void gf_plot_fill(struct gf_plot *p, struct gf_plot_ink ink);
/* Letters as strokes. */
void gf_plot_letters(struct gf_plot *p, const struct gf_plot_label *w, const char *text);

void gf_plot_box(struct gf_plot *p, double x, double y, double width, double height, struct gf_plot_ink ink, const char *title);
void gf_plot_straight(struct gf_plot *p, double x0, double y0, double x1, double y1, uint32_t rgb);
void gf_plot_write(struct gf_plot *p, double x, double y, double size, enum gf_plot_anchor anchor, uint32_t rgb, const char *text);
/* 1, 2 or 5 times a power of ten, so that `most` steps of it reach `end` or beyond. */
double gf_plot_step(double end, int most);
/* "1.5k"; `text` has room for 40 characters, as has that of a share: "12.5 %". */
void gf_plot_number(double value, char *text);
void gf_plot_share(double part, double whole, char *text);

/* ---- what is drawn ---- */

/* How counts are brought into a frame. */
struct gf_bars {
    int64_t columns, joined;     /* columns of so many bins */
    double *sums;                /* sums[channel · columns + column] */
    double top;                  /* what reaches the upper end */
    bool cut;                    /* there are columns that reach beyond it */
};

int gf_plot_bars_make(struct gf_bars *b, const struct gf_table *t, int64_t most_columns, struct gf_error *err) GF_MUST_CHECK;
void gf_plot_bars_free(struct gf_bars *b);
/* The columns of all channels, one behind the other; with lines along them where there is room. */
void gf_plot_bars_draw(struct gf_plot *p, const struct gf_table *t, const struct gf_bars *b, struct gf_plot_frame frame, bool outlined);
/* What a channel is called in a drawing, its colour, and its line of the legend. */
const char *gf_plot_bars_name(const struct gf_table *t, int channel);
uint32_t gf_plot_bars_colour(const struct gf_table *t, int channel);
void gf_plot_bars_facts(const struct gf_table *t, int channel, char peak[120], char ends[120]);
/* "256 bins from 0 to 1, 1000 samples a channel" */
void gf_plot_bars_caption(const struct gf_table *t, const struct gf_bars *b, char *text, size_t size);
/* The name of what the table is of. */
const char *gf_plot_source(const struct gf_table *t);

/* The spectra of a channel as a picture: time from left to right, frequencies upwards; 0 where there is no memory. */
unsigned char *gf_plot_spectrogram_picture(const struct gf_table *t, int channel, int width, int height);
/* The spectra of a channel in a frame; the axis of frequencies at its left, and what colours mean at its right. */
void gf_plot_spectrogram_draw(struct gf_plot *p, const struct gf_table *t, int channel, struct gf_plot_frame f);
void gf_plot_spectrogram_axis(struct gf_plot *p, const struct gf_table *t, struct gf_plot_frame f);
void gf_plot_spectrogram_scale(struct gf_plot *p, const struct gf_table *t, struct gf_plot_frame f);
/* Where an axis of frequencies that is logarithmic begins, in Hz. */
double gf_plot_spectrogram_lowest(const struct gf_table *t);
/* The waveform of a channel in a frame, without its axes. */
void gf_plot_timeline_waveform(struct gf_plot *p, const struct gf_table *t, int channel, struct gf_plot_frame f);
void gf_plot_timeline_caption(const struct gf_table *t, char *text, size_t size);
void gf_plot_timeline_size(const struct gf_table *t, int *width, int *height);
int gf_plot_timeline_draw(struct gf_plot *p, const struct gf_table *t, struct gf_error *err) GF_MUST_CHECK;

/* Ways of doing something: lines of their speed over sizes, or bars where there is one size. */
void gf_plot_speed_size(const struct gf_table *t, int *width, int *height);
void gf_plot_speed_draw(struct gf_plot *p, const struct gf_table *t);

/* A table of any kind on a sheet of the size that it wants. */
void gf_plot_size(const struct gf_table *t, int *width, int *height);
int gf_plot_table(struct gf_plot *p, const struct gf_table *t, struct gf_error *err) GF_MUST_CHECK;

#endif
