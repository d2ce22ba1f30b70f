/* Updates chunks of a WAV for another WAV, in which times, levels or channels are others. */
#define _GNU_SOURCE
#include "io/metadata/riff_chunks.h"

#include "io/bytes.h"
#include "io/metadata/riff_levels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { HEADER = 8, CUE = 24, LOOP = 24, LOOPS = 36 };

const char *const gf_riff_level_names[GF_RIFF_LEVELS] = { "bext", "iXML", "ADM", "ID3" };

unsigned gf_riff_chunks_needs(const char *id)
{
    static const char *const timed[] = { "cue ", "LIST", "smpl", "bext" };
    static const char *const channels[] = { "iXML", "axml", "bxml", "chna" };

    for (size_t i = 0; i < sizeof timed / sizeof *timed; i++)
        if (memcmp(id, timed[i], 4) == 0)
            return GF_RIFF_NEEDS_TIMED;
    for (size_t i = 0; i < sizeof channels / sizeof *channels; i++)
        if (memcmp(id, channels[i], 4) == 0)
            return GF_RIFF_NEEDS_TIMES | GF_RIFF_NEEDS_CHANNELS;
    return memcmp(id, "inst", 4) == 0 ? 0 : GF_RIFF_NEEDS_TIMES;
}

bool gf_riff_chunks_keeps(unsigned needs, const struct gf_audio_change *c)
{
    return c->rate > 0 && !(needs != 0 && !c->timed) && !((needs & GF_RIFF_NEEDS_TIMES) != 0 && c->moved)
        && !((needs & GF_RIFF_NEEDS_CHANNELS) != 0 && c->remixed);
}

/* Returns the whole size of the chunk at the start of `b`, with its padding. */
static size_t whole_size(const unsigned char *b, size_t left)
{
    const size_t size = HEADER + (size_t)gf_get32(b + 4, false), all = size + (size & 1);

    return all < left ? all : left;
}

/* Returns the frame of the output nearest to a frame of the file. */
static int64_t moved_frame(double frame, const struct gf_audio_change *c)
{
    return (int64_t)floor((frame - c->start) / c->step + 0.5);
}

static bool is_inside(uint32_t frame, const struct gf_audio_change *c)
{
    const int64_t at = moved_frame(frame, c);

    return frame >= c->first && (int64_t)frame - !c->cut < c->end && at >= 0 && at <= (int64_t)UINT32_MAX;
}

/* ---- markers ---- */

static uint32_t cue_count(const unsigned char *cue, size_t size)
{
    const size_t room = size < HEADER + 4 ? 0 : (size - HEADER - 4) / CUE;
    const uint32_t says = room > 0 ? gf_get32(cue + HEADER, false) : 0;

    return says < room ? says : (uint32_t)room;
}

/* Copies the markers inside the output. */
static size_t settle_cue(const unsigned char *from, size_t size, const struct gf_audio_change *c, unsigned char *to)
{
    enum { POSITION = 4, OFFSET = 20 };
    const uint32_t count = cue_count(from, size);
    uint32_t kept = 0;

    if (count == 0)                                      /* the chunk may be shorter than an empty one */
        return 0;
    memcpy(to, from, 4);
    for (uint32_t i = 0; i < count; i++) {
        const unsigned char *cue = from + HEADER + 4 + (size_t)CUE * i;
        unsigned char *copy = to + HEADER + 4 + (size_t)CUE * kept;
        const uint32_t offset = gf_get32(cue + OFFSET, false), position = gf_get32(cue + POSITION, false);

        if (!is_inside(offset, c))
            continue;
        memcpy(copy, cue, CUE);
        gf_put_number(copy + OFFSET, (uint64_t)moved_frame(offset, c), 4, false);
        if (position == offset || position != 0)         /* some programs do not state it */
            memcpy(copy + POSITION, copy + OFFSET, 4);
        kept++;
    }
    gf_put_number(to + 4, 4 + (uint64_t)CUE * kept, 4, false);
    gf_put_number(to + HEADER, kept, 4, false);
    return kept > 0 ? HEADER + 4 + (size_t)CUE * kept : 0;
}

