/*
 * Reads all other audio formats through libsndfile: files in place, pipes from memory or from disk.
 */
#define _GNU_SOURCE
#include "base/memory_share.h"
#include "io/channels.h"
#include "io/format.h"
#include "io/formats/audio_extras.h"
#include "io/formats/second_recording.h"
#include "io/formats/sndfile_encodings.h"
#include "io/formats/sndfile_open.h"
#include "io/formats/stated_length.h"
#include "io/formats/tags.h"
#include "io/metadata/meta_text.h"
#include "io/salvage.h"

#include <pthread.h>
#include <sndfile.h>
#include <stdlib.h>
#include <string.h>

struct recording {
    struct gf_source *source;
    int64_t size, at;            /* of the input; libsndfile's position in it */
    struct gf_error error;       /* an error of the source inside a callback of libsndfile */
    bool broken;
    SNDFILE *file;
    pthread_mutex_t lock;        /* because read_at is called from any thread */
    int64_t position;            /* position of the decoder, in frames */
    int64_t frame;               /* next frame to be read in order */
    int64_t decoded_at;          /* libsndfile's position when the last frame was decoded; 0: not yet */
    bool lossy;                  /* the stated length may be an estimate */
    bool vorbis;                 /* channels are in Vorbis order */
    struct gf_stated_length stated;
    int64_t stated_frames;       /* frames that the headers state; 0: unknown */
    int64_t there;               /* frames that libsndfile counts */
    bool cut;                    /* the file has less than its headers state */
};

static sf_count_t input_length(void *user)
{
    return ((const struct recording *)user)->size;
}

static sf_count_t input_seek(sf_count_t offset, int whence, void *user)
{
    struct recording *p = user;
    int64_t to = whence == SEEK_SET ? offset : whence == SEEK_CUR ? p->at + offset : p->size + offset;

    if (to < 0)
        return -1;
    p->at = to;
    return to;
}

static sf_count_t input_read(void *to, sf_count_t size, void *user)
{
    struct recording *p = user;
    int64_t left = p->size > p->at ? p->size - p->at : 0;
    int64_t got = size < left ? size : left;

    if (got <= 0)
        return 0;
    got = gf_source_read_at(p->source, p->at, to, (size_t)got, &p->error);
    if (got < 0) {
        p->broken = true;
        return 0;
    }
    for (int i = 0; i < p->stated.patch_bytes; i++) {
        const int64_t place = p->stated.patch_at + i - p->at;

        if (place >= 0 && place < got)
            ((unsigned char *)to)[place] = p->stated.patch[i];
    }
    p->at += got;
    return got;
}

static sf_count_t input_write(const void *from, sf_count_t size, void *user)
{
    (void)from, (void)size, (void)user;
    return 0;
}

static sf_count_t input_tell(void *user)
{
    return ((const struct recording *)user)->at;
}

static int set_format(struct gf_reader *r, const SF_INFO *info, struct gf_error *err)
{
    struct recording *p = r->state;
    struct gf_format *f = &r->format;
    int subtype = info->format & SF_FORMAT_SUBMASK;

    if (info->channels < 1 || info->channels > GF_MAX_CHANNELS)
        return gf_fail(err, GF_FAILED, "%s: has %d channels; must be 1 to %d", r->name, info->channels,
                       GF_MAX_CHANNELS);
    if (info->samplerate < 1)
        return gf_fail(err, GF_FAILED, "%s: has a sample rate of %d; must be 1 or more", r->name, info->samplerate);
    *f = (struct gf_format) { .kind = GF_AUDIO, .channels = info->channels, .width = 1, .rate = info->samplerate };
    gf_sndfile_set_type(f, subtype);
    p->lossy = subtype == SF_FORMAT_MPEG_LAYER_I || subtype == SF_FORMAT_MPEG_LAYER_II
            || subtype == SF_FORMAT_MPEG_LAYER_III;
    p->vorbis = subtype == SF_FORMAT_VORBIS || subtype == SF_FORMAT_OPUS;
    r->lossy = p->lossy || p->vorbis;
    f->units = p->lossy || info->frames < 0 || info->frames >= INT64_MAX / 1024 ? GF_UNKNOWN : info->frames;
    r->random = info->seekable && f->units >= 0
             && (gf_sndfile_seeks_exactly(subtype) || (info->format & SF_FORMAT_TYPEMASK) == SF_FORMAT_FLAC);
    return 0;
}

