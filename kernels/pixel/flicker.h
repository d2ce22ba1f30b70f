/* Flicker: gives a frame the mean brightness of the frames around it. */
#ifndef GF_KERNELS_FLICKER_H
#define GF_KERNELS_FLICKER_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The first `channels` channels become zero + (v - zero)·gain; others are copied. */
struct gf_flicker {
    int channels;
    float zero;                  /* the sample of black, or of no color in a plane of chroma */
};

/*
 * Returns the mean brightness of the frames of the window, divided by that of the current one. It is 1 for a frame
 * that is black, and without a window.
 */
static inline float gf_flicker_gain(const struct gf_io *io)
{
    double sum = 0;

    for (int i = 0; i < io->frames; i++)
        sum += io->luma[i];
    return io->frames == 0 || io->luma[io->frame_now] <= 0 || sum <= 0 ? 1
        : (float)(sum / io->frames / io->luma[io->frame_now]);
}

extern const struct gf_operation gf_op_flicker;
gf_op_body gf_flicker_cpu, gf_flicker_cuda;

#ifdef __cplusplus
}
#endif
#endif
