/*
 * Finds the parts of an MP3 that was joined from several, as by `cat A B`. libmpg123 stops at the length that the
 * first part states, where the rate or the channels change, and at junk. Each part gets a decoder of its own.
 */
#include "io/formats/audio/mp3_parts.h"

#include <stdlib.h>
#include <string.h>

#define WINDOW_BYTES ((size_t)131072)
#define AHEAD_BYTES 8192                 /* three frames, and the length header of the first */
#define FRAMES_IN_STEP 3                 /* so many consecutive frames are audio; a single header may be chance */

/* A moving view of the file. */
struct window {
    const struct gf_seekable *in;
    unsigned char *b;
    int64_t at, held;
    struct gf_error *err;
    bool failed;
};

/* Returns the bytes at `pos`, at least AHEAD_BYTES unless the file ends before. */
static const unsigned char *look(struct window *w, int64_t pos, size_t *size)
{
    const int64_t end = w->at + w->held;

    if (!w->failed && (pos < w->at || (pos + AHEAD_BYTES > end && end < w->in->size))) {
        w->held = gf_seekable_read(w->in, pos, w->b, WINDOW_BYTES, w->err);
        w->at = pos;
        w->failed = w->held < 0;
    }
    *size = !w->failed && pos < w->at + w->held ? (size_t)(w->at + w->held - pos) : 0;
    return *size > 0 ? w->b + (pos - w->at) : w->b;
}

static bool is_frame(const unsigned char *b, size_t size, const struct gf_mpeg *kind, struct gf_mpeg *m)
{
    return size >= 4 && gf_mpeg_header(b, m) && (kind == NULL || gf_mpeg_is_same(m, kind));
}

/* Returns true if audio begins at `b`: consecutive frames, or a frame that states the length of a recording. */
static bool is_audio(const unsigned char *b, size_t size, struct gf_mpeg *m)
{
    struct gf_mpeg_length length;
    struct gf_mpeg next;
    size_t at;

    if (!is_frame(b, size, NULL, m))
        return false;
    at = (size_t)m->bytes;
    for (int i = 1; i < FRAMES_IN_STEP && at < size; i++, at += (size_t)next.bytes)
        if (!is_frame(b + at, size - at, m, &next) || next.bytes == 0)
            return gf_mpeg_length_header(b, size, m, &length);
    return at <= size && m->bytes > 0;
}

/*
 * Searches for audio from `pos`. Returns its offset, or -1. The size of a frame of unknown rate (free format)
 * shows in no header, so any header of the same kind follows it.
 */
static int64_t search(struct window *w, int64_t pos, const struct gf_mpeg *kind, struct gf_mpeg *m)
{
    const unsigned char *b, *found;
    size_t size;

    while ((b = look(w, pos, &size)), size >= 4) {
        const size_t most = size > AHEAD_BYTES ? size - AHEAD_BYTES : size;

        found = memchr(b, 0xFF, most);
        if (found == NULL) {
            pos += (int64_t)most;
            continue;
        }
        pos += found - b;
        found = look(w, pos, &size);
        if (is_audio(found, size, m))
            return pos;
        if (kind != NULL && kind->bytes == 0 && is_frame(found, size, kind, m) && m->bytes == 0)
            return pos;
        pos++;
    }
    return -1;
}

/* Skips the tags at *pos, without `all` only those that end a recording. Returns true if there is one. */
static bool skip_tags(struct window *w, int64_t *pos, bool all)
{
    const int64_t from = *pos;
    int64_t bytes;
    size_t size;

    do {
        const unsigned char *b = look(w, *pos, &size);

        bytes = gf_mpeg_tag_bytes(b, size);
        if (bytes > w->in->size - *pos || (!all && b[0] == 'I'))
            bytes = 0;
        *pos += bytes;
    } while (bytes > 0);
    return *pos > from;
}

/* Returns true if the frame at `pos` is the first of another part, although frames of the same kind are before it. */
static bool begins_part(struct window *w, const struct gf_mp3_part *p, int64_t pos, const struct gf_mpeg *m,
                        bool tagged)
{
    struct gf_mpeg_length length;
    struct gf_mpeg other;
    size_t size;
    const unsigned char *b = look(w, pos, &size);

    if (gf_mpeg_length_header(b, size, m, &length))
        return true;
    return (tagged || (p->stated.frames > 0 && p->frames == p->stated.frames)) && gf_mpeg_starts_anew(b, size, m)
        && is_audio(b, size, &other);
}

static void end_part(struct gf_mp3_part *p, int64_t end, int64_t next, const struct gf_mpeg *m)
{
    p->end = end;
    p->next = next;
    p->next_kind = *m;
}

/* Adds a frame to the part. */
static void add_frame(struct gf_mp3_part *p, int64_t pos, const struct gf_mpeg *m)
{
    enum { MOST_PADDING = 4 };

    p->varies = p->varies || abs(m->bytes - p->kind.bytes) > MOST_PADDING;
    p->skipped = 0;
    p->frames++;
    p->last = pos;
    p->after = pos + (m->bytes > 0 ? m->bytes : 4);
}

/* Follows the frames after the first to the end of the part. */
static void follow(struct window *w, struct gf_mp3_part *p)
{
    int64_t pos = p->after;
    struct gf_mpeg m;
    size_t size;

    for (;;) {
        bool tagged = skip_tags(w, &pos, false), whole;
        const int64_t gap = pos;
        const unsigned char *b;

        tagged = skip_tags(w, &pos, true) || tagged;
        b = look(w, pos, &size);
        whole = is_frame(b, size, &p->kind, &m);

        if (!whole && size > 0) {
            /* the last frame may be cut, so that the next one begins within it */
            const int64_t found = search(w, tagged ? pos : p->last + 4, &p->kind, &m);

            if (found < 0)
                return;
            p->skipped = found > pos ? found - pos : 0;
            whole = found > pos && p->skipped <= GF_MP3_MOST_JUNK && gf_mpeg_is_same(&m, &p->kind);
            pos = found;
        }
        if (size == 0) {
            p->end = gap < p->end ? gap : p->end;
            return;
        }
        if (!whole || begins_part(w, p, pos, &m, tagged)) {
            end_part(p, tagged || p->skipped > 0 ? gap : pos, pos, &m);
            return;
        }
        add_frame(p, pos, &m);
        pos = p->after;
    }
}

int gf_mp3_part_find(struct gf_mp3_part *p, const struct gf_seekable *in, int64_t start, struct gf_error *err)
{
    struct window w = { .in = in, .b = malloc(WINDOW_BYTES), .err = err };
    int64_t pos = start;
    const unsigned char *b;
    size_t size;

    *p = (struct gf_mp3_part) { .start = start, .end = in->size, .stated_at = -1 };
    if (w.b == NULL)
        return gf_fail_memory(err, NULL);
    if (skip_tags(&w, &pos, true) && look(&w, pos, &size)[0] == 0)
        pos = search(&w, pos, NULL, &p->kind);           /* zeros after a tag */
    b = look(&w, pos, &size);
    if (pos < 0 || !is_audio(b, size, &p->kind)) {
        free(w.b);
        return w.failed ? -1 : 0;
    }
    add_frame(p, pos, &p->kind);
    if (gf_mpeg_length_header(b, size, &p->kind, &p->stated)) {
        p->stated_at = pos;
        p->frames = 0;
    }
    follow(&w, p);
    free(w.b);
    return w.failed ? -1 : 1;
}
