/* Describes how an output differs from the image in its file, for metadata that states sizes, counts or scales. */
#include "io/metadata/change.h"

#include <math.h>

#define NEARLY 1e-9

static bool is_near(double a, double b)
{
    return fabs(a - b) <= NEARLY * fmax(1, fabs(b));
}

bool gf_change_is_moved(const struct gf_change *c)
{
    const struct gf_affine *m = &c->to_file;

    return gf_affine_axes(m) != GF_AXES_SAME || !is_near(m->xx, 1) || !is_near(m->yy, 1) || !is_near(m->cx, 0)
        || !is_near(m->cy, 0) || c->file_width != c->out.width || c->file_height != c->out.units;
}

bool gf_change_is_scaled_only(const struct gf_change *c)
{
    double x = (double)c->out.width, y = (double)c->out.units;

    gf_affine_apply(&c->to_file, &x, &y);
    return gf_affine_axes(&c->to_file) == GF_AXES_SAME && is_near(c->to_file.cx, 0) && is_near(c->to_file.cy, 0)
        && is_near(x, (double)c->file_width) && is_near(y, (double)c->file_height);
}

struct gf_affine gf_change_print_map(bool turned)
{
    return turned ? (struct gf_affine) { .xy = 1, .yx = 1 } : gf_affine_identity();
}

bool gf_change_density(const struct gf_affine *map, double *x, double *y)
{
    const enum gf_axes axes = gf_affine_axes(map);
    const double was_x = *x, was_y = *y;
    double step_x, step_y;

    gf_affine_steps(map, &step_x, &step_y);
    *x = (axes == GF_AXES_TURNED ? was_y : was_x) / step_x;
    *y = (axes == GF_AXES_TURNED ? was_x : was_y) / step_y;
    return !map->unknown && (axes != GF_AXES_OBLIQUE || is_near(was_x, was_y));
}

bool gf_change_cut(const struct gf_change *c, int64_t sizes[3])
{
    int64_t left = c->images;

    for (int i = 2; i >= 0; i--) {
        const int64_t below = i == 2 ? sizes[0] * sizes[1] : i == 1 ? sizes[0] : 1;

        if (left % below != 0 && left > below)
            return false;
        if (left >= below) {
            sizes[i] = left / below;
            left = below;
        } else {
            sizes[i] = 1;
        }
    }
    return true;
}

bool gf_change_is_rescaled(const struct gf_change *c)
{
    return c->revalued || c->in.type != c->out.type || c->in.maxval != c->out.maxval;
}
