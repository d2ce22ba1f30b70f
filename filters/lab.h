/* Colors as lightness and two axes of hue, for stages with in=lab or in=oklab. */
#ifndef GF_FILTERS_LAB_H
#define GF_FILTERS_LAB_H

#include "chain/stage.h"

enum gf_space { GF_SPACE_STORED, GF_SPACE_LAB, GF_SPACE_OKLAB };

#define GF_SPACE_CHOICES { "stored", "lab", "oklab", NULL }
/* The row of options for a struct with a member `int space`. */
#define GF_SPACE_OPTION(config, choices_name)                                                           \
    { .name = "in", .type = GF_OPTION_CHOICE, .offset = offsetof(config, space),                        \
      .by_default = GF_SPACE_STORED, .choices = choices_name, .key_only = true,                         \
      .text = "colors as stored, in CIE L*a*b* (lab), or in Oklab (oklab)" }

/* From linear sRGB to XYZ. */
extern const double gf_xyz_of_rgb[3][3];

void gf_matrix_invert(const double m[3][3], double inverse[3][3]);

#define GF_LAB_STEPS 4

/*
 * The steps from red, green and blue of sRGB to lightness (0 to 1) and two axes that are 0 for grays, and back. The
 * white of Lab is that of sRGB, so grays have both axes 0, up to rounding.
 */
void gf_lab_steps(enum gf_space space, struct gf_point_step to[GF_LAB_STEPS], struct gf_point_step back[GF_LAB_STEPS]);

/* Adds the steps of one way. */
int gf_lab_add(const struct gf_point_step steps[GF_LAB_STEPS], struct gf_build *build, struct gf_error *err);

/* Makes the program from pixels of some channels, the first three of them colors, to their lightness alone. */
int gf_lab_view(enum gf_space space, int channels, struct gf_point *view);

#endif
