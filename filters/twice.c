/* Colors that a chain has twice, and their difference. */
#include "filters/twice.h"

#define MOST 4                           /* channels of an image */

/*
 * Adds a mix of `ins` channels to `outs` sums, with one row of weights for each sum. Gray has a matrix, which is
 * faster.
 */
static int add_mixture(int ins, int outs, const float *weight, const struct gf_format *out, struct gf_build *build,
                       struct gf_error *err)
{
    const bool gray = ins + outs == 3;
    struct gf_point_step step = { .kind = gray ? GF_POINT_MATRIX : GF_POINT_MIX, .channels = ins, .outs = outs };
    float *table = NULL;

    if (!gray)
        step.table = gf_build_alloc_table(build, (int64_t)ins * outs, &table);
    for (int i = 0; i < ins * outs; i++)
        if (gray)
            step.m[i / ins][i % ins] = weight[i];
        else if (table != NULL)
            table[i] = weight[i];
    return gf_build_point(build, &step, out, err);
}

int gf_twice_open(const struct gf_format *in, struct gf_format *twice, struct gf_build *build, struct gf_error *err)
{
    const int colours = gf_colours(in), n = colours + in->channels;
    float apart[2 * MOST * MOST] = { 0 };

    for (int c = 0; c < n; c++)
        apart[c * in->channels + (c < 2 * colours ? c % colours : colours)] = 1;
    *twice = *in;
    twice->channels = n;
    return add_mixture(in->channels, n, apart, twice, build, err);
}

int gf_twice_subtract(const struct gf_format *in, float sign, struct gf_build *build, struct gf_error *err)
{
    const int colours = gf_colours(in), n = colours + in->channels;
    float taken[2 * MOST * MOST] = { 0 };

    for (int c = 0; c < in->channels; c++) {
        taken[c * n + (c < colours ? c : n - 1)] = c < colours ? sign : 1;
        if (c < colours)
            taken[c * n + colours + c] = -sign;
    }
    return add_mixture(n, in->channels, taken, in, build, err);
}
