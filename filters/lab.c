/* Conversions between sRGB and spaces of lightness and hue. */
#include "filters/lab.h"

#include <string.h>

typedef double matrix[3][3];

/* IEC 61966-2-1; the sums of rows are the white. */
const double gf_xyz_of_rgb[3][3] = { { 0.4124564, 0.3575761, 0.1804375 }, { 0.2126729, 0.7151522, 0.0721750 },
                                   { 0.0193339, 0.1191920, 0.9503041 } };
/* A hundredth of L*, a* and b*, of f(x), f(y) and f(z). */
static const matrix lab_of_f = { { 0, 1.16, 0 }, { 5, -5, 0 }, { 0, 2, -2 } };
/* Björn Ottosson, A perceptual color space for image processing. */
static const matrix lms_of_rgb = { { 0.4122214708, 0.5363325363, 0.0514459929 },
                                   { 0.2119034982, 0.6806995451, 0.1073969566 },
                                   { 0.0883024619, 0.2817188376, 0.6299787005 } };
static const matrix oklab_of_roots = { { 0.2104542553, 0.7936177850, -0.0040720468 },
                                       { 1.9779984951, -2.4285922050, 0.4505937099 },
                                       { 0.0259040371, 0.7827717662, -0.8086757660 } };

void gf_matrix_invert(const double m[3][3], double inverse[3][3])
{
    double determinant = 0;

    for (int i = 0; i < 3; i++)
        determinant += m[0][i] * (m[1][(i + 1) % 3] * m[2][(i + 2) % 3] - m[1][(i + 2) % 3] * m[2][(i + 1) % 3]);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            inverse[c][r] = (m[(r + 1) % 3][(c + 1) % 3] * m[(r + 2) % 3][(c + 2) % 3]
                             - m[(r + 1) % 3][(c + 2) % 3] * m[(r + 2) % 3][(c + 1) % 3]) / determinant;
}

static struct gf_point_step step_of(const matrix m)
{
    struct gf_point_step s = { .kind = GF_POINT_MATRIX, .channels = 3, .outs = 3 };

    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            s.m[r][c] = (float)m[r][c];
    return s;
}

/* Copies a matrix, with rows whose sum is 1, or 0 if it is nearly that. */
static void balance(const matrix m, matrix balanced)
{
    for (int r = 0; r < 3; r++) {
        const double sum = m[r][0] + m[r][1] + m[r][2];

        for (int c = 0; c < 3; c++)
            balanced[r][c] = sum > 0.5 ? m[r][c] / sum : m[r][c] - sum / 3;
    }
}

void gf_lab_steps(enum gf_space space, struct gf_point_step to[GF_LAB_STEPS], struct gf_point_step back[GF_LAB_STEPS])
{
    const bool lab = space == GF_SPACE_LAB;
    matrix mix, unmix, axes, colors;

    balance(lab ? gf_xyz_of_rgb : lms_of_rgb, mix);
    if (lab)
        memcpy(axes, lab_of_f, sizeof axes);
    else
        balance(oklab_of_roots, axes);
    gf_matrix_invert(mix, unmix);
    gf_matrix_invert(axes, colors);
    to[0] = (struct gf_point_step) { .kind = GF_POINT_LINEAR, .channels = 3 };
    to[1] = step_of(mix);
    to[2] = (struct gf_point_step) { .kind = lab ? GF_POINT_LAB : GF_POINT_ROOT, .channels = 3 };
    to[3] = step_of(axes);
    back[0] = step_of(colors);
    back[1] = (struct gf_point_step) { .kind = lab ? GF_POINT_LAB_INVERSE : GF_POINT_CUBE, .channels = 3 };
    back[2] = step_of(unmix);
    back[3] = (struct gf_point_step) { .kind = GF_POINT_SRGB, .channels = 3 };
    if (lab) {
        to[3].m[0][3] = -0.16f;          /* L* = 116 f(y) - 16, in hundredths */
        for (int r = 0; r < 3; r++)
            back[0].m[r][3] = (float)(0.16 * colors[r][0]);
    }
}

int gf_lab_add(const struct gf_point_step steps[GF_LAB_STEPS], struct gf_build *build, struct gf_error *err)
{
    for (int i = 0; i < GF_LAB_STEPS; i++)
        if (gf_build_point(build, &steps[i], NULL, err) != 0)
            return -1;
    return 0;
}

int gf_lab_view(enum gf_space space, int channels, struct gf_point *view)
{
    struct gf_point_step to[GF_LAB_STEPS], back[GF_LAB_STEPS];

    gf_lab_steps(space, to, back);
    to[GF_LAB_STEPS - 1].outs = 1;
    gf_point_init(view, channels);
    for (int i = 0; i < GF_LAB_STEPS; i++)
        if (gf_point_add(view, &to[i]) != 0)
            return -1;
    return 0;
}
