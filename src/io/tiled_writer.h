/* Divides the image that a writer gets among writers of tiles, row by row. */
#ifndef GF_IO_TILED_WRITER_H
#define GF_IO_TILED_WRITER_H

#include "base/tiling.h"
#include "io/io.h"
#include "io/name_pattern.h"

struct gf_tiled_options {
    struct gf_tiling tiling;
    /* Names a tile. `number` counts the tiles of the image row by row, from 1. */
    int (*name)(const void *context, const struct gf_tile *tile, int64_t number, struct gf_filled_name *filled,
                struct gf_error *err);
    const void *context;             /* lives as long as the writer */
};

/*
 * Makes an open writer divide its image, of the size of `f`, among files. Two rows of tiles are open at most. The tiles
 * of a row get their names when it is complete, and those of the last row by gf_writer_commit(). Checks all names, and
 * the number of files that may be open.
 */
int gf_writer_divide(struct gf_writer *w, const struct gf_tiled_options *options, const struct gf_format *f,
                     struct gf_error *err) GF_MUST_CHECK;

#endif