/* Returns the index of the marker with a number, `count` if there is none. Markers often have numbers from 1 on. */
static uint32_t find_cue(const unsigned char *cues, uint32_t count, uint32_t id)
{
    uint32_t i = 0;

    if (id > 0 && id <= count && gf_get32(cues + (size_t)CUE * (id - 1), false) == id)
        return id - 1;
    while (i < count && gf_get32(cues + (size_t)CUE * i, false) != id)
        i++;
    return i;
}

/* Finds the frame of a marker. Returns false if the output does not have it. */
static bool find_marker(const struct gf_meta *m, uint32_t id, const struct gf_audio_change *c, uint32_t *frame)
{
    for (size_t at = 0; at + HEADER <= m->riff_bytes;) {
        const unsigned char *chunk = m->riff + at;
        const size_t size = whole_size(chunk, m->riff_bytes - at);
        const uint32_t count = memcmp(chunk, "cue ", 4) == 0 ? cue_count(chunk, size) : 0;
        uint32_t i;

        i = find_cue(chunk + HEADER + 4, count, id);
        if (i < count) {
            *frame = gf_get32(chunk + HEADER + 4 + (size_t)CUE * i + 20, false);
            return is_inside(*frame, c);
        }
        at += size;
    }
    return false;
}

/* Copies the labels of markers inside the output. An ltxt also has the length of a region. */
static size_t settle_labels(const struct gf_meta *m, const unsigned char *from, size_t size,
                            const struct gf_audio_change *c, unsigned char *to)
{
    enum { LIST = HEADER + 4 };
    size_t kept = LIST;

    if (size < LIST)
        return 0;
    memcpy(to, from, LIST);
    for (size_t at = LIST, all; at + HEADER + 4 <= size; at += all) {
        const unsigned char *label = from + at;
        uint32_t frame;

        all = whole_size(label, size - at);
        if (all < HEADER + 4 || !find_marker(m, gf_get32(label + HEADER, false), c, &frame))
            continue;
        memcpy(to + kept, label, all);
        if (memcmp(label, "ltxt", 4) == 0 && all >= HEADER + 8) {
            const double end = (double)frame + gf_get32(label + HEADER + 4, false);
            const int64_t length = moved_frame(end < (double)c->end ? end : (double)c->end, c) - moved_frame(frame, c);

            gf_put_number(to + kept + HEADER + 4, (uint64_t)length, 4, false);
        }
        kept += all;
    }
    gf_put_number(to + 4, kept - HEADER, 4, false);
    return kept > LIST ? kept : 0;
}

/* ---- samplers, broadcast ---- */

/* Copies loops that are completely inside the output, and states the period of a sample. */
static size_t settle_sampler(const unsigned char *from, size_t size, const struct gf_audio_change *c, unsigned char *to)
{
    enum { PERIOD = 8, COUNT = 28, START = 8, END = 12, FRACTION = 16 };
    size_t kept = HEADER + LOOPS, at = kept;
    uint32_t count, loops = 0;

    if (size < kept)
        return 0;
    memcpy(to, from, kept);
    if (c->step != 1)
        gf_put_number(to + HEADER + PERIOD, (uint64_t)llround(1e9 / c->rate), 4, false);
    count = gf_get32(from + HEADER + COUNT, false);
    for (; count > 0 && at + LOOP <= size; count--, at += LOOP) {
        const uint32_t start = gf_get32(from + at + START, false), last = gf_get32(from + at + END, false);

        if (!is_inside(start, c) || last >= c->end || last < start)
            continue;
        memcpy(to + kept, from + at, LOOP);
        gf_put_number(to + kept + START, (uint64_t)moved_frame(start, c), 4, false);
        gf_put_number(to + kept + END, (uint64_t)moved_frame((double)last + 1, c) - 1, 4, false);
        if (c->step != 1)
            gf_put_number(to + kept + FRACTION, 0, 4, false);
        kept += LOOP;
        loops++;
    }
    gf_put_number(to + HEADER + COUNT, loops, 4, false);
    memcpy(to + kept, from + at, size - at);             /* data of the sampler */
    kept += size - at;
    gf_put_number(to + 4, kept - HEADER - (gf_get32(from + 4, false) & 1), 4, false);
    return kept;
}

