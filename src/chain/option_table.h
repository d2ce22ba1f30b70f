/* Tables of colors as values of options: .cube files, Hald images, images of a gradient; and histograms of images. */
#ifndef GF_CHAIN_OPTION_TABLE_H
#define GF_CHAIN_OPTION_TABLE_H

#include "chain/option.h"

/*
 * Reads mask->file, or the array of this name, for a row with `colors` or `counts`, and identifies it. Does nothing if
 * it is read already.
 */
int gf_option_table_load(const char *what, const struct gf_option *row, struct gf_mask *mask,
                         const struct gf_given *given, struct gf_error *err) GF_MUST_CHECK;

#endif
