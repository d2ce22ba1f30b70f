/* Prints the plan for --explain and -v. */
#ifndef GF_PLAN_EXPLAIN_H
#define GF_PLAN_EXPLAIN_H

#include "plan/plan.h"

#include <stdio.h>

/* A plan is for one file of a batch, and for a part of a chain that is divided. All zero: there are no others. */
struct gf_explain_batch {
    int files, at_once;
    int passes;                  /* of the parts before */
    int frames;                  /* images that wait for the stage at the start of this part, and their bytes */
    int64_t frame_bytes;
};

/* `file` describes the file in the line of the input; `gathered` is gf_writer_gathers() of the output. */
void gf_explain(const struct gf_plan *plan, const struct gf_binding *binding, const struct gf_outputs *outputs,
                const char *file, double gathered, const struct gf_explain_batch *batch, FILE *to);
/* Writes "640x480 rgb u8" or "48000 Hz 2 channels s16, 96000 frames"; `text` has room for 100 bytes. */
void gf_explain_format(const struct gf_format *f, char *text);

#endif
