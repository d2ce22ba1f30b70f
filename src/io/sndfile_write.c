/* Writes FLAC, Ogg, AIFF, CAF, W64 and MP3 through libsndfile, into a file or into memory for a pipe. */
#define _GNU_SOURCE
#include "io/formats.h"
#include "io/tags.h"

#include <sndfile.h>
#include <stdlib.h>
#include <string.h>

struct recording {
    struct gf_output *out;
    bool memory;                 /* a pipe can't go back to fill in a header */
    unsigned char *bytes;
    size_t room;
    int64_t base, size, at;      /* in the output: where we start, how much there is, where libsndfile stands */
    struct gf_error error;       /* of the output, met inside libsndfile */
    bool broken;
    SNDFILE *file;
};

static const struct major {
    const char *name;
    int format;
    int small;                   /* the subtype for 8 bits */
    bool lossy;
    int most_bits;
    size_t most_text;            /* bytes of tags, all together, beyond which libsndfile can't read its own files again */
} majors[] = {
    { "flac", SF_FORMAT_FLAC, SF_FORMAT_PCM_S8, false, 24, 1 << 20 },
    { "ogg", SF_FORMAT_OGG | SF_FORMAT_VORBIS, 0, true, 32, 1 << 20 },
    { "opus", SF_FORMAT_OGG | SF_FORMAT_OPUS, 0, true, 32, 32000 },
    { "mp3", SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III, 0, true, 32, 1 << 20 },
    { "aiff", SF_FORMAT_AIFF, SF_FORMAT_PCM_S8, false, 32, 8000 },
    { "caf", SF_FORMAT_CAF, SF_FORMAT_PCM_S8, false, 32, 16000 },
    { "w64", SF_FORMAT_W64, SF_FORMAT_PCM_U8, false, 32, 0 },
};

static const struct major *major_of(const struct gf_writer *w)
{
    size_t i = 0;

    while (strcmp(majors[i].name, w->ops->name) != 0)
        i++;
    return &majors[i];
}

static int sound_format(const struct gf_writer *w, const struct gf_format *f)
{
    const struct major *m = major_of(w);

    if (m->lossy)
        return m->format;
    if (gf_type_is_float(f->type))
        return m->format | (f->type == GF_F64 ? SF_FORMAT_DOUBLE : SF_FORMAT_FLOAT);
    return m->format | (f->bits <= 8 ? m->small : f->bits <= 16 ? SF_FORMAT_PCM_16
                        : f->bits <= 24 ? SF_FORMAT_PCM_24 : SF_FORMAT_PCM_32);
}

static int sound_fit(struct gf_writer *w, struct gf_format *f, struct gf_error *err)
{
    const struct major *m = major_of(w);
    int depth = w->options.depth;
    SF_INFO info = { .channels = f->channels, .samplerate = f->rate };

    if (m->lossy && depth > 0)
        return gf_fail(err, GF_MISUSED, "%s: %s has no depth; leave out --depth, or try .flac", w->name, m->name);
    if (m->most_bits < 32 && (depth < 0 || depth > m->most_bits))
        return gf_fail(err, GF_MISUSED, "%s: %s holds 8, 16 or 24 bits; try .wav for more", w->name, m->name);
    gf_fit_audio(w, f);
    if (m->lossy) {
        f->type = GF_F32;
        f->bits = 32;
    } else if (m->most_bits < 32 && (gf_type_is_float(f->type) || f->bits > m->most_bits)) {
        f->type = GF_S32;
        f->bits = 24;
    }
    if (strcmp(m->name, "opus") == 0 && f->rate != 48000 && f->rate != 24000 && f->rate != 16000 && f->rate != 12000
        && f->rate != 8000)
        return gf_fail(err, GF_FAILED, "%s: opus can't hold %d Hz; .ogg, .flac and .wav can", w->name, f->rate);
    info.format = sound_format(w, f);
    if (!sf_format_check(&info))
        return gf_fail(err, GF_FAILED, "%s: %s can't hold %d channels at %d Hz; try .wav", w->name, m->name,
                       f->channels, f->rate);
    return 0;
}

static sf_count_t output_length(void *user)
{
    return ((const struct recording *)user)->size;
}

static sf_count_t output_seek(sf_count_t offset, int whence, void *user)
{
    struct recording *p = user;
    int64_t to = whence == SEEK_SET ? offset : whence == SEEK_CUR ? p->at + offset : p->size + offset;

    if (to < 0)
        return -1;
    p->at = to;
    return to;
}

static sf_count_t output_read(void *to, sf_count_t size, void *user)
{
    struct recording *p = user;
    int64_t left = p->size > p->at ? p->size - p->at : 0;
    int64_t got = size < left ? size : left;

    if (got <= 0)
        return 0;
    if (p->memory)
        memcpy(to, p->bytes + p->at, (size_t)got);
    else
        got = gf_out_read_at(p->out, p->base + p->at, to, (size_t)got);
    if (got > 0)
        p->at += got;
    return got > 0 ? got : 0;
}

