/* The table of C bodies. */
#include "bilateral.h"
#include "blend.h"
#include "box.h"
#include "collect.h"
#include "connect.h"
#include "conv.h"
#include "echo.h"
#include "fade.h"
#include "fftconv.h"
#include "histogram.h"
#include "lattice.h"
#include "limit.h"
#include "loudness.h"
#include "move.h"
#include "noise.h"
#include "kernels/base/op.h"
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
#include "similar.h"
#include "spectrum.h"
#include "thin.h"
#include "vignette.h"
#include "yuv.h"

#define BODY(NAME, name) [GF_OP_##NAME] = gf_##name##_cpu,

gf_op_body *const gf_ops_cpu[GF_OP_COUNT] = {
    GF_OPERATIONS(BODY)
};
