/*
 * Batches of files: collects the inputs, names their
 * outputs, and processes them on several threads.
 */
#ifndef GF_BATCH_BATCH_H
#define GF_BATCH_BATCH_H

#include "batch/one_input.h"
#include "chain/stage.h"

/* A folder or pattern whose files are inputs. */
struct gf_batch_search {
    const char *name;
    bool folder;
    int begin, end;                  /* its files in struct gf_batch */
    int folders;                     /* number of folders among them, which are skipped */
    int links;                       /* number of links to folders, which are not followed */
};

struct gf_batch {
    char **inputs;
    /* of each: how many of its first bytes are the folder whose tree outputs keep; -1: they keep none */
    int *bases;
    int count, room;
    struct gf_batch_search *search;  /* folders and patterns, until gf_batch_drop_unknown() */
    int searches;
    bool recursive;                  /* folders in folders are searched */
    bool join;                       /* --join: all inputs are one, so there is one output */
    bool many;                       /* several inputs, a folder or a list: outputs need different names */
    struct gf_output_names names;    /* names of outputs */
    enum gf_ends ends;               /* the kind of result of the stages */
    const char *from;                /* --from; NULL: files of a folder are checked for known formats */
    bool update, fail_fast;
    struct gf_notices *notices;      /* of the run */
    int folders;                     /* number of subfolders that were skipped */
    int named;                       /* the number of the last input that was named alone; 0: none */
    /* the first one that follows a name with a larger number in it, as shells sort; 0: none */
    int unsorted;
    bool ordered;                    /* others follow later names, so the user chose the order */
    /* take every shards-th input, starting at number `shard`; 0: all. Outputs have the same names without it */
    int shard, shards;
};

/*
 * Adds a file, or the files of a folder or shell pattern, sorted by name with numbers by their value.
 * The folder of outputs is not searched, so b->names is set before. It opens no files.
 */
int gf_batch_add(struct gf_batch *b, const char *path, struct gf_error *err) GF_MUST_CHECK;
/* Adds a file by its exact name, for --untrusted. A folder is an error. */
int gf_batch_add_literal(struct gf_batch *b, const char *path, struct gf_error *err) GF_MUST_CHECK;
/* Warns if inputs that were named one by one seem to be in the order of a shell, which does not know numbers. */
void gf_batch_warn_order(const struct gf_batch *b);
/* Keeps those files of folders and patterns that are images or audio, by their names or their contents. */
int gf_batch_drop_unknown(struct gf_batch *b, struct gf_error *err) GF_MUST_CHECK;
/*
 * Adds the names in the file `list` ("-": standard input),
 * separated by newlines or, with `nul`, by zero bytes.
 */
int gf_batch_add_list(struct gf_batch *b, const char *list, bool nul, struct gf_error *err) GF_MUST_CHECK;
/* Processes all inputs. Prints each failure to standard error; err has a summary. */
int gf_batch_run(struct gf_batch *b, struct gf_run_context *context, const struct gf_one_input_options *options,
                 int64_t *signals, struct gf_error *err) GF_MUST_CHECK;
void gf_batch_release(struct gf_batch *b);

#endif
