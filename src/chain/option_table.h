/* Tables of colors as values of options: .cube files, Hald images, images of a gradient; and histograms of images. */
#ifndef GF_CHAIN_OPTION_TABLE_H
#define GF_CHAIN_OPTION_TABLE_H

#include "chain/option.h"

struct gf_reader;

/* Reads a file, or an array instead, for a row with `colors` or `counts`. The caller frees the weights. */
int gf_option_table_read(const char *what, const struct gf_option *row, const char *file, struct gf_reader *array,
                         struct gf_mask *mask, struct gf_error *err) GF_MUST_CHECK;

#endif
