/*
 * Reads all other audio formats through libsndfile: files in place, pipes from memory or from disk.
 */
#define _GNU_SOURCE
#include "base/library_text.h"
#include "base/memory_share.h"
#include "base/pages.h"
#include "io/channels.h"
#include "io/format.h"
#include "io/formats/audio/audio_extras.h"
#include "io/formats/audio/mpeg.h"
#include "io/formats/audio/libsndfile.h"
#include "io/formats/audio/mp3_parts.h"
#include "io/formats/audio/second_recording.h"
#include "io/formats/audio/sndfile_encodings.h"
#include "io/formats/audio/sndfile_input.h"
#include "io/formats/audio/sndfile_open.h"
#include "io/formats/audio/tags.h"
#include "io/metadata/meta_text.h"
#include "io/hardened.h"
#include "io/salvage.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct recording {
    struct gf_sndfile_input in;
    SNDFILE *file;
    pthread_mutex_t lock;        /* because read_at is called from any thread */
    int64_t position;            /* position of the decoder, in frames */
    int64_t frame;               /* next frame to be read in order */
    int64_t decoded_at;          /* libsndfile's position when the last frame was decoded; 0: not yet */
    bool lossy;                  /* the stated length may be an estimate */
    bool flac;
    atomic_bool refused;         /* an allocation, perhaps; this may be the reason for an early end */
    atomic_bool hurt;            /* the decoder found damage, or the end of the file within a frame */
    bool searched;               /* for the place of it, which is: */
    int64_t whole_frames;        /* frames before the damage or end */
    bool more;                   /* the file goes on after the damage */
    bool vorbis;                 /* channels are in Vorbis order */
    int64_t stated_frames;       /* frames that the headers state; 0: unknown */
    int64_t there;               /* frames that libsndfile counts */
    bool cut;                    /* the file has less than its headers state */
    struct gf_mp3_part part;     /* of an MP3: what the decoder reads now */
    bool parts;                  /* there are parts */
    bool ended;                  /* the last one is decoded */
    struct gf_notices *early;    /* what the decoder reports about headers; an error later says more */
};

static int open_file(struct gf_reader *r, SF_INFO *info, struct gf_error *err)
{
    struct recording *p = r->state;
    char why[200];

    if (p->early == NULL)
        p->early = gf_notices_new_part(r->notices);
    gf_library_text_about(p->early != NULL ? p->early : r->notices, r->name);
    p->in.wave = false;
    p->in.asked = 0;
    p->in.opening = true;
    p->file = gf_sndfile_open(&gf_sndfile_input_calls, SFM_READ, info, &p->in, gf_sndfile_input_rewind, why,
                              sizeof why);
    p->refused = errno == ENOMEM;
    p->in.opening = false;
    gf_library_text_about(NULL, NULL);
    if (p->in.broken) {
        *err = p->in.error;
        return -1;
    }
    if (p->file == NULL)
        return why[0] == '\0' ? gf_fail_memory(err, r->name)
                              : gf_fail(err, GF_FAILED, "%s: can't be decoded: %s", r->name, why);
    return 0;
}

/* Returns the bytes of the tag at the start, which may have a picture. */
static int64_t tag_bytes(const struct gf_reader *r)
{
    unsigned char start[10];
    struct gf_error none;

    return gf_source_read_at(r->source, 0, start, sizeof start, &none) == sizeof start
        ? gf_mpeg_tag_bytes(start, sizeof start) : 0;
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
    p->flac = (info->format & SF_FORMAT_TYPEMASK) == SF_FORMAT_FLAC;
    p->vorbis = subtype == SF_FORMAT_VORBIS || subtype == SF_FORMAT_OPUS;
    r->lossy = p->lossy || p->vorbis;
    if (r->lossy && info->frames > 0 && r->source->random)
        r->bit_rate = 8.0 * (double)(r->source->size - tag_bytes(r)) * info->samplerate / (double)info->frames;
    f->units = p->lossy || info->frames < 0 || info->frames >= INT64_MAX / 1024 ? GF_UNKNOWN : info->frames;
    r->random = info->seekable && f->units >= 0
             && (gf_sndfile_seeks_exactly(subtype) || p->flac);
    return 0;
}

/*
 * Compares the length of the data with the stated one. Without --salvage, a short file fails when a
 * missing frame is read.
 */
