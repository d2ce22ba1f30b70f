/*
 * Operations: each has one contract here or in its own header, a C body (NAME.c) and a
 * CUDA body (NAME.cu). A device is a table of bodies.
 */
#ifndef GF_OP_H
#define GF_OP_H

#include "border.h"
#include "gpufilter.h"
#include "point.h"

#ifdef __cplusplus
extern "C" {
#endif

enum gf_op {
    GF_OP_POINT,         /* params: none; the programs say it all */
    GF_OP_CONV,          /* struct gf_conv, conv.h */
    GF_OP_SAMPLE,        /* struct gf_sample, sample.h */
    GF_OP_MOVE,          /* struct gf_move, move.h */
    GF_OP_HISTOGRAM,     /* struct gf_histogram, histogram.h */
    GF_OP_REDUCE,        /* struct gf_reduce, reduce.h */
    GF_OP_SCAN,          /* struct gf_scan, scan.h */
    GF_OP_YUV,           /* struct gf_yuv_op, yuv.h */
    GF_OP_PAD,           /* struct gf_pad, pad.h */
    GF_OP_BOX,           /* struct gf_box, box.h */
    GF_OP_RESIZE,        /* struct gf_resize, resize.h */
    GF_OP_LATTICE,       /* struct gf_lattice, lattice.h */
    GF_OP_RANK,          /* struct gf_rank, rank.h */
    GF_OP_PREFIX,        /* struct gf_prefix, prefix.h */
    GF_OP_RECUR,         /* struct gf_recur, recur.h */
    GF_OP_RESAMPLE,      /* struct gf_resample, resample.h */
    GF_OP_LOUDNESS,      /* struct gf_loudness, loudness.h */
    GF_OP_SELECT,        /* struct gf_select, select.h */
    GF_OP_PLACE,         /* struct gf_place, place.h */
    GF_OP_ECHO,          /* struct gf_echo, echo.h */
    GF_OP_FADE,          /* struct gf_fade, fade.h */
    GF_OP_LIMIT,         /* struct gf_limit, limit.h */
    GF_OP_NOISE,         /* struct gf_noise, noise.h */
    GF_OP_FFTCONV,       /* struct gf_fftconv, fftconv.h */
    GF_OP_SPECTRUM,      /* struct gf_spectrum, spectrum.h */
    GF_OP_COLLECT,       /* struct gf_collect, collect.h */
    GF_OP_COUNT
};

/* Whether an operation moves stored samples, packed or planar, so that no program can ride in it. */
static inline bool gf_op_moves(enum gf_op op)
{
    return op == GF_OP_MOVE || op == GF_OP_PAD || op == GF_OP_SELECT || op == GF_OP_PLACE;
}

/*
 * What a body reads and writes. It computes dst.span from src, which holds every unit
 * of the signal that the span needs, as far as the signal goes. Between them:
 * packed samples become floats (v/maxval, v/2^(bits-1)), then `load` is applied to what
 * is read, the operation works, `store` is applied, floats become packed samples
 * (to nearest, ties to even, clamped, NaN to 0). NULL programs change nothing.
 */
struct gf_io {
    struct gf_block src, dst;
    const struct gf_point *load, *store;
    int64_t src_units;          /* length of the signal that src is a part of */
};

/*
 * Where a body works. The pools belong to the chain, and live in the device's memory:
 * masks and tables are named by their offset, so parameters mean the same on every device.
 */
struct gf_work {
    const float *masks;
    const float *tables;
    const float *host_masks;    /* on a GPU: the same masks, where launches can read them; NULL: nowhere */
    void *scratch;              /* gf_op_scratch_bytes() of it; on a CPU only */
    size_t scratch_bytes;
    void *stream;               /* cudaStream_t on a GPU */
    void *carry;                /* state of an operation that carries: zero at first, then as it was left by the units before */
    bool masks_constant;        /* on a GPU: the first GF_CONSTANT_MASKS floats of the pool are in constant memory */
};

#define GF_CONSTANT_MASKS 16384          /* floats: all 64 KB of a module's constant memory */

/* Computes io->dst, or says why not. On a GPU it is queued on the stream, not awaited. */
typedef int gf_op_body(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err);

/* dst = store(load(src)), sample by sample; both hold the same span. */
gf_op_body gf_point_cpu, gf_point_cuda;

extern gf_op_body *const gf_ops_cpu[GF_OP_COUNT];
extern gf_op_body *const gf_ops_cuda[GF_OP_COUNT];

/* Words for people: "point", "conv", … */
const char *gf_op_word(enum gf_op op);

/* What a measuring operation leaves of a signal where it is not counts: a record a block of units and channel, in order. */
struct gf_records {
    int64_t block_units;
    int channels;
    size_t bytes;               /* of one; 0: the operation makes none */
    bool keep;                  /* all of them are wanted, in order */
    int64_t joined;             /* so many of a channel that stand side by side are kept as one; 0: each by itself */
};

struct gf_records gf_op_records(enum gf_op op, const void *params);

/*
 * Scratch that the C body of an operation needs at most for a dst of `units` units.
 * `src_units` is the most that the matching src may hold.
 */
size_t gf_op_scratch_bytes(enum gf_op op, const void *params, const struct gf_io *shape);

#ifdef __cplusplus
}
#endif
#endif
