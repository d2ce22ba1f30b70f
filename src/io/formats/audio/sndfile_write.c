/* Writes FLAC, Ogg, AIFF, CAF, W64 and MP3 through libsndfile, and defines all its formats. */
#define _GNU_SOURCE
#include "base/memory_share.h"
#include "base/pages.h"
#include "io/channels.h"
#include "io/fit.h"
#include "io/formats/audio/audio_extras.h"
#include "io/formats/audio/flac_frames.h"
#include "io/formats/audio/libsndfile.h"
#include "io/formats/audio/pcm.h"
#include "io/formats/audio/sndfile_open.h"
#include "io/formats/audio/sndfile_output.h"
#include "io/formats/audio/tags.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- FLAC whose header is from libsndfile, and whose frames are encoded on several threads ---- */

#define STREAMINFO_AT 8                  /* after the signature and the header of the first block */

static int put_frames(void *user, const void *bytes, size_t size, struct gf_error *err)
{
    struct gf_sndfile_output *to = user;

    if (gf_sndfile_output_calls.write(bytes, (sf_count_t)size, to) == (sf_count_t)size)
        return 0;
    *err = to->error;
    return -1;
}

/*
 * Lets libsndfile write the header, after all options and tags are set. Returns NULL if libsndfile should encode, too:
 * one thread is allowed, the output is live, or the header cannot be written.
 */
static struct gf_flac_frames *begin_flac(const struct gf_writer *w, SNDFILE *file, struct gf_sndfile_output *to)
{
    const struct gf_flac_frames_options o = { .format = &w->format, .level = w->options.compression,
                                              .threads = w->options.threads, .memory_bytes = w->options.memory_bytes,
                                              .name = w->name, .put = put_frames, .user = to };
    struct gf_flac_frames *f = w->options.live ? NULL : gf_flac_frames_open(&o);

    if (f == NULL)
        return NULL;
    sf_command(file, SFC_UPDATE_HEADER_NOW, NULL, 0);
    if (to->size > STREAMINFO_AT && to->at == to->size)
        return f;
    gf_flac_frames_close(f);
    return NULL;
}

/* Replaces what libsndfile states about frames that it did not see, after it has closed the file. */
static int end_flac(struct gf_sndfile_output *to, const struct gf_flac_totals *totals)
{
    const struct {
        int at;
        const unsigned char *bytes;
        size_t size;
    } patches[] = {
        { GF_FLAC_FRAME_SIZES_AT, totals->frame_sizes, sizeof totals->frame_sizes },
        { GF_FLAC_TOTAL_AT, totals->total, sizeof totals->total },
        { GF_FLAC_MD5_AT, totals->md5, sizeof totals->md5 },
    };

    for (size_t i = 0; i < sizeof patches / sizeof *patches; i++) {
        to->at = STREAMINFO_AT + patches[i].at;
        if (gf_sndfile_output_calls.write(patches[i].bytes, (sf_count_t)patches[i].size, to) <= 0)
            return -1;
    }
    return 0;
}

/* ---- all formats ---- */

struct recording {
    struct gf_sndfile_output to;
    SNDFILE *file;
    struct gf_flac_frames *flac; /* encodes on several threads; libsndfile then writes only the header; NULL: none */
    /* lossy encoders get pieces of PIECE_FRAMES, so that output does not depend on block sizes */
    float *piece;
    int64_t held;                /* frames in the current piece */
    int64_t frames;              /* written, except to FLAC */
    int64_t limited;             /* samples that were limited because the encoder would fail */
};

#define PIECE_FRAMES 64
#define FLAC_FRAMES 4097         /* the encoder keeps a block, at most, and a frame after it */
#define OPUS_PAGE_MS 50          /* libsndfile's minimum: pages of three packets of 20 ms */
#define OPUS_SECONDS (0.060 + 0.0065)    /* one such page, and the encoder's lookahead */
#define UNKNOWN (-1)             /* Vorbis fills whole pages, other formats wait for their header */

static const struct major {
    const char *name;
    int format;
    int small;                   /* subtype for 8 bits */
    bool lossy;
    int most_bits;
} majors[] = {
    { "flac", SF_FORMAT_FLAC, SF_FORMAT_PCM_S8, false, 24 },
    { "ogg", SF_FORMAT_OGG | SF_FORMAT_VORBIS, 0, true, 32 },
    { "opus", SF_FORMAT_OGG | SF_FORMAT_OPUS, 0, true, 32 },
    { "mp3", SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III, 0, true, 32 },
    { "aiff", SF_FORMAT_AIFF, SF_FORMAT_PCM_S8, false, 32 },
    { "caf", SF_FORMAT_CAF, SF_FORMAT_PCM_S8, false, 32 },
    { "w64", SF_FORMAT_W64, SF_FORMAT_PCM_U8, false, 32 },
};

