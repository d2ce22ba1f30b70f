/* How large a drawing is, and whether it has axes: options that drawings share. */
#ifndef GF_DRAWN_H
#define GF_DRAWN_H

#include "chain/stage.h"

struct gf_drawn {
    int64_t width, height;
    bool bare;
};

/* Rows for a struct that holds `struct gf_drawn drawn`. */
#define GF_DRAWN_OPTIONS(config)                                                                                                    \
    { .name = "width", .type = GF_OPTION_INT, .offset = offsetof(config, drawn.width), .by_default = NAN, .least = 16, .most = 10000,   \
      .unit = "pixels", .key_only = true, .text = "of the drawing with all that stands around; no less than that needs" },             \
    { .name = "height", .type = GF_OPTION_INT, .offset = offsetof(config, drawn.height), .by_default = NAN, .least = 16, .most = 10000, \
      .unit = "pixels", .key_only = true, .text = "of the drawing; channels share it" },                                               \
    { .name = "bare", .type = GF_OPTION_FLAG, .offset = offsetof(config, drawn.bare), .key_only = true,                                \
      .text = "nothing but the drawing: no axes, no words" }

/* What a table is told of it. */
static inline void gf_drawn_tell(const struct gf_drawn *d, struct gf_table *table)
{
    table->draw_width = d->width > 0 ? (int)d->width : 0;
    table->draw_height = d->height > 0 ? (int)d->height : 0;
    table->bare = d->bare;
}

#endif
