/* Named chains: text files of stages, in the user's folder or named with @FILE. */
#ifndef GF_CHAIN_NAMED_H
#define GF_CHAIN_NAMED_H

#include "chain/chain.h"

#include <stdio.h>

/* Words after each name of a chain was replaced by its stages. */
struct gf_named_words {
    char **word;
    struct gf_chain_origin *origin;  /* one per word */
    int count;
    char *hidden;                    /* a file of stages that is ignored because a stage has its name; or NULL */
};

/*
 * Replaces names of chains by their stages. `kinds` is as for gf_chain_parse(). Release `x` in any
 * case.
 */
int gf_named_expand(const char *const *words, int count, unsigned kinds, struct gf_named_words *x,
                    struct gf_error *err) GF_MUST_CHECK;
void gf_named_words_release(struct gf_named_words *x);
/* Prints "scan:3 is gray median:3 levels:0.1,60%" for each word that was replaced. */
void gf_named_explain(const struct gf_chain *chain, FILE *to);

#endif
