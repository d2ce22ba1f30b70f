/* The files of named chains: in the user's folder, and in folders of the system. */
#ifndef GF_CHAIN_NAMED_FILES_H
#define GF_CHAIN_NAMED_FILES_H

#include "base/error.h"

/* Returns the file of the chain that `word` names, or NULL. The caller frees it. */
char *gf_named_files_path(const char *word);
/*
 * Fails with a suggestion if `word` names no chain, but a chain of a similar name, or a file with a dot in its name.
 * `kinds` is as for gf_chain_parse().
 */
int gf_named_files_refuse(unsigned kinds, const char *word, struct gf_error *err) GF_MUST_CHECK;

/* A chain, by folder, then by name. */
struct gf_named_file {
    char *path;
    const char *name;                    /* the last part of the path */
    int folder;                          /* the place of its folder in the order of the search */
};

/* Returns all chains, ended by one without a name; or NULL if there are none. */
struct gf_named_file *gf_named_files_list(void);
void gf_named_files_free(struct gf_named_file *files);

#endif
