/* Adds the samples of a frame. */
#include "run/frame_luma.h"

#include "base/clones.h"

#define BLOCK 8192                       /* samples whose sum fits in 32 bits */

/* Adds every `step`th of up to BLOCK samples. */
#define SUM(type)                                                                          \
    GF_CLONES                                                                              \
    static uint32_t luma_sum_of_##type(const type *x, int64_t step, int64_t count)         \
    {                                                                                      \
        uint32_t sum = 0;                                                                  \
                                                                                           \
        for (int64_t i = 0; i < count; i++)                                                \
            sum += x[i * step];                                                            \
        return sum;                                                                        \
    }
SUM(uint8_t)
SUM(uint16_t)

static double sample_at(const struct gf_format *f, const void *samples, int64_t i)
{
    return f->type == GF_F64 ? ((const double *)samples)[i] : (double)((const float *)samples)[i];
}

/* Returns the mean of every `step`th sample from `first` on, where the largest integer is 1. */
static double mean_of(const struct gf_format *f, const void *samples, int64_t first, int64_t step, int64_t count)
{
    uint64_t whole = 0;
    double sum = 0;

    if (f->type != GF_U8 && f->type != GF_U16) {
        for (int64_t i = 0; i < count; i++)
            sum += sample_at(f, samples, first + i * step);
        return sum / (double)count;
    }
    for (int64_t i = 0; i < count; i += BLOCK) {
        const int64_t n = count - i < BLOCK ? count - i : BLOCK, at = first + i * step;

        whole += f->type == GF_U8 ? luma_sum_of_uint8_t((const uint8_t *)samples + at, step, n)
            : luma_sum_of_uint16_t((const uint16_t *)samples + at, step, n);
    }
    return (double)whole / ((double)count * (double)f->maxval);
}

/* Finds the range of luma, as a part of the largest sample. */
static double above_black(const struct gf_yuv *y, double mean)
{
    const double most = (double)((1 << y->bits) - 1), step = (double)(1 << (y->bits - 8));

    return y->full ? mean : (mean - 16 * step / most) / (219 * step / most);
}

double gf_frame_luma(const struct gf_format *f, const void *samples)
{
    static const double weights[] = { 0.299, 0.587, 0.114 };
    const int64_t pixels = f->width * f->units;
    const int colours = gf_colours(f);
    double luma = 0;

    if (f->yuv.used)
        return above_black(&f->yuv, mean_of(f, samples, 0, 1, pixels));
    for (int c = 0; c < colours; c++)
        luma += mean_of(f, samples, c, f->channels, pixels) * (colours == 3 ? weights[c] : 1.0 / colours);
    return luma;
}