/*
 * Compares the length of the data with the stated one. Without --salvage, a short file fails when a
 * missing frame is read.
 */
static int check_stated_length(struct gf_reader *r, const SF_INFO *info, struct gf_error *err)
{
    struct recording *p = r->state;
    const bool flac = (info->format & SF_FORMAT_TYPEMASK) == SF_FORMAT_FLAC;
    const bool exact = r->random && !flac && gf_sndfile_seeks_exactly(info->format & SF_FORMAT_SUBMASK);
    const struct gf_stated_length stated = p->stated;

    p->there = info->frames;
    p->stated_frames = gf_sndfile_stated_frames(&stated, info);
    p->cut = gf_stated_length_broken(&stated) || (!p->lossy && stated.frames > info->frames);
    if (stated.cut_frame)
        gf_warn(r->notices, "cut-frame", r->name, "the last MP3 frame is incomplete and is ignored");
    if (!p->cut && p->stated_frames == 0 && r->format.units > 0)
        p->stated_frames = r->format.units;
    if (r->salvage && !exact) {
        r->random = false;
        r->format.units = GF_UNKNOWN;
    } else if (p->cut && stated.no_end) {
        r->format.units = GF_UNKNOWN;
    } else if (p->cut && !r->salvage && !p->lossy) {
        if (p->stated_frames > INT64_MAX / 1024)
            return gf_salvage_fail_frames(r, p->there, p->stated_frames, err);
        if (p->stated_frames <= p->there)    /* part of a block of several frames is missing */
            p->stated_frames = p->there + 1;
        r->format.units = p->stated_frames;
    } else if (p->cut && r->salvage) {
        return gf_salvage_frames(r, p->there, p->stated_frames, err);
    }
    return 0;
}

/* Reads the tags that libsndfile finds, and the list of other data. */
static int read_tags(struct gf_reader *r, struct gf_error *err)
{
    const struct recording *p = r->state;
    const struct gf_seekable in = { .source = p->source, .size = p->size };

    for (const struct gf_tag *t = gf_tags; t->key != NULL; t++) {
        const char *text = sf_get_string(p->file, t->sndfile);

        if (text != NULL && gf_meta_text_add_bytes(&r->meta, t->key, text, strlen(text), err) != 0)
            return -1;
    }
    return gf_audio_extras_find(&r->meta, &in, err);
}

static void input_rewind(void *user)
{
    ((struct recording *)user)->at = 0;
}

/* Searches for a second recording. libsndfile may have read a little beyond the last frame. */
static int check_second_recording(struct gf_reader *r, struct gf_error *err)
{
    const struct recording *p = r->state;
    const int64_t from = p->decoded_at > GF_SECOND_RECORDING_BYTES / 2
                       ? p->decoded_at - GF_SECOND_RECORDING_BYTES / 2 : 1;

    return p->decoded_at == 0 || from >= p->size ? 0 : gf_second_recording_check(r, p->source, from, err);
}

/* Returns the most bytes of a pipe to keep in memory. */
static int64_t buffer_limit(const struct gf_read_options *o)
{
    const int64_t share = gf_memory_share(GF_MEMORY_RECORDING, o->memory_bytes);

    return o->max_bytes > 0 && o->max_bytes < share ? o->max_bytes : share;
}

static int find_stated_length(struct gf_reader *r, struct gf_error *err)
{
    struct recording *p = r->state;
    const struct gf_seekable in = { .source = p->source, .size = p->size };

    if (gf_stated_length_find(&p->stated, &in, err) != 0)
        return -1;
    if (p->stated.several_blocks)
        return gf_fail(err, GF_FAILED, "%s: VOC with several blocks of audio is not supported; try ffmpeg -i FILE -f "
                       "wav - | gpufilter ...", r->name);
    if (gf_stated_length_broken(&p->stated) && p->stated.usable > 0)
        p->size = p->stated.usable;
    return 0;
}