/*
 * Moves the time of day of the first frame, in frames since midnight. 0 usually means that it is unknown, so silence
 * before the audio does not take it to the day before.
 */
static void settle_broadcast(unsigned char *chunk, size_t size, const struct gf_audio_change *c)
{
    enum { REFERENCE = HEADER + 338 };
    int64_t time, day = (int64_t)86400 * c->rate;

    if (size < REFERENCE + 8)
        return;
    time = (int64_t)((uint64_t)gf_get32(chunk + REFERENCE + 4, false) << 32 | gf_get32(chunk + REFERENCE, false));
    if (time < 0 || time > INT64_C(1) << 50 || (time == 0 && c->start < 0))
        return;
    time = (int64_t)floor(((double)time + c->start) / c->step + 0.5);
    gf_put_number(chunk + REFERENCE, (uint64_t)(time < 0 ? time + day : time), 8, false);
}

/* ---- all chunks ---- */

/* Drops levels. Returns the bit of their kind if there were any. Sets *size to 0 if the chunk cannot be kept. */
static unsigned drop_levels(unsigned char *chunk, size_t *size)
{
    static const char *const ids[] = { "bext", "iXML", "axml" };

    for (unsigned i = 0; i < sizeof ids / sizeof *ids; i++)
        if (memcmp(chunk, ids[i], 4) == 0)
            return gf_riff_levels_drop(chunk, *size) ? 1u << i : 0;
    if (strncasecmp((const char *)chunk, "id3 ", 4) == 0) {
        const int dropped = gf_riff_levels_drop_id3(chunk, *size);

        *size = dropped < 0 ? 0 : *size;
        return dropped != 0 ? 8 : 0;
    }
    return 0;
}

/* Copies a chunk that is kept. Returns its new size; 0: it is dropped. */
static size_t settle_chunk(const struct gf_meta *m, const unsigned char *from, size_t size,
                           const struct gf_audio_change *c, unsigned char *to)
{
    if (c->moved && memcmp(from, "cue ", 4) == 0)
        return settle_cue(from, size, c, to);
    if (c->moved && memcmp(from, "LIST", 4) == 0)
        return settle_labels(m, from, size, c, to);
    if (c->moved && memcmp(from, "smpl", 4) == 0)
        return settle_sampler(from, size, c, to);
    memcpy(to, from, size);
    if (c->moved && memcmp(from, "bext", 4) == 0)
        settle_broadcast(to, size, c);
    return size;
}

static size_t settle(const struct gf_meta *m, const struct gf_audio_change *c, unsigned char *to, unsigned *levels)
{
    size_t kept = 0;

    for (size_t at = 0, size; at + HEADER <= m->riff_bytes; at += size) {
        size_t now = 0;

        size = whole_size(m->riff + at, m->riff_bytes - at);
        if (gf_riff_chunks_keeps(gf_riff_chunks_needs((const char *)m->riff + at), c))
            now = settle_chunk(m, m->riff + at, size, c, to + kept);
        if (now > 0 && c->revalued)
            *levels |= drop_levels(to + kept, &now);
        kept += now;
    }
    return kept;
}

size_t gf_riff_chunks_settle(const struct gf_meta *m, const struct gf_audio_change *c, unsigned char *to)
{
    unsigned levels = 0;

    return settle(m, c, to, &levels);
}

int gf_riff_chunks_apply(struct gf_meta *m, const struct gf_audio_change *c, struct gf_error *err)
{
    unsigned char *const kept = m->riff_bytes > 0 ? malloc(m->riff_bytes) : NULL;

    if (m->riff_bytes == 0)
        return 0;
    if (kept == NULL)
        return gf_fail_memory(err, NULL);
    m->riff_bytes = gf_riff_chunks_settle(m, c, kept);
    free(m->riff);
    m->riff = kept;
    for (int i = 0; i < m->extras; i++)
        m->extra[i].riff = m->extra[i].riff && gf_riff_chunks_keeps(m->extra[i].needs, c);
    return 0;
}

