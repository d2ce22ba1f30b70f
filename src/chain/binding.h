/* A binding: a chain bound to a signal of one format, as a list of operations. */
#ifndef GF_CHAIN_BINDING_H
#define GF_CHAIN_BINDING_H

#include "chain/chain.h"
#include "chain/side_picture.h"

#define GF_CHAIN_TEES 8

enum gf_link_kind { GF_LINK_POINT, GF_LINK_OP, GF_LINK_MEASURE, GF_LINK_TEE };

/* One request of a bound stage. */
struct gf_link {
    enum gf_link_kind kind;
    const char *stage;                       /* the word it came from */
    struct gf_format in, out;
    struct gf_point_step point;
    struct gf_point view;                    /* the program through which a measure reads the signal */
    const struct gf_operation *op;
    void *params;
    struct gf_need need;
    gf_fit_format *fit;
    gf_settle *settle;
    gf_make_report *report;
    const void *config;
    /* the second source of the operation, an element of binding->side; or NULL */
    const struct gf_side_picture *side;
    int64_t side_shift;
    const char *file;                        /* tee: the file name as typed */
    /* tee: the format that its writer stores; set before the chain is planned */
    struct gf_format stored;
    bool ranged;                             /* a stage before the tee sets the range of values */
    bool revalued;                           /* a stage before the tee changes the meaning of values */
};

struct gf_binding_floats {
    float *data;
    int64_t count, room;
};

struct gf_binding {
    const struct gf_chain *chain;            /* NULL: there are none */
    int words;                               /* how many of the stages are bound: all, or only the first ones */
    int latency_ms;                          /* --latency, for stages that work in blocks; 0: not given */
    int64_t memory_bytes;                    /* --memory, for the same stages; 0: not given */
    int64_t max_pixels;                      /* --max-pixels, for results of stages; 0: no limit */
    int64_t signal;                          /* index of the current image in its input */
    /*
     * Opens a second image, and sets all members of `side` except its name; NULL: there are none.
     */
    int (*find_side)(void *context, int number, const char *file, struct gf_side_picture *side, struct gf_error *err);
    void *side_context;
    /* the members below are set by gf_bind() */
    struct gf_format in, out;
    struct gf_format before[GF_CHAIN_STAGES];    /* the signal before each stage */
    bool table;                              /* ends in a table */
    bool drawing;                            /* the table is drawn by default */
    /* a line of a stage about a value that is unlikely to be meant; or empty */
    char remark[200];
    bool ranged;                             /* a stage sets the range of values, on purpose */
    bool revalued;                           /* a stage changes the meaning of values: not all of them .keeps_values */
    /* the first stage that counts in bins, unless a stage before it sets the range; or NULL */
    const char *binned;
    const char *clears;                      /* the first stage that makes pixels transparent; or NULL */
    /* the stage that is known to raise samples furthest above full scale; or NULL */
    const char *above;
    double above_db;                         /* how far, in dB */
    int tees, sides;
    struct gf_side_picture side[GF_CHAIN_SIDES]; /* only their data change from one signal to the next */
    int links, room;
    struct gf_link *link;
    struct gf_binding_floats masks, tables;
    /*
     * For video in its planes, the chains of luma and of both planes of chroma; NULL: frames are
     * converted, or there is no chroma. gf_binding_add_planes() sets them.
     */
    struct gf_binding *plane[2];
    const char *planes_stage;                /* the stage because of which frames are converted; or NULL */
    char planes_note[360];                   /* a warning about --video planes; or empty */
    /* all memory of the binding; the arena as it was when the chain was bound */
    struct gf_arena *arena, *bound;
};

/* Collects the operations of a stage while it is bound. */
struct gf_build {
    struct gf_binding *binding;
    const char *stage;
    struct gf_format format;
    bool failed;                             /* memory ran out */
    /* the current stage keeps values outside the range, although its descriptor sets .range */
    bool keeps_range;
};

/* Begins a binding of all stages. */
void gf_binding_begin(struct gf_binding *binding, const struct gf_chain *chain);
/*
 * Finds the part of an image that the chain needs, for readers that can decode less than all of it. Returns
 * false if it needs all of it, or if `in` is only a part.
 */
bool gf_chain_narrow(const struct gf_chain *chain, const struct gf_format *in, struct gf_format *part);
/*
 * Binds the chain to a signal, and forgets the last one. `name` is that of the input, for messages.
 */
int gf_bind(struct gf_binding *binding, const struct gf_format *in, const char *name,
            struct gf_error *err) GF_MUST_CHECK;
/* Completes what depends on the format of the output. Call it before each plan. */
int gf_binding_fit(struct gf_binding *binding, const struct gf_format *stored, struct gf_error *err) GF_MUST_CHECK;
/*
 * Returns the map from positions in the image after the first `links` operations to those in the image of the input: as
 * the file has it, or upright. A part that the reader decodes is mapped to the whole image.
 */
struct gf_affine gf_binding_map(const struct gf_binding *binding, int links, bool upright);
void gf_binding_release(struct gf_binding *binding);

#endif