static const struct major *major_of(const struct gf_writer *w)
{
    size_t i = 0;

    while (strcmp(majors[i].name, w->ops->name) != 0)
        i++;
    return &majors[i];
}

static bool is_opus(const struct gf_writer *w)
{
    return major_of(w)->format == (SF_FORMAT_OGG | SF_FORMAT_OPUS);
}

static int audio_format(const struct gf_writer *w, const struct gf_format *f)
{
    const struct major *m = major_of(w);

    if (m->lossy)
        return m->format;
    if (gf_type_is_float(f->type))
        return m->format | (f->type == GF_F64 ? SF_FORMAT_DOUBLE : SF_FORMAT_FLOAT);
    return m->format | (f->bits <= 8 ? m->small : f->bits <= 16 ? SF_FORMAT_PCM_16
                        : f->bits <= 24 ? SF_FORMAT_PCM_24 : SF_FORMAT_PCM_32);
}

static int audio_fit(struct gf_writer *w, struct gf_format *f, struct gf_error *err)
{
    const struct major *m = major_of(w);
    int depth = w->options.depth;
    SF_INFO info = { .channels = f->channels, .samplerate = f->rate };
    struct gf_error why;

    if (m->lossy && depth > 0)
        return gf_fail(err, GF_MISUSED, "%s: %s has no bit depth;; leave out --depth, or try .flac", w->name, m->name);
    if (m->most_bits < 32 && (depth < 0 || depth > m->most_bits))
        return gf_fail(err, GF_MISUSED, "%s: %s stores 8, 16 or 24 bits; try .wav for more", w->name, m->name);
    gf_fit_audio(w, f);
    if (m->lossy) {
        f->type = GF_F32;
        f->bits = 32;
    } else if (m->most_bits < 32 && (gf_type_is_float(f->type) || f->bits > m->most_bits)) {
        f->type = GF_S32;
        f->bits = 24;
    }
    if (is_opus(w) && f->rate != 48000 && f->rate != 24000 && f->rate != 16000 && f->rate != 12000
        && f->rate != 8000)
        return gf_fail(err, GF_FAILED, "%s: Opus does not support %d Hz; add the stage resample:48k, or try .ogg, "
                       ".flac or .wav", w->name, f->rate);
    info.format = audio_format(w, f);
    if (gf_libsndfile_open(&why) != 0)
        return gf_fail(err, why.status, "%s: %s", w->name, why.text);
    if (!sf_format_check(&info))
        return gf_fail(err, GF_FAILED, "%s: %s does not support %d channels at %d Hz; try .wav", w->name, m->name,
                       f->channels, f->rate);
    return 0;
}

/* Reports a failure. An error of the output is more precise than libsndfile's message. */
static int fail_write(const struct gf_writer *w, const char *text, struct gf_error *err)
{
    const struct recording *p = w->state;

    if (!p->to.broken && (errno == ENOMEM || text[0] == '\0'))
        return gf_fail_memory(err, w->name);
    if (!p->to.broken)
        return gf_fail(err, GF_FAILED, "%s: %s can't be written: %s", w->name, w->ops->name, text);
    *err = p->to.error;
    return -1;
}

/* Returns true if memory ran out since errno was 0. Encoders then lose samples or tags, and report only some of it. */
static bool loses_memory(const struct recording *p)
{
    return (errno == ENOMEM && sf_error(p->file) != SF_ERR_NO_ERROR) || gf_pages_ran_out();
}

static int set_encoder_options(const struct gf_writer *w, struct gf_error *err)
{
    const struct recording *p = w->state;
    double quality = w->options.quality / 100.0, level = w->options.compression / 8.0, page = OPUS_PAGE_MS;

    if (w->options.quality > 0
        && sf_command(p->file, SFC_SET_VBR_ENCODING_QUALITY, &quality, sizeof quality) != SF_TRUE)
        return fail_write(w, "the encoder refuses the quality", err);
    if (level > 1)
        level = 1;
    if (w->options.compression >= 0 && !major_of(w)->lossy
        && sf_command(p->file, SFC_SET_COMPRESSION_LEVEL, &level, sizeof level) != SF_TRUE)
        return fail_write(w, "the encoder refuses the compression level", err);
    if (w->options.live && is_opus(w))
        sf_command(p->file, SFC_SET_OGG_PAGE_LATENCY_MS, &page, sizeof page);
    return 0;
}