static int recording_next(struct gf_reader *r, struct gf_error *err)
{
    static SF_VIRTUAL_IO calls = { input_length, input_seek, input_read, input_write, input_tell };
    struct recording *p = r->state;
    SF_INFO info = { .format = 0 };
    char why[200];

    if (p->file != NULL)
        return check_second_recording(r, err);
    if (!p->source->random && gf_source_hold(p->source, buffer_limit(r->options), err) != 0)
        return -1;
    p->size = p->source->size;
    if (find_stated_length(r, err) != 0)
        return -1;
    p->file = gf_sndfile_open(&calls, SFM_READ, &info, p, input_rewind, why, sizeof why);
    if (p->broken)
        return gf_fail(err, p->error.status, "%s", p->error.text);
    if (p->file == NULL)
        return gf_fail(err, GF_FAILED, "%s: can't be decoded: %s", r->name, why);
    return set_format(r, &info, err) == 0 && check_stated_length(r, &info, err) == 0 && read_tags(r, err) == 0 ? 1 : -1;
}

/* Decodes frames from `start`. Returns their number, which is smaller only at the end, or -1. */
static int64_t decode(struct gf_reader *r, int64_t start, void *units, int64_t count, struct gf_error *err)
{
    struct recording *p = r->state;
    int64_t got = 0;

    pthread_mutex_lock(&p->lock);
    if (start == p->position || sf_seek(p->file, start, SEEK_SET) == start) {
        switch (r->format.type) {
        case GF_S16: got = sf_readf_short(p->file, units, count); break;
        case GF_S32: got = sf_readf_int(p->file, units, count); break;
        case GF_F32: got = sf_readf_float(p->file, units, count); break;
        default: got = sf_readf_double(p->file, units, count);
        }
        if (p->vorbis)
            gf_channels_from_vorbis(units, got, r->format.channels);
        p->position = start + (got > 0 ? got : 0);
        if (p->position == r->format.units)
            p->decoded_at = p->at;
    } else {
        p->position = -1;
    }
    if (p->broken)
        got = gf_fail(err, p->error.status, "%s", p->error.text);
    pthread_mutex_unlock(&p->lock);
    return got;
}

/*
 * Returns the least number of frames that must be decoded. MP3 decoders drop silence that encoders
 * add, but Xing headers count it.
 */
static int64_t least_stated(const struct recording *p)
{
    enum { MOST_ADDED = 4 * 1152 };

    return p->lossy ? p->stated_frames - MOST_ADDED : p->stated_frames;
}

/* Handles an end before the stated one: returns 0 with --salvage, otherwise -1. */
static int64_t end_early(const struct gf_reader *r, struct gf_error *err)
{
    const struct recording *p = r->state;

    if (!r->salvage)
        return gf_salvage_fail_frames(r, p->frame, p->stated_frames, err);
    return gf_salvage_frames(r, p->frame, p->stated_frames, err);
}

/* Returns the complete frames before a cut. The next call fails. */
static int64_t recording_read(struct gf_reader *r, void *units, int64_t count, struct gf_error *err)
{
    struct recording *p = r->state;
    int64_t got, known = r->format.units;

    if (known >= 0 && count > known - p->frame)
        count = known - p->frame;
    if (count <= 0)
        return 0;
    got = decode(r, p->frame, units, count, err);
    if (got == 0 && known >= 0)
        return end_early(r, err);
    if (got == 0)
        return p->cut || p->frame < least_stated(p) ? end_early(r, err) : 0;
    if (got > 0)
        p->frame += got;
    return got;
}

static int recording_read_at(struct gf_reader *r, int64_t start, void *units, int64_t count, struct gf_error *err)
{
    const struct recording *p = r->state;
    int64_t got = decode(r, start, units, count, err);

    if (got < 0 || got >= count)
        return got < 0 ? -1 : 0;
    return gf_salvage_fail_frames(r, p->cut && p->there < start + got ? p->there : start + got, r->format.units, err);
}

static void recording_close(struct gf_reader *r)
{
    struct recording *p = r->state;

    if (p->file != NULL)
        sf_close(p->file);
    pthread_mutex_destroy(&p->lock);
}

static const struct gf_reader_ops recording_ops = {
    .next = recording_next, .read = recording_read, .read_at = recording_read_at,
    .close = recording_close, .reading = GF_LABOUR_CODE,
};

int gf_sndfile_open_reader(struct gf_reader *r, struct gf_source *s, const struct gf_read_options *o,
                           struct gf_error *err)
{
    struct recording *p;

    if (gf_reader_begin(r, s, o, &recording_ops, sizeof *p, err) != 0)
        return -1;
    p = r->state;
    pthread_mutex_init(&p->lock, NULL);
    p->source = s;
    return 0;
}
