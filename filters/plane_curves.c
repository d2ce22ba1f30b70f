/* Adds point stages to the chain of a plane. */
#include "filters/plane_curves.h"

int gf_plane_affine(const struct gf_plane *plane, double a, double b, struct gf_build *build, struct gf_error *err)
{
    /* a shift of red, green and blue cancels out in the differences of chroma */
    const double shift = plane->zero * (1 - a) + (plane->chroma ? 0 : plane->range * b);
    const struct gf_point_step step = { .kind = GF_POINT_AFFINE, .channels = 1, .a = (float)a, .b = (float)shift };

    return a == 1 && shift == 0 ? 0 : gf_build_point(build, &step, NULL, err);
}

int gf_plane_curve(const struct gf_plane *plane, double a, double b, double power, struct gf_build *build,
                   struct gf_error *err)
{
    const double scale = a / plane->range;
    const struct gf_point_step steps[] = {
        { .kind = GF_POINT_AFFINE, .channels = 1, .a = (float)scale, .b = (float)(b - plane->zero * scale) },
        { .kind = GF_POINT_POWER, .channels = 1, .a = (float)power },
        { .kind = GF_POINT_AFFINE, .channels = 1, .a = (float)plane->range, .b = (float)plane->zero },
    };

    for (int i = 0; i < 3; i++)
        if (gf_build_point(build, &steps[i], NULL, err) != 0)
            return -1;
    return 0;
}
