/* The trials of operations; each makes one case of a form, on a CPU and, if asked, on a GPU. */
#ifndef GF_OPS_TRIALS_H
#define GF_OPS_TRIALS_H

#include "ops_common.h"

/* Makes one case of a form. */
typedef void gf_try(const struct gf_form *f, bool on_gpu);
/* All channels of a place of the result, before the store program. */
typedef void gf_slow_at(const struct gf_io *io, const void *params, int64_t x, int64_t y, double *out);

/* A trial: a constant `gf_op_test_NAME` in any source of tests/operations/ops; the build makes the list of them. */
struct gf_op_test {
    const char *name;                    /* in the lines of the test, and for --only */
    const struct gf_operation *op;       /* which it tries; NULL: none in particular */
    gf_try *try;
    gf_slow_at *slow;                    /* what is right for `op`; NULL: another trial has it, or samples are copied */
    bool once;                           /* the trial chooses its forms itself */
};

extern const struct gf_op_test *const gf_op_tests[];
extern const int gf_op_test_count;

/* What they need in the pools, once these are filled with noise. */
void gf_make_whole_masks(void);
void gf_make_axes(void);
void gf_make_spectra(void);
void gf_make_pairs(void);
void gf_make_rings(void);

#endif
