/* The operations of a chain under construction: what a stage's bind() may request and add. */
#ifndef GF_CHAIN_BUILD_H
#define GF_CHAIN_BUILD_H

#include "base/error.h"
#include "base/signal.h"
#include "base/tiling.h"
#include "kernels/base/op.h"
#include "table/table.h"

struct gf_binding;
struct gf_build;             /* in binding.h; stages use it through the functions below */

/*
 * The units of its input that a step needs for units [a, b) of its output:
 * [⌊a·times/per⌋ + shift - before, ⌈b·times/per⌉ + shift + after), limited to the input; or all of it.
 * If the length of the input is not known yet, the output has ⌈length·per/times⌉ + longer units,
 * but at most `most`.
 *
 * With a `grain`, the operation makes its output in blocks at multiples of `grain`, and needs the
 * input of all blocks that [a, b) touches. Each block has the same bytes however the signal is cut.
 */
struct gf_need {
    bool whole;
    int64_t before, after, shift;
    int64_t times, per;                  /* 0 means 1; at most 2^31 each */
    int64_t grain;                       /* units of output; 0 means 1 */
    int64_t longer;                      /* a negative number makes it shorter */
    int64_t most;                        /* 0: any number */
    /* bytes of state that each unit passes to the next; such units are computed once, in order */
    int64_t carry_bytes;
};

/* The images before and after an image that a stage needs (gf_stage.frames). */
struct gf_frames {
    int before, after;
    bool luma;                           /* it needs their brightness, not their samples */
    /*
     * The stage gets images at this rate, as a fraction, instead of those of the input: the image that is shown at the
     * time of each, nearest in time, or the last one before it if it is `between` two. 0: all images of the input.
     */
    int rate[2];
    bool between;
};

/* The result of a measuring step, for settle and report. */
struct gf_measured {
    const uint64_t *counts;              /* histogram: [channel][bin], or [tile][channel][bin] */
    const uint64_t *sums;                /* their prefix sums, per channel; not made for tiles */
    const struct gf_reduced *reduced;    /* reduce, loudness: one per channel */
    const int64_t *clipped_from;         /* start of the first block with a clipped sample; -1: there is none */
    const double *energies;              /* loudness: [block][channel], whole blocks only */
    /*
     * collected rows, [block][channel]; settle owns them, and a report as long as its table lasts
     */
    void *records;
    int64_t blocks;
    int channels;
    int bins;
    int64_t samples;                     /* per channel */
    const struct gf_format *format;      /* of the measured signal */
    struct gf_build *build;              /* for warnings of a settle */
};

/*
 * Writes the tables of a stage from what was measured, or reports the result as a table. `config`
 * is the stage's, as given to gf_build_measure().
 */
typedef int gf_settle(const void *config, const struct gf_measured *m, float *tables, struct gf_error *err);
typedef int gf_make_report(const void *config, const struct gf_measured *m, struct gf_build *b, struct gf_table *table,
                           struct gf_error *err);
/*
 * Completes the parameters of an operation in *fitted, or fails. `in` is the format of the input, `stored`
 * that of the output.
 */
typedef int gf_fit_format(const void *params, union gf_op_changed *fitted, const struct gf_format *in,
                          const struct gf_format *stored, struct gf_error *err);

/* The format of the signal before the next operation. */
const struct gf_format *gf_build_format(const struct gf_build *b);
/* True if samples are as they were read, or only moved. Integer samples are then whole levels. */
bool gf_build_is_stored(const struct gf_build *b);
/* Milliseconds that --latency allows between input and output; 0 if it is not given. */
int gf_build_latency(const struct gf_build *b);
/* Bytes of --memory that are left after the weights and tables so far; 0 if it is not given. */
int64_t gf_build_memory(const struct gf_build *b);
/* Allocates zeroed memory that lives as long as the binding. */
void *gf_build_alloc(struct gf_build *b, size_t bytes);
/*
 * Reserves floats in the pool of masks or tables. Returns their offset; *entries is where to write
 * them now.
 */
int64_t gf_build_alloc_mask(struct gf_build *b, int64_t count, float **weights);
int64_t gf_build_alloc_table(struct gf_build *b, int64_t count, float **entries);

/* Appends a point step. `out` is the signal after it, with the same width and units. */
int gf_build_point(struct gf_build *b, const struct gf_point_step *step, const struct gf_format *out,
                   struct gf_error *err) GF_MUST_CHECK;
/*
 * True if all samples are finite here for any input. The second function replaces others by 0,
 * which a stage that mixes samples needs.
 */
bool gf_build_is_finite(const struct gf_build *b);
int gf_build_make_finite(struct gf_build *b, struct gf_error *err) GF_MUST_CHECK;
/*
 * Makes the result floats, unless samples are as they were read: then nothing is rounded before the next chain. The
 * format keeps the `maxval` of integers; that of floats is 1.
 */