static int put_tags(const struct gf_writer *w, struct gf_error *err)
{
    const struct recording *p = w->state;
    size_t left = w->ops->tag_bytes;

    for (const struct gf_tag *t = gf_tags; t->key != NULL; t++) {
        const char *value = gf_tags_value(w->meta, t->key);

        if (gf_tags_stores(w->ops, t->key, value, &left) && sf_set_string(p->file, t->sndfile, value) != 0)
            return fail_write(w, "a tag can't be stored", err);
    }
    return 0;
}

/* Returns the most bytes to buffer in memory before they are written. */
static size_t buffer_limit(const struct gf_write_options *o, bool flac)
{
    return flac && o->live ? 0 : (size_t)gf_memory_share(flac ? GF_MEMORY_FLAC : GF_MEMORY_RECORDING, o->memory_bytes);
}

/* Returns true for audio formats that reach a pipe within a known time. */
static bool is_continuous(const struct gf_file_format *f, unsigned streams)
{
    return f->audio != NULL && (f->streams & streams) != 0 && f->audio->gathers_seconds >= 0;
}

static int fail_late(const struct gf_writer *w, bool ogg, struct gf_error *err)
{
    char titles[200];

    gf_file_format_titles(is_continuous, GF_STREAMS_OUT, titles, sizeof titles);
    return gf_fail(err, GF_MISUSED, "--latency: %s is written to a pipe %s; use one of %s",
                   w->ops->name, ogg ? "only when a page is full, after an unknown time" : "only at the end", titles);
}

static int64_t sample_bytes(const struct gf_writer *w, int64_t frames)
{
    return frames * gf_pcm_of_sound(&w->format).bytes * w->format.channels;
}

/* Fails if an AIFF gets too large for its sizes of 32 bits. libsndfile would wrap them. */
static int check_aiff_size(const struct gf_writer *w, int64_t bytes, struct gf_error *err)
{
    return bytes <= UINT32_MAX ? 0 : gf_fail(err, GF_FAILED, "%s: is larger than 4 GB, the limit of AIFF; try .caf",
                                             w->name);
}

static int audio_begin(struct gf_writer *w, struct gf_error *err)
{
    const struct gf_format *f = &w->format;
    SF_INFO info = { .channels = f->channels, .samplerate = f->rate, .format = audio_format(w, f) };
    const bool ogg = (info.format & SF_FORMAT_TYPEMASK) == SF_FORMAT_OGG;
    const bool flac = (info.format & SF_FORMAT_TYPEMASK) == SF_FORMAT_FLAC;
    const bool aiff = (info.format & SF_FORMAT_TYPEMASK) == SF_FORMAT_AIFF;
    struct recording *p;
    char why[200];

    if (w->state != NULL)
        return gf_fail_second_recording(w, err);
    if (w->options.live && !gf_output_random(w->out) && w->ops->gathers_seconds < 0)
        return fail_late(w, ogg, err);
    if (aiff && check_aiff_size(w, sample_bytes(w, f->units), err) != 0)
        return -1;
    p = calloc(1, sizeof *p);
    w->state = p;
    if (p != NULL)
        p->piece = calloc((size_t)(PIECE_FRAMES * f->channels), sizeof *p->piece);
    if (p == NULL || p->piece == NULL)
        return gf_fail_memory(err, w->name);
    p->to = (struct gf_sndfile_output) { .out = w->out, .ogg = ogg, .memory = !gf_output_random(w->out),
                                      .most_held = buffer_limit(&w->options, flac), .waits = !flac,
                                      .draft = aiff, .aiff = aiff, .base = gf_output_position(w->out) };
    gf_spool_begin(&p->to.held, flac ? SIZE_MAX : p->to.most_held);
    p->file = gf_sndfile_open(&gf_sndfile_output_calls, SFM_WRITE, &info, &p->to, NULL, why, sizeof why);
    if (p->file == NULL)
        return fail_write(w, why, err);
    /*
     * The chunk contains the time of writing, so no two files would be equal. The header of an AIFF gets shorter
     * without it; libsndfile would take what is left of the longer one for samples.
     */
    errno = 0;
    sf_command(p->file, SFC_SET_ADD_PEAK_CHUNK, NULL, SF_FALSE);
    p->to.draft = false;
    if (set_encoder_options(w, err) != 0 || put_tags(w, err) != 0)
        return -1;
    p->flac = flac ? begin_flac(w, p->file, &p->to) : NULL;
    if (p->to.broken)
        return fail_write(w, "", err);
    return !loses_memory(p) ? 0 : fail_write(w, sf_strerror(p->file), err);
}

