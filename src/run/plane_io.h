/* One plane of a frame as a gray image, read from the reader of the frame and written to its writer. */
#ifndef GF_RUN_PLANE_IO_H
#define GF_RUN_PLANE_IO_H

#include "io/io.h"

struct gf_plane_io {
    struct gf_reader reader, *from;
    struct gf_writer writer, *to;
    struct gf_reader_ops reader_ops;
    struct gf_writer_ops writer_ops;
    int64_t from_start, to_start;        /* samples of the frame before the plane */
};

/*
 * Opens plane `number` of the current frames, from 0. It allocates nothing and need not be closed. Planes
 * that are not random must be read and written in order.
 */
void gf_plane_io_open(struct gf_plane_io *io, struct gf_reader *from, struct gf_writer *to, int number);

/* Returns the samples of a frame before plane `number`. */
int64_t gf_plane_io_start(const struct gf_format *frame, int number);

#endif
