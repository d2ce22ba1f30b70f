/* Advice on wrong words of a chain: what other programs mean by them, or the nearest of ours. */
#ifndef GF_CHAIN_CHAIN_ADVICE_H
#define GF_CHAIN_CHAIN_ADVICE_H

#include "chain/chain.h"
#include "chain/foreign.h"

/*
 * Adds to the error of gf_chain_parse(), with the same arguments, what was probably meant, and the place of the word.
 * Always returns -1.
 */
int gf_chain_explain(const struct gf_chain *chain, const char *const *words, int count, unsigned kinds,
                     struct gf_error *err);
/* Parses stages that are separated by blanks. */
bool gf_chain_is_right(const char *words, unsigned kinds);
/*
 * Appends what a word of another program is here: right stages, an option, or nothing if the word only changes
 * `settings`. Returns false if it has no translation.
 */
bool gf_chain_translate(const struct gf_foreign_call *call, unsigned kinds, struct gf_foreign_settings *settings,
                        struct gf_foreign_words *words);
/*
 * Translates words of other programs, "scale=640:-2,hflip", to stages separated by blanks. Returns false if it cannot.
 * `whose` is the program that they are from, whose names come before ours then; 0: unknown.
 */
bool gf_chain_advise(const char *graph, unsigned whose, unsigned kinds, struct gf_foreign_settings *settings,
                     struct gf_foreign_words *words);

#endif
