/* The table of CUDA bodies. */
#include "kernels/neighbourhood/bilateral.h"
#include "blend.h"
#include "kernels/neighbourhood/box.h"
#include "collect.h"
#include "kernels/neighbourhood/hysteresis.h"
#include "kernels/neighbourhood/conv.h"
#include "echo.h"
#include "fade.h"
#include "fftconv.h"
#include "histogram.h"
#include "lattice.h"
#include "limit.h"
#include "loudness.h"
#include "kernels/geometry/move.h"
#include "noise.h"
#include "kernels/base/op.h"
#include "kernels/geometry/pad.h"
#include "kernels/geometry/shift.h"
#include "prefix.h"
#include "kernels/neighbourhood/rank.h"
#include "recur.h"
#include "reduce.h"
#include "resample.h"
#include "kernels/geometry/resize.h"
#include "kernels/geometry/sample.h"
#include "scan.h"
#include "kernels/geometry/select.h"
#include "kernels/neighbourhood/ssim.h"
#include "spectrum.h"
#include "kernels/neighbourhood/nonmax.h"
#include "vignette.h"
#include "kernels/geometry/yuv.h"

#define BODY(NAME, name) gf_##name##_cuda,

extern "C" gf_op_body *const gf_ops_cuda[GF_OP_COUNT] = {
    GF_OPERATIONS(BODY)
};