unsigned gf_riff_chunks_levels(const struct gf_meta *m, const struct gf_audio_change *c)
{
    unsigned char *copy = m->riff_bytes > 0 && c->revalued ? malloc(m->riff_bytes) : NULL;
    unsigned levels = 0;

    if (copy != NULL)
        settle(m, c, copy, &levels);
    free(copy);
    return levels;
}

/* ---- markers of several recordings ---- */

static int append_bytes(unsigned char **to, size_t *used, size_t *room, const void *from, size_t bytes,
                        struct gf_error *err)
{
    if (*used + bytes > *room) {
        const size_t more = 2 * (*used + bytes);
        unsigned char *const grown = realloc(*to, more);

        if (grown == NULL)
            return gf_fail_memory(err, NULL);
        *to = grown;
        *room = more;
    }
    memcpy(*to + *used, from, bytes);
    *used += bytes;
    return 0;
}

/* Appends labels, after the name of their list, with the numbers that the markers from `cues` on will have. */
static int append_labels(struct gf_riff_markers *to, size_t cues, unsigned char *labels, size_t size,
                         struct gf_error *err)
{
    const uint32_t before = (uint32_t)(cues / CUE), count = (uint32_t)(to->cue_bytes / CUE) - before;

    for (size_t at = HEADER + 4, all; at + HEADER + 4 <= size; at += all) {
        const uint32_t i = find_cue(to->cues + cues, count, gf_get32(labels + at + HEADER, false));
        const uint32_t says = gf_get32(labels + at + 4, false);

        all = whole_size(labels + at, size - at);
        /* the last one may be cut */
        gf_put_number(labels + at + 4, says < all - HEADER ? says : all - HEADER, 4, false);
        gf_put_number(labels + at + HEADER, before + i + 1, 4, false);
        if (append_bytes(&to->labels, &to->label_bytes, &to->label_room, labels + at, all, err) != 0
            || ((all & 1) != 0
                && append_bytes(&to->labels, &to->label_bytes, &to->label_room, &(char) { 0 }, 1, err) != 0))
            return -1;
    }
    return 0;
}

/* Appends the markers of a chunk, or the labels of those from `cues` on. */
static int append_chunk(struct gf_riff_markers *to, const struct gf_meta *m, size_t at, const char *id, size_t cues,
                        const struct gf_audio_change *c, unsigned char *settled, struct gf_error *err)
{
    const size_t size = whole_size(m->riff + at, m->riff_bytes - at);

    if (memcmp(m->riff + at, id, 4) != 0)
        return 0;
    if (*id == 'L')
        return append_labels(to, cues, settled, settle_labels(m, m->riff + at, size, c, settled), err);
    if (settle_cue(m->riff + at, size, c, settled) == 0)
        return 0;
    return append_bytes(&to->cues, &to->cue_bytes, &to->cue_room, settled + HEADER + 4,
                        (size_t)CUE * gf_get32(settled + HEADER, false), err);
}

int gf_riff_markers_add(struct gf_riff_markers *to, const struct gf_meta *m, const struct gf_audio_change *c,
                        struct gf_error *err)
{
    static const char *const ids[] = { "cue ", "LIST" };
    const size_t cues = to->cue_bytes;
    unsigned char *const settled = malloc(m->riff_bytes + HEADER + 4);
    int result = settled != NULL ? 0 : gf_fail_memory(err, NULL);

    for (int i = 0; i < 2; i++)
        for (size_t at = 0; result == 0 && at + HEADER <= m->riff_bytes;
             at += whole_size(m->riff + at, m->riff_bytes - at))
            result = append_chunk(to, m, at, ids[i], cues, c, settled, err);
    for (size_t at = cues; at < to->cue_bytes; at += CUE)
        gf_put_number(to->cues + at, at / CUE + 1, 4, false);
    free(settled);
    return result;
}

