/*
 * Cases: named calls of operations, each written once. `--check` compares it on every device,
 * `--bench` and `--peers` time it, and `--kernels` finds its kernels. A group has the cases of an
 * operation, its slow reference and its random calls.
 */
#ifndef GF_BENCH_BENCH_CASE_H
#define GF_BENCH_BENCH_CASE_H

#include "bench/peers/peer.h"
#include "kernels/base/op.h"

struct gf_bench_call;
struct gf_check;

/* How samples are stored. */
struct gf_form {
    const char *name;
    enum gf_type type;
    int bits;
    uint32_t maxval;
    int channels;
    bool planar;
};

enum { GF_FORMS = 18 };

extern const struct gf_form gf_forms[GF_FORMS];

/* Returns the first form of a list such as "u8, u8 rgb"; NULL if there is no form of that name. */
const struct gf_form *gf_bench_form_at(const char *list);
/* Returns the rest of the list after the first form; NULL at its end. */
const char *gf_bench_form_next(const char *list);

struct gf_bench_case;
struct gf_bench_group;

/* A call that follows another one. */
struct gf_bench_next {
    const struct gf_bench_group *group;  /* NULL: no call */
    const struct gf_bench_case *one;
    bool rereads;                        /* it reads the source of the call before it, not the result */
};

struct gf_bench_case {
    const char *name;            /* unique, as "blur 15x15": selects it for --peers and --check */
    const char *what;            /* description with the samples that it reads; NULL: --bench does not time it */
    const char *forms;           /* list of forms, as "u8, u8 rgb"; --bench takes the first */
    bool one_form;               /* the case makes no sense in other forms */
    int number;                  /* parameter of set(): a side, a radius, a mode */
    int part;                    /* --peers: this many times fewer rows than other cases; 0: the same */
    int check_frames;            /* --check: another call with this many frames; 0: none */
    void (*set)(struct gf_bench_call *m);        /* sets the parameters, and what else the call needs: bench_call.h */
    /*
     * returns the floating-point operations that the definition of a call needs: an addition counts
     * as one, like a multiplication. The roofline then shows the case; NULL: not counted
     */
    double (*flop)(const struct gf_bench_call *m);
    struct gf_bench_next next[2];        /* --peers: calls that follow, timed together with this one */
    struct gf_bench_peer peers[2];       /* functions of other libraries that do the same on a GPU */
    const char *stages;          /* the same as stages of gpufilter */
    /*
     * the same in Python with OpenCV, from array `a`, and `c` if there is a second image, to `b`;
     * NULL: none
     */
    const char *opencv;
};

/* Makes one random call of a form and compares it. Some groups choose the form themselves. */
typedef void gf_bench_try(struct gf_check *check, const struct gf_form *f);
/*
 * Computes all channels of one place of the result, before the store program, slowly and plainly.
 */
typedef void gf_slow_at(const struct gf_check *check, const struct gf_io *io, const void *params, int64_t x, int64_t y,
                        double *out);
/* Compares a whole result with a reference, if places cannot be computed separately. */
typedef void gf_bench_compare(struct gf_check *check, const struct gf_io *io, const void *params, double slack);

/*
 * The cases of an operation: a constant `gf_bench_group_NAME` in src/bench/cases/. The build
 * collects them in a list.
 */
struct gf_bench_group {
    const char *name;                    /* the operation's name in --bench */
    const struct gf_operation *op;       /* NULL: random calls of several operations */
    const struct gf_bench_case *cases;   /* a case without a name ends the list; NULL: random calls only */
    gf_slow_at *slow;                    /* the reference, or … */
    gf_bench_compare *compare;           /* … the reference; one group of each operation has one of them */
    gf_bench_try *try;                   /* NULL: another group or a test program makes random calls */
    bool once;                           /* try() chooses the form itself */
    bool sound;                          /* cases read audio: units of one sample */
    /* sums of large inputs may be small: `slack` is a part of the largest input too */
    bool cancels;
    /* how far results may be from the reference, as a part of the largest value; 0: 3e-6 */
    double slack;
    /* how far a GPU may be from a CPU, as a part of the largest value; 0: both give the same bits */
    double rounding;
    void (*make_pools)(struct gf_check *check);  /* adds weights and tables for try() to the pools of random calls */
};

extern const struct gf_bench_group *const gf_bench_groups[];
extern const int gf_bench_group_count;

/* Finds the group of that name that has cases; NULL if there is none. */
const struct gf_bench_group *gf_bench_group_find(const char *name);
/*
 * Finds the group with the reference of an operation, or else any group of it; NULL if there is
 * none.
 */
const struct gf_bench_group *gf_bench_group_of(const struct gf_operation *op);

/*
 * Returns true if `only` selects a case or a random call of a group. The name of an operation, or
 * of a group, selects everything of it. Other texts select by the name, as in gf_is_selected().
 */
bool gf_bench_is_selected(const char *only, const struct gf_bench_group *group, const char *name);

#endif
