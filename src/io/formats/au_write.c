/* Writes AU: with its size where that is known and fits, with an open one elsewhere. */
#include "io/bytes.h"
#include "io/fit.h"
#include "io/formats/tags.h"
#include "io/formats/uncompressed.h"

#include <stdlib.h>
#include <string.h>

#define HEADER_BYTES 24

static int au_fit(struct gf_writer *w, struct gf_format *f, struct gf_error *err)
{
    (void)err;
    gf_fit_audio(w, f);
    return 0;
}

/* "To the end" is what a size that nobody knows yet says, and one that takes more than 32 bits. */
static uint32_t size_of(const struct gf_uncompressed_out *s, int64_t frames)
{
    return frames < 0 || frames >= UINT32_MAX / s->unit_bytes ? UINT32_MAX : (uint32_t)(frames * s->unit_bytes);
}

/* An annotation ends in a zero byte, and takes a multiple of 8. */
static unsigned char *header(struct gf_writer *w, int64_t frames, struct gf_error *err)
{
    struct gf_uncompressed_out *s = w->state;
    const uint32_t bytes = (uint32_t)s->pcm.bytes;
    unsigned char *lines, *b;
    size_t size;

    if (gf_tags_put_lines(w->meta, &lines, &size, err) != 0)
        return NULL;
    s->header_bytes = HEADER_BYTES + (size > 0 ? (size + 8) & ~(size_t)7 : 0);
    b = calloc(1, s->header_bytes);
    if (b != NULL) {
        memcpy(b, ".snd", 4);
        gf_put32(b + 4, (uint32_t)s->header_bytes);
        gf_put32(b + 8, size_of(s, frames));
        gf_put32(b + 12, !s->pcm.real ? bytes + 1 : bytes == 4 ? 6 : 7);
        gf_put32(b + 16, (uint32_t)w->format.rate);
        gf_put32(b + 20, (uint32_t)w->format.channels);
        if (size > 0)
            memcpy(b + HEADER_BYTES, lines, size);
    } else {
        gf_fail_memory(err, w->name);
    }
    free(lines);
    return b;
}

static int au_begin(struct gf_writer *w, struct gf_error *err)
{
    const struct gf_format *f = &w->format;
    struct gf_uncompressed_out *s;
    unsigned char *bytes;
    int result;

    if (w->state != NULL)
        return gf_fail(err, GF_FAILED, "%s: an AU holds one recording", w->name);
    s = w->state = calloc(1, sizeof *s);
    if (s == NULL)
        return gf_fail_memory(err, w->name);
    s->pcm = gf_pcm_of_sound(f);
    s->pcm.big = true;
    s->pcm.offset = false;
    s->unit_bytes = (int64_t)s->pcm.bytes * f->channels;
    s->start = gf_output_position(w->out);
    w->random = gf_output_random(w->out);
    bytes = header(w, f->units, err);
    result = bytes == NULL ? -1 : gf_output_hold(w->out, bytes, s->header_bytes, err);
    free(bytes);
    return result;
}

static int au_end(struct gf_writer *w, struct gf_error *err)
{
    struct gf_uncompressed_out *s = w->state;
    const int64_t frames = atomic_load(&s->units);
    unsigned char size[4];

    if (!w->random)
        return 0;
    gf_put32(size, size_of(s, frames));
    gf_output_set_position(w->out, s->start + (int64_t)s->header_bytes + frames * s->unit_bytes);
    return gf_output_write_at(w->out, s->start + 8, size, 4, err);
}

static void au_release(struct gf_writer *w)
{
    free(w->state);
}

const struct gf_writer_ops gf_write_au = {
    .name = "au", .kind = GF_AUDIO, .heeds = GF_HEEDS_DEPTH, .fit = au_fit, .begin = au_begin, .write = gf_uncompressed_write,
    .write_at = gf_uncompressed_write_at, .end = au_end, .release = au_release,
};
