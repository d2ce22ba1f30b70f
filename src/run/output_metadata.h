/* Metadata from an input to its outputs: made true of the result; what an output cannot store is named. */
#ifndef GF_RUN_OUTPUT_METADATA_H
#define GF_RUN_OUTPUT_METADATA_H

#include "io/io.h"

/*
 * Replaces *to by the metadata of the image in `r` for what a chain makes of it, `out`. `changed`: stages were applied, so that sizes and
 * thumbnails are no longer those of the input.
 */
int gf_output_metadata_make(struct gf_meta *to, const struct gf_reader *r, bool changed, const struct gf_format *out,
                            struct gf_error *err) GF_MUST_CHECK;
/* Warns about what `w` cannot store of `m`, made for the image in `r` and an output `out`. */
void gf_output_metadata_warn(const struct gf_meta *m, const struct gf_reader *r, const struct gf_writer *w,
                             const struct gf_format *out);

#endif
