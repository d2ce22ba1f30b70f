/* Writes samples without a header: audio, or consecutive images. */
#include "io/fit.h"
#include "io/formats/raw.h"
#include "io/formats/audio/uncompressed.h"

#include <stdlib.h>
#include <string.h>

/* Parses --to raw:type=T. Only the type can be set, because the signal determines the rest. */
static int parse_arguments(const struct gf_writer *w, struct gf_raw *raw, struct gf_error *err)
{
    const char *to = w->options.to != NULL ? w->options.to : "raw";

    if (gf_raw_parse(raw, to, "--to", err) != 0)
        return -1;
    if (raw->rate > 0 || raw->channels > 0 || raw->width > 0)
        return gf_fail(err, GF_MISUSED, "--to %s: only type= can be set for an output; the stages determine the rest",
                       to);
    if (raw->pcm.bytes > 0 && w->options.depth != 0)
        return gf_fail(err, GF_MISUSED, "--to %s: type= and --depth exclude each other; leave out one of them", to);
    return 0;
}

static int raw_fit(struct gf_writer *w, struct gf_format *f, struct gf_error *err)
{
    struct gf_raw raw;

    if (parse_arguments(w, &raw, err) != 0)
        return -1;
    if (f->kind == GF_AUDIO) {
        if (raw.pcm.bytes > 0)
            gf_raw_sound(&raw, f);
        else
            gf_fit_audio(w, f);
        return 0;
    }
    if (raw.pcm.bytes > 0)
        return gf_raw_picture(&raw, f) == 0 ? 0
               : gf_fail(err, GF_MISUSED, "--to %s: the type of image samples must be u8, u16 or f32", w->options.to);
    if (w->options.depth == -32 || (w->options.depth == 0 && gf_type_is_float(f->type))) {
        f->type = GF_F32;
        f->bits = 32;
        f->maxval = 1;
        return 0;
    }
    if (gf_fit_image(w, f, "raw", err) != 0)
        return -1;
    f->maxval = f->type == GF_U8 ? 255 : 65535;      /* without a header, other values would be lost */
    f->bits = f->type == GF_U8 ? 8 : 16;
    return 0;
}

static int raw_begin(struct gf_writer *w, struct gf_error *err)
{
    const struct gf_format *f = &w->format;
    struct gf_uncompressed_out *s = w->state;
    struct gf_raw raw;

    if (parse_arguments(w, &raw, err) != 0)
        return -1;
    if (s == NULL)
        s = w->state = calloc(1, sizeof *s);
    if (s == NULL)
        return gf_fail_memory(err, w->name);
    s->unit = 0;
    atomic_store(&s->units, 0);
    s->pcm = (struct gf_pcm) { .bytes = (int)gf_type_bytes(f->type), .big = raw.pcm.big,
                               .real = gf_type_is_float(f->type) };
    if (f->kind == GF_AUDIO)
        s->pcm = gf_pcm_of_sound(f);
    if (f->kind == GF_AUDIO && raw.pcm.bytes > 0) {
        s->pcm = raw.pcm;
        s->pcm.offset = raw.letter == 'u';
    }
    s->unit_bytes = (int64_t)s->pcm.bytes * f->channels * f->width;
    s->start = gf_output_position(w->out);
    w->random = gf_output_random(w->out);
    return 0;
}

static int raw_end(struct gf_writer *w, struct gf_error *err)
{
    struct gf_uncompressed_out *s = w->state;
    /* Rows of an image may still be written, at their place, while the next image begins. */
    const int64_t units = w->format.kind == GF_IMAGE ? w->format.units : (int64_t)atomic_load(&s->units);

    (void)err;
    if (w->random)
        gf_output_set_position(w->out, s->start + units * s->unit_bytes);
    return 0;
}

const struct gf_writer_ops gf_write_raw = {
    .name = "raw", .kind = GF_AUDIO, .bare = GF_BARE_ALWAYS, .linear = true, .heeds = GF_HEEDS_DEPTH, .fit = raw_fit,
    .begin = raw_begin, .write = gf_uncompressed_write,
    .write_at = gf_uncompressed_write_at, .end = raw_end, .release = gf_writer_free_state,
};
const struct gf_writer_ops gf_write_raw_picture = {
    .name = "raw", .kind = GF_IMAGE, .bare = GF_BARE_ALWAYS, .linear = true, .heeds = GF_HEEDS_DEPTH, .fit = raw_fit,
    .begin = raw_begin, .write = gf_uncompressed_write,
    .write_at = gf_uncompressed_write_at, .end = raw_end, .release = gf_writer_free_state,
    .part_bytes = sizeof(struct gf_uncompressed_out),
};