static int check_stated_length(struct gf_reader *r, const SF_INFO *info, struct gf_error *err)
{
    struct recording *p = r->state;
    const bool exact = r->random && !p->flac && gf_sndfile_seeks_exactly(info->format & SF_FORMAT_SUBMASK);
    const struct gf_stated_length stated = p->in.stated;

    if (stated.no_audio && info->frames <= 0)
        return gf_salvage_fail_frames(r, 0, 0, err);
    p->there = info->frames;
    p->stated_frames = gf_sndfile_stated_frames(&stated, info);
    p->cut = gf_stated_length_broken(&stated) || (!p->lossy && stated.frames > info->frames);
    if (p->lossy && !(p->parts && p->part.next > 0))
        r->estimated_units = p->parts && p->part.stated.frames == 0 ? p->part.frames * p->part.kind.samples : p->there;
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
        if (p->stated_frames > INT64_MAX / 1024 || p->there > INT64_MAX / 1024)
            return gf_salvage_fail_frames(r, p->there, p->stated_frames, err);
        if (p->stated_frames <= p->there)    /* part of a block of several frames is missing */
            p->stated_frames = p->there + 1;
        r->format.units = p->stated_frames;
    } else if (p->cut && r->salvage) {
        return gf_salvage_frames(r, p->there, p->stated_frames, err);
    }
    return 0;
}

/* Reads the tags that libsndfile finds, those of WAV, and the list of other data. */
static int read_tags(struct gf_reader *r, struct gf_error *err)
{
    const struct recording *p = r->state;
    const struct gf_seekable in = { .source = p->in.source, .size = p->in.size };

    for (const struct gf_tag *t = gf_tags; t->key != NULL; t++) {
        const char *text = sf_get_string(p->file, t->sndfile);

        if (text != NULL && gf_meta_text_add_bytes(&r->meta, t->key, text, strlen(text), err) != 0)
            return -1;
    }
    return gf_audio_extras_find(&r->meta, &in, err);
}

/* Searches for a second recording. libsndfile may have read a little beyond the last frame. */
static int check_second_recording(struct gf_reader *r, struct gf_error *err)
{
    const struct recording *p = r->state;
    int64_t from = p->decoded_at > GF_SECOND_RECORDING_BYTES / 2 ? p->decoded_at - GF_SECOND_RECORDING_BYTES / 2 : 1;

    if (p->parts && p->ended)
        from = p->part.after;
    else if (p->decoded_at == 0)
        return 0;
    return from >= p->in.source->size ? 0 : gf_second_recording_check(r, p->in.source, from, err);
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
    const struct gf_seekable in = { .source = p->in.source, .size = p->in.size, .from = p->in.start };

    if (gf_stated_length_find(&p->in.stated, &in, err) != 0)
        return -1;
    if (p->in.stated.bad_rate)
        return gf_fail(err, GF_FAILED, "%s: its sample rate is not a number from 1 to 2147483647", r->name);
    if (p->in.stated.several_blocks)
        return gf_fail(err, GF_FAILED, "%s: VOC with several blocks of audio is not supported;; try ffmpeg -i FILE -f "
                       "wav - | gpufilter ...", r->name);
    /* libsndfile 1.2 loses 6 KB for each Vorbis file that ends within its headers */
    if (p->in.stated.no_end && p->in.stated.no_audio)
        return gf_salvage_fail_frames(r, 0, 0, err);
    if (gf_stated_length_broken(&p->in.stated) && p->in.stated.usable > 0)
        p->in.size = p->in.stated.usable;
    if (p->in.stated.end > 0 && p->in.stated.end < p->in.size)
        p->in.size = p->in.stated.end;
    return 0;
}

/*
 * Prepares the input for the decoder of MP3. It would stop at a count that is too small, play a VBRI header, and
 * fail at a cut frame if the size is not true.
 */
static void adapt_to_mp3(struct recording *p)
{
    const struct gf_mp3_part *part = &p->part;
    const bool counted = part->stated.frames > 0 && !part->stated.vbri;

    p->in.varies = !counted && part->varies;
    if (p->in.varies && (p->in.stated.cut_frame || part->after > part->end))
        p->in.size = part->last - part->start;
    if (counted && part->frames > part->stated.frames)
        gf_stated_length_patch(&p->in.stated, part->stated_at - part->start + part->stated.frames_at,
                               (uint64_t)part->frames, 4);
    if (part->stated.vbri) {
        p->in.hidden_at = part->stated_at - part->start;
        p->in.hidden = part->kind.bytes;
        p->in.size -= p->in.size > p->in.hidden ? p->in.hidden : 0;
    }
}

/* Opens the part of the file that begins at `start`: a part of an MP3, or all of a file of another format. */
static int open_part(struct gf_reader *r, int64_t start, SF_INFO *info, struct gf_error *err)
{
    struct recording *p = r->state;
    const struct gf_seekable whole = { .source = p->in.source, .size = p->in.source->size };
    const int found = gf_mp3_part_find(&p->part, &whole, start, err);

    if (found < 0)
        return -1;
    p->parts = found > 0;
    p->in.start = start;
    /* only tags of the first part are read */
    p->in.size = (start > 0 && p->part.after < p->part.end ? p->part.after : p->part.end) - start;
    p->in.at = p->in.hidden = 0;
    p->in.varies = false;
    if (find_stated_length(r, err) != 0)
        return -1;
    if (p->parts)
        adapt_to_mp3(p);
    return open_file(r, info, err);
}

