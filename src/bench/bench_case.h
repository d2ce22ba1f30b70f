/*
 * Cases: each call of an operation that is worth a name is written down once. It is checked on every device, timed beside other
 * libraries, and its kernels are listed. Random calls of the same operations stand beside them.
 */
#ifndef GF_BENCH_BENCH_CASE_H
#define GF_BENCH_BENCH_CASE_H

#include "bench/peers/peer.h"
#include "kernels/base/op.h"

struct gf_bench_call;

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

/* Returns the form that a list of names, as "u8, u8 rgb", begins with; NULL if there is none of that name. */
const struct gf_form *gf_bench_form_at(const char *list);
/* Returns the rest of such a list; NULL at its end. */
const char *gf_bench_form_next(const char *list);

struct gf_bench_case {
    const char *name;            /* "blur 15x15": unique, for --peers and --check */
    const char *what;            /* for people, with what it reads; NULL: only --peers, --check and --kernels know it */
    const char *forms;           /* names of forms, as "u8, u8 rgb"; --bench takes the first */
    bool one_form;               /* it makes sense in these alone */
    int number;                  /* for set(): a side, a radius, a mode */
    int part;                    /* --peers: of so many times fewer rows than others; 0: of as many */
    void (*set)(struct gf_bench_call *m);        /* parameters, and what else a call needs; see bench_call.h */
    const struct gf_bench_case *then;    /* --peers: a call that follows and goes on with the result */
    const struct gf_bench_group *then_group;     /* the group of that call; NULL: the same */
    bool aside;                  /* what follows reads the same source instead */
    struct gf_bench_peer peers[2];       /* others that do the same on a GPU */
    const char *stages;          /* the same as a user types it, and in Python with OpenCV: from array `a`, and `c` if there is a second */
    const char *opencv;          /* image, to what becomes `b`; NULL: none */
};

/* Makes one random call of a form, on a CPU and, if asked, on a GPU, and compares. */
typedef void gf_bench_try(const struct gf_form *f, bool on_gpu);
/* Computes all channels of a place of the result, before the store program, as slowly and plainly as can be. */
typedef void gf_slow_at(const struct gf_io *io, const void *params, int64_t x, int64_t y, double *out);

/* The cases of an operation: a constant `gf_bench_group_NAME` in src/bench/cases/; the build makes the list of them. */
struct gf_bench_group {
    const char *name;                    /* what --bench calls it: the operation's word, mostly */
    const struct gf_operation *op;       /* NULL: random calls of several */
    const struct gf_bench_case *cases;   /* ended by one without a name; NULL: it only tries */
    gf_slow_at *slow;                    /* what is right; NULL: another group has it, or samples are copied, or try() compares */
    gf_bench_try *try;                   /* NULL: another group has it */
    bool once;                           /* try() chooses its forms itself */
    bool sound;                          /* units of one sample; else squares */
    double slack;                        /* of cases: a part of the largest value; 0: 3e-6; less: only bits are compared */
    double rounding;                     /* a part of the largest value that a GPU may be off; 0: not by a bit */
    void (*make_pools)(void);            /* what try() needs in the pools of random calls, once these are filled with noise */
};

extern const struct gf_bench_group *const gf_bench_groups[];
extern const int gf_bench_group_count;

/* Returns true if a name is asked for: by a part of it, by a shell pattern of a part, or by = and all of it. NULL asks for all. */
bool gf_bench_is_wanted(const char *only, const char *name);

/* Finds the group of that name that has cases; NULL if there is none. */
const struct gf_bench_group *gf_bench_group_find(const char *name);

#endif
