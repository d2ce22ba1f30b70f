/* Adds a convolution with one mask; as two lines if the mask is separable. */
#include "filters/convolve.h"

#include "kernels/neighbourhood/conv.h"
#include "kernels/neighbourhood/fftmask.h"

#include <math.h>
#include <stdlib.h>

const struct gf_named_mask gf_convolve_masks[] = {
    { "sharpen", "[0 -1 0; -1 5 -1; 0 -1 0]", 1 },
    { "gauss3", "[1 2 1; 2 4 2; 1 2 1]", 16 },
    { "gauss5", "[1 4 6 4 1; 4 16 24 16 4; 6 24 36 24 6; 4 16 24 16 4; 1 4 6 4 1]", 256 },
    { "box3", "[1 1 1; 1 1 1; 1 1 1]", 9 },
    { "box5", "[1 1 1 1 1; 1 1 1 1 1; 1 1 1 1 1; 1 1 1 1 1; 1 1 1 1 1]", 25 },
    { "sobel-x", "[-1 0 1; -2 0 2; -1 0 1]", 1 },
    { "sobel-y", "[-1 -2 -1; 0 0 0; 1 2 1]", 1 },
    { "prewitt-x", "[-1 0 1; -1 0 1; -1 0 1]", 1 },
    { "prewitt-y", "[-1 -1 -1; 0 0 0; 1 1 1]", 1 },
    { "scharr-x", "[-3 0 3; -10 0 10; -3 0 3]", 1 },
    { "scharr-y", "[-3 -10 -3; 0 0 0; 3 10 3]", 1 },
    { "laplacian", "[0 1 0; 1 -4 1; 0 1 0]", 1 },
    { "laplacian8", "[1 1 1; 1 -8 1; 1 1 1]", 1 },
    { "ridge", "[-1 -1 -1; -1 8 -1; -1 -1 -1]", 1 },
    { "emboss", "[-2 -1 0; -1 1 1; 0 1 2]", 1 },
    { NULL, NULL, 0 }
};

/*
 * Adds one mask for each channel: `weights` for colors, and a mask that copies for alpha.
 * Without alpha, one mask serves all channels. `at` is the index of the center.
 */
static int64_t add_masks(struct gf_build *build, const struct gf_format *in, const double *weights, int count, int at)
{
    const int masks = in->alpha ? in->channels : 1;
    float *to;
    const int64_t start = gf_build_alloc_mask(build, (int64_t)masks * count, &to);

    if (to == NULL)
        return start;
    for (int c = 0; c < masks; c++)
        for (int i = 0; i < count; i++)
            to[c * count + i] = in->alpha && c == in->channels - 1 ? (i == at ? 1.0f : 0.0f) : (float)weights[i];
    return start;
}

/*
 * Splits a mask whose rows are all multiples of one: then column ⊗ row is the mask. Returns
 * false for other masks.
 */
static bool split_mask(const struct gf_mask *m, double divide, double *column, double *row)
{
    const int n = m->rows * m->columns;
    int pivot = 0;

    for (int i = 1; i < n; i++)
        pivot = fabs(m->weights[i]) > fabs(m->weights[pivot]) ? i : pivot;
    if (m->weights[pivot] == 0)
        return false;
    for (int i = 0; i < m->columns; i++)
        row[i] = m->weights[pivot / m->columns * m->columns + i] / m->weights[pivot];
    for (int j = 0; j < m->rows; j++)
        column[j] = m->weights[j * m->columns + pivot % m->columns] / divide;
    for (int j = 0; j < m->rows; j++)
        for (int i = 0; i < m->columns; i++)
            if (fabs(column[j] * divide * row[i] - m->weights[j * m->columns + i]) > 1e-7 * fabs(m->weights[pivot]))
                return false;
    return true;
}