static int grow(struct recording *p, size_t size)
{
    size_t room = 2 * p->room > size + 65536 ? 2 * p->room : size + 65536;
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

static sf_count_t output_write(const void *from, sf_count_t size, void *user)
{
    struct recording *p = user;

    if (size <= 0 || p->broken)
        return 0;
    if (p->memory) {
        p->broken = grow(p, (size_t)(p->at + size)) != 0;
        if (!p->broken)
            memcpy(p->bytes + p->at, from, (size_t)size);
    } else {
        p->broken = gf_out_write_at(p->out, p->base + p->at, from, (size_t)size, &p->error) != 0;
    }
    if (p->broken)
        return 0;
    p->at += size;
    if (p->size < p->at)
        p->size = p->at;
    return size;
}

static sf_count_t output_tell(void *user)
{
    return ((const struct recording *)user)->at;
}

/* The output's own trouble says more than libsndfile's. */
static int fail_sound(const struct gf_writer *w, const char *text, struct gf_error *err)
{
    const struct recording *p = w->state;

    if (!p->broken)
        return gf_fail(err, GF_FAILED, "%s: %s can't be written: %s", w->name, w->ops->name, text);
    *err = p->error;
    return -1;
}

static void tune(const struct gf_writer *w)
{
    const struct recording *p = w->state;
    double quality = w->options.quality / 100.0, level = w->options.compression / 8.0;

    if (w->options.quality > 0)
        sf_command(p->file, SFC_SET_VBR_ENCODING_QUALITY, &quality, sizeof quality);
    if (level > 1)
        level = 1;
    if (w->options.compression >= 0 && !major_of(w)->lossy)
        sf_command(p->file, SFC_SET_COMPRESSION_LEVEL, &level, sizeof level);
}

/* As far as the format can: what it has no place for stays behind. */
static void put_tags(const struct gf_writer *w)
{
    const struct recording *p = w->state;
    size_t left = major_of(w)->most_text;

    for (const struct gf_tag *t = gf_tags; t->key != NULL; t++) {
        const char *value = gf_tags_value(w->meta, t->key);

        if (value == NULL || strlen(value) > left)
            continue;
        left -= strlen(value);
        sf_set_string(p->file, t->sndfile, value);
    }
}

static int sound_begin(struct gf_writer *w, struct gf_error *err)
{
    static SF_VIRTUAL_IO calls = { output_length, output_seek, output_read, output_write, output_tell };
    const struct gf_format *f = &w->format;
    SF_INFO info = { .channels = f->channels, .samplerate = f->rate, .format = sound_format(w, f) };
    struct recording *p;

    if (w->state != NULL)
        return gf_fail(err, GF_FAILED, "%s: %s holds one recording", w->name, w->ops->name);
    if (w->options.live && !gf_out_random(w->out))
        return gf_fail(err, GF_MISUSED, "--latency: a pipe gets %s only at the end; WAV comes piece by piece", w->ops->name);
    p = calloc(1, sizeof *p);
    w->state = p;
    if (p == NULL)
        return gf_fail(err, GF_FAILED, "%s: out of memory", w->name);
    p->out = w->out;
    p->memory = !gf_out_random(w->out);
    p->base = gf_out_position(w->out);
    p->file = sf_open_virtual(&calls, SFM_WRITE, &info, p);
    if (p->file == NULL)
        return fail_sound(w, sf_strerror(NULL), err);
    tune(w);
    put_tags(w);
    return 0;
}

/* Lossy encoders give up, some by abort(), on what is not a number or far too loud. */
static int64_t write_tamed(struct recording *p, const float *from, int64_t count, int channels)
{
    float chunk[64 * GF_MAX_CHANNELS];
    int64_t done = 0;

    while (done < count) {
        int64_t n = count - done < 64 ? count - done : 64;

        for (int64_t i = 0; i < n * channels; i++) {
            float v = from[done * channels + i];

            chunk[i] = v >= -16 && v <= 16 ? v : v > 16 ? 16 : v < -16 ? -16 : 0;
        }
        if (sf_writef_float(p->file, chunk, n) != n)
            break;
        done += n;
    }
    return done;
}

static int sound_write(struct gf_writer *w, const void *units, int64_t count, struct gf_error *err)
{
    struct recording *p = w->state;
    int64_t put;

    switch (w->format.type) {
    case GF_S16: put = sf_writef_short(p->file, units, count); break;
    case GF_S32: put = sf_writef_int(p->file, units, count); break;
    case GF_F32:
        put = major_of(w)->lossy ? write_tamed(p, units, count, w->format.channels)
                                 : sf_writef_float(p->file, units, count);
        break;
    default: put = sf_writef_double(p->file, units, count);
    }
    return put == count && !p->broken ? 0 : fail_sound(w, sf_strerror(p->file), err);
}

static int sound_end(struct gf_writer *w, struct gf_error *err)
{
    struct recording *p = w->state;
    int result = sf_close(p->file);

    p->file = NULL;
    if (result != 0 || p->broken)
        return fail_sound(w, sf_error_number(result), err);
    if (p->memory)
        return gf_out_write(w->out, p->bytes, (size_t)p->size, err);
    gf_out_set_position(w->out, p->base + p->size);
    return 0;
}

static void sound_release(struct gf_writer *w)
{
    struct recording *p = w->state;

    if (p == NULL)
        return;
    p->broken = true;            /* whatever closing still wants to write is of no use */
    if (p->file != NULL)
        sf_close(p->file);
    free(p->bytes);
    free(p);
}

#define SOUND_WRITER(word) \
    const struct gf_writer_ops gf_write_##word = { \
        .name = #word, .kind = GF_AUDIO, .fit = sound_fit, .begin = sound_begin, .write = sound_write, \
        .end = sound_end, .release = sound_release, .writing = GF_LABOUR_CODE, .ending = GF_LABOUR_CODE, \
    }

SOUND_WRITER(flac);
SOUND_WRITER(ogg);
SOUND_WRITER(opus);
SOUND_WRITER(mp3);
SOUND_WRITER(aiff);
SOUND_WRITER(caf);
SOUND_WRITER(w64);
