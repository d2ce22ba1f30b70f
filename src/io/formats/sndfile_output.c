/* Where libsndfile writes to: a file, which it may patch later, or a pipe, which gets what is done as soon as can be. */
#include "io/formats/sndfile_output.h"

#include <stdlib.h>
#include <string.h>

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
    if (p->spooled)
        got = gf_spool_file_read(&p->file, (size_t)p->at, to, (size_t)got, &p->error) == 0 ? got : 0;
    else if (p->memory)
        memcpy(to, p->bytes + (p->at - p->gone), (size_t)got);
    else
        got = gf_output_read_at(p->out, p->base + p->at, to, (size_t)got);
    if (got > 0)
        p->at += got;
    return got > 0 ? got : 0;
}

/* What is held goes to the disk, and so does what follows. */
static int go_to_disk(struct gf_sndfile_output *p)
{
    if (gf_spool_file_open(&p->file, &p->error) != 0)
        return -1;
    p->spooled = true;
    if (gf_spool_file_write(&p->file, 0, p->bytes, (size_t)p->size, &p->error) != 0)
        return -1;
    free(p->bytes);
    p->bytes = NULL;
    p->room = 0;
    return 0;
}

static int grow(struct gf_sndfile_output *p, size_t size)
{
    const size_t room = 2 * p->room > size + 65536 ? 2 * p->room : size + 65536;
    unsigned char *grown;

    if (size <= p->room)
        return 0;
    grown = realloc(p->bytes, room);
    if (grown == NULL)
        return gf_fail(&p->error, GF_FAILED, "does not fit in memory; write it to a file");
    memset(grown + p->room, 0, room - p->room);
    p->bytes = grown;
    p->room = room;
    return 0;
}

/* What is held goes; what comes back to be patched later has gone by then. */
static int let_go(struct gf_sndfile_output *p)
{
    if (gf_output_write(p->out, p->bytes, (size_t)(p->size - p->gone), &p->error) != 0)
        return -1;
    p->gone = p->size;
    p->most_held = 0;
    free(p->bytes);
    p->bytes = NULL;
    p->room = 0;
    return 0;
}

static int hold(struct gf_sndfile_output *p, const unsigned char *from, size_t size)
{
    const size_t lost = p->at >= p->gone ? 0 : p->gone - p->at < (int64_t)size ? (size_t)(p->gone - p->at) : size;
    const int64_t at = p->at + (int64_t)lost, end = p->at + (int64_t)size;

    if (lost == size)
        return 0;
    if (grow(p, (size_t)(end - p->gone)) != 0)
        return -1;
    memcpy(p->bytes + (at - p->gone), from + lost, size - lost);
    if (p->size < end)
        p->size = end;
    if ((size_t)(p->size - p->gone) <= p->most_held)
        return 0;
    return p->waits ? go_to_disk(p) : let_go(p);
}

static sf_count_t output_write(const void *from, sf_count_t size, void *user)
{
    struct gf_sndfile_output *p = user;

    if (size <= 0 || p->broken)
        return 0;
    if (p->ogg && p->at != p->size)
        p->broken = gf_fail(&p->error, GF_FAILED, "an Ogg that does not come in order can't be written") != 0;
    else if (p->ogg)
        p->broken = gf_ogg_write(&p->pages, p->out, from, (size_t)size, &p->error) != 0;
    else if (p->spooled)
        p->broken = gf_spool_file_write(&p->file, (size_t)p->at, from, (size_t)size, &p->error) != 0;
    else if (p->memory)
        p->broken = hold(p, from, (size_t)size) != 0;
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

/* From the disk to the pipe. */
static int send(struct gf_sndfile_output *p, struct gf_error *err)
{
    const int64_t room = 1 << 16;
    unsigned char *piece = malloc((size_t)room);
    int result = piece != NULL ? 0 : gf_fail(err, GF_FAILED, "not enough memory");

    for (int64_t at = 0; result == 0 && at < p->size; at += room) {
        const size_t n = (size_t)(p->size - at < room ? p->size - at : room);

        result = gf_spool_file_read(&p->file, (size_t)at, piece, n, err) == 0 && gf_output_write(p->out, piece, n, err) == 0 ? 0 : -1;
    }
    free(piece);
    return result;
}

int gf_sndfile_output_end(struct gf_sndfile_output *p, struct gf_error *err)
{
    if (p->ogg)
        return gf_ogg_finish(&p->pages, p->out, err);
    if (p->spooled)
        return send(p, err);
    if (p->memory)
        return gf_output_write(p->out, p->bytes, (size_t)(p->size - p->gone), err);
    gf_output_set_position(p->out, p->base + p->size);
    return 0;
}

void gf_sndfile_output_release(struct gf_sndfile_output *p)
{
    gf_ogg_release(&p->pages);
    if (p->spooled)
        gf_spool_file_close(&p->file);
    free(p->bytes);
}
