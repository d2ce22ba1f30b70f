/*
 * Copies metadata from an input to its outputs: corrects it for the result, and names what an
 * output cannot store.
 */
#ifndef GF_RUN_OUTPUT_METADATA_H
#define GF_RUN_OUTPUT_METADATA_H

#include "base/tiling.h"
#include "chain/binding.h"
#include "io/io.h"
#include "io/metadata/change.h"

/* An output, and the exit of the chain that it stores. */
struct gf_output_of {
    const struct gf_binding *binding;
    int exit;
    const struct gf_writer *writer;
    const struct gf_format *stored;          /* what the writer stores */
    const struct gf_tile *tile;              /* the part of it that the file has; NULL: all of it */
};

/*
 * Replaces *to by the metadata of the image in `r`, corrected for an output. *to is kept if it was made for an earlier
 * frame of the same animation.
 */
int gf_output_metadata_make(struct gf_meta *to, const struct gf_reader *r, const struct gf_output_of *output,
                            struct gf_error *err) GF_MUST_CHECK;
/*
 * Warns about metadata in `m` that `w` cannot store; `m` belongs to the image in `r` and the output
 * `out`.
 */
void gf_output_metadata_warn(struct gf_meta *m, const struct gf_reader *r, const struct gf_writer *w,
                             const struct gf_format *out);

/*
 * Gives `to` the metadata of the recording in `from`, which a binding changes on its way (NULL: nothing does): it then
 * describes that of `to`, and *change has what it cannot.
 */
int gf_output_metadata_follow(struct gf_reader *to, const struct gf_reader *from, const struct gf_binding *binding,
                              struct gf_audio_change *change, struct gf_error *err) GF_MUST_CHECK;
/*
 * Goes on to the next recording of `from`. At the end, `to` has what the last one has after its samples, which a pipe
 * delivers too late.
 */
int gf_output_metadata_next(struct gf_reader *to, struct gf_reader *from, struct gf_error *err) GF_MUST_CHECK;
/* Returns how audio at an exit of the chain differs from the file, of which the input may be a part. */
struct gf_audio_change gf_output_metadata_audio(const struct gf_binding *binding, int exit, const struct gf_reader *r);

#endif
