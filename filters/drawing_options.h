/* Options that drawings share: size and axes. */
#ifndef GF_FILTERS_DRAWING_OPTIONS_H
#define GF_FILTERS_DRAWING_OPTIONS_H

#include "chain/stage.h"

struct gf_drawing_options {
    int64_t width, height;
    bool bare;
};

/* The rows of options for a struct with a member `struct gf_drawing_options drawn`. */
#define GF_DRAWING_OPTIONS(config)                                                                       \
    { .name = "width", .type = GF_OPTION_INT, .offset = offsetof(config, drawn.width),                   \
      .by_default = NAN, .least = 16, .most = 10000, .unit = "pixels", .key_only = true,                 \
      .text = "width of the drawing, including axes and labels; it is enlarged if these need more" },    \
    { .name = "height", .type = GF_OPTION_INT, .offset = offsetof(config, drawn.height),                 \
      .by_default = NAN, .least = 16, .most = 10000, .unit = "pixels", .key_only = true,                 \
      .text = "height of the drawing, which the channels share" },                                       \
    { .name = "bare", .type = GF_OPTION_FLAG, .offset = offsetof(config, drawn.bare), .key_only = true,  \
      .text = "no axes, no labels" }

/* Copies the options to the table that is drawn. */
static inline void gf_drawing_options_apply(const struct gf_drawing_options *d, struct gf_table *table)
{
    table->draw_width = d->width > 0 ? (int)d->width : 0;
    table->draw_height = d->height > 0 ? (int)d->height : 0;
    table->bare = d->bare;
}

#endif
