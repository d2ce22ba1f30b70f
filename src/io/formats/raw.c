/*
 * Reads samples without a header, as --from raw:... describes them: audio, or consecutive images of
 * one size.
 */
#include "io/formats/raw.h"

#include "io/formats/audio/uncompressed.h"
#include "io/limits.h"

struct raw_in {
    struct gf_uncompressed uncompressed;
    struct gf_raw words;
    int64_t signals;
};

static int set_audio_format(struct gf_reader *r)
{
    struct raw_in *p = r->state;
    struct gf_format *f = &r->format;

    *f = (struct gf_format) { .kind = GF_AUDIO, .channels = p->words.channels > 0 ? p->words.channels : 1, .width = 1,
                              .rate = p->words.rate };
    gf_raw_sound(&p->words, f);
    return 0;
}

static int set_image_format(struct gf_reader *r, struct gf_error *err)
{
    struct raw_in *p = r->state;
    struct gf_format *f = &r->format;
    const int channels = p->words.channels > 0 ? p->words.channels : 3;

    *f = (struct gf_format) { .kind = GF_IMAGE, .channels = channels, .alpha = channels % 2 == 0,
                              .width = p->words.width, .units = p->words.rows };
    if (channels > 4)
        return gf_fail(err, GF_MISUSED, "--from %s: an image has 1 to 4 channels; change channels=", r->options->from);
    if (gf_raw_picture(&p->words, f) != 0)
        return gf_fail(err, GF_MISUSED, "--from %s: the type of image samples must be u8, u16 or f32",
                       r->options->from);
    return gf_limits_check_size(r->name, f->width, f->units, 0, r->options, err);
}

/* Moves to the next image. Images follow one another until the input ends. */
static int next_image(struct gf_reader *r, struct gf_error *err)
{
    struct raw_in *p = r->state;
    struct gf_uncompressed *l = &p->uncompressed;
    const unsigned char *bytes;
    int64_t got;

    l->more = l->plain = true;
    if (p->signals > 0) {
        const int64_t rows = p->words.rows - (r->source->random ? 0 : l->unit);

        if (gf_source_skip(r->source, rows * l->unit_bytes, err) < 0)
            return -1;
    }
    got = gf_source_peek(r->source, 1, &bytes, err);
    if (got <= 0)
        return (int)got;
    return gf_uncompressed_begin(r, p->words.rows * l->unit_bytes, err) != 0 ? -1 : 1;
}

static int raw_next(struct gf_reader *r, struct gf_error *err)
{
    struct raw_in *p = r->state;
    const bool sound = p->words.width == 0;
    int more;

    if (sound && p->signals > 0)
        return gf_uncompressed_drain(r, err);
    if (p->signals == 0 && (sound ? set_audio_format(r) : set_image_format(r, err)) != 0)
        return -1;
    p->uncompressed.pcm = p->words.pcm;
    p->uncompressed.unit_bytes = (int64_t)p->words.pcm.bytes * r->format.channels * r->format.width;
    more = !sound ? next_image(r, err) : gf_uncompressed_begin(r, GF_UNKNOWN, err) != 0 ? -1 : 1;
    p->signals += more > 0;
    return more;
}

static const struct gf_reader_ops raw_ops = {
    .next = raw_next, .read = gf_uncompressed_read, .read_at = gf_uncompressed_read_at,
    .view_bytes = sizeof(struct raw_in),
};

static int raw_open(struct gf_reader *r, struct gf_source *s, const struct gf_read_options *o, struct gf_error *err)
{
    struct gf_raw words = { 0 };
    struct raw_in *p;

    if (o->from != NULL && gf_raw_parse(&words, o->from, "--from", err) != 0)
        return -1;
    if (words.rate > 0 && words.width > 0)
        return gf_fail(err, GF_MISUSED, "--from %s: rate is for audio and size for images; give only one of them",
                       o->from);
    if (words.rate == 0 && words.width == 0)
        return gf_fail(err, GF_MISUSED, "%s: raw samples have no header;; describe them with --from "
                       "raw:rate=48000,channels=2,type=s16, or --from raw:size=640x480,channels=3,type=u8 for an image",
                       r->name);
    if (words.pcm.bytes == 0) {
        words.pcm.bytes = words.rate > 0 ? 2 : 1;
        words.letter = words.rate > 0 ? 's' : 'u';
    }
    if (gf_reader_begin(r, s, o, &raw_ops, sizeof *p, err) != 0)
        return -1;
    p = r->state;
    p->words = words;
    return 0;
}

const struct gf_file_format gf_file_format_raw = {
    .name = "raw", .title = "raw samples", .streams = GF_STREAMS_BOTH, .open = raw_open, .hardened = true,
    .image = &gf_write_raw_picture, .sequence = true,
    .audio = &gf_write_raw, .arguments = true,
    .notes = { "raw", "samples only", "an incomplete frame at the end", NULL },
};
