/*
 * The interface of operations. Each one has a contract in NAME.h, a C body in NAME.c and a CUDA body in NAME.cu.
 * NAME.c also has its descriptor, `const struct gf_operation gf_op_NAME`, with everything that others need to know.
 */
#ifndef GF_KERNELS_OP_H
#define GF_KERNELS_OP_H

#include "base/affine.h"
#include "base/error.h"
#include "base/signal.h"
#include "kernels/base/border.h"
#include "kernels/base/point.h"

struct gf_region;

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The input and output of a body, which computes dst.span from src, which has every unit of the signal
 * that the span needs. In this order: packed samples become floats (v/maxval, v/2^(bits-1)); `load`
 * is applied to what is read; the operation works; `store` is applied; floats become packed samples
 * (times maxval or 2^(bits-1) as a float, rounded to nearest, ties to even, clamped, NaN to 0). NULL
 * programs change nothing.
 */
struct gf_io {
    struct gf_block src, dst;
    const struct gf_point *load, *store;
    int64_t src_units;          /* length of the whole signal */
    int64_t signal;             /* index of the image within its input, from 0 */
    /*
     * The second source, if the operation has one: an image of beside_units rows with its own
     * width, type and channels, packed as stored. v/maxval turns it into floats, and no program is
     * applied. Row y of the signal corresponds to its row y - beside_shift, which may not exist.
     * `beside` has all existing rows that correspond to those of src that dst.span needs, or to
     * dst.span itself if the operation says beside_is_map; its span counts in rows of the second
     * image. If there are none, the span is empty and the data undefined. Each operation maps the
     * columns itself.
     */
    struct gf_block beside;
    int64_t beside_units, beside_shift;
    /*
     * The window of an operation that works on frames in time: the images before the current one, itself, and those
     * after it, in their order, as far as they exist. Their rows have the numbers of src, which has the same values as
     * frame[frame_now]; they are packed as stored, and no program is applied. There are none for an image that has no
     * window: src is then alone. If the stage declares so, `luma` has the mean brightness of each image instead of the
     * images: that of its samples from 0 to 1, or of luma above black.
     */
    const struct gf_block *frame;
    const double *luma;
    int frames, frame_now;
    double between;             /* the time of the result, from frame[frame_now] (0) to the one after it (1) */
};

#define GF_MOST_FRAMES 31                /* of a window; sums of so many integer samples are exact floats */

/* Returns true if packed bytes, with white of 255, become packed bytes and there are no programs. */
static inline bool gf_is_bytes_to_bytes(const struct gf_io *io)
{
    return !io->src.planar && io->src.type == GF_U8 && io->src.maxval == 255 && gf_point_is_identity(io->load)
        && !io->dst.planar && io->dst.type == GF_U8 && io->dst.maxval == 255 && gf_point_is_identity(io->store);
}

/* Returns the channels of a sample that was loaded: those that the operation works on. */
static inline int gf_channels_at_work(const struct gf_io *io)
{
    return io->load != NULL ? io->load->out : io->src.channels;
}

#define GF_CONSTANT_MASKS 16384          /* floats: all 64 KB of a module's constant memory */
#define GF_CONSTANT_GPUS 64              /* GPUs that have masks in constant memory; further ones read the pool */
#define GF_CONSTANT_PLACES 64            /* different masks that are there at the same time */

/* The place of masks in the constant memory of a GPU, which all chains share. */
struct gf_constant {
    int64_t version;            /* differs for all masks that are or were there; 0: read the pool instead */
    int64_t at, count;          /* in floats */
    int number;                 /* below GF_CONSTANT_PLACES; no other place has it, or overlaps this one */
};

/*
 * The resources of a body. The pools belong to the chain and are in the device's memory. Masks and
 * tables are named by offset, so parameters mean the same on every device.
 */
struct gf_work {
    const float *masks;
    const float *tables;
    const float *host_masks;    /* on a GPU: the same masks in memory that launches can read; NULL: not available */
    void *scratch;              /* CPU only: scratch_bytes bytes, as the descriptor computes them */
    size_t scratch_bytes;
    /*
     * CPU: false until the body has computed scratch memory that serves all calls with these pools, and sets it; NULL:
     * other bodies use the memory in between
     */
    bool *scratch_ready;
    void *stream;               /* cudaStream_t on a GPU */
    /* state of an operation that carries: zero at first, then as the previous units left it */
    void *carry;
    struct gf_constant constant;         /* on a GPU: the first of the masks in constant memory */
};

