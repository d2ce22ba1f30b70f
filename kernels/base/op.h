/*
 * What an operation is: each has one contract in its own header, a C body (NAME.c) and a CUDA body (NAME.cu).
 * Beside the C body stands its descriptor, `const struct gf_operation gf_op_NAME`, which says all that others need to know.
 */
#ifndef GF_KERNELS_OP_H
#define GF_KERNELS_OP_H

#include "base/error.h"
#include "base/signal.h"
#include "kernels/base/border.h"
#include "kernels/base/point.h"

struct gf_loudness_energies;
struct gf_region;

#ifdef __cplusplus
extern "C" {
#endif

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
    void *scratch;              /* as much as the descriptor says; on a CPU only */
    size_t scratch_bytes;
    void *stream;               /* cudaStream_t on a GPU */
    void *carry;                /* state of an operation that carries: zero at first, then as it was left by the units before */
    bool masks_constant;        /* on a GPU: the first GF_CONSTANT_MASKS floats of the pool are in constant memory */
};

#define GF_CONSTANT_MASKS 16384          /* floats: all 64 KB of a module's constant memory */

/* Computes io->dst, or says why not. On a GPU it is queued on the stream, not awaited. */
typedef int gf_op_body(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err);

/*
 * Memory that a body needs beside its blocks, at most, for the dst of `shape`; its src is the most that may come with that. A
 * C body has it as scratch, a CUDA body takes it from its stream's pool.
 */
typedef size_t gf_op_scratch(const struct gf_io *shape, const void *params);

/* What a measuring operation leaves of a signal: numbers to count with, of all of it … */
struct gf_counts {
    int bins, channels;
    int lines;                  /* of bins, all in all: one a channel, or one for each tile and channel */
};

/* … or a record a block of units and channel, in order. */
struct gf_records {
    int64_t block_units;
    int channels;
    size_t bytes;               /* of one; 0: the operation makes none */
    bool keep;                  /* all of them are wanted, in order; else each begins with a struct gf_reduced, its levels */
    int64_t joined;             /* so many of a channel that stand side by side are kept as one; 0: each by itself */
};

/*
 * What a sample costs, of the result or of what is measured: light operations, the mean of unpacking
 * and of packing; and weights that are added up as a convolution does.
 */
struct gf_cost {
    double light, weights;
};

/* From where a body can read. */
enum gf_reads {
    GF_READS_PLANAR,            /* rows of floats alone */
    GF_READS_INTEGERS,          /* and packed u8 and u16 */
    GF_READS_PACKED             /* and packed samples of all types */
};

/* What an operation is on a kind of device. */
struct gf_op_device {
    gf_op_body *body;
    enum gf_reads reads;
    bool loads;                 /* runs a program on what it reads from a file */
    bool stores_packed;         /* and writes packed samples */
    bool stores_program;        /* after a program */
    gf_op_scratch *scratch_bytes;       /* NULL: none */
};

/* What most bodies can do on a GPU: programs and packing ride in the store; and more, of packed samples. */
#define GF_OP_STORES .stores_packed = true, .stores_program = true
#define GF_OP_READS_AND_STORES .reads = GF_READS_PACKED, GF_OP_STORES
#define GF_OP_LOADS_AND_STORES .loads = true, GF_OP_READS_AND_STORES

/* A CUDA body, in a build that has some. */
#ifdef GF_HAVE_CUDA
#define GF_CUDA_BODY(body) body
#else
#define GF_CUDA_BODY(body) NULL
#endif

/* Room for parameters that a hook below has changed; `sizeof` of those is no more. */
#define GF_OP_CHANGED_BYTES 128
union gf_op_changed {
    int64_t aligned;
    unsigned char bytes[GF_OP_CHANGED_BYTES];
};

/* All that there is to know of an operation. What is left out is none, no, or NULL. */
struct gf_operation {
    const char *word;           /* for people: "point", "conv", … */
    size_t params_bytes;
    bool only_programs;         /* its programs are all it does; in `load`, if it has no other */
    bool moves;                 /* stored samples, packed or planar, so that no program can ride in it */
    bool keeps_layout;          /* packed samples come out packed, planar ones planar; programs are steps of their own */
    int starts_anew;            /* with each strip, at the price of the units its windows reach over: strips are so many times
                                 * as long as these, at least; 0: it does not */
    double light;               /* what a sample costs, in light operations; 0: one */
    struct gf_op_device cpu, cuda;
    /* The cost, where it depends on the parameters. */
    struct gf_cost (*cost)(const void *params, const struct gf_format *in, const struct gf_format *out);
    /* ", 5 by 5 weights", for --explain. */
    void (*describe)(const void *params, char *text, size_t room);
    /* Of a measure: what it leaves. One that counts adds to uint64_t [line][bin]. */
    struct gf_counts (*counts)(const void *params);
    struct gf_records (*records)(const void *params);
    /* Adds record `more`, which stands after `all`; NULL: floats that are added one by one. */
    void (*join)(void *all, const void *more);
    /* Takes the energies of so many blocks' records. -1: there is no memory. */
    int (*take_energies)(struct gf_loudness_energies *all, const void *params, const void *records, int64_t blocks);
    /*
     * The two halves that devices whose programs do not ride work on one after the other; returns how many times the channels
     * lie between, or 0 where the operation is not cut in two.
     */
    int (*halves)(const void *params, union gf_op_changed *first, union gf_op_changed *second);
    /* For a result that goes straight to 8 bits; `aligned`: the source's rows start at multiples of 32 bytes. */
    void (*to_bytes)(const void *params, bool aligned, union gf_op_changed *changed);
    /* The region of the source `in` that a tile of the result needs. False: it may need samples from anywhere. */
    bool (*region)(const void *params, const struct gf_format *in, struct gf_span columns, struct gf_span rows, struct gf_region *r);
    /* The most columns and rows of a region for tiles of such a size. */
    void (*region_size)(const void *params, int64_t tile_columns, int64_t tile_rows, int64_t *columns, int64_t *rows);
};

#ifdef __cplusplus
}
#endif
#endif
