/* A drawing surface for areas, lines, text and images, which become SVG or pixels. */
#ifndef GF_TABLE_PLOT_H
#define GF_TABLE_PLOT_H

#include "base/error.h"
#include "table/table.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Positions and sizes are in pixels, from the top left corner. */
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
    double x, y;                 /* position of the anchor on the base line */
    double size;                 /* font size in pixels */
    enum gf_plot_anchor anchor;
    bool bold;
    uint32_t rgb;
};

struct gf_plot;

/* The functions of a kind of surface. */
struct gf_plot_ops {
    /* Fills a closed polygon. `title` is a tooltip in SVG; NULL is fine. */
    void (*area)(struct gf_plot *p, const struct gf_plot_spot *spots, int count, struct gf_plot_ink ink,
                 const char *title);
    void (*line)(struct gf_plot *p, const struct gf_plot_spot *spots, int count, double width, struct gf_plot_ink ink);
    void (*label)(struct gf_plot *p, const struct gf_plot_label *w, const char *text);
    /* Draws an RGB image of as many pixels as the frame has. */
    void (*picture)(struct gf_plot *p, struct gf_plot_frame f, const unsigned char *rgb);
};

struct gf_edge;

struct gf_plot {
    const struct gf_plot_ops *ops;
    int width, height;
    bool failed;                 /* an allocation has failed */
    FILE *to;                    /* SVG: the file */
    unsigned char *rgb;          /* or pixels, row by row */
    struct gf_edge *edges;       /* of the area that is being filled */
    int edge_count, edge_room;
};

/* Begins a white SVG drawing; gf_svg_end() ends it. */
void gf_plot_svg(struct gf_plot *p, int width, int height, FILE *to);
/* Begins a white drawing of pixels; gf_plot_pixels_end() releases it. */
int gf_plot_pixels(struct gf_plot *p, int width, int height, struct gf_error *err) GF_MUST_CHECK;
void gf_plot_pixels_end(struct gf_plot *p);
/* Returns the width of so many bytes of text as strokes; other fonts are about as wide. */
double gf_plot_letters_width(double size, const char *text, size_t bytes);

void gf_plot_box(struct gf_plot *p, double x, double y, double width, double height, struct gf_plot_ink ink,
                 const char *title);
void gf_plot_straight(struct gf_plot *p, double x0, double y0, double x1, double y1, uint32_t rgb);
void gf_plot_write(struct gf_plot *p, double x, double y, double size, enum gf_plot_anchor anchor, uint32_t rgb,
                   const char *text);
/* Returns the smallest 1, 2 or 5 times a power of ten of which `most` steps reach `end`. */
double gf_plot_step(double end, int most);
/* Write "1.5k" and "12.5 %"; `text` has room for 40 characters. */
void gf_plot_number(double value, char *text);
void gf_plot_share(double part, double whole, char *text);

/* ---- the drawings ---- */

/* Counts of a histogram, scaled for drawing. */
struct gf_bars {
    int64_t columns, joined;     /* number of columns, and bins joined in each */
    double *sums;                /* sums[channel · columns + column] */
    double top;                  /* the sum that reaches the upper end */
    bool cut;                    /* some columns exceed it and are cut off */
};

int gf_plot_bars_make(struct gf_bars *b, const struct gf_table *t, int64_t most_columns,
                      struct gf_error *err) GF_MUST_CHECK;
void gf_plot_bars_free(struct gf_bars *b);
/* Draws the columns of all channels over each other, with outlines if `outlined`. */
void gf_plot_bars_draw(struct gf_plot *p, const struct gf_table *t, const struct gf_bars *b, struct gf_plot_frame frame,
                       bool outlined);
/* Name and color of a channel in a drawing, and its texts in the legend. */
const char *gf_plot_bars_name(const struct gf_table *t, int channel);
uint32_t gf_plot_bars_colour(const struct gf_table *t, int channel);
void gf_plot_bars_facts(const struct gf_table *t, int channel, char peak[120], char ends[120]);
/* Writes a caption: "256 bins from 0 to 1, 1000 samples a channel". */
void gf_plot_bars_caption(const struct gf_table *t, const struct gf_bars *b, char *text, size_t size);
/* Returns the name of the signal that the table describes. */
const char *gf_plot_source(const struct gf_table *t);

/*
 * Returns the spectra of a channel as an RGB image: time to
 * the right, frequency upwards. NULL if memory is short.
 */
unsigned char *gf_plot_spectrogram_picture(const struct gf_table *t, int channel, int width, int height);
/*
 * Draw the spectra of a channel, the frequency axis at the
 * left of the frame, and the color scale at its right.
 */
void gf_plot_spectrogram_draw(struct gf_plot *p, const struct gf_table *t, int channel, struct gf_plot_frame f);
void gf_plot_spectrogram_axis(struct gf_plot *p, const struct gf_table *t, struct gf_plot_frame f);
void gf_plot_spectrogram_scale(struct gf_plot *p, const struct gf_table *t, struct gf_plot_frame f);
/* Returns the start of a logarithmic frequency axis, in Hz. */
double gf_plot_spectrogram_lowest(const struct gf_table *t);
/* Draws the waveform of a channel without axes. */
void gf_plot_timeline_waveform(struct gf_plot *p, const struct gf_table *t, int channel, struct gf_plot_frame f);
void gf_plot_timeline_caption(const struct gf_table *t, char *text, size_t size);
void gf_plot_timeline_size(const struct gf_table *t, int *width, int *height);
int gf_plot_timeline_draw(struct gf_plot *p, const struct gf_table *t, struct gf_error *err) GF_MUST_CHECK;

/*
 * Notes below a drawing, each wrapped into as many lines as it needs. Both return the height of all
 * notes.
 */
double gf_plot_notes_height(const char *const *notes, double width);
double gf_plot_notes_draw(struct gf_plot *p, const char *const *notes, double left, double top, double width);

/* Draws a table of any kind; gf_plot_size() returns the size that it needs. */
void gf_plot_size(const struct gf_table *t, int *width, int *height);
int gf_plot_table(struct gf_plot *p, const struct gf_table *t, struct gf_error *err) GF_MUST_CHECK;

#endif
