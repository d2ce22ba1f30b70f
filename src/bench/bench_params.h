/* The parameters of a call, of whichever operation: for those who set calls, so that others need no contract of an operation. */
#ifndef GF_BENCH_BENCH_PARAMS_H
#define GF_BENCH_BENCH_PARAMS_H

#include "kernels/geometry/move.h"
#include "kernels/geometry/pad.h"
#include "kernels/geometry/resize.h"
#include "kernels/geometry/sample.h"
#include "kernels/geometry/select.h"
#include "kernels/geometry/shift.h"
#include "kernels/geometry/yuv.h"
#include "kernels/neighbourhood/bilateral.h"
#include "kernels/neighbourhood/box.h"
#include "kernels/neighbourhood/conv.h"
#include "kernels/neighbourhood/fftconv.h"
#include "kernels/neighbourhood/hysteresis.h"
#include "kernels/neighbourhood/nonmax.h"
#include "kernels/neighbourhood/rank.h"
#include "kernels/neighbourhood/ssim.h"
#include "kernels/pixel/blend.h"
#include "kernels/pixel/noise.h"
#include "kernels/pixel/table_grid.h"
#include "kernels/pixel/vignette.h"
#include "kernels/sound/echo.h"
#include "kernels/sound/fade.h"
#include "kernels/sound/limit.h"
#include "kernels/sound/recur.h"
#include "kernels/sound/resample.h"
#include "kernels/sound/spectrum.h"
#include "kernels/statistics/collect.h"
#include "kernels/statistics/histogram.h"
#include "kernels/statistics/loudness.h"
#include "kernels/statistics/prefix.h"
#include "kernels/statistics/reduce.h"
#include "kernels/statistics/scan.h"

union gf_bench_params {
    struct gf_bilateral bilateral;
    struct gf_blend blend;
    struct gf_box box;
    struct gf_collect collect;
    struct gf_hysteresis hysteresis;
    struct gf_conv conv;
    struct gf_echo echo;
    struct gf_fade fade;
    struct gf_fftconv fftconv;
    struct gf_histogram histogram;
    struct gf_table_grid table_grid;
    struct gf_limit limit;
    struct gf_loudness loudness;
    struct gf_move move;
    struct gf_noise noise;
    struct gf_pad pad;
    struct gf_shift shift;
    struct gf_prefix prefix;
    struct gf_rank rank;
    struct gf_recur recur;
    struct gf_reduce reduce;
    struct gf_resample resample;
    struct gf_resize resize;
    struct gf_sample sample;
    struct gf_scan scan;
    struct gf_select select;
    struct gf_ssim ssim;
    struct gf_spectrum spectrum;
    struct gf_nonmax nonmax;
    struct gf_vignette vignette;
    struct gf_yuv_op yuv;
};

#endif
