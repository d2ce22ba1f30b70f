/*
 * The interface of operations. Each one has a contract in NAME.h, a C body in NAME.c and a CUDA body in NAME.cu.
 * NAME.c also has its descriptor, `const struct gf_operation gf_op_NAME`, with everything that others need to know.
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
    void *scratch;              /* CPU only: as many bytes as the descriptor asks for */
    size_t scratch_bytes;
    void *stream;               /* cudaStream_t on a GPU */
    void *carry;                /* state of an operation that carries: zero at first, then as it was left by the units before */
    int64_t mask_count;         /* on a GPU: floats at host_masks */
    int64_t masks_version;      /* on a GPU: changes with the masks in constant memory; 0: read the pool instead */
};

#define GF_CONSTANT_MASKS 16384          /* floats: all 64 KB of a module's constant memory */
#define GF_CONSTANT_GPUS 64              /* GPUs that have masks in constant memory; further ones read the pool */

/* Computes io->dst, or says why not. On a GPU it is queued on the stream, not awaited. */
typedef int gf_op_body(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err);

/*
 * Returns the most memory that a body needs besides its blocks: for the dst of `shape` and the largest src for it. A
 * C body gets it as scratch; a CUDA body takes it from its stream's pool.
 */
typedef size_t gf_op_scratch(const struct gf_io *shape, const void *params);

/* The result of a measuring operation is either counts for the whole signal … */
struct gf_counts {
    int bins, channels;
    int lines;                  /* rows of bins in all: one a channel, or one for each tile and channel */
};

/* … or records in order, one for each channel of each block of units. */
struct gf_records {
    int64_t block_units;
    int channels;
    size_t bytes;               /* of one; 0: the operation makes none */
    bool keep;                  /* all are kept, in order; else each begins with a struct gf_reduced, its levels */
    int64_t joined;             /* so many consecutive records of a channel are kept as one; 0: each by itself */
};

/*
 * What a sample costs, of the result or of what is measured: light operations, the mean of unpacking
 * and of packing; and weights that are added up as a convolution does.
 */
struct gf_cost {
    double light, weights;
};

/* The layouts that a body can read. */
enum gf_reads {
    GF_READS_PLANAR,            /* rows of floats alone */
    GF_READS_INTEGERS,          /* also packed u8 and u16 */
    GF_READS_PACKED             /* also packed samples of all types */
};

/* The body of an operation for a kind of device, and its abilities there. */
struct gf_op_device {
    gf_op_body *body;
    enum gf_reads reads;
    bool loads;                 /* runs a program on what it reads from a file */
    bool stores_packed;         /* writes packed samples */
    bool stores_program;        /* runs a program on the result before it is written */
    gf_op_scratch *scratch_bytes;       /* NULL: it needs none */
};

/* Abilities of most bodies on a GPU: all run a program and pack as they store; some read packed samples, too. */
#define GF_OP_STORES .stores_packed = true, .stores_program = true
#define GF_OP_READS_AND_STORES .reads = GF_READS_PACKED, GF_OP_STORES
#define GF_OP_LOADS_AND_STORES .loads = true, GF_OP_READS_AND_STORES

/* Names a CUDA body; NULL in a build without CUDA. */
#ifdef GF_HAVE_CUDA
#define GF_CUDA_BODY(body) body
#else
#define GF_CUDA_BODY(body) NULL
#endif

/* Room for parameters that a hook below changes; their size must not exceed it. */
#define GF_OP_CHANGED_BYTES 128
union gf_op_changed {
    int64_t aligned;
    unsigned char bytes[GF_OP_CHANGED_BYTES];
};

/* The descriptor of an operation. A member that is left out means no, none or the default. */
struct gf_operation {
    const char *word;           /* its name in reports: "point", "conv", … */
    size_t params_bytes;
    bool only_programs;         /* it only runs its programs; a single one is in `load` */
    bool moves;                 /* copies stored samples, packed or planar, so no program can run in it */
    bool keeps_layout;          /* the result is packed if the source is; programs are steps of their own */
    int starts_anew;            /* each strip computes the units of its windows again: strips are at least so many times
                                 * as long as the windows; 0: it does not */
    double light;               /* cost of a sample, in light operations; 0: one */
    struct gf_op_device cpu, cuda;
    /* Returns the cost if it depends on the parameters. */
    struct gf_cost (*cost)(const void *params, const struct gf_format *in, const struct gf_format *out);
    /* Prints details for --explain, such as ", 5 by 5 weights". */
    void (*describe)(const void *params, char *text, size_t room);
    /* For a measure: the shape of its result. One that counts adds to uint64_t [line][bin]. */
    struct gf_counts (*counts)(const void *params);
    struct gf_records (*records)(const void *params);
    /* Adds record `more`, which comes after `all`; for records of which several are kept as one. */
    void (*join)(const void *params, void *all, const void *more);
    /* Adds the energies of the records of `blocks` blocks. Returns -1 if memory runs out. */
    int (*take_energies)(struct gf_loudness_energies *all, const void *params, const void *records, int64_t blocks);
    /*
     * Splits the operation in two, for devices that run programs as steps of their own. Returns the factor by which
     * the number of channels grows between them, or 0 if the operation is not split.
     */
    int (*halves)(const void *params, union gf_op_changed *first, union gf_op_changed *second);
    /* For a result that goes straight to 8 bits; `aligned`: the source's rows start at multiples of 32 bytes. */
    void (*to_bytes)(const void *params, bool aligned, union gf_op_changed *changed);
    /* Finds the region of the source `in` that a tile of the result needs. False: it may need samples from anywhere. */
    bool (*region)(const void *params, const struct gf_format *in, struct gf_span columns, struct gf_span rows, struct gf_region *r);
    /* Finds the largest size of a region for tiles of that size. */
    void (*region_size)(const void *params, int64_t tile_columns, int64_t tile_rows, int64_t *columns, int64_t *rows);
};

#ifdef __cplusplus
}
#endif
#endif