int gf_build_keep_floats(struct gf_build *b, struct gf_error *err) GF_MUST_CHECK;
/* Appends an operation on all channels. */
int gf_build_op(struct gf_build *b, const struct gf_operation *op, const void *params,
                struct gf_need need, const struct gf_format *out, struct gf_error *err) GF_MUST_CHECK;
/*
 * Before the operation that was added last runs, `fit` completes its parameters, or fails. It gets
 * the format that the output stores, or, if the chain ends in a table, the last format of the
 * chain.
 */
void gf_build_set_fit(struct gf_build *b, gf_fit_format *fit);
/*
 * Multiply colors by alpha before a stage that mixes pixels, and divide by it after; without alpha
 * they do nothing.
 */
int gf_build_premultiply(struct gf_build *b, struct gf_error *err) GF_MUST_CHECK;
int gf_build_unpremultiply(struct gf_build *b, struct gf_error *err) GF_MUST_CHECK;
/* Also writes the signal at this place to a file. The signal continues unchanged. */
int gf_build_tee(struct gf_build *b, const char *file, struct gf_error *err) GF_MUST_CHECK;
/* Divides the image among files. That ends the chain. */
void gf_build_set_tiling(struct gf_build *b, const struct gf_tiling *tiling);
/*
 * Returns the number of a second image in the chain, with its format, or -1. An option of type GF_OPTION_INPUT has
 * named `file`, so it is open. If the file has several images, the n-th belongs to the n-th image of the input; a
 * single one belongs to all of them. The image is upright and packed as stored; luma and chroma become floats of red,
 * green and blue. Two stages may name the same file.
 */
int gf_build_side(struct gf_build *b, const char *file, const struct gf_format **format,
                  struct gf_error *err) GF_MUST_CHECK;
/*
 * Prints a warning about a value that is unlikely to be meant, once the run has begun; or a note, if the value is fine
 * for some signals. Only the first such line is printed.
 */
void gf_build_warn(struct gf_build *b, const char *format, ...) GF_PRINTF(2, 3);
void gf_build_note(struct gf_build *b, const char *format, ...) GF_PRINTF(2, 3);
/*
 * Declares that the stage counts values in bins from 0 to 1 (audio: -1 to 1). Floats outside go to
 * the outermost bins, with a warning that names the input.
 */
void gf_build_mark_binned(struct gf_build *b);
/*
 * Declares that values outside the range stay outside with this configuration, although the
 * descriptor sets .range.
 */
void gf_build_mark_range_kept(struct gf_build *b);
/* Declares that the result has pixels that are not opaque, whatever the input is. */
void gf_build_mark_transparent(struct gf_build *b);
/*
 * For a stage that measures: declares how many dB above full scale it raises samples. A warning
 * names it if they are clipped.
 */
void gf_build_mark_above_scale(struct gf_build *b, double decibels);
struct gf_album;
/* Returns what the stage measures of all inputs of a run together; NULL: it works on each by itself. */
struct gf_album *gf_build_album(const struct gf_build *b);
/*
 * Returns the file name of a second image for messages, with {stem} and the like filled in for the
 * current input.
 */
const char *gf_build_side_name(const struct gf_build *b, int side);
/*
 * Makes it the second source of the operation or measure that was added last: row y of the
 * operation's input corresponds to row y - shift of the image (struct gf_io in kernels/base/op.h).
 */
void gf_build_use_side(struct gf_build *b, int side, int64_t shift);
/*
 * Gives the operation that was added last the window that the descriptor's `frames` declares (struct gf_io). It must
 * be the first operation of the stage: nothing before it changes the images of the window.
 */
void gf_build_use_frames(struct gf_build *b);
/*
 * The light in which a stage mixes pixels. With GF_LIGHT_LINEAR the sRGB curve is undone before the stage and before
 * gf_build_premultiply(), and applied again after the stage and after gf_build_unpremultiply().
 * Otherwise nothing happens. Alpha has no curve.
 */
enum gf_light { GF_LIGHT_ENCODED, GF_LIGHT_LINEAR };
int gf_build_to_linear(struct gf_build *b, enum gf_light light, struct gf_error *err) GF_MUST_CHECK;
int gf_build_from_linear(struct gf_build *b, enum gf_light light, struct gf_error *err) GF_MUST_CHECK;
/*
 * Adds a pass that measures the whole signal at this place, through the program `view` (NULL:
 * unchanged). `settle` then writes the table that the stage allocated. `report` instead of `settle`
 * ends the chain, and its result is a table.
 */
int gf_build_measure(struct gf_build *b, const struct gf_operation *op, const void *params,
                     const struct gf_point *view, gf_settle *settle, gf_make_report *report, const void *config,
                     struct gf_error *err) GF_MUST_CHECK;

/*
 * Like gf_build_measure() with a report, for a table that is drawn unless the output's name or --to
 * asks for numbers.
 */
int gf_build_drawing(struct gf_build *b, const struct gf_operation *op, const void *params, gf_make_report *report,
                     const void *config, struct gf_error *err) GF_MUST_CHECK;

#endif
