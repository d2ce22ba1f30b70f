/* Names of outputs: no two are the same, and extensions change if the format requires it. */
#ifndef GF_BATCH_OUTPUT_NAMES_H
#define GF_BATCH_OUTPUT_NAMES_H

#include "base/tiling.h"
#include "io/io.h"
#include "io/name_pattern.h"

/* Warns if standard output is redirected to a file whose extension means another format. */
void gf_output_names_warn_redirected(const struct gf_writer *w);

/* The destination of outputs, and their names as far as they are known before inputs are opened. */
struct gf_output_names {
    const char *text;                /* a name, a folder, a pattern, or "-" */
    const char *to;                  /* --to: the extension of outputs in a folder, or NULL */
    bool folder;                     /* outputs go to a folder, with the names of their inputs */
    bool many;                       /* {n} is the number of the input; else images of one input are numbered */
    bool tiles;                      /* the result is divided into tiles, with a name each */
    char **inputs;                   /* the caller's */
    const int *bases;                /* likewise, as in struct gf_batch; NULL: outputs keep no tree */
    int count;
    /* a name per input; in a folder, with the extension of the input; {n} for images stays */
    struct gf_filled_name *filled;
    struct gf_output_name *sorted;   /* names in order, to find two inputs with the same output */
};

/* Returns true if `text` is a folder for outputs: it ends in /, or it exists. */
bool gf_output_names_is_folder(const char *text);
/* Returns true if each input has its own output. */
bool gf_output_names_differ(const struct gf_output_names *o);
/* Returns true if each image of an input has its own output. */
bool gf_output_names_numbered(const struct gf_output_names *o);
/* Returns true if the folders of outputs have the numbers of images, so that they are made as these come. */
bool gf_output_names_numbers_folders(const struct gf_output_names *o);
/* Returns true if outputs get the extensions of their inputs, which may have to change. */
bool gf_output_names_adapt(const struct gf_output_names *o);

/* Returns how many of the first bytes of an input are the folder whose tree outputs keep; -1: they keep none. */
int gf_output_names_base(const struct gf_output_names *o, int index);
/*
 * Names the output of one input, with such a base; release it after success. `number` fills {n}; 0 leaves it.
 * {x} and {y} stay.
 */
int gf_output_names_one(const struct gf_output_names *o, const char *input, int base, int number,
                        struct gf_notices *notices, struct gf_filled_name *filled, struct gf_error *err) GF_MUST_CHECK;
/*
 * Names the outputs of all inputs. Names alone decide,
 * so a wrong one fails before anything is read.
 */
int gf_output_names_fill(struct gf_output_names *o, struct gf_notices *notices, struct gf_error *err) GF_MUST_CHECK;
/*
 * Names a tile of output `index`; release it after success. `image` is the number of its image, `count` that of the
 * tile among those of the input, from 1.
 */
int gf_output_names_tile(const struct gf_output_names *o, int index, int64_t image, int64_t count,
                         const struct gf_tile *tile, struct gf_filled_name *filled, struct gf_error *err) GF_MUST_CHECK;
/* Fails if the tiles of a further image of output `index` would get the names of those of the first. */
int gf_output_names_check_tiles(const struct gf_output_names *o, int index, struct gf_error *err) GF_MUST_CHECK;
void gf_output_names_release(struct gf_output_names *o);
/*
 * Warns about outputs that replace their inputs, or that the option `skips` (NULL: none) keeps for that
 * reason, so that their inputs are never processed. With shards, only those of one shard count.
 */
void gf_output_names_warn_in_place(const struct gf_output_names *o, bool table, const char *skips, int shard,
                                   int shards, struct gf_notices *notices);
/* Refuses a name, filled in, if the user typed its extension and no format has that. */
int gf_output_names_check_extension(const struct gf_output_names *o, const char *name,
                                    struct gf_error *err) GF_MUST_CHECK;
/* Refuses such names, and several inputs if they would not go to different files. */
int gf_output_names_check(const struct gf_output_names *o, struct gf_error *err) GF_MUST_CHECK;
/* Like gf_output_names_check(), for the name `text` that a stage writes to. */
int gf_output_names_check_stage(const char *text, char **inputs, const int *bases, int count,
                                struct gf_error *err) GF_MUST_CHECK;

/*
 * Returns the final name of output `index`, once its content is known: with the number `image`
 * (from 1) if images are numbered, or with another extension if its own does not fit the content.
 * Fields of tiles stay. Free it. Fails if another output has precedence for the name. Precedence depends only on names,
 * so the same output fails in every run and every shard.
 */
char *gf_output_names_settle(const struct gf_output_names *o, int index, int64_t image, enum gf_kind kind, bool table,
                             struct gf_error *err) GF_MUST_CHECK;

#endif
