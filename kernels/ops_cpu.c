/* The table of C bodies, and what the operations are called. */
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

gf_op_body *const gf_ops_cpu[GF_OP_COUNT] = {
    [GF_OP_POINT] = gf_point_cpu,
    [GF_OP_CONV] = gf_conv_cpu,
    [GF_OP_SAMPLE] = gf_sample_cpu,
    [GF_OP_MOVE] = gf_move_cpu,
    [GF_OP_HISTOGRAM] = gf_histogram_cpu,
    [GF_OP_REDUCE] = gf_reduce_cpu,
    [GF_OP_SCAN] = gf_scan_cpu,
    [GF_OP_YUV] = gf_yuv_cpu,
    [GF_OP_PAD] = gf_pad_cpu,
    [GF_OP_BOX] = gf_box_cpu,
    [GF_OP_RESIZE] = gf_resize_cpu,
    [GF_OP_LATTICE] = gf_lattice_cpu,
    [GF_OP_RANK] = gf_rank_cpu,
    [GF_OP_PREFIX] = gf_prefix_cpu,
    [GF_OP_RECUR] = gf_recur_cpu,
    [GF_OP_RESAMPLE] = gf_resample_cpu,
    [GF_OP_LOUDNESS] = gf_loudness_cpu,
    [GF_OP_SELECT] = gf_select_cpu,
    [GF_OP_PLACE] = gf_place_cpu,
    [GF_OP_ECHO] = gf_echo_cpu,
    [GF_OP_FADE] = gf_fade_cpu,
    [GF_OP_LIMIT] = gf_limit_cpu,
    [GF_OP_NOISE] = gf_noise_cpu,
    [GF_OP_FFTCONV] = gf_fftconv_cpu,
    [GF_OP_SPECTRUM] = gf_spectrum_cpu,
    [GF_OP_COLLECT] = gf_collect_cpu,
};

const char *gf_op_word(enum gf_op op)
{
    static const char *const words[GF_OP_COUNT] = {
        [GF_OP_POINT] = "point", [GF_OP_CONV] = "conv", [GF_OP_SAMPLE] = "sample", [GF_OP_MOVE] = "move",
        [GF_OP_HISTOGRAM] = "histogram", [GF_OP_REDUCE] = "reduce", [GF_OP_SCAN] = "scan",
        [GF_OP_YUV] = "yuv", [GF_OP_PAD] = "pad", [GF_OP_BOX] = "box", [GF_OP_RESIZE] = "resize", [GF_OP_LATTICE] = "lattice",
        [GF_OP_RANK] = "rank",
        [GF_OP_PREFIX] = "prefix", [GF_OP_RECUR] = "recur", [GF_OP_RESAMPLE] = "resample",
        [GF_OP_LOUDNESS] = "loudness",
        [GF_OP_SELECT] = "select", [GF_OP_PLACE] = "place", [GF_OP_ECHO] = "echo",
        [GF_OP_FADE] = "fade", [GF_OP_LIMIT] = "limit", [GF_OP_NOISE] = "noise",
        [GF_OP_FFTCONV] = "fftconv",
        [GF_OP_SPECTRUM] = "spectrum", [GF_OP_COLLECT] = "collect",
    };

    return words[op];
}

struct gf_records gf_op_records(enum gf_op op, const void *params)
{
    const struct gf_reduce *r = params;
    const struct gf_loudness *l = params;
    const struct gf_collect *k = params;

    switch (op) {
    case GF_OP_REDUCE: return (struct gf_records) { r->block_units, r->channels, sizeof(struct gf_reduced), r->keep, r->joined };
    case GF_OP_LOUDNESS: return (struct gf_records) { l->block_units, l->channels, sizeof(struct gf_loud), false, 0 };
    case GF_OP_COLLECT: return (struct gf_records) { 1, k->channels, (size_t)k->width * sizeof(float), true, k->joined };
    default: return (struct gf_records) { .block_units = 1 };
    }
}

size_t gf_op_scratch_bytes(enum gf_op op, const void *params, const struct gf_io *shape)
{
    switch (op) {
    case GF_OP_CONV: return gf_conv_scratch_bytes(shape, params);
    case GF_OP_FFTCONV: return gf_fftconv_scratch_bytes(shape, params);
    case GF_OP_RANK: return gf_rank_scratch_bytes(shape, params);
    case GF_OP_SAMPLE: return gf_sample_scratch_bytes(shape);
    case GF_OP_BOX: return gf_box_scratch_bytes(shape, params);
    case GF_OP_YUV: return gf_yuv_scratch_bytes(params);
    case GF_OP_RESAMPLE: return gf_resample_scratch_bytes(params);
    case GF_OP_SPECTRUM: return gf_spectrum_scratch_bytes(params);
    case GF_OP_RESIZE: return gf_resize_scratch_bytes(shape, params);
    case GF_OP_LOUDNESS: return gf_loudness_scratch_bytes(shape, params);
    case GF_OP_ECHO: return gf_echo_scratch_bytes(shape);
    case GF_OP_FADE: return gf_fade_scratch_bytes(shape);
    case GF_OP_LIMIT: return gf_limit_scratch_bytes(shape, params);
    case GF_OP_NOISE: return gf_noise_scratch_bytes(shape);
    default: return 0;
    }
}
