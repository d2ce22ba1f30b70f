/* The outputs of one input: its result, and the files of tees. Each is complete or absent. */
#ifndef GF_BATCH_ONE_INPUT_FILES_H
#define GF_BATCH_ONE_INPUT_FILES_H

#include "batch/one_input.h"

/* Arrays have an element for each exit of the chain: the result, then tees. */
struct gf_output_files {
    const struct gf_one_input_options *options;
    int index;                               /* of the input among all inputs, */
    int number;                              /* and for {n}, from 1; 0: {n} counts the images of one input */
    struct gf_worker *worker;
    struct gf_notices *notices;              /* of this input */
    struct gf_sink sink[GF_CHAIN_EXITS];
    char *root[GF_CHAIN_EXITS];              /* the folder that must contain a tee's file; NULL: any folder */
    bool numbered[GF_CHAIN_EXITS];           /* each image has a file of its own */
    int depth;                               /* that outputs have if --depth does not say it; 0: as the samples */
    int64_t clipped[GF_CHAIN_EXITS];         /* samples of audio at full scale */
    char *name;                              /* of the result; NULL: not known yet */
    /* the result is up to date or kept, so the input is skipped, or of tiles the image */
    bool skipped;
    int64_t image;                           /* the number of the image that is divided into tiles; 0: none yet */
    int64_t tiles, tiles_before;             /* its tiles, and those of the images before it */
};

/* Opens the result, once a bound signal determines its format; `image` is its number, from 1. */
int gf_output_files_open_result(struct gf_output_files *f, const char *input, int64_t image,
                                struct gf_error *err) GF_MUST_CHECK;
/* Opens the files of the tees that are not open yet. */
int gf_output_files_open_tees(struct gf_output_files *f, const char *input, int64_t image,
                              struct gf_error *err) GF_MUST_CHECK;
/* Returns true if each image has a file of its own, as the result or at a tee. */
bool gf_output_files_numbered(const struct gf_output_files *f);
/* Moves the files that are complete to their names, and closes them: all, or those of one image. */
int gf_output_files_commit(struct gf_output_files *f, bool all, struct gf_error *err) GF_MUST_CHECK;
/* Warns about options that no file uses. `input` stands for a table of all inputs. */
void gf_output_files_warn_ignored(const struct gf_output_files *f, const char *input);
void gf_output_files_close(struct gf_output_files *f);

#endif
