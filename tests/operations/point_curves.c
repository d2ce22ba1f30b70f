/* Curves of point programs have the bits of their formulas in curve.h, whichever way rows of values are computed. */
#include "kernels/base/curve.h"
#include "kernels/base/program_steps.h"
#include "tests/tap.h"

#define ROW 611                          /* not a multiple of any vector, and more than are computed together */
#define ROWS 20000                       /* of consecutive floats, all over their range */

static float formula(enum gf_point_kind kind, float v, float a)
{
    switch (kind) {
    case GF_POINT_LINEAR: return gf_linear_of_srgb(v);
    case GF_POINT_SRGB: return gf_srgb_of_linear(v);
    case GF_POINT_LAB: return gf_lab_of_linear(v);
    case GF_POINT_ROOT: return gf_cube_root(v);
    default: return gf_powf(v > 0.0f ? v : 0.0f, a);
    }
}

static int count_differences(enum gf_point_kind kind, float a, const float *values)
{
    const struct gf_point_step step = { .kind = kind, .channels = 1, .a = a };
    float got[ROW], *row[1 + GF_POINT_MATRIX_MAX] = { got };
    struct gf_point p;
    int differences = 0;

    gf_point_init(&p, 1);
    if (gf_point_add(&p, &step) != 0)
        return 1;
    for (int i = 0; i < ROW; i++)
        got[i] = values[i];
    gf_point_run(&p, NULL, row, ROW);
    for (int i = 0; i < ROW; i++) {
        const float wanted = formula(kind, values[i], a);

        differences += gf_bits_of_float(got[i]) != gf_bits_of_float(wanted) && !(got[i] != got[i] && wanted != wanted);
    }
    return differences;
}

/* Floats next to each other are mostly all moderate, or none is. */
static void try_neighbors(const char *name, enum gf_point_kind kind, float a)
{
    float values[ROW];
    int differences = 0;

    for (uint32_t r = 0; r < ROWS; r++) {
        const uint32_t first = (uint32_t)((UINT64_C(1) << 32) * r / ROWS);

        for (uint32_t i = 0; i < ROW; i++)
            values[i] = gf_float_of_bits((int32_t)(first + i));
        differences += count_differences(kind, a, values);
    }
    gf_is(differences, 0, "%s: floats all over their range become those of the formula", name);
}

/* One value that is not moderate, at each place among others that are. */
static void try_odd_values(const char *name, enum gf_point_kind kind, float a)
{
    static const float odd[] = { NAN, -NAN, INFINITY, -INFINITY, 1e-40f, -1e-40f, 3e38f, -3e38f, 1e-30f, 1e15f, -0.0f };
    float values[ROW];
    int differences = 0;

    for (size_t k = 0; k < sizeof odd / sizeof *odd; k++)
        for (int place = 0; place < ROW; place += 37) {
            for (int i = 0; i < ROW; i++)
                values[i] = (float)(i - 20) * (1.2f / ROW);
            values[place] = odd[k];
            differences += count_differences(kind, a, values);
        }
    gf_is(differences, 0, "%s: infinities, NaN and extremes among other values", name);
}

static void try_curve(const char *name, enum gf_point_kind kind, float a)
{
    try_neighbors(name, kind, a);
    try_odd_values(name, kind, a);
}

int main(void)
{
    try_curve("sRGB to linear", GF_POINT_LINEAR, 0);
    try_curve("linear to sRGB", GF_POINT_SRGB, 0);
    try_curve("light to Lab", GF_POINT_LAB, 0);
    try_curve("cube root", GF_POINT_ROOT, 0);
    try_curve("power of 0.7", GF_POINT_POWER, 0.7f);
    try_curve("power of 2.2", GF_POINT_POWER, 2.2f);
    try_curve("power of 40", GF_POINT_POWER, 40);
    try_curve("power of 0.001", GF_POINT_POWER, 0.001f);
    return gf_tap_end();
}