/* Checks the size of an ID3v2 tag, of which libmpg123 keeps two copies, pictures included. */
static int check_id3(const struct gf_reader *r, struct gf_error *err)
{
    const struct recording *p = r->state;
    unsigned char b[10];
    const int64_t got = gf_source_read_at(p->in.source, 0, b, sizeof b, err);

    if (got < (int64_t)sizeof b || memcmp(b, "ID3", 3) != 0)
        return got < 0 ? -1 : 0;
    return gf_meta_check_room(&r->meta, (size_t)(b[6] << 21 | b[7] << 14 | b[8] << 7 | b[9]), err);
}

static int recording_next(struct gf_reader *r, struct gf_error *err)
{
    struct recording *p = r->state;
    SF_INFO info = { .format = 0 };

    if (p->file != NULL) {
        gf_notices_end_file(p->early, true);
        p->early = NULL;
        return check_second_recording(r, err);
    }
    if (!p->in.source->random && gf_source_hold(p->in.source, buffer_limit(r->options), err) != 0)
        return -1;
    if (check_id3(r, err) != 0)
        return -1;
    if (open_part(r, 0, &info, err) != 0)
        return -1;
    if (r->options->from != NULL && !gf_sndfile_is_named(info.format, r->options->from))
        return gf_fail(err, GF_FAILED, "%s: its content is of another format;; leave out --from %s", r->name,
                       r->options->from);
    return set_format(r, &info, err) == 0 && check_stated_length(r, &info, err) == 0 && read_tags(r, err) == 0 ? 1 : -1;
}

/*
 * Decodes frames from `start`. Returns their number, which is smaller only at the end or at damage, or -1.
 * Call it with the lock held.
 */
static int64_t decode_locked(struct gf_reader *r, int64_t start, void *units, int64_t count, bool *hurt,
                             struct gf_error *err)
{
    struct recording *p = r->state;
    int64_t got = 0;

    errno = 0;                           /* libraries drop samples if memory is short, and say nothing else */
    if (start == p->position || sf_seek(p->file, start, SEEK_SET) == start) {
        switch (r->format.type) {
        case GF_S16: got = sf_readf_short(p->file, units, count); break;
        case GF_S32: got = sf_readf_int(p->file, units, count); break;
        case GF_F32: got = sf_readf_float(p->file, units, count); break;
        default: got = sf_readf_double(p->file, units, count);
        }
        /* libFLAC delivers frames for damaged ones */
        *hurt = sf_error(p->file) != SF_ERR_NO_ERROR && (p->flac || got < count);
        if (p->vorbis)
            gf_channels_from_vorbis(units, got, r->format.channels);
        p->position = start + (got > 0 ? got : 0);
        if (p->position == r->format.units)
            p->decoded_at = p->in.at;
    } else {
        p->position = -1;
        *hurt = p->flac;                 /* libFLAC seeks by decoding */
    }
    if (p->in.broken) {
        *err = p->in.error;
        return -1;
    }
    if (errno == ENOMEM)
        p->refused = true;
    return gf_pages_ran_out() ? gf_fail_memory(err, r->name) : got;
}

/* Decodes frames for any thread, and notes damage. */
static int64_t decode(struct gf_reader *r, int64_t start, void *units, int64_t count, struct gf_error *err)
{
    struct recording *p = r->state;
    bool hurt = false;
    int64_t got;

    pthread_mutex_lock(&p->lock);
    gf_library_text_about(r->notices, r->name);
    got = decode_locked(r, start, units, count, &hurt, err);
    if (hurt)
        p->hurt = true;
    gf_library_text_about(NULL, NULL);
    pthread_mutex_unlock(&p->lock);
    return got;
}

/*
 * Decodes from the beginning up to the first damage or the end, because segments may be read in any order and
 * have any length.
 */
static int search_damage(struct gf_reader *r, struct gf_error *err)
{
    enum { FRAMES = 4096 };
    struct recording *p = r->state;
    SF_INFO info = { .format = 0 };
    void *units = malloc(FRAMES * gf_unit_bytes(&r->format));
    int64_t at = 0, got = 1;
    bool hurt = false;

    if (units == NULL)
        return gf_fail_memory(err, r->name);
    /* a decoder that has met damage does not seek reliably */
    sf_close(p->file);
    p->position = 0;
    gf_sndfile_input_rewind(&p->in);
    if (open_file(r, &info, err) != 0)
        got = -1;
    for (; !hurt && got > 0; at += got > 0 ? got : 0)
        got = decode_locked(r, at, units, FRAMES, &hurt, err);
    p->searched = got >= 0;
    p->whole_frames = at;
    p->more = hurt && p->in.at < p->in.size;         /* libsndfile does not decode what follows */
    free(units);
    return got < 0 ? -1 : 0;
}

