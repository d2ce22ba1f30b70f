/*
 * Convolution of images with large masks by Fourier transforms of tiles; like gf_op_conv, it applies the mask as
 * written. The result is that of gf_op_conv with a full mask, to within 1e-6 of sum |weight| · the largest |sample| of
 * a tile, but alpha is copied. The time hardly grows with the mask.
 */
#ifndef GF_KERNELS_FFTMASK_H
#define GF_KERNELS_FFTMASK_H

#include "kernels/neighbourhood/fftconv.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_FFTMASK_MAX_SIDE 255
#define GF_FFTMASK_LEAST_WEIGHTS 256     /* smaller masks are faster weight by weight */

/*
 * out(x, y) = sum over j, i of mask[j][i] · in(x + i - cx, y + j - cy) for the first `colours` channels; others are
 * copied. Tile (k, l) computes columns [k·step_x, (k + 1)·step_x) of units [l·step_y, (l + 1)·step_y), always as a
 * whole, from the step_y + ny - 1 units around them.
 *
 * The rows of a tile, `pitch` samples each, one after another, are a signal, and a mask whose rows are as far apart is
 * a filter for it. So a block of gf_op_fftconv transforms a tile. Its first ny - 1 rows are dropped, and nx - 1 samples
 * at the start of each other one, to which the mask brings samples of the row before it. Samples of a tile are 0 if no
 * result within the image needs them.
 */
struct gf_fftmask {
    struct gf_fftconv f;                 /* `size` samples of a tile, all of them results */
    int nx, ny, cx, cy;
    int pitch, step_x, step_y;
    enum gf_border border;
    int colours;
};

/*
 * Lays out tiles of so many samples for a mask of nx by ny: for `rows` units of results, or for as many results as
 * possible if that is 0. Returns the results of a tile; 0: there are none.
 */
int64_t gf_fftmask_lay_out(struct gf_fftmask *m, int64_t size, int rows);
/* Chooses tiles by the mask and `rows` alone, so that results do not depend on the image or the device. */
void gf_fftmask_choose(struct gf_fftmask *m, int rows);
/*
 * Computes gf_fftconv_spectra_samples(&m->f) floats from nx·ny weights by rows, from the last weight on if the mask is
 * turned by half a turn. Returns -1 if memory ran out.
 */
int gf_fftmask_fill(const struct gf_fftmask *m, const float *weights, bool turned, float *spectra) GF_MUST_CHECK;

/* Returns the units of whole tiles that a span touches, as far as they are among `units`. */
static inline struct gf_span gf_fftmask_tiles_of(const struct gf_fftmask *m, struct gf_span s, int64_t units)
{
    const int64_t end = gf_round_up(s.end, m->step_y);

    return (struct gf_span) { s.start / m->step_y * m->step_y, end < units ? end : units };
}

/* Returns the samples that a row of a tile needs, if the row begins at `first`: others after the image are 0. */
GF_BOTH int64_t gf_fftmask_needed(int64_t first, int64_t samples, int64_t length, int after)
{
    const int64_t needed = length + after - first;

    return needed < 0 ? 0 : needed < samples ? needed : samples;
}

/*
 * Convolves channel c of planes: all units of dst, from a src with all units that their tiles need, of a signal of
 * `units`. `turns` are the numbers of gf_fftmask_fill(). `room` has m->f.size floats.
 */
void gf_fftmask_planes(const struct gf_fftmask *m, const float *turns, const struct gf_block *src,
                       const struct gf_block *dst, int c, int64_t units, float *room);
/* Does so on a GPU: `spectra` is the place of these numbers in the pool of masks. */
int gf_fftmask_planes_cuda(const struct gf_work *work, const struct gf_fftmask *m, int64_t spectra,
                           const struct gf_block *src, const struct gf_block *dst, int c, int64_t units,
                           struct gf_error *err);
/* Returns the bytes that a GPU borrows for it. */
size_t gf_fftmask_gpu_bytes(const struct gf_fftmask *m);
/* Returns the end of turns and spectra at `spectra`; -1: the numbers of tiles make no sense. */
int64_t gf_fftmask_end(const struct gf_fftmask *m, int64_t spectra);
/* Returns the cost of a sample on a CPU, without loading and storing it. */
double gf_fftmask_light(const struct gf_fftmask *m);

extern const struct gf_operation gf_op_fftmask;
gf_op_body gf_fftmask_cpu, gf_fftmask_cuda;

#ifdef __cplusplus
}
#endif
#endif
