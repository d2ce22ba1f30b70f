/* Updates chunks of a WAV for another WAV, in which times, levels or channels are others. */
#define _GNU_SOURCE
#include "io/metadata/riff_chunks.h"

#include "io/bytes.h"
#include "io/metadata/riff_levels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { HEADER = 8, CUE = 24, LOOP = 24, LOOPS = 36, POSITION = 4, OFFSET = 20 /* in a marker */ };

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

static void put_le(unsigned char *b, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        b[i] = (unsigned char)(value >> (8 * i));
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

    return frame >= c->first && frame <= c->end && at >= 0 && at <= (int64_t)UINT32_MAX;
}

/* ---- markers ---- */

static uint32_t cue_count(const unsigned char *cue, size_t size)
{
    const size_t room = size < HEADER + 4 ? 0 : (size - HEADER - 4) / CUE;
    const uint32_t says = room > 0 ? gf_get32(cue + HEADER, false) : 0;

    return says < room ? says : (uint32_t)room;
}

/* Copies a marker to another frame. */
static void put_cue(unsigned char *to, const unsigned char *cue, uint32_t id, int64_t frame)
{
    const bool stated = gf_get32(cue + POSITION, false) != 0 || gf_get32(cue + OFFSET, false) == 0;

    memcpy(to, cue, CUE);
    put_le(to, id, 4);
    put_le(to + OFFSET, (uint64_t)frame, 4);
    if (stated)                                          /* some programs do not state it */
        memcpy(to + POSITION, to + OFFSET, 4);
}

/* Copies the markers inside the output. */
static size_t settle_cue(const unsigned char *from, size_t size, const struct gf_audio_change *c, unsigned char *to)
{
    const uint32_t count = cue_count(from, size);
    uint32_t kept = 0;

    memcpy(to, from, 4);
    for (uint32_t i = 0; i < count; i++) {
        const unsigned char *cue = from + HEADER + 4 + (size_t)CUE * i;
        unsigned char *copy = to + HEADER + 4 + (size_t)CUE * kept;
        const uint32_t offset = gf_get32(cue + OFFSET, false);

        if (is_inside(offset, c)) {
            put_cue(copy, cue, gf_get32(cue, false), moved_frame(offset, c));
            kept++;
        }
    }
    put_le(to + 4, 4 + (uint64_t)CUE * kept, 4);
    put_le(to + HEADER, kept, 4);
    return kept > 0 ? HEADER + 4 + (size_t)CUE * kept : 0;
}

