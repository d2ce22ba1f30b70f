/* Writes options and stages as one line of text. */
#ifndef GF_CLI_DESCRIBE_H
#define GF_CLI_DESCRIBE_H

#include "chain/stage.h"

#include <stddef.h>

/* Writes a stage: "blur[:SIGMA]". */
void gf_describe_stage(const struct gf_stage *stage, char *text, size_t bytes);
/* Writes the default of a stage's option as users would write it; an empty text if it has none. */
void gf_describe_default(const struct gf_option *row, char *text, size_t bytes);
/* Returns the heading of a group: "Blur and sharpen". */
const char *gf_describe_group(enum gf_group group);

#endif
