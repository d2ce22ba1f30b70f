/* The table of C bodies. */
#include "kernels/operations.h"

#include "kernels/base/program_run.h"
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

#define BODY(NAME, name) [GF_OP_##NAME] = gf_##name##_cpu,

gf_op_body *const gf_operations_cpu[GF_OP_COUNT] = {
    GF_OPERATIONS(BODY)
};
