/* Named chains: text files of stages, in the user's folder or named with @FILE. */
#ifndef GF_CHAIN_NAMED_H
#define GF_CHAIN_NAMED_H

#include "chain/chain.h"

#include <stdio.h>

#define GF_NAMED_ARGUMENTS 12        /* most arguments of a chain */
#define GF_NAMED_DEPTH 8             /* most chains in one another */

/* Words after each name of a chain was replaced by its stages. */
struct gf_named_words {
    char **word;
    struct gf_chain_origin *origin;        /* one per word */
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

/* An argument that a chain declares. */
struct gf_named_argument {
    char *name;
    char *value;                     /* NULL: none was given, and there is no default */
};

/* The description that a file of stages has of itself. */
struct gf_named {
    char *path, *text;
    char *summary;                   /* its first comment, or empty */
    struct gf_named_argument argument[GF_NAMED_ARGUMENTS];
    int arguments;
};

/*
 * Returns the file of the chain that `word` names, or NULL. `stem`, of 64 bytes, becomes the name
 * in the word.
 */
char *gf_named_path(const char *word, char *stem);
/*
 * Returns a file in the user's folders that would match `word`, except that its name has a dot; or
 * NULL. The caller frees it.
 */
char *gf_named_dotted(const char *word);
/*
 * Reads the description of the file at `path`; `name` is that of the chain. Release `n` in any
 * case.
 */
int gf_named_describe(const char *path, const char *name, struct gf_named *n, struct gf_error *err) GF_MUST_CHECK;
void gf_named_release(struct gf_named *n);

/* A place in the list of folders of chains; all members are zero at the first. */
struct gf_named_place {
    bool system;                 /* the user's folder was the last */
    const char *rest;            /* the folders of the system that follow */
};

/*
 * Writes the next folder of chains: the user's, then those of the system. Returns 1, 0 if there is
 * no such folder, or -1 if there are no more.
 */
int gf_named_folder(struct gf_named_place *at, char *folder, size_t room);
/*
 * Returns the names of all chains in these folders, sorted, each once, ended by NULL; or NULL if
 * there are none.
 */
char **gf_named_list(void);
void gf_named_list_free(char **names);

#endif
