/* The operations of a chain while it is built: what a stage's bind() may ask for and add. */
#ifndef GF_CHAIN_BUILD_H
#define GF_CHAIN_BUILD_H

#include "base/error.h"
#include "base/signal.h"
#include "kernels/base/op.h"
#include "table/table.h"

struct gf_chain;
struct gf_build;             /* in chain.h; stages use it through the functions below */

/*
 * Which units of its input a step needs for units [a, b) of its output: [⌊a·times/per⌋ + shift - before,
 * ⌈b·times/per⌉ + shift + after), as far as the input goes; or all of it. Of a signal whose length
 * nobody knows yet, the output is ⌈length·per/times⌉ + longer units long, but at most `most`.
 *
 * An operation that makes its output in blocks at absolute places, multiples of `grain`, needs what
 * the whole blocks need that [a, b) touches; the same block is the same bytes then, however the signal is cut.
 */
struct gf_need {
    bool whole;
    int64_t before, after, shift;
    int64_t times, per;                  /* 0 is 1; at most 2^31 each */
    int64_t grain;                       /* units of output; 0 is 1 */
    int64_t longer;                      /* below 0: shorter */
    int64_t most;                        /* 0: any number */
    /* of state that a unit hands on to the next: all are made once, one after another */
    int64_t carry_bytes;
};

/* The result of a measuring step, for settle and report. */
struct gf_measured {
    const uint64_t *counts;              /* histogram: [channel][bin], or [tile][channel][bin] */
    const uint64_t *sums;                /* their prefix sums, each channel on its own; not of tiles */
    const struct gf_reduced *reduced;    /* reduce, loudness: one a channel */
    const int64_t *clipped_from;         /* and where the first block begins that has a clipped sample; -1: none has */
    const double *energies;              /* loudness: [block][channel], of whole blocks */
    /* where they are kept: [block][channel]; settle's own, and the report's, as long as its table */
    void *records;
    int64_t blocks;
    int channels;
    int bins;
    int64_t samples;                     /* a channel */
    const struct gf_format *format;      /* of the signal that was measured */
    struct gf_build *build;              /* for what a settle has to say */
};

/*
 * Writes the tables of a stage whose `config` a measure was added with; or says in a table for
 * people what was found.
 */
typedef int gf_settle(const void *config, const struct gf_measured *m, float *tables, struct gf_error *err);
typedef int gf_make_report(const void *config, const struct gf_measured *m, struct gf_build *b, struct gf_table *table,
                           struct gf_error *err);
/* Completes an operation's parameters, or refuses: `in` is what the chain read, `stored` what the output stores. */
typedef int gf_fit_format(void *params, const struct gf_format *in, const struct gf_format *stored,
                          struct gf_error *err);

/* The signal as it stands where the next operation is added. */
const struct gf_format *gf_build_format(const struct gf_build *b);
/* True if samples are as they were read, or only moved: integers are then whole levels. */
bool gf_build_is_stored(const struct gf_build *b);
/* Milliseconds that --latency leaves between what comes in and what goes out; 0 where nobody asks. */
int gf_build_latency(const struct gf_build *b);
/*
 * Bytes that --memory leaves beside the weights and tables so far; 0 where nobody says. Blocks
 * should be no larger than that lets them be.
 */
int64_t gf_build_memory(const struct gf_build *b);
/* Memory that lives as long as the bound chain; zeroed. */
void *gf_build_alloc(struct gf_build *b, size_t bytes);
/* Room for floats in the pool of masks or tables; their offset, and where to write them now. */
int64_t gf_build_alloc_mask(struct gf_build *b, int64_t count, float **weights);
int64_t gf_build_alloc_table(struct gf_build *b, int64_t count, float **entries);

/* Appends a point step; `out` is the signal after it (same width and units). */
int gf_build_point(struct gf_build *b, const struct gf_point_step *step, const struct gf_format *out,
                   struct gf_error *err) GF_MUST_CHECK;
/*
 * True if all samples are finite here for any input. The second function makes others 0, before a
 * stage mixes samples.
 */
bool gf_build_is_finite(const struct gf_build *b);
int gf_build_make_finite(struct gf_build *b, struct gf_error *err) GF_MUST_CHECK;
/* Appends an operation on all channels. */
int gf_build_op(struct gf_build *b, const struct gf_operation *op, const void *params,
                struct gf_need need, const struct gf_format *out, struct gf_error *err) GF_MUST_CHECK;