/* Computes io->dst, or fails with a message. On a GPU the work is queued on the stream and not awaited. */
typedef int gf_op_body(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err);

/*
 * Returns the most memory that a body needs besides its blocks: for the dst of `shape` and the largest src for it. A
 * C body gets it as scratch; a CUDA body takes it from its stream's pool.
 */
typedef size_t gf_op_scratch(const struct gf_io *shape, const void *params);

/* The result of a measuring operation is either counts for the whole signal, */
struct gf_counts {
    int bins, channels;
    int lines;                  /* rows of bins: one for each channel, or for each tile and channel */
};

/* or records in order, one for each channel of each block of units. */
struct gf_records {
    int64_t block_units;
    int channels;
    size_t bytes;               /* bytes of a record; 0: no records */
    /* all records are kept, in order; otherwise each begins with a struct gf_reduced, its levels */
    bool keep;
    int64_t joined;             /* this many consecutive records of a channel are joined to one; 0: none */
    int64_t units;              /* only so many units from the start of the signal count; 0: all */
    bool energies;              /* each has the energy of its block, as in struct gf_loudness_record */
};

/*
 * Cost for each sample of the result, or of the source of a measure, on one kind of device. `light`
 * counts light operations: the mean of unpacking and packing bytes is 1, and memory limits it.
 * `weights` counts the weights that a convolution adds up in the same time, and arithmetic limits it.
 */
struct gf_cost {
    double light, weights;
};

/* Returns the cost of an operation whose cost depends on its parameters. */
typedef struct gf_cost gf_op_cost_hook(const void *params, const struct gf_format *in, const struct gf_format *out);

/* The layouts that a body can read. */
enum gf_reads {
    GF_READS_PLANAR,            /* rows of floats only */
    GF_READS_INTEGERS,          /* also packed u8 and u16 */
    GF_READS_PACKED             /* also packed samples of all types */
};

/* The body of an operation for a kind of device, and its abilities there. */
struct gf_op_device {
    gf_op_body *body;
    enum gf_reads reads;
    bool loads;                 /* runs a program on samples that it reads from a file */
    bool stores_packed;         /* writes packed samples */
    bool stores_program;        /* runs a program on the result before it is written */
    gf_op_scratch *scratch_bytes;       /* NULL: it needs none */
    double light;               /* cost of a sample in light operations; 0 means 1 */
    gf_op_cost_hook *cost;      /* the cost if it depends on the parameters; NULL: `light` */
    /*
     * CPU only, for an operation that carries state: copies the state to the scratch memory and then moves it past the
     * units of dst, without computing them. The body gets the copy as its state, while the next segment goes on.
     * Returns false, and changes nothing, if it cannot. NULL: segments wait for each other's results.
     */
    bool (*leave_state)(const struct gf_work *work, const struct gf_io *io, const void *params);
};

/*
 * Abilities of most bodies on a GPU: all run a program and pack when they store; some also read
 * packed samples.
 */
#define GF_OP_STORES .stores_packed = true, .stores_program = true
#define GF_OP_READS_AND_STORES .reads = GF_READS_PACKED, GF_OP_STORES
#define GF_OP_LOADS_AND_STORES .loads = true, GF_OP_READS_AND_STORES

/* Names a CUDA body; NULL in a build without CUDA. */
#ifdef GF_HAVE_CUDA
#define GF_CUDA_BODY(body) body
#else
#define GF_CUDA_BODY(body) NULL
#endif

/* Space for parameters that a hook below changes; their size must not exceed it. */
#define GF_OP_CHANGED_BYTES 128
union gf_op_changed {
    int64_t aligned;
    unsigned char bytes[GF_OP_CHANGED_BYTES];
};

/* The columns that an operation reads around a sample, and the step of its units; struct gf_need has the units. */
struct gf_reach {
    int64_t left, right;
    int64_t step;               /* results depend on the position modulo this many units; 0: not at all */
};

/* The descriptor's `reach` of an operation that works on each column by itself. */
static inline bool gf_reach_own_column(const void *params, struct gf_reach *reach)
{
    (void)params;
    reach->left = reach->right = reach->step = 0;
    return true;
}

/* Fills in the reach of a square; false if samples come from the other end of the signal. */
static inline bool gf_reach_square(int64_t radius, enum gf_border border, struct gf_reach *reach)
{
    reach->left = reach->right = radius;
    reach->step = 0;
    return border != GF_WRAP;
}

