/* The option `light=`, for stages that mix pixels. */
#ifndef GF_FILTERS_LIGHT_OPTION_H
#define GF_FILTERS_LIGHT_OPTION_H

#include "chain/stage.h"

#define GF_LIGHT_CHOICES { "encoded", "linear", NULL }
#define GF_LIGHT_TEXT "compute with the values as stored (encoded), or in linear light"
/* The row of options for a struct with a member `int light`. */
#define GF_LIGHT_OPTION(config, choices_name)                                                           \
    { .name = "light", .type = GF_OPTION_CHOICE, .offset = offsetof(config, light),                     \
      .by_default = GF_LIGHT_ENCODED, .choices = choices_name, .key_only = true,                        \
      .text = GF_LIGHT_TEXT }

#endif