/* Puts the masks into the pool: two lines if the mask is separable, otherwise all weights, unless they are many. */
static int place_masks(const struct gf_mask *m, double divide, const struct gf_format *in, struct gf_build *build,
                       struct gf_conv *conv, struct gf_error *err)
{
    const int n = m->rows * m->columns, longest = m->rows > m->columns ? m->rows : m->columns;
    double *scaled = malloc((size_t)(n + 2 * longest) * sizeof *scaled), *column = scaled + n,
           *row = column + longest;

    if (scaled == NULL)
        return gf_fail_memory(err, NULL);
    for (int i = 0; i < n; i++)
        scaled[i] = m->weights[i] / divide;
    conv->full = m->rows > 1 && m->columns > 1 && !split_mask(m, divide, column, row);
    if (conv->full) {
        if (n < GF_FFTMASK_LEAST_WEIGHTS)
            conv->full_at = add_masks(build, in, scaled, n, conv->cy * conv->nx + conv->cx);
    } else if (m->rows == 1) {
        conv->ny = 0;
        conv->x_at = add_masks(build, in, scaled, n, conv->cx);
    } else if (m->columns == 1) {
        conv->nx = 0;
        conv->y_at = add_masks(build, in, scaled, n, conv->cy);
    } else {
        conv->x_at = add_masks(build, in, row, m->columns, conv->cx);
        conv->y_at = add_masks(build, in, column, m->rows, conv->cy);
    }
    free(scaled);
    return 0;
}

int gf_convolve_add_spectra(const struct gf_fftmask *m, const float *weights, bool turned, struct gf_build *build,
                            int64_t *at, struct gf_error *err)
{
    float *spectra;

    *at = gf_build_alloc_mask(build, gf_fftconv_spectra_samples(&m->f) + 1, &spectra);
    if (spectra == NULL)
        return 0;                                        /* the chain reports that memory ran out */
    spectra += *at % 2;
    *at += *at % 2;
    return gf_fftmask_fill(m, weights, turned, spectra) == 0 ? 0 : gf_fail_memory(err, NULL);
}

/* Adds a mask with many weights. */
static int bind_tiles(const struct gf_mask *mask, double divide, const struct gf_conv *conv, struct gf_need need,
                      const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    struct gf_fftmask m = { .nx = conv->nx, .ny = conv->ny, .cx = conv->cx, .cy = conv->cy, .border = conv->border,
                            .colours = gf_colours(in) };
    const int n = m.nx * m.ny;
    float *weights = malloc((size_t)n * sizeof *weights);
    int result;

    if (weights == NULL)
        return gf_fail_memory(err, NULL);
    for (int i = 0; i < n; i++)
        weights[i] = (float)(mask->weights[i] / divide);
    gf_fftmask_choose(&m, 0);
    need.grain = m.step_y;
    result = gf_convolve_add_spectra(&m, weights, false, build, &m.f.spectra_at, err);
    free(weights);
    /* a sample that is not finite would spoil whole tiles */
    if (result != 0 || gf_build_make_finite(build, err) != 0)
        return -1;
    return gf_build_op(build, &gf_op_fftmask, &m, need, in, err);
}

int gf_convolve_bind(const struct gf_mask *mask, double divide, enum gf_border border, const struct gf_format *in,
                     struct gf_build *build, struct gf_error *err)
{
    struct gf_conv conv = { .nx = mask->columns, .ny = mask->rows, .cx = mask->columns / 2, .cy = mask->rows / 2,
                            .mask_channels = in->alpha ? in->channels : 1, .border = border };
    struct gf_need need = { .whole = false };

    gf_conv_reach(conv.ny, conv.cy, conv.border, &need.before, &need.after);
    if (place_masks(mask, divide, in, build, &conv, err) != 0)
        return -1;
    need.whole = conv.border == GF_WRAP && conv.ny > 1;
    if (conv.full && conv.nx * conv.ny >= GF_FFTMASK_LEAST_WEIGHTS)
        return bind_tiles(mask, divide, &conv, need, in, build, err);
    return gf_build_op(build, &gf_op_conv, &conv, need, in, err);
}
