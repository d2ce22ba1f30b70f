/* The table of CUDA bodies. */
#include "box.h"
#include "collect.h"
#include "conv.h"
#include "echo.h"
#include "fade.h"
#include "fftconv.h"
#include "histogram.h"
#include "lattice.h"
#include "loudness.h"
#include "limit.h"
#include "move.h"
#include "noise.h"
#include "op.h"
#include "pad.h"
#include "place.h"
#include "prefix.h"
#include "rank.h"
#include "recur.h"
#include "reduce.h"
#include "resample.h"
#include "resize.h"
#include "sample.h"
#include "scan.h"
#include "select.h"
#include "spectrum.h"
#include "yuv.h"

/* In the order of enum gf_op: C++ has no designators for arrays. */
extern "C" gf_op_body *const gf_ops_cuda[GF_OP_COUNT] = {
    gf_point_cuda, gf_conv_cuda, gf_sample_cuda, gf_move_cuda, gf_histogram_cuda, gf_reduce_cuda, gf_scan_cuda,
    gf_yuv_cuda, gf_pad_cuda, gf_box_cuda, gf_resize_cuda, gf_lattice_cuda, gf_rank_cuda, gf_prefix_cuda, gf_recur_cuda,
    gf_resample_cuda, gf_loudness_cuda,
    gf_select_cuda, gf_place_cuda, gf_echo_cuda, gf_fade_cuda, gf_limit_cuda, gf_noise_cuda,
    gf_fftconv_cuda,
    gf_spectrum_cuda, gf_collect_cuda,
};
