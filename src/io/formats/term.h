/* Images on a terminal: by half blocks, or by libchafa if it is installed. */
#ifndef GF_FORMATS_TERM_H
#define GF_FORMATS_TERM_H

#include "base/error.h"

#include <stdint.h>
#include <stdio.h>

/* The last three are the numbers of libchafa plus one. */
enum gf_term_way { GF_TERM_BEST = -1, GF_TERM_BLOCKS, GF_TERM_SYMBOLS, GF_TERM_SIXEL, GF_TERM_KITTY };

struct gf_term {
    enum gf_term_way way;
    int columns, lines;          /* size of the terminal, in cells */
    int cell_x, cell_y;          /* size of a cell, in pixels */
};

/*
 * Finds the capabilities for a word that gf_writer_is_terminal() accepted. `on_terminal`: the
 * output is a terminal.
 */
int gf_term_look(struct gf_term *t, const char *word, bool on_terminal, struct gf_error *err) GF_MUST_CHECK;
/*
 * Sets the cells that an image takes, without enlarging it, and the pixels that are visible in
 * them.
 */
void gf_term_fit(const struct gf_term *t, int64_t width, int64_t height, int *cells_x, int *cells_y,
                 int *seen_x, int *seen_y);
/* Writes an RGB image of 8 bits per sample to so many cells, and a newline. */
int gf_term_put(const struct gf_term *t, const unsigned char *rgb, int width, int height, int cells_x,
                int cells_y, FILE *to, struct gf_error *err) GF_MUST_CHECK;

/* ---- term_chafa.c ---- */

/* Returns true if libchafa can be used. */
bool gf_chafa_is_there(void);
/* Returns the best mode of the terminal, according to the environment. */
enum gf_term_way gf_chafa_best_way(void);
int gf_chafa_put(const struct gf_term *t, const unsigned char *rgb, int width, int height, int cells_x,
                 int cells_y, FILE *to, struct gf_error *err) GF_MUST_CHECK;

#endif
