/* The chain: the stages of a command, parsed once. binding.h binds it to a signal. */
#ifndef GF_CHAIN_CHAIN_H
#define GF_CHAIN_CHAIN_H

#include "base/error.h"
#include "base/signal.h"
#include "chain/stage.h"

#define GF_CHAIN_STAGES 64

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
    struct gf_album *album;                  /* NULL: no stage measures all inputs of a run together */
};

/* The stages of a command. They are parsed once and never change then, so all chains share them. */
struct gf_chain {
    int count;
    struct gf_chain_word word[GF_CHAIN_STAGES];
    int64_t list_bytes;                      /* of the weights in all words; set by gf_chain_load() */
};

/*
 * Parses the words before a signal is known, and reads no files. `origins` has the place of each word (NULL: all were
 * typed). `kinds` has the bits 1 << KIND of the kinds that the input may be by its name; 0:
 * unknown. After an error, the last word of the chain is the wrong one; chain_advice.h explains it.
 */
int gf_chain_parse(struct gf_chain *chain, const char *const *words, const struct gf_chain_origin *origins,
                    int count, unsigned kinds, struct gf_error *err) GF_MUST_CHECK;
/* With `arrays`, files of masks need not exist, because gf_chain_load() may get arrays of their names. */
int gf_chain_parse_arrays(struct gf_chain *chain, const char *const *words, const struct gf_chain_origin *origins,
                          int count, unsigned kinds, bool arrays, struct gf_error *err) GF_MUST_CHECK;
/* Reads masks from files or given arrays (NULL: all are files). Chains of the stages can be bound then. */
int gf_chain_load(struct gf_chain *chain, const struct gf_given *given, struct gf_error *err) GF_MUST_CHECK;
void gf_chain_release(struct gf_chain *chain);
/* Adds the place of a word from a file to its error; returns -1. */
int gf_chain_fail_word(const struct gf_chain_word *word, struct gf_error *err);
/* Fails if a stage before word `at` writes files. `why` says of the stage there what stands against it. */
int gf_chain_check_files_before(const struct gf_chain *chain, int at, const char *why, struct gf_error *err)
    GF_MUST_CHECK;
/*
 * True if `word` looks like a value for the stage `before` it: a number, or KEY=VALUE. `before` may
 * be NULL.
 */
bool gf_chain_is_value(const char *before, const char *word);
/*
 * Parses one more word, which is released with the stages even if it is wrong. Returns true if it is a stage for
 * signals of one of the kinds (bits 1 << KIND; 0: any).
 */
bool gf_chain_accept(struct gf_chain *chain, const char *word, unsigned kinds);
/* Adds to the error how the value `next` of a word is written. */
void gf_chain_add_join(const char *word, const char *next, struct gf_error *err);
/* The separator between a word and one more value: a colon, a comma, or nothing. */
const char *gf_chain_separator(const char *word);
/*
 * The index of the first stage that cannot be bound before the length of the signal is known; -1:
 * none.
 */
int gf_chain_wants_length(const struct gf_chain *chain, enum gf_kind kind);
bool gf_chain_word_wants_length(const struct gf_chain_word *word, enum gf_kind kind);
/* The kind of result that the last word leaves, whichever kind the input is. */
enum gf_ends gf_chain_ends(const struct gf_chain *chain);

#endif
