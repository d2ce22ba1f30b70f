/* How large a drawing is, and whether it has axes: options that drawings share. */
#ifndef GF_FILTERS_DRAWING_OPTIONS_H
#define GF_FILTERS_DRAWING_OPTIONS_H

#include "chain/stage.h"

struct gf_drawing_options {
    int64_t width, height;
    bool bare;
};

/* Rows for a struct that holds `struct gf_drawing_options drawn`. */
#define GF_DRAWING_OPTIONS(config)                                                                                                  \
    { .name = "width", .type = GF_OPTION_INT, .offset = offsetof(config, drawn.width), .by_default = NAN, .least = 16, .most = 10000,   \
      .unit = "pixels", .key_only = true, .text = "of the drawing with all that stands around; no less than that needs" },             \
    { .name = "height", .type = GF_OPTION_INT, .offset = offsetof(config, drawn.height), .by_default = NAN, .least = 16, .most = 10000, \
      .unit = "pixels", .key_only = true, .text = "of the drawing; channels share it" },                                               \
    { .name = "bare", .type = GF_OPTION_FLAG, .offset = offsetof(config, drawn.bare), .key_only = true,                                \
      .text = "nothing but the drawing: no axes, no words" }

/* Hands the options to the table that is drawn. */
static inline void gf_drawing_options_apply(const struct gf_drawing_options *d, struct gf_table *table)
{
    table->draw_width = d->width > 0 ? (int)d->width : 0;
    table->draw_height = d->height > 0 ? (int)d->height : 0;
    table->bare = d->bare;
}

#endif
