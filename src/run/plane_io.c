/* Reads and writes one plane of a frame. */
#include "run/plane_io.h"

#include "chain/video.h"

int64_t gf_plane_io_start(const struct gf_format *frame, int number)
{
    const struct gf_format chroma = gf_planes_format(frame, true);

    return number == 0 ? 0 : frame->width * frame->units + (number - 1) * chroma.width * chroma.units;
}

static int64_t read_plane(struct gf_reader *r, void *units, int64_t count, struct gf_error *err)
{
    const struct gf_plane_io *io = r->state;
    const int64_t width = r->format.width, wanted = count * width;
    int64_t done = 0, got = 1;

    for (; done < wanted && got > 0; done += got) {
        got = gf_reader_fetch(io->from, (char *)units + (size_t)done * gf_type_bytes(r->format.type), wanted - done,
                              err);
        if (got < 0)
            return -1;
    }
    return done / width;
}

static int read_plane_at(struct gf_reader *r, int64_t start, void *units, int64_t count, struct gf_error *err)
{
    const struct gf_plane_io *io = r->state;
    const int64_t width = r->format.width;

    return gf_reader_read_at(io->from, io->from_start + start * width, units, count * width, err);
}

static void *place_to_read(const struct gf_reader *r, int64_t start)
{
    const struct gf_plane_io *io = r->state;

    return io->from->ops->in_place(io->from, io->from_start + start * r->format.width);
}

static int write_plane(struct gf_writer *w, const void *units, int64_t count, struct gf_error *err)
{
    const struct gf_plane_io *io = w->state;

    return gf_writer_write(io->to, units, count * w->format.width, err);
}

static int write_plane_at(struct gf_writer *w, int64_t start, const void *units, int64_t count, struct gf_error *err)
{
    const struct gf_plane_io *io = w->state;
    const int64_t width = w->format.width;

    return gf_writer_write_at(io->to, io->to_start + start * width, units, count * width, err);
}

static void *place_to_write(struct gf_writer *w, int64_t start)
{
    const struct gf_plane_io *io = w->state;

    return io->to->ops->in_place(io->to, io->to_start + start * w->format.width);
}

void gf_plane_io_open(struct gf_plane_io *io, struct gf_reader *from, struct gf_writer *to, int number)
{
    *io = (struct gf_plane_io) {
        .reader = *from, .from = from, .writer = *to, .to = to,
        .reader_ops = { .read = read_plane, .read_at = read_plane_at, .reading = from->ops->reading,
                        .in_place = from->ops->in_place != NULL ? place_to_read : NULL },
        .writer_ops = { .name = to->ops->name, .kind = GF_IMAGE, .write = write_plane, .write_at = write_plane_at,
                        .writing = to->ops->writing,
                        .in_place = to->ops->in_place != NULL ? place_to_write : NULL },
        .from_start = gf_plane_io_start(&from->format, number), .to_start = gf_plane_io_start(&to->format, number),
    };
    io->reader.ops = &io->reader_ops;
    io->reader.format = gf_planes_format(&from->format, number > 0);
    io->reader.salvaged = NULL;              /* the frame's reader has it */
    io->reader.state = io;
    io->writer.ops = &io->writer_ops;
    io->writer.format = gf_planes_format(&to->format, number > 0);
    io->writer.state = io;
}
