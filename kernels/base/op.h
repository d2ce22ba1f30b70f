/*
 * What an operation is: each has one contract in its own header, a C body (NAME.c) and a
 * CUDA body (NAME.cu). A device is a table of bodies; kernels/operations.h has the tables.
 */
#ifndef GF_KERNELS_OP_H
#define GF_KERNELS_OP_H

#include "base/error.h"
#include "base/signal.h"
#include "kernels/base/border.h"
#include "kernels/base/point.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Every operation: its name, and what its parameters are. The enumeration and both tables of
 * bodies are made of this list, so that none can be in another order; the facts are in kernels/operations.c.
 */
#define GF_OPERATIONS(X) \
    X(POINT, point)              /* params: none; the programs say it all */    \
    X(CONV, conv)                /* struct gf_conv, conv.h */                   \
    X(SAMPLE, sample)            /* struct gf_sample, sample.h */               \
    X(MOVE, move)                /* struct gf_move, move.h */                   \
    X(HISTOGRAM, histogram)      /* struct gf_histogram, histogram.h */         \
    X(REDUCE, reduce)            /* struct gf_reduce, reduce.h */               \
    X(SCAN, scan)                /* struct gf_scan, scan.h */                   \
    X(YUV, yuv)                  /* struct gf_yuv_op, yuv.h */                  \
    X(PAD, pad)                  /* struct gf_pad, pad.h */                     \
    X(BOX, box)                  /* struct gf_box, box.h */                     \
    X(BILATERAL, bilateral)      /* struct gf_bilateral, bilateral.h */         \
    X(RESIZE, resize)            /* struct gf_resize, resize.h */               \
    X(TABLE_GRID, table_grid)    /* struct gf_table_grid, table_grid.h */       \
    X(RANK, rank)                /* struct gf_rank, rank.h */                   \
    X(PREFIX, prefix)            /* struct gf_prefix, prefix.h */               \
    X(RECUR, recur)              /* struct gf_recur, recur.h */                 \
    X(RESAMPLE, resample)        /* struct gf_resample, resample.h */           \
    X(LOUDNESS, loudness)        /* struct gf_loudness, loudness.h */           \
    X(SELECT, select)            /* struct gf_select, select.h */               \
    X(SHIFT, shift)              /* struct gf_shift, shift.h */                 \
    X(ECHO, echo)                /* struct gf_echo, echo.h */                   \
    X(FADE, fade)                /* struct gf_fade, fade.h */                   \
    X(LIMIT, limit)              /* struct gf_limit, limit.h */                 \
    X(NOISE, noise)              /* struct gf_noise, noise.h */                 \
    X(SSIM, ssim)                /* struct gf_ssim, ssim.h */                   \
    X(FFTCONV, fftconv)          /* struct gf_fftconv, fftconv.h */             \
    X(SPECTRUM, spectrum)        /* struct gf_spectrum, spectrum.h */           \
    X(COLLECT, collect)          /* struct gf_collect, collect.h */             \
    X(BLEND, blend)              /* struct gf_blend, blend.h */                 \
    X(VIGNETTE, vignette)        /* struct gf_vignette, vignette.h */           \
    X(NONMAX, nonmax)            /* struct gf_nonmax, nonmax.h */               \
    X(SEAMS, seams)              /* struct gf_hysteresis, hysteresis.h */       \
    X(HYSTERESIS, hysteresis)    /* struct gf_hysteresis, hysteresis.h */

#define GF_OP_ENTRY(NAME, name) GF_OP_##NAME,
enum gf_op {
    GF_OPERATIONS(GF_OP_ENTRY)
    GF_OP_COUNT
};

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
    int64_t signal;             /* which of its input's pictures that is, from 0 */
    /*
     * A second source, of an operation that has one: a picture of beside_units rows and a width, type and
     * channels of its own, packed as it was stored; v/maxval makes floats of it, and no program is applied. Row y of the
     * signal lies beside its row y - beside_shift, which there may be none of. `beside` holds, of
     * the rows that lie beside what dst.span needs of src, all that there are; its span counts in rows of its own, and
     * is empty where there are none, with data that may be anything. Columns are the operation's matter.
     */
    struct gf_block beside;
    int64_t beside_units, beside_shift;
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

/* Scratch that a C body needs at most for the dst of `shape`; its src is the most that may come with that. */
typedef size_t gf_op_scratch(const struct gf_io *shape, const void *params);

/* What a measuring operation leaves of a signal where it is not counts: a record a block of units and channel, in order. */
struct gf_records {
    int64_t block_units;
    int channels;
    size_t bytes;               /* of one; 0: the operation makes none */
    bool keep;                  /* all of them are wanted, in order */
    int64_t joined;             /* so many of a channel that stand side by side are kept as one; 0: each by itself */
};

/*
 * What a sample costs, of the result or of what is measured: light operations, the mean of unpacking
 * and of packing; and weights that are added up as a convolution does.
 */
struct gf_cost {
    double light, weights;
};

typedef struct gf_cost gf_op_cost_of(const void *params, const struct gf_format *in, const struct gf_format *out);

/* From where a body can read. */
enum gf_reads {
    GF_READS_PLANAR,            /* rows of floats alone */
    GF_READS_INTEGERS,          /* and packed u8 and u16 */
    GF_READS_PACKED             /* and packed samples of all types */
};

/* What a body can do on a kind of device. */
struct gf_op_can {
    enum gf_reads reads;
    bool loads;                 /* runs a program on what it reads from a file */
    bool stores_packed;         /* and writes packed samples */
    bool stores_program;        /* behind a program */
};

/* What there is to know of an operation without calling it. */
struct gf_op_facts {
    const char *word;           /* for people: "point", "conv", … */
    bool moves;                 /* stored samples, packed or planar, so that no program can ride in it */
    bool keeps_layout;          /* packed samples come out packed, planar ones planar; programs are steps of their own */
    int starts_anew;            /* with each strip, at the price of the units its windows reach over: strips are so many times
                                 * as long as these, at least; 0: it does not */
    struct gf_op_can cpu, cuda;
    gf_op_scratch *scratch_bytes;                                   /* of the C body; NULL: none */
    gf_op_scratch *gpu_scratch_bytes;                               /* what the CUDA body takes from its stream's pool; NULL: nothing */
    struct gf_records (*records)(const void *params);               /* NULL: it makes none */
    gf_op_cost_of *cost;                                            /* NULL: one light operation */
    void (*describe)(const void *params, char *text, size_t room);  /* ", 5 by 5 weights", for --explain; NULL: nothing to say */
};

#ifdef __cplusplus
}
#endif
#endif
