/* The chain: stages as the words name them, then bound to a signal as a list of operations. */
#ifndef GF_CHAIN_CHAIN_H
#define GF_CHAIN_CHAIN_H

#include "base/error.h"
#include "base/signal.h"
#include "chain/side_picture.h"
#include "chain/stage.h"

#define GF_CHAIN_STAGES 64
#define GF_CHAIN_TEES 8

/* Where a word stands that was not typed but came from a file of stages. */
struct gf_chain_origin {
    /* the word on the command line that it came of; NULL: it was typed itself */
    const char *call;
    char *place, *from;                      /* "FILE:LINE", and of a chain in a chain the place of its name, or NULL */
};

/* One word of the chain, read for every kind of signal that knows its name. */
struct gf_chain_word {
    char *text;                              /* as typed, but with the name of the stage instead of an alias */
    const char *alias;                       /* the other program's name that was typed instead; else NULL */
    const struct gf_chain_origin *origin;    /* NULL: it was typed */
    const struct gf_stage *stage[2];         /* by enum gf_kind; NULL where the kind has none */
    void *config[2];
    int64_t list_bytes;                      /* of weights in them */
};

enum gf_chain_link_kind { GF_LINK_POINT, GF_LINK_OP, GF_LINK_MEASURE, GF_LINK_TEE };

/* One thing a bound stage asked for. */
struct gf_chain_link {
    enum gf_chain_link_kind kind;
    const char *stage;                       /* the word it came from */
    struct gf_format in, out;
    struct gf_point_step point;
    struct gf_point view;                    /* what a measure sees */
    const struct gf_operation *op;
    void *params;
    struct gf_need need;
    gf_fit_format *fit;
    gf_settle *settle;
    gf_make_report *report;
    const void *config;
    /* an operation's second source, which is one of the chain's; NULL: it has none */
    const struct gf_side_picture *side;
    int64_t side_shift;
    const char *file;                        /* of a tee, as typed */
    struct gf_format stored;                 /* and what its writer takes: filled in before the chain is planned */
    bool ranged;                             /* a stage before the tee sets the range of values */
};

struct gf_chain_pool {
    float *data;
    int64_t count, room;
};

struct gf_chain {
    int words;
    struct gf_chain_word word[GF_CHAIN_STAGES];
    /* of the weights that the words name, as they were read; what follows is set behind gf_chain_parse() */
    int64_t list_bytes;
    int latency_ms;                          /* --latency, for the stages that make blocks; 0 */
    int64_t memory_bytes;                    /* and --memory, for them, too; 0 */
    int64_t signal;                          /* which of its input's pictures is at hand, from 0 */
    /* Finds the picture that stands beside the signal, and fills all of `side` but its name; NULL: there are none. */
    int (*find_side)(void *context, int number, const char *file, struct gf_side_picture *side, struct gf_error *err);
    void *side_context;
    /* from here on: since gf_chain_bind() */
    struct gf_format in, out;
    bool table;                              /* ends in a table */
    bool drawing;                            /* that is meant to be looked at */
    char remark[200];                        /* of a stage on what can hardly be meant: for people; or empty */
    bool ranged;                             /* a stage sets the range of values, on purpose */
    /* the first stage that counts in bins, unless a stage before it sets the range; or NULL */
    const char *binned;
    const char *clears;                      /* the first stage that makes pixels transparent; or NULL */
    /* the stage that takes samples furthest above full scale, as far as it knows; or NULL */
    const char *above;
    double above_db;                         /* how far */
    int tees, sides;
    struct gf_side_picture side[GF_CHAIN_SIDES]; /* their data change from one signal to the next, and nothing else */
    int links, room;
    struct gf_chain_link *link;
    struct gf_chain_pool masks, tables;
    struct gf_chain_arena *arena, *bound;    /* all of it; what was there once it was bound */
};

/* Where a stage puts its operations while it is bound. */
struct gf_build {
    struct gf_chain *chain;
    const char *stage;
    struct gf_format format;
    bool failed;                             /* no memory on the way */
    /* the word at hand leaves values outside the range where they are, after all */
    bool keeps_range;
};

/*
 * Reads the words, of which `origins` (NULL: all were typed) tells where they stand; no signal is known yet.
 * `kinds` has
 * the bits 1 << KIND that its name lets expect, 0 where it tells nothing.
 */
int gf_chain_parse(struct gf_chain *chain, const char *const *words, const struct gf_chain_origin *origins, int count,
                   unsigned kinds, struct gf_error *err) GF_MUST_CHECK;
/*
 * Whether `word` looks like a value that was meant for the stage `before` it: a number, or
 * KEY=VALUE. `before` may be NULL.
 */
bool gf_chain_is_value(const char *before, const char *word);
/*
 * Translates words of other programs, "scale=640:-2,hflip", to stages separated by blanks. Returns
 * false if it cannot.
 */
bool gf_chain_advise(const char *graph, unsigned kinds, char *advice, size_t bytes);
/* Parses stages that are separated by blanks. */
bool gf_chain_is_right(const char *words, unsigned kinds);
/* Parses one more word, which the chain releases even if it is wrong. */
bool gf_chain_accepts(struct gf_chain *chain, const char *word, unsigned kinds);
/* What belongs between the two: a colon, a comma, or nothing more. */
const char *gf_chain_separator(const char *word);
/* Which word is the first stage that can't be bound before the length of such a signal is known; -1: none. */
int gf_chain_wants_length(const struct gf_chain *chain, enum gf_kind kind);
/* What the last of its words leaves, of whichever kind the input may be. */
enum gf_ends gf_chain_ends(const struct gf_chain *chain);
/* Binds to a signal, and forgets the last one. `name` is the input's, for messages. */
int gf_chain_bind(struct gf_chain *chain, const struct gf_format *in, const char *name,
                  struct gf_error *err) GF_MUST_CHECK;
/* Completes what depends on the format of the output, once that is known; before each plan. */
int gf_chain_fit(struct gf_chain *chain, const struct gf_format *stored, struct gf_error *err) GF_MUST_CHECK;
void gf_chain_release(struct gf_chain *chain);

#endif
