/* The trials of every operation; each makes one case of a form, on a CPU and, where it is asked to, on a GPU. */
#ifndef GF_OPS_TRIALS_H
#define GF_OPS_TRIALS_H

#include "ops_common.h"

typedef void gf_try(const struct gf_form *f, bool on_gpu);

gf_try gf_try_point, gf_try_conv, gf_try_box, gf_try_sample, gf_try_rank, gf_try_strips, gf_try_move, gf_try_pad, gf_try_table_grid;
gf_try gf_try_bilateral, gf_try_nonmax, gf_try_hysteresis, gf_try_seams;
gf_try gf_try_resize, gf_try_ratios, gf_try_weights;
gf_try gf_try_blend, gf_try_ssim;
gf_try gf_try_prefix, gf_try_recur;
gf_try gf_try_tiles, gf_try_histogram, gf_try_reduce, gf_try_loudness, gf_try_scan;
gf_try gf_try_lanes, gf_try_spools;
gf_try gf_try_from_yuv, gf_try_to_yuv;
gf_try gf_try_select, gf_try_shift, gf_try_echo, gf_try_fade, gf_try_limit, gf_try_noise, gf_try_vignette, gf_try_resample, gf_try_spectrum;

/* What they need in the pools, once these are filled with noise. */
void gf_make_whole_masks(void);
void gf_make_axes(void);
void gf_make_spectra(void);
void gf_make_pairs(void);
void gf_make_rings(void);

#endif