static bool write_piece(struct recording *p)
{
    const int64_t put = sf_writef_float(p->file, p->piece, p->held), all = p->held;

    p->held = 0;
    return put == all;
}

/*
 * Limits a sample, because lossy encoders fail, some with abort(), on NaN and on very large values.
 */
static float limit_sample(float v)
{
    return v >= -16 && v <= 16 ? v : v > 16 ? 16 : v < -16 ? -16 : 0;
}

/*
 * Writes limited samples in Vorbis channel order. For LAME's one or two channels the order is the
 * same.
 */
static int64_t write_limited(struct recording *p, const float *from, int64_t count, int channels)
{
    for (int64_t done = 0; done < count;) {
        const int64_t n = count - done < PIECE_FRAMES - p->held ? count - done : PIECE_FRAMES - p->held;

        for (int64_t i = 0; i < n; i++)
            gf_channels_to_vorbis(from + (done + i) * channels, p->piece + (p->held + i) * channels, channels);
        for (int64_t i = 0; i < n * channels; i++) {
            float *v = &p->piece[p->held * channels + i];

            p->limited += !(fabsf(*v) <= 16);
            *v = limit_sample(*v);
        }
        done += n;
        p->held += n;
        if (p->held == PIECE_FRAMES && !write_piece(p))
            return done - 1;
    }
    return count;
}

static int audio_write(struct gf_writer *w, const void *units, int64_t count, struct gf_error *err)
{
    struct recording *p = w->state;
    int64_t put;

    if (p->flac != NULL)
        return gf_flac_frames_write(p->flac, units, count, err);
    errno = 0;
    p->frames += count;
    switch (w->format.type) {
    case GF_S16: put = sf_writef_short(p->file, units, count); break;
    case GF_S32: put = sf_writef_int(p->file, units, count); break;
    case GF_F32:
        put = major_of(w)->lossy ? write_limited(p, units, count, w->format.channels)
                                 : sf_writef_float(p->file, units, count);
        break;
    default: put = sf_writef_double(p->file, units, count);
    }
    return put == count && !p->to.broken && !loses_memory(p) ? 0 : fail_write(w, sf_strerror(p->file), err);
}

/* Corrects the sizes in the header of an AIFF. */
static int end_aiff(const struct gf_writer *w, struct gf_error *err)
{
    struct recording *p = w->state;

    if (check_aiff_size(w, p->to.size, err) != 0)
        return -1;
    return gf_sndfile_output_end_aiff(&p->to, p->frames, sample_bytes(w, p->frames)) == 0 ? 0 : fail_write(w, "", err);
}

static int audio_end(struct gf_writer *w, struct gf_error *err)
{
    struct recording *p = w->state;
    struct gf_flac_totals totals;
    int result;

    if (p->limited > 0)
        gf_warn(w->options.notices, "tamed", w->name, "%lld sample%s not finite or more than 24 dB above full scale; "
                "%s stores 0 for NaN and limits the others to 24 dB", (long long)p->limited,
                p->limited == 1 ? " is" : "s are", w->ops->name);
    if (p->flac != NULL && gf_flac_frames_end(p->flac, &totals, err) != 0)
        return -1;
    errno = 0;
    if (p->held > 0 && !write_piece(p))
        return fail_write(w, sf_strerror(p->file), err);
    if (p->to.size == 0 && !p->to.ogg)   /* without samples, some encoders have written nothing */
        sf_command(p->file, SFC_UPDATE_HEADER_NOW, NULL, 0);
    result = sf_close(p->file);
    p->file = NULL;
    if (result != 0 || p->to.broken || gf_pages_ran_out()
        || (p->flac != NULL && end_flac(&p->to, &totals) != 0))
        return fail_write(w, sf_error_number(result), err);
    if (p->to.aiff && p->to.size > 0 && end_aiff(w, err) != 0)
        return -1;
    if (p->to.size == 0 && !p->to.ogg)
        return gf_fail(err, GF_FAILED, "%s: %s can't store audio without samples; try .wav", w->name, w->ops->name);
    if (major_of(w)->lossy && p->frames > 0)
        w->bit_rate = 8.0 * (double)p->to.size * w->format.rate / (double)p->frames;
    return gf_sndfile_output_end(&p->to, err);
}

static void audio_release(struct gf_writer *w)
{
    struct recording *p = w->state;

    if (p == NULL)
        return;
    p->to.broken = true;         /* ignores whatever sf_close() still writes */
    if (p->file != NULL)
        sf_close(p->file);
    gf_flac_frames_close(p->flac);
    gf_sndfile_output_release(&p->to);
    free(p->piece);
    free(p);
}

