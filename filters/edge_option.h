/* The option `edge=`, shared by stages that use pixels beyond the border. */
#ifndef GF_FILTERS_EDGE_OPTION_H
#define GF_FILTERS_EDGE_OPTION_H

#include "chain/option.h"
#include "kernels/base/border.h"

/* The order is that of enum gf_border. */
#define GF_EDGE_CHOICES { "clamp", "reflect", "mirror", "wrap", "zero", NULL }

/* The row of options for a struct with a member `int edge`. */
#define GF_EDGE_OPTION(config, choices_name)                                                       \
    { .name = "edge", .type = GF_OPTION_CHOICE, .offset = offsetof(config, edge),                  \
      .by_default = GF_CLAMP, .choices = choices_name, .key_only = true,                           \
      .text = "pixels beyond the border: clamp repeats the last pixel, reflect (cba|abc) and "     \
              "mirror (cb|abc) mirror the image, wrap continues at the opposite side, zero is black" }

#endif
