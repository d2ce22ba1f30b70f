/* The option `edge=`, shared by the stages that look beyond the border. */
#ifndef GF_FILTERS_EDGE_OPTION_H
#define GF_FILTERS_EDGE_OPTION_H

#include "chain/option.h"
#include "kernels/base/border.h"

/* In the order of enum gf_border. */
#define GF_EDGE_CHOICES { "clamp", "reflect", "mirror", "wrap", "zero", NULL }

/* A row for a struct that holds `int edge`. */
#define GF_EDGE_OPTION(config, choices_name)                                                            \
    { .name = "edge", .type = GF_OPTION_CHOICE, .offset = offsetof(config, edge), .by_default = GF_CLAMP, \
      .choices = choices_name, .key_only = true,                                                        \
      .text = "what stands beyond the border; clamp repeats the last pixel, reflect (cba|abc) and mirror (cb|abc) turn " \
              "back, wrap starts again at the other side, zero is black" }

#endif
