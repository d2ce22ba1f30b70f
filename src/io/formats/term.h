/* Pictures on a terminal: by half blocks of our own, or by libchafa where it is there. */
#ifndef GF_FORMATS_TERM_H
#define GF_FORMATS_TERM_H

#include "base/error.h"

#include <stdint.h>
#include <stdio.h>

/* The numbers of the last three are those of libchafa, plus one. */
enum gf_term_way { GF_TERM_BEST = -1, GF_TERM_BLOCKS, GF_TERM_SYMBOLS, GF_TERM_SIXEL, GF_TERM_KITTY };

struct gf_term {
    enum gf_term_way way;
    int columns, lines;          /* cells of the terminal */
    int cell_x, cell_y;          /* pixels of one */
};

/* Finds out what there is for a word that gf_writer_is_terminal(); `on_terminal`: what is written goes to one. */
int gf_term_look(struct gf_term *t, const char *word, bool on_terminal, struct gf_error *err) GF_MUST_CHECK;
/* The cells that a picture takes, which is not enlarged, and how many pixels can be seen in them. */
void gf_term_fit(const struct gf_term *t, int64_t width, int64_t height, int *cells_x, int *cells_y, int *seen_x, int *seen_y);
/* A picture of RGB, 8 bits a sample, in so many cells; ends in a new line. */
int gf_term_put(const struct gf_term *t, const unsigned char *rgb, int width, int height, int cells_x, int cells_y, FILE *to,
                struct gf_error *err) GF_MUST_CHECK;

/* ---- term_chafa.c ---- */

/* Whether libchafa can be used. */
bool gf_chafa_is_there(void);
/* What the terminal that the environment tells of can do best. */
enum gf_term_way gf_chafa_best_way(void);
int gf_chafa_put(const struct gf_term *t, const unsigned char *rgb, int width, int height, int cells_x, int cells_y, FILE *to,
                 struct gf_error *err) GF_MUST_CHECK;

#endif