/* Finds the frame of a marker, and its number among all of them. Returns false if there is none with this id. */
static bool find_marker(const struct gf_meta *m, uint32_t id, uint32_t *frame, uint32_t *number)
{
    *number = 0;
    for (size_t at = 0; at + HEADER <= m->riff_bytes;) {
        const unsigned char *chunk = m->riff + at;
        const size_t size = whole_size(chunk, m->riff_bytes - at);
        const uint32_t count = memcmp(chunk, "cue ", 4) == 0 ? cue_count(chunk, size) : 0;

        for (uint32_t i = 0; i < count; i++, ++*number) {
            const unsigned char *cue = chunk + HEADER + 4 + (size_t)CUE * i;

            *frame = gf_get32(cue + OFFSET, false);
            if (gf_get32(cue, false) == id)
                return true;
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

    memcpy(to, from, LIST);
    for (size_t at = LIST, all; at + HEADER + 4 <= size; at += all) {
        const unsigned char *label = from + at;
        uint32_t frame, number;

        all = whole_size(label, size - at);
        if (all < HEADER + 4 || !find_marker(m, gf_get32(label + HEADER, false), &frame, &number)
            || !is_inside(frame, c))
            continue;
        memcpy(to + kept, label, all);
        if (memcmp(label, "ltxt", 4) == 0 && all >= HEADER + 8) {
            const double end = (double)frame + gf_get32(label + HEADER + 4, false);
            const int64_t length = moved_frame(end < (double)c->end ? end : (double)c->end, c) - moved_frame(frame, c);

            put_le(to + kept + HEADER + 4, (uint64_t)length, 4);
        }
        kept += all;
    }
    put_le(to + 4, kept - HEADER, 4);
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
        put_le(to + HEADER + PERIOD, (uint64_t)llround(1e9 / c->rate), 4);
    count = gf_get32(from + HEADER + COUNT, false);
    for (; count > 0 && at + LOOP <= size; count--, at += LOOP) {
        const uint32_t start = gf_get32(from + at + START, false), last = gf_get32(from + at + END, false);

        if (!is_inside(start, c) || last >= c->end || last < start)
            continue;
        memcpy(to + kept, from + at, LOOP);
        put_le(to + kept + START, (uint64_t)moved_frame(start, c), 4);
        put_le(to + kept + END, (uint64_t)moved_frame((double)last + 1, c) - 1, 4);
        if (c->step != 1)
            put_le(to + kept + FRACTION, 0, 4);
        kept += LOOP;
        loops++;
    }
    put_le(to + HEADER + COUNT, loops, 4);
    memcpy(to + kept, from + at, size - at);             /* data of the sampler */
    kept += size - at;
    put_le(to + 4, kept - HEADER - (gf_get32(from + 4, false) & 1), 4);
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
    put_le(chunk + REFERENCE, (uint64_t)(time < 0 ? time + day : time), 8);
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

/* ---- another recording in between ---- */

/* Markers after frame `after` come `by` frames later; with `renumbers`, they get ids from `id` on. */
struct move {
    int64_t after, by;
    bool renumbers;
    uint32_t id;
};

static int64_t move_frame(int64_t frame, const struct move *v)
{
    return frame > v->after ? frame + v->by : frame;
}

/* Copies the markers of all chunks, without a header. Returns their number. */
static uint32_t move_cues(const struct gf_meta *m, const struct move *v, unsigned char *to)
{
    uint32_t kept = 0, number = 0;

    for (size_t at = 0, size; at + HEADER <= m->riff_bytes; at += size) {
        const unsigned char *chunk = m->riff + at;
        uint32_t count;

        size = whole_size(chunk, m->riff_bytes - at);
        count = memcmp(chunk, "cue ", 4) == 0 ? cue_count(chunk, size) : 0;
        for (uint32_t i = 0; i < count; i++, number++) {
            const unsigned char *cue = chunk + HEADER + 4 + (size_t)CUE * i;
            const int64_t frame = move_frame(gf_get32(cue + OFFSET, false), v);

            if (frame <= (int64_t)UINT32_MAX)
                put_cue(to + (size_t)CUE * kept++, cue, v->renumbers ? v->id + number : gf_get32(cue, false), frame);
        }
    }
    return kept;
}

/* Copies a label, unless its marker is not kept. Returns its size. */
static size_t move_label(const struct gf_meta *m, const unsigned char *label, size_t size, const struct move *v,
                         unsigned char *to)
{
    uint32_t frame, number;

    if (size < HEADER + 4 || !find_marker(m, gf_get32(label + HEADER, false), &frame, &number)
        || move_frame(frame, v) > (int64_t)UINT32_MAX)
        return 0;
    memcpy(to, label, size);
    if (v->renumbers)
        put_le(to + HEADER, v->id + number, 4);
    if (memcmp(label, "ltxt", 4) == 0 && size >= HEADER + 8) {
        const uint32_t length = gf_get32(label + HEADER + 4, false);
        const bool over = length > 0 && frame <= v->after && (int64_t)frame + length > v->after + 1;
        const int64_t now = over ? length + v->by : (int64_t)length;

        put_le(to + HEADER + 4, (uint64_t)(now < (int64_t)UINT32_MAX ? now : (int64_t)UINT32_MAX), 4);
    }
    return size;
}

/* Copies the labels of all lists, without a header. Returns their size. */
static size_t move_labels(const struct gf_meta *m, const struct move *v, unsigned char *to)
{
    enum { LIST = HEADER + 4 };
    size_t kept = 0;

    for (size_t at = 0, size; at + HEADER <= m->riff_bytes; at += size) {
        const unsigned char *list = m->riff + at;

        size = whole_size(list, m->riff_bytes - at);
        if (memcmp(list, "LIST", 4) != 0)
            continue;
        for (size_t in = LIST, all; in + HEADER <= size; in += all) {
            all = whole_size(list + in, size - in);
            kept += move_label(m, list + in, all, v, to + kept);
        }
    }
    return kept;
}

/* Moves the loops of a sampler. */
static void move_loops(unsigned char *chunk, size_t size, const struct move *v)
{
    for (size_t at = HEADER + LOOPS; at + LOOP <= size; at += LOOP)
        for (int i = 8; i <= 12; i += 4) {
            const int64_t frame = move_frame(gf_get32(chunk + at + i, false), v);

            put_le(chunk + at + i, (uint64_t)(frame < (int64_t)UINT32_MAX ? frame : (int64_t)UINT32_MAX), 4);
        }
}

/* Copies all chunks except markers and labels. Returns their size. */
static size_t move_others(const struct gf_meta *m, const struct move *v, const struct gf_audio_change *c,
                          unsigned char *to)
{
    size_t kept = 0;

    for (size_t at = 0, size; at + HEADER <= m->riff_bytes; at += size) {
        const unsigned char *from = m->riff + at;

        size = whole_size(from, m->riff_bytes - at);
        if (memcmp(from, "cue ", 4) == 0 || memcmp(from, "LIST", 4) == 0
            || !gf_riff_chunks_keeps(gf_riff_chunks_needs((const char *)from), c))
            continue;
        memcpy(to + kept, from, size);
        if (memcmp(from, "smpl", 4) == 0)
            move_loops(to + kept, size, v);
        if (memcmp(from, "bext", 4) == 0)
            settle_broadcast(to + kept, size, c);
        kept += size;
    }
    return kept;
}

/* Returns an id above those of all markers. */
static uint32_t find_free_id(const struct gf_meta *m)
{
    unsigned char *const cues = malloc(m->riff_bytes + 1);
    const uint32_t count = cues != NULL ? move_cues(m, &(struct move) { 0 }, cues) : 0;
    uint32_t id = 1;

    for (uint32_t i = 0; i < count; i++)
        if (gf_get32(cues + (size_t)CUE * i, false) >= id)
            id = gf_get32(cues + (size_t)CUE * i, false) + 1;
    free(cues);
    return id;
}

/* Adds the markers of another recording to those that an output may lose, or that are `lost`. */
static int count_markers(struct gf_meta *m, const struct gf_meta *other, bool lost, struct gf_error *err)
{
    struct gf_extra *to = NULL, *more;
    const struct gf_extra *from = NULL;

    for (int i = 0; i < other->extras; i++)
        from = strcmp(other->extra[i].name, "markers") == 0 ? &other->extra[i] : from;
    for (int i = 0; i < m->extras; i++)
        if (from != NULL && strcmp(m->extra[i].name, from->name) == 0 && m->extra[i].riff == (from->riff && !lost))
            to = &m->extra[i];
    if (from != NULL && to != NULL)
        to->count += from->count;
    if (from == NULL || to != NULL)
        return 0;
    more = realloc(m->extra, ((size_t)m->extras + 1) * sizeof *more);
    if (more == NULL)
        return gf_fail_memory(err, NULL);
    m->extra = more;
    more[m->extras] = *from;
    more[m->extras].riff = from->riff && !lost;
    more[m->extras].name = strdup(from->name);
    return more[m->extras++].name != NULL ? 0 : gf_fail_memory(err, NULL);
}

int gf_riff_chunks_insert(struct gf_meta *m, const struct gf_meta *other, int64_t at, int64_t first, int64_t by,
                          int rate, struct gf_error *err)
{
    const struct gf_audio_change c = { .timed = true, .start = at == 0 ? -(double)by : 0, .step = 1, .moved = by != 0,
                                       .rate = rate };
    const struct move ours = { .after = at - 1, .by = by };
    const struct move theirs = { .after = -1, .by = first, .renumbers = true, .id = find_free_id(m) };
    unsigned char *const to = malloc(m->riff_bytes + other->riff_bytes + HEADER + 4 + HEADER + 4);
    size_t kept, bytes;
    uint32_t cues;

    if (to == NULL)
        return gf_fail_memory(err, NULL);
    for (int i = 0; i < m->extras; i++)
        m->extra[i].riff = m->extra[i].riff && gf_riff_chunks_keeps(m->extra[i].needs, &c);
    kept = move_others(m, &ours, &c, to);
    cues = move_cues(m, &ours, to + kept + HEADER + 4);
    cues += first < 0 ? 0 : move_cues(other, &theirs, to + kept + HEADER + 4 + (size_t)CUE * cues);
    memcpy(to + kept, "cue ", 4);
    put_le(to + kept + 4, 4 + (uint64_t)CUE * cues, 4);
    put_le(to + kept + HEADER, cues, 4);
    kept += cues > 0 ? HEADER + 4 + (size_t)CUE * cues : 0;
    bytes = move_labels(m, &ours, to + kept + HEADER + 4);
    bytes += first < 0 ? 0 : move_labels(other, &theirs, to + kept + HEADER + 4 + bytes);
    memcpy(to + kept, "LIST\0\0\0\0adtl", HEADER + 4);
    put_le(to + kept + 4, 4 + bytes, 4);
    kept += bytes > 0 ? HEADER + 4 + bytes : 0;
    free(m->riff);
    m->riff = to;
    m->riff_bytes = kept;
    return count_markers(m, other, first < 0, err);
}
