/*
 * Copies metadata from an input to its outputs: corrects it for the result, and names what an
 * output cannot store.
 */
#ifndef GF_RUN_OUTPUT_METADATA_H
#define GF_RUN_OUTPUT_METADATA_H

#include "io/io.h"

/*
 * Replaces *to by the metadata of the image in `r`, corrected for the result `out`. `changed`:
 * stages were applied, so sizes and thumbnails of the input no longer apply. *to is kept if it was made for an
 * earlier frame of the same animation.
 */
int gf_output_metadata_make(struct gf_meta *to, const struct gf_reader *r, bool changed, const struct gf_format *out,
                            struct gf_error *err) GF_MUST_CHECK;
/*
 * Warns about metadata in `m` that `w` cannot store; `m` belongs to the image in `r` and the output
 * `out`.
 */
void gf_output_metadata_warn(struct gf_meta *m, const struct gf_reader *r, const struct gf_writer *w,
                             const struct gf_format *out);

#endif
