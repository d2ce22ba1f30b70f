/* The chain: stages from arguments, then bound to a signal as a list of operations. */
#ifndef GF_CHAIN_CHAIN_H
#define GF_CHAIN_CHAIN_H

#include "base/error.h"
#include "base/signal.h"
#include "chain/side_picture.h"
#include "chain/stage.h"

#define GF_CHAIN_STAGES 64
#define GF_CHAIN_TEES 8

/* The place of a word that came from a file of stages, not from the command line. */
struct gf_chain_origin {
    /* the word on the command line that named the file; NULL: the word itself was typed */
    const char *call;
    /* "FILE:LINE", and for a chain in a chain the place that names it, or NULL */
    char *place, *from;
};

/* One word of the chain, parsed for each kind of signal that has a stage of its name. */
struct gf_chain_word {
    char *text;                              /* as typed, but with the name of the stage instead of an alias */
    const char *alias;                       /* the other program's name that was typed instead; else NULL */
    const struct gf_chain_origin *origin;    /* NULL: it was typed */
    const struct gf_stage *stage[2];         /* by enum gf_kind; NULL: no such stage for the kind */
    void *config[2];
};

/* The stages of a command. They are parsed once and never change then, so all chains share them. */
struct gf_stages {
    int count;
    struct gf_chain_word word[GF_CHAIN_STAGES];
    int64_t list_bytes;                      /* of the weights in all words; set by gf_stages_load() */
};

enum gf_chain_link_kind { GF_LINK_POINT, GF_LINK_OP, GF_LINK_MEASURE, GF_LINK_TEE };

/* One request of a bound stage. */
struct gf_chain_link {
    enum gf_chain_link_kind kind;
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
    /* the second source of the operation, an element of chain->side; or NULL */
    const struct gf_side_picture *side;
    int64_t side_shift;
    const char *file;                        /* tee: the file name as typed */
    /* tee: the format that its writer stores; set before the chain is planned */
    struct gf_format stored;
    bool ranged;                             /* a stage before the tee sets the range of values */
    bool revalued;                           /* a stage before the tee changes the meaning of values */
};

struct gf_chain_pool {
    float *data;
    int64_t count, room;
};

struct gf_chain {
    const struct gf_stages *stages;          /* NULL: there are none */
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
    /* the members below are set by gf_chain_bind() */
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
    struct gf_chain_link *link;
    struct gf_chain_pool masks, tables;
    /*
     * For video in its planes, the chains of luma and of both planes of chroma; NULL: frames are
     * converted, or there is no chroma. gf_chain_planes_bind() sets them.
     */
    struct gf_chain *plane[2];
    const char *planes_stage;                /* the stage because of which frames are converted; or NULL */
    char planes_note[360];                   /* a warning about --video planes; or empty */
    /* all memory of the binding; the arena as it was when the chain was bound */
    struct gf_chain_arena *arena, *bound;
};

/* Collects the operations of a stage while it is bound. */
struct gf_build {
    struct gf_chain *chain;
    const char *stage;
    struct gf_format format;
    bool failed;                             /* memory ran out */
    /* the current stage keeps values outside the range, although its descriptor sets .range */
    bool keeps_range;
};

/*
 * Parses the words before a signal is known, and reads no files. `origins` has the place of each word (NULL: all were
 * typed). `kinds` has the bits 1 << KIND of the kinds that the input may be by its name; 0:
 * unknown.
 */
int gf_stages_parse(struct gf_stages *stages, const char *const *words, const struct gf_chain_origin *origins,
                    int count, unsigned kinds, struct gf_error *err) GF_MUST_CHECK;
/* Reads the masks that are in files. Chains of the stages can be bound then. */
int gf_stages_load(struct gf_stages *stages, struct gf_error *err) GF_MUST_CHECK;
void gf_stages_release(struct gf_stages *stages);
/* Begins a chain of all stages. */
void gf_chain_begin(struct gf_chain *chain, const struct gf_stages *stages);
/*
 * True if `word` looks like a value for the stage `before` it: a number, or KEY=VALUE. `before` may
 * be NULL.
 */
bool gf_chain_is_value(const char *before, const char *word);
/*
 * Translates words of other programs, "scale=640:-2,hflip", to stages separated by blanks. Returns
 * false if it cannot.
 */
bool gf_chain_advise(const char *graph, unsigned kinds, char *advice, size_t bytes);
/* Parses stages that are separated by blanks. */
bool gf_chain_is_right(const char *words, unsigned kinds);
/* Parses one more word, which is released with the stages even if it is wrong. */
bool gf_stages_accept(struct gf_stages *stages, const char *word, unsigned kinds);
/* The separator between a word and one more value: a colon, a comma, or nothing. */
const char *gf_chain_separator(const char *word);
/*
 * The index of the first stage that cannot be bound before the length of the signal is known; -1:
 * none.
 */
int gf_chain_wants_length(const struct gf_chain *chain, enum gf_kind kind);
bool gf_chain_word_wants_length(const struct gf_chain *chain, int i, enum gf_kind kind);
/* The kind of result that the last word leaves, whichever kind the input is. */
enum gf_ends gf_stages_ends(const struct gf_stages *stages);
/*
 * Finds the part of an image that the chain needs, for readers that can decode less than all of it. Returns
 * false if it needs all of it, or if `in` is only a part.
 */
bool gf_chain_narrow(const struct gf_chain *chain, const struct gf_format *in, struct gf_format *part);
/*
 * Binds the chain to a signal, and forgets the last one. `name` is that of the input, for messages.
 */
int gf_chain_bind(struct gf_chain *chain, const struct gf_format *in, const char *name,
                  struct gf_error *err) GF_MUST_CHECK;
/* Completes what depends on the format of the output. Call it before each plan. */
int gf_chain_fit(struct gf_chain *chain, const struct gf_format *stored, struct gf_error *err) GF_MUST_CHECK;
/*
 * Returns the map from positions in the image after the first `links` operations to those in the image of the input: as
 * the file has it, or upright. A part that the reader decodes is mapped to the whole image.
 */
struct gf_affine gf_chain_map(const struct gf_chain *chain, int links, bool upright);
void gf_chain_release(struct gf_chain *chain);

#endif
