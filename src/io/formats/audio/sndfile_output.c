/*
 * The output that libsndfile writes to: a file, which it may patch later, or a pipe, which gets
 * bytes as soon as they are final.
 */
#include "io/formats/audio/sndfile_output.h"

#include "io/bytes.h"

#include <string.h>

#define CHUNK_HEADER 8                   /* of AIFF: a name and a size */

static sf_count_t output_length(void *user)
{
    return ((const struct gf_sndfile_output *)user)->size;
}

static sf_count_t output_seek(sf_count_t offset, int whence, void *user)
{
    struct gf_sndfile_output *p = user;
    const int64_t to = whence == SEEK_SET ? offset : whence == SEEK_CUR ? p->at + offset : p->size + offset;

    if (to < 0)
        return -1;
    p->at = to;
    return to;
}

static sf_count_t output_read(void *to, sf_count_t size, void *user)
{
    struct gf_sndfile_output *p = user;
    const int64_t left = p->size > p->at ? p->size - p->at : 0;
    int64_t got = size < left ? size : left;

    if (got <= 0 || p->ogg || (p->memory && p->at < p->gone))
        return 0;
    if (p->memory)
        got = gf_spool_read(&p->held, (size_t)(p->at - p->gone), to, (size_t)got, &p->error) == 0 ? got : 0;
    else
        got = gf_output_read_at(p->out, p->base + p->at, to, (size_t)got);
    if (got > 0)
        p->at += got;
    return got > 0 ? got : 0;
}

/* Writes the buffered bytes to the pipe. */
static int write_buffered(struct gf_sndfile_output *p, struct gf_error *err)
{
    unsigned char piece[1 << 16];
    size_t n;

    if (!p->held.on_disk)
        return gf_output_write(p->out, p->held.memory, p->held.bytes, err);
    for (size_t at = 0; at < p->held.bytes; at += n) {
        n = p->held.bytes - at < sizeof piece ? p->held.bytes - at : sizeof piece;
        if (gf_spool_read(&p->held, at, piece, n, err) != 0 || gf_output_write(p->out, piece, n, err) != 0)
            return -1;
    }
    return 0;
}

/*
 * Buffers bytes for a pipe. Patches before `gone` are dropped, because those bytes have been
 * written.
 */
static int buffer_bytes(struct gf_sndfile_output *p, const unsigned char *from, size_t size)
{
    const size_t lost = p->at >= p->gone ? 0 : p->gone - p->at < (int64_t)size ? (size_t)(p->gone - p->at) : size;

    if (lost == size)
        return 0;
    if (gf_spool_put(&p->held, (size_t)(p->at + (int64_t)lost - p->gone), from + lost, size - lost, &p->error) != 0)
        return -1;
    if (p->waits || p->held.bytes <= p->most_held)
        return 0;
    if (write_buffered(p, &p->error) != 0)
        return -1;
    p->gone += (int64_t)p->held.bytes;
    p->most_held = 0;
    gf_spool_close(&p->held);
    return 0;
}

/* Notes the offsets of the sizes in the header of an AIFF, which is written as a whole. */
static void note_sizes(struct gf_sndfile_output *p, const unsigned char *b, int64_t size)
{
    for (int64_t at = 12; at + CHUNK_HEADER <= size;) {
        const int64_t bytes = gf_get32(b + at + 4, true);

        if (memcmp(b + at, "COMM", 4) == 0)
            p->count_at = at + CHUNK_HEADER + 2;
        if (memcmp(b + at, "SSND", 4) == 0) {
            p->size_at = at + 4;
            break;
        }
        at += CHUNK_HEADER + bytes + (bytes & 1);
    }
}

static sf_count_t output_write(const void *from, sf_count_t size, void *user)
{
    struct gf_sndfile_output *p = user;

    if (size <= 0 || p->broken)
        return 0;
    if (p->draft) {
        p->at += size;
        return size;
    }
    if (p->aiff && p->at == 0)
        note_sizes(p, from, size);
    if (p->ogg && p->at != p->size)
        p->broken = gf_fail(&p->error, GF_FAILED, "Ogg can only be written in order") != 0;
    else if (p->ogg)
        p->broken = gf_ogg_write(&p->pages, p->out, from, (size_t)size, &p->error) != 0;
    else if (p->memory)
        p->broken = buffer_bytes(p, from, (size_t)size) != 0;
    else
        p->broken = gf_output_write_at(p->out, p->base + p->at, from, (size_t)size, &p->error) != 0;
    if (p->broken)
        return 0;
    p->at += size;
    if (p->size < p->at)
        p->size = p->at;
    return size;
}

static sf_count_t output_tell(void *user)
{
    return ((const struct gf_sndfile_output *)user)->at;
}

SF_VIRTUAL_IO gf_sndfile_output_calls = { output_length, output_seek, output_read, output_write, output_tell };

static int patch32(struct gf_sndfile_output *p, int64_t at, uint32_t value)
{
    unsigned char b[4];

    gf_put32(b, value);
    p->at = at;
    return at == 0 || output_write(b, sizeof b, p) == sizeof b ? 0 : -1;
}

/*
 * libsndfile 1.2 takes the pad byte after an odd number of bytes for a sample. A writer and a reader of
 * our own would need ten times the lines of this correction, and no less time: 600 s of stereo are
 * written and read as fast as a WAV, for which we have both.
 */
int gf_sndfile_output_end_aiff(struct gf_sndfile_output *p, int64_t frames, int64_t bytes)
{
    enum { SSND_HEADER = 8 };            /* an offset and a block size before the samples */

    return patch32(p, p->count_at, (uint32_t)frames) == 0
        && patch32(p, p->size_at, (uint32_t)(bytes + SSND_HEADER)) == 0 ? 0 : -1;
}

int gf_sndfile_output_end(struct gf_sndfile_output *p, struct gf_error *err)
{
    if (p->ogg)
        return gf_ogg_finish(&p->pages, p->out, err);
    if (p->memory)
        return write_buffered(p, err);
    gf_output_set_position(p->out, p->base + p->size);
    return 0;
}

void gf_sndfile_output_release(struct gf_sndfile_output *p)
{
    gf_ogg_release(&p->pages);
    gf_spool_close(&p->held);
}
