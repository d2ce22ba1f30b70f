/* Chains that have a name: text files of stages, in the user's folder or behind an @. */
#ifndef GF_CHAIN_NAMED_H
#define GF_CHAIN_NAMED_H

#include "chain/chain.h"

#include <stdio.h>

#define GF_NAMED_ARGUMENTS 12        /* that a chain may declare */
#define GF_NAMED_DEPTH 8             /* of chains in chains */

/* Words of which those that named a chain have become its stages. */
struct gf_named_words {
    char **word;
    struct gf_chain_origin *origin;        /* of each */
    int count;
    char *hidden;                    /* a file that a stage of the same name hides; NULL: there is none */
};

/* `kinds` as gf_chain_parse() has it. Release it in any case. */
int gf_named_expand(const char *const *words, int count, unsigned kinds, struct gf_named_words *x,
                    struct gf_error *err) GF_MUST_CHECK;
void gf_named_words_release(struct gf_named_words *x);
/* "scan:3 is gray median:3 levels:0.1,60%" for each word that is not what was typed. */
void gf_named_explain(const struct gf_chain *chain, FILE *to);

/* An argument that a chain declares. */
struct gf_named_argument {
    char *name;
    char *value;                     /* NULL: none was given, and there is no default */
};

/* What a file says of itself. */
struct gf_named {
    char *path, *text;
    char *summary;                   /* its first comment; or empty */
    struct gf_named_argument argument[GF_NAMED_ARGUMENTS];
    int arguments;
};

/* The file of the chain that `word` names; NULL: of none. `stem`, of 64 bytes, becomes what the word calls it. */
char *gf_named_path(const char *word, char *stem);
/*
 * A file of the user's that is `word`, or begins with it, and is no chain's because of a dot in its
 * name; NULL: none. To be freed.
 */
char *gf_named_dotted(const char *word);
/* Reads what the file at `path` says of itself; `name` is what it is called. Release it in any case. */
int gf_named_describe(const char *path, const char *name, struct gf_named *n, struct gf_error *err) GF_MUST_CHECK;
void gf_named_release(struct gf_named *n);

/*
 * The n-th folder of chains: from 0 the user's own, then those of the system: 1, 0 where that is
 * none, -1 where there are no more.
 */
int gf_named_folder(int n, char *folder, size_t room);
/* The names of all chains in them, each once, in order, ended by NULL; NULL where there are none. */
char **gf_named_list(void);
void gf_named_list_free(char **names);

#endif
