/* Many files: finds the inputs, names their outputs, and works through them with threads. */
#ifndef GF_BATCH_BATCH_H
#define GF_BATCH_BATCH_H

#include "batch/one_input.h"
#include "chain/stage.h"

struct gf_batch {
    char **inputs;
    int count, room;
    bool many;                       /* several were named, or a folder, or a list: outputs need names of their own */
    struct gf_output_names names;    /* names of outputs */
    enum gf_ends ends;               /* what the stages make of an input */
    const char *from;                /* --from, or NULL: files of a folder are looked at */
    bool update, fail_fast;
    struct gf_notices *notices;      /* of the run */
    int folders;                     /* that lie in folders, and were passed over */
    int shard, shards;               /* take every shards-th input from the shard-th; 0: all */
};

/* Adds a file, or the pictures and recordings of a folder, or those that a pattern as of a shell matches, in order of name. */
int gf_batch_add(struct gf_batch *b, const char *path, struct gf_error *err) GF_MUST_CHECK;
/* Adds the names in `list` ("-": standard input), parted by ends of lines or, with `nul`, by zero bytes. */
int gf_batch_add_list(struct gf_batch *b, const char *list, bool nul, struct gf_error *err) GF_MUST_CHECK;
/* Takes every n-th input only, from the k-th (1 is the first); outputs are named as if all were taken. */
void gf_batch_shard(struct gf_batch *b, int k, int n);
/*
 * Opens where one table of all inputs goes, if that is what is asked for: several of them, stages that end in a table, and one
 * name, or standard output. Else *writer is NULL.
 */
int gf_batch_open_table(const struct gf_batch *b, const struct gf_write_options *options, struct gf_writer **writer,
                        struct gf_error *err) GF_MUST_CHECK;
/* Whether it is there and newer than all inputs, or, with `keep`, there. */
bool gf_batch_has_table(const struct gf_batch *b, bool keep);
/* Runs all of them. Failures are said one by one on standard error; the last word is in err. */
int gf_batch_run(struct gf_batch *b, struct gf_run_context *context, const struct gf_one_input_options *options,
                 int64_t *signals, struct gf_error *err) GF_MUST_CHECK;
void gf_batch_release(struct gf_batch *b);

#endif