/* ---- formats ---- */

/*
 * Returns 1 if an MPEG audio frame begins here: a sync word, and no reserved values in the header.
 */
static int is_mpeg_frame(struct gf_source *s, struct gf_error *err)
{
    const unsigned char *b;
    const int64_t size = gf_source_peek(s, 4, &b, err);

    if (size < 4)
        return size < 0 ? -1 : 0;
    return b[0] == 0xFF && (b[1] & 0xE0) == 0xE0 && (b[1] & 0x18) != 0x08 && (b[1] & 0x06) != 0
        && (b[2] & 0xF0) != 0xF0 && (b[2] & 0x0C) != 0x0C;
}

#define SOUND(word, called) .name = word, .title = called, .kinds = 1 << GF_AUDIO, .open = gf_sndfile_open_reader
/* Files with more bytes of tags than tag_bytes cannot be read by libsndfile. */
#define WRITER(word, more, ...) \
    .audio = &(const struct gf_writer_ops) { \
        .name = word, .kind = GF_AUDIO, .heeds = GF_HEEDS_DEPTH | (more), .fit = audio_fit, .begin = audio_begin, \
        .write = audio_write, .end = audio_end, .release = audio_release, .writing = GF_LABOUR_CODE, \
        .ending = GF_LABOUR_CODE, __VA_ARGS__ \
    }

const struct gf_file_format gf_file_format_flac = {
    SOUND("flac", "FLAC"), .hardened = true, .signature = { "fLaC" }, .streams = GF_STREAMS_OUT,
    WRITER("flac", GF_HEEDS_COMPRESSION, .tag_bytes = 1 << 20, .gathers_frames = FLAC_FRAMES),
    .notes = { "FLAC, Ogg, Opus, MP3, AIFF, CAF, AU, W64", "everything that libsndfile decodes",
               "cover art, chapters, cue sheets, other tags, speaker positions",
               "files that are cut short, without --salvage" },
};
const struct gf_file_format gf_file_format_ogg = {
    SOUND("ogg", "Ogg"), .endings = { "oga" }, .signature = { "OggS" }, .streams = GF_STREAMS_OUT,
    WRITER("ogg", GF_HEEDS_QUALITY, .tag_bytes = 1 << 20, .gathers_seconds = UNKNOWN),
};
const struct gf_file_format gf_file_format_opus = {
    SOUND("opus", "Opus"), .signature = { "OggS************************OpusHead" }, .streams = GF_STREAMS_OUT,
    WRITER("opus", GF_HEEDS_QUALITY, .tag_bytes = 32000, .gathers_frames = PIECE_FRAMES,
           .gathers_seconds = OPUS_SECONDS),
};
const struct gf_file_format gf_file_format_mp3 = {
    SOUND("mp3", "MP3"), .signature = { "ID3" }, .resembles = is_mpeg_frame,
    WRITER("mp3", GF_HEEDS_QUALITY, .tag_bytes = 1 << 20, .tags_lacking = " Copyright License ",
           .gathers_seconds = UNKNOWN),
};
const struct gf_file_format gf_file_format_aiff = {
    SOUND("aiff", "AIFF"), .endings = { "aif" }, .signature = { "FORM****AIF" },
    WRITER("aiff", 0, .tag_bytes = 8000, .tags_lacking = " Album Date Track Genre License ",
           .gathers_seconds = UNKNOWN),
};
const struct gf_file_format gf_file_format_aifc = { SOUND("aifc", "AIFF-C"), .signature = { "FORM****AIFC" } };
const struct gf_file_format gf_file_format_caf = {
    SOUND("caf", "CAF"), .signature = { "caff" }, WRITER("caf", 0, .tag_bytes = 16000, .gathers_seconds = UNKNOWN),
};
const struct gf_file_format gf_file_format_w64 = {
    SOUND("w64", "W64"), .signature = { "riff\x2E\x91\xCF\x11" }, WRITER("w64", 0, .gathers_seconds = UNKNOWN),
};
const struct gf_file_format gf_file_format_voc = { SOUND("voc", "VOC"), .signature = { "Creative Voice File" } };
const struct gf_file_format gf_file_format_svx = { SOUND("svx", "8SVX"), .signature = { "FORM****8SVX" } };
const struct gf_file_format gf_file_format_nist = {
    SOUND("nist", "NIST SPHERE"), .endings = { "sph" }, .signature = { "NIST_1A" },
};