int64_t gf_riff_markers_at(const struct gf_riff_markers *m, size_t i, const char **label, int *length)
{
    *label = "";
    *length = 0;
    if (i >= m->cue_bytes / CUE)
        return -1;
    for (size_t at = 0, all; at + HEADER + 4 <= m->label_bytes; at += all) {
        const unsigned char *const b = m->labels + at;

        all = whole_size(b, m->label_bytes - at);
        if (memcmp(b, "labl", 4) != 0 || gf_get32(b + HEADER, false) != i + 1 || all < HEADER + 4)
            continue;
        *label = (const char *)b + HEADER + 4;
        *length = (int)strnlen(*label, all - HEADER - 4);
    }
    return gf_get32(m->cues + CUE * i + 20, false);
}

static int compare_cues(const void *a, const void *b)
{
    const unsigned char *const x = a, *const y = b;
    const uint32_t at = gf_get32(x + 20, false), other = gf_get32(y + 20, false);
    const uint32_t id = gf_get32(x, false), next = gf_get32(y, false);

    return at != other ? (at > other) - (at < other) : (id > next) - (id < next);
}

/* Sorts markers by time, and numbers them again from 1 on, also in their labels. */
static int sort_markers(unsigned char *cues, size_t count, unsigned char *labels, size_t label_bytes,
                        struct gf_error *err)
{
    uint32_t *const now = malloc((count + 1) * sizeof *now);

    if (now == NULL)
        return gf_fail_memory(err, NULL);
    if (count > 0)
        qsort(cues, count, CUE, compare_cues);
    for (size_t i = 0; i < count; i++) {
        now[gf_get32(cues + CUE * i, false)] = (uint32_t)i + 1;
        gf_put_number(cues + CUE * i, i + 1, 4, false);
    }
    for (size_t at = 0; at + HEADER + 4 <= label_bytes; at += whole_size(labels + at, label_bytes - at)) {
        const uint32_t id = gf_get32(labels + at + HEADER, false);

        if (id > 0 && id <= count)
            gf_put_number(labels + at + HEADER, now[id], 4, false);
    }
    free(now);
    return 0;
}

int gf_riff_markers_set(struct gf_riff_markers *from, struct gf_meta *m, struct gf_error *err)
{
    unsigned char *const riff = malloc(m->riff_bytes + 2 * (HEADER + 4) + from->cue_bytes + from->label_bytes);
    size_t kept = 0;

    if (riff == NULL)
        return gf_fail_memory(err, NULL);
    if (sort_markers(from->cues, from->cue_bytes / CUE, from->labels, from->label_bytes, err) != 0) {
        free(riff);
        return -1;
    }
    for (size_t at = 0, size; at + HEADER <= m->riff_bytes; at += size) {
        size = whole_size(m->riff + at, m->riff_bytes - at);
        if (memcmp(m->riff + at, "cue ", 4) == 0 || memcmp(m->riff + at, "LIST", 4) == 0)
            continue;
        memcpy(riff + kept, m->riff + at, size);
        kept += size;
    }
    if (from->cue_bytes > 0) {
        memcpy(riff + kept, "cue ", 4);
        gf_put_number(riff + kept + 4, 4 + from->cue_bytes, 4, false);
        gf_put_number(riff + kept + HEADER, from->cue_bytes / CUE, 4, false);
        memcpy(riff + kept + HEADER + 4, from->cues, from->cue_bytes);
        kept += HEADER + 4 + from->cue_bytes;
    }
    if (from->label_bytes > 0) {
        memcpy(riff + kept, "LIST", 4);
        gf_put_number(riff + kept + 4, 4 + from->label_bytes, 4, false);
        memcpy(riff + kept + HEADER, "adtl", 4);
        memcpy(riff + kept + HEADER + 4, from->labels, from->label_bytes);
        kept += HEADER + 4 + from->label_bytes;
    }
    free(m->riff);
    m->riff = riff;
    m->riff_bytes = kept;
    return 0;
}

void gf_riff_markers_release(struct gf_riff_markers *m)
{
    free(m->cues);
    free(m->labels);
    *m = (struct gf_riff_markers) { 0 };
}
