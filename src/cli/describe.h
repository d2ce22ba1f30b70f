/* Writes options and stages as one line of text. */
#ifndef GF_CLI_DESCRIBE_H
#define GF_CLI_DESCRIBE_H

#include "chain/stage.h"
#include "cli/cli_options.h"

#include <stddef.h>

/* Writes an option of the command line: "--device auto|cpu|cuda[:N]", "-i, --input FILE". */
void gf_describe_cli_option(const struct gf_cli_option *row, char *text, size_t bytes);
/* Writes a stage: "blur[:SIGMA]". */
void gf_describe_stage(const struct gf_stage *stage, char *text, size_t bytes);
/* Writes the default of a stage's option as users would write it; an empty text if it has none. */
void gf_describe_default(const struct gf_option *row, char *text, size_t bytes);
/* Returns the heading of a group: "Blur and sharpen". */
const char *gf_describe_group(enum gf_group group);

#endif