/* Finds the frame at which a FLAC is damaged or ends, after its decoder has reported damage. */
static int find_damage(struct gf_reader *r, struct gf_error *err)
{
    struct recording *p = r->state;
    int result;

    pthread_mutex_lock(&p->lock);
    result = p->searched ? 0 : search_damage(r, err);
    pthread_mutex_unlock(&p->lock);
    return result;
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

/* Handles damage, or an end before the stated one: returns 0 with --salvage, otherwise -1. */
static int64_t end_early(struct gf_reader *r, struct gf_error *err)
{
    const struct recording *p = r->state;
    int64_t frames = p->frame;

    if (p->refused && !r->salvage)
        return gf_fail_memory(err, r->name);
    if (p->flac && p->hurt) {
        if (find_damage(r, err) != 0)
            return -1;
        frames = p->whole_frames;
    }
    if (p->more)
        return gf_salvage_damaged(r, frames, p->stated_frames, err);
    if (p->vorbis && !p->hurt && p->in.stated.bad_start)
        return gf_salvage_moved(r, frames, 0, err);
    if (p->vorbis && !p->hurt && !p->cut && p->stated_frames > frames)
        return gf_salvage_moved(r, frames, p->stated_frames, err);
    if (!r->salvage)
        return gf_salvage_fail_frames(r, frames, p->stated_frames, err);
    return gf_salvage_frames(r, frames, p->stated_frames, err);
}

/* Opens the next part of an MP3. Returns 1, 0 if there is none, or -1. Parts of another form are not read. */
static int next_part(struct gf_reader *r, struct gf_error *err)
{
    struct recording *p = r->state;
    const struct gf_mp3_part *part = &p->part;
    const struct gf_mpeg *kind = &part->next_kind;
    SF_INFO info = { .format = 0 };

    p->ended = true;
    if (!p->parts || part->next == 0)
        return 0;
    if (part->skipped > GF_MP3_MOST_JUNK)
        gf_warn(r->notices, "mp3-junk", r->name, "%lld bytes after %.3f s are not MP3 and are ignored",
                (long long)part->skipped, (double)p->frame / r->format.rate);
    if (kind->rate != r->format.rate || kind->channels != r->format.channels) {
        gf_warn(r->notices, "second-recording", r->name, "after %.3f s (%d Hz, %d channel%s) a part of %d Hz and %d "
                "channel%s follows and is ignored, with all after it; convert the parts, then join them",
                (double)p->frame / r->format.rate, r->format.rate, r->format.channels,
                r->format.channels == 1 ? "" : "s", kind->rate, kind->channels, kind->channels == 1 ? "" : "s");
        return 0;
    }
    sf_close(p->file);
    p->file = NULL;
    if (open_part(r, part->next, &info, err) != 0 || check_stated_length(r, &info, err) != 0)
        return -1;
    p->stated_frames += p->stated_frames > 0 ? p->frame : 0;
    p->position = p->frame;
    p->hurt = p->ended = false;
    return 1;
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
    do {
        got = p->hurt ? 0 : decode(r, p->frame, units, count, err);
        if (got != 0) {
            p->frame += got > 0 ? got : 0;
            return got;
        }
        if (known >= 0)
            return end_early(r, err);
        if ((p->cut || p->hurt || p->frame < least_stated(p)) && end_early(r, err) != 0)
            return -1;
        got = next_part(r, err);
    } while (got > 0);
    return got;
}

static int recording_read_at(struct gf_reader *r, int64_t start, void *units, int64_t count, struct gf_error *err)
{
    const struct recording *p = r->state;
    int64_t got = decode(r, start, units, count, err);

    if (got < 0)
        return -1;
    if (p->refused && (p->hurt || got < count))
        return gf_fail_memory(err, r->name);
    if (p->hurt)
        return (int)end_early(r, err);
    if (got >= count)
        return 0;
    return gf_salvage_fail_frames(r, p->cut && p->there < start + got ? p->there : start + got, r->format.units, err);
}

static void recording_close(struct gf_reader *r)
{
    struct recording *p = r->state;

    gf_notices_end_file(p->early, false);
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
    const int flac = gf_source_begins(s, "fLaC", 4, err);
    struct recording *p;

    if (flac < 0 || gf_hardened_check(s, "compressed or unusual audio", flac, err) != 0
        || gf_reader_begin(r, s, o, &recording_ops, sizeof *p, err) != 0)
        return -1;
    p = r->state;
    pthread_mutex_init(&p->lock, NULL);
    p->in.source = s;
    return 0;
}