/*
 * The operation added last learns what the output stores before it runs, or what comes out of the chain where that
 * is a table: `fit` completes its parameters, or refuses.
 */
void gf_build_set_fit(struct gf_build *b, gf_fit_format *fit);
/* Multiply colours by alpha before a stage that mixes pixels, and divide by it after; without alpha they do nothing. */
int gf_build_premultiply(struct gf_build *b, struct gf_error *err) GF_MUST_CHECK;
int gf_build_unpremultiply(struct gf_build *b, struct gf_error *err) GF_MUST_CHECK;
/* The signal as it is here goes to a file too, and on unchanged. */
int gf_build_tee(struct gf_build *b, const char *file, struct gf_error *err) GF_MUST_CHECK;
/*
 * A picture that the stage works with beside the signal: its number among the chain's, and its format, or -1. Of a
 * file with several in a row the n-th stands beside the n-th of the input; one alone stands beside all of them. It
 * is upright and packed as stored (luma and chroma: as floats of red, green and blue). Two stages may name one file.
 */
int gf_build_side(struct gf_build *b, const char *file, const struct gf_format **format,
                  struct gf_error *err) GF_MUST_CHECK;
/* Says in one line, once the run has begun, what can hardly be meant; of several lines the first. */
void gf_build_remark(struct gf_build *b, const char *format, ...) GF_PRINTF(2, 3);
/*
 * The stage counts values in bins from 0 to 1 (audio: -1 to 1). Floats outside are counted in the
 * outermost ones, which the input's file is warned about.
 */
void gf_build_mark_binned(struct gf_build *b);
/* Says that values outside the range stay outside as configured, although the descriptor sets .range. */
void gf_build_mark_range_kept(struct gf_build *b);
/* The stage leaves pixels that are not opaque, whatever the input is like. */
void gf_build_mark_transparent(struct gf_build *b);
/* For a stage that measures: it raises samples so many dB above full scale. A warning says so if they are clipped. */
void gf_build_mark_above_scale(struct gf_build *b, double decibels);
/* Returns the name of that image's file, for messages. Braces in it are filled in for the current input. */
const char *gf_build_side_name(const struct gf_build *b, int side);
/*
 * The operation or measure that was added last has it as its second source: row y of what the operation reads
 * lies beside the picture's row y - shift (struct gf_io in kernels/base/op.h).
 */
void gf_build_use_side(struct gf_build *b, int side, int64_t shift);
/*
 * The light in which a stage mixes pixels. With GF_LIGHT_LINEAR the sRGB curve is undone before the stage and before
 * gf_build_premultiply(), and applied again after the stage and after gf_build_unpremultiply().
 * Otherwise nothing happens. Alpha has no curve.
 */
enum gf_light { GF_LIGHT_ENCODED, GF_LIGHT_LINEAR };
int gf_build_to_linear(struct gf_build *b, enum gf_light light, struct gf_error *err) GF_MUST_CHECK;
int gf_build_from_linear(struct gf_build *b, enum gf_light light, struct gf_error *err) GF_MUST_CHECK;
/*
 * Sees all of the signal at this place first, through the program `view` (NULL: as it is);
 * `settle` then writes the table it allocated before. `report` instead of settle ends the
 * chain: the result is a table for people.
 */
int gf_build_measure(struct gf_build *b, const struct gf_operation *op, const void *params,
                     const struct gf_point *view, gf_settle *settle, gf_make_report *report, const void *config,
                     struct gf_error *err) GF_MUST_CHECK;

/* The same, for a chain that ends in a table to be looked at: it is drawn where nothing tells what is wanted. */
int gf_build_drawing(struct gf_build *b, const struct gf_operation *op, const void *params, gf_make_report *report,
                     const void *config, struct gf_error *err) GF_MUST_CHECK;

/* ---- for what works with the whole chain ---- */

/* Returns whether samples leave the first `links` operations as they were read, except that they may have moved. */
bool gf_build_only_moves(const struct gf_chain *chain, int links);
/* Frees the memory that was allocated since the chain was bound, which is that of the last report. */
void gf_build_rewind(struct gf_chain *chain);

#endif
