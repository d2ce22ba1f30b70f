/* A binding: a chain bound to a signal of one format, as a list of operations. */
#ifndef GF_CHAIN_BINDING_H
#define GF_CHAIN_BINDING_H

#include "chain/chain.h"
#include "chain/side.h"

#define GF_CHAIN_TEES 8
#define GF_CHAIN_EXITS (1 + GF_CHAIN_TEES)

enum gf_link_kind { GF_LINK_POINT, GF_LINK_OP, GF_LINK_MEASURE, GF_LINK_TEE };

/* One request of a bound stage. */
struct gf_link {
    enum gf_link_kind kind;
    const char *stage;                       /* the word it came from, */
    int word;                                /* and its index in the chain; -1: no word asked for it */
    struct gf_format in, out;
    struct gf_point_step point;
    struct gf_point view;                    /* the program through which a measure reads the signal */
    const struct gf_operation *op;
    const void *params;
    struct gf_need need;
    gf_fit_format *fit;
    gf_settle *settle;
    gf_make_report *report;
    const void *config;
    /* the second source of the operation, an element of binding->side; or NULL */
    const struct gf_side *side;
    int64_t side_shift;
    bool windowed;                           /* the operation gets the images of `frames` */
    struct gf_frames frames;
    int exit;                                /* tee: its number among the exits of the chain */
};

/* A place where the signal leaves the chain: 0 is the result, the others are tees in their order. */
struct gf_exit {
    int links, words;                        /* before it */
    struct gf_format format;                 /* of the signal there */
    const char *file;                        /* tee: the file name as typed */
    bool ranged;                             /* a stage before it sets the range of values, on purpose */
    bool revalued;                           /* a stage before it changes the meaning of values */
};

struct gf_binding_floats {
    float *data;
    int64_t count, room;
};

/* Facts about a run that stages may ask for, and its second inputs, which are opened before. All zero: no limits. */
struct gf_bind_options {
    int words;                               /* how many of the stages are bound; 0: all */
    int latency_ms;                          /* --latency, for stages that work in blocks; 0: not given */
    int64_t memory_bytes;                    /* --memory, for the same stages; 0: not given */
    int64_t max_pixels;                      /* --max-pixels, for results of stages; 0: no limit */
    struct gf_side side[GF_CHAIN_SIDES];     /* as gf_chain_list_sides() names them, with formats */
    int sides;
};

/* It never changes, so that any number of tasks may use it. */
struct gf_binding {
    const struct gf_chain *chain;            /* NULL: there are no stages */
    struct gf_bind_options options;
    int words;
    struct gf_format in, out;
    struct gf_format before[GF_CHAIN_STAGES];    /* the signal before each stage */
    bool table;                              /* ends in a table */
    bool drawing;                            /* the table is drawn by default */
    struct gf_tiling tiling;                 /* the result is divided into tiles */
    /* a line of a stage about a value that is unlikely to be meant; or empty */
    char remark[200];
    bool remark_is_note;                     /* it does not count as a warning */
    /* the first stage that counts in bins, unless a stage before it sets the range; or NULL */
    const char *binned;
    const char *clears;                      /* the first stage that makes pixels transparent; or NULL */
    int exits;
    struct gf_exit exit[GF_CHAIN_EXITS];
    int links, room;
    struct gf_link *link;
    struct gf_binding_floats masks, tables;  /* stages that measure write to a task's copy of the tables */
    bool settles;                            /* there is such a stage */
    struct gf_arena *arena;                  /* memory of the stages */
};

/* The formats that the outputs of a binding store, and the bindings of planes that follow from them. */
struct gf_outputs {
    bool table;                              /* the result is a table; its format is the last of the chain */
    bool shown;                              /* the result is only shown, so no loss matters */
    struct gf_format stored[GF_CHAIN_EXITS];
    /*
     * For video in its planes, the bindings of luma and of both planes of chroma; NULL: frames are
     * converted, or there is no chroma. gf_outputs_bind_planes() sets the members below.
     */
    struct gf_binding *plane[2];
    const char *planes_stage;                /* the stage because of which frames are converted; or NULL */
    char planes_note[360];                   /* a warning about --video planes; or empty */
};

/* Results of stages that measure. They belong to a task. */
struct gf_findings {
    struct gf_arena *arena;                  /* memory of the last report */
    /* the stage that is known to raise samples furthest above full scale; or NULL */
    const char *above;
    double above_db;                         /* how far, in dB */
};

/* Collects the operations of a stage while it is bound, or its results after it has measured. */
struct gf_build {
    struct gf_binding *binding;              /* NULL after it has measured */
    struct gf_arena **arena;
    const struct gf_side *side;              /* second inputs, with the names of the current files */
    int sides;
    struct gf_findings *findings;
    const char *stage;
    int word;                                /* index of the stage; -1: none */
    struct gf_format format;
    struct gf_frames frames;                 /* that the stage declares */
    bool failed;                             /* memory ran out */
    /* the current stage keeps values outside the range, although its descriptor sets .range */
    bool keeps_range;
    bool ranged, revalued;                   /* as in struct gf_exit, for the stages so far */
};

/*
 * Lists the second inputs of a chain for an input of `kind`: their files and stages. No file is
 * opened.
 */
int gf_chain_list_sides(const struct gf_chain *chain, enum gf_kind kind, struct gf_side side[GF_CHAIN_SIDES],
                        int *sides, struct gf_error *err) GF_MUST_CHECK;
/*
 * Finds the part of an image that the chain needs, for readers that can decode less than all of it. Returns
 * false if it needs all of it, or if `in` is only a part.
 */
bool gf_chain_narrow(const struct gf_chain *chain, const struct gf_format *in, struct gf_format *part);
/*
 * Binds a chain (NULL: no stages) to a signal; `name` is that of the input, for messages. *binding is all zero, or an
 * earlier binding, which is forgotten. Release it in any case.
 */
int gf_bind(struct gf_binding *binding, const struct gf_chain *chain, const struct gf_format *in,
            const struct gf_bind_options *options, const char *name, struct gf_error *err) GF_MUST_CHECK;
/* Fails if a stage cannot work for an output that stores such a format. */
int gf_binding_check_output(const struct gf_binding *binding, const struct gf_format *stored,
                            struct gf_error *err) GF_MUST_CHECK;
/*
 * Returns the map from positions in the image after the first `links` operations to those in the image of the input: as
 * the file has it, or upright. A part that the reader decodes is mapped to the whole image.
 */
struct gf_affine gf_binding_map(const struct gf_binding *binding, int links, bool upright);
/* Returns whether samples leave the first `links` operations as they were read, except that they may have moved. */
bool gf_binding_only_moves(const struct gf_binding *binding, int links);
void gf_binding_release(struct gf_binding *binding);

/* Frees memory that stages have allocated. */
void gf_arena_release(struct gf_arena **arena);

#endif