/* Returns the end of `rows` rows of `each` floats from `at` on in a pool; -1: the numbers make no sense. */
static inline int64_t gf_op_rows_end(int64_t at, int64_t rows, int64_t each)
{
    const int64_t most = INT64_C(1) << 30;

    return at < 0 || at > INT64_MAX / 2 || rows < 1 || rows > most || each < 1 || each > most ? -1 : at + rows * each;
}

/*
 * Returns the row that is `at` rows after row 0 in a second source of `units` rows that begins again at its end: the
 * one from `first` on, if rows from 0 on follow the last one.
 */
GF_BOTH int64_t gf_looped_row(int64_t at, int64_t units, int64_t first)
{
    const int64_t row = at % units;

    return row < first ? row + units : row;
}

/* The source of an operation whose result is stored in 8 bits. */
struct gf_op_source {
    enum gf_type type;
    int channels;
    bool planar;                /* rows of floats; otherwise packed samples */
    int64_t pitch_bytes;
};

/* The descriptor of an operation. A member that is left out means no, none, or the default. */
struct gf_operation {
    const char *word;           /* its name in reports: "point", "conv", … */
    const char *text;           /* what it computes, in a sentence or two for the manual */
    size_t params_bytes;
    bool only_programs;         /* does nothing but run its programs; if there is only one, it is `load` */
    bool moves;                 /* copies stored samples, packed or planar, so no program can run in it */
    bool keeps_layout;          /* the result is packed if the source is; programs become separate steps */
    /* the second source has positions, not samples; its rows correspond to those of the result, not of the source */
    bool beside_is_map;
    /*
     * Returns true if the second source begins again at its end: row y of the signal corresponds to its row
     * gf_looped_row(y - beside_shift), from y = beside_shift on. The span of `beside` begins before beside_units,
     * and ends after it if rows from 0 on follow. NULL: it never does.
     */
    bool (*beside_loops)(const void *params);
    /*
     * each strip computes the units under its windows again: strips are at least this many times as
     * long as the windows; 0: not needed
     */
    int starts_anew;
    /* Returns how many units of its result segments and strips of a CPU should have, at least; NULL: 1. */
    int (*least_units)(const void *params, const struct gf_format *out);
    struct gf_op_device cpu, cuda;
    /* Prints details for --explain, such as ", 5 by 5 weights". */
    void (*describe)(const void *params, bool cuda, char *text, size_t room);
    /*
     * Sets *to_source to the map from positions in the result to those in the source, which metadata follows. NULL:
     * they are the same.
     */
    void (*map)(const void *params, struct gf_affine *to_source);
    /* For a measure: the shape of its result. One that counts adds to uint64_t [line][bin]. */
    struct gf_counts (*counts)(const void *params);
    struct gf_records (*records)(const void *params);
    /* Joins record `more` to the record `all` before it. */
    void (*join)(const void *params, void *all, const void *more);
    /*
     * Splits the operation in two for a device, which runs programs as separate steps or fuses them. Returns the
     * factor by which the number of channels grows between the halves, or 0 if it is not split.
     */
    int (*halves)(const void *params, bool fuses, union gf_op_changed *first, union gf_op_changed *second);
    /*
     * Returns true if packed samples of that format are computed faster from packed samples of the same format by one
     * call than in halves or from planes, on devices that run programs as separate steps. The result is the same.
     */
    bool (*at_once)(const void *params, const struct gf_format *format);
    /*
     * Fills in the columns around a sample that its result depends on, and the step. NULL, or false: it also depends on
     * the position in the signal, so that a piece of the input does not give a piece of the result.
     */
    bool (*reach)(const void *params, struct gf_reach *reach);
    /*
     * Returns the end of what it reads in the pool of masks with so many channels; -1: the parameters make no sense.
     * NULL: it reads none.
     */
    int64_t (*masks_end)(const void *params, int channels);
    /* The end of what it reads in the pool of tables for a result of that format, in the same way. */
    int64_t (*tables_end)(const void *params, const struct gf_format *out);
    /* Adapts the parameters for a result in 8 bits. */
    void (*to_bytes)(const void *params, const struct gf_op_source *source, union gf_op_changed *changed);
    /* Finds the region of the source `in` that a tile of the result needs. False: it may need samples from anywhere. */
    bool (*region)(const void *params, const struct gf_format *in, struct gf_span columns, struct gf_span rows,
                   struct gf_region *r);
    /* Finds the largest size of a region for tiles of that size. */
    void (*region_size)(const void *params, int64_t tile_columns, int64_t tile_rows, int64_t *columns, int64_t *rows);
};

#ifdef __cplusplus
}
#endif
#endif
