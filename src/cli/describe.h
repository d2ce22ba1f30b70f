/* How options and stages are written, as one line of text. */
#ifndef GF_CLI_DESCRIBE_H
#define GF_CLI_DESCRIBE_H

#include "cli/cli_options.h"

#include <stddef.h>

struct gf_option;
struct gf_stage;

/* An option of the command line: "--device auto|cpu|cuda[:N]", "-i, --input FILE". */
void gf_describe_cli_option(const struct gf_cli_option *row, char *text, size_t bytes);
/* A stage: "blur[:SIGMA]". */
void gf_describe_stage(const struct gf_stage *stage, char *text, size_t bytes);
/* The default of an option of a stage as people would write it; empty if it has none. */
void gf_describe_default(const struct gf_option *row, char *text, size_t bytes);

#endif
