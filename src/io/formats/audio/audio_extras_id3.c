/*
 * Finds frames of an ID3v2 tag that would be lost: cover art, chapters, lyrics and unknown text
 * frames.
 */
#define _GNU_SOURCE
#include "io/bytes.h"
#include "io/formats/audio/audio_extras.h"
#include "io/formats/audio/tags.h"

#include <string.h>

#define MOST_FRAMES 10000
#define DESCRIPTION 64                   /* bytes of a frame that are examined */

struct cursor {
    const struct gf_seekable *in;
    int64_t at, end;
    bool unsync;                         /* a zero byte after each FF is not part of the content */
    unsigned char buffer[4096];
    int64_t from, held;                  /* the part of the file that the buffer has: its offset and length */
    bool after_ff;
    struct gf_error *err;
    bool failed;
};

static const struct { const char *id, *name; } names[] = {
    { "TCOM", "composer" }, { "TCM", "composer" }, { "TPE2", "album artist" }, { "TP2", "album artist" },
    { "TPE3", "conductor" },
    { "TP3", "conductor" }, { "TPE4", "remixer" }, { "TEXT", "lyricist" }, { "TXT", "lyricist" }, { "TPOS", "disc" },
    { "TPA", "disc" },
    { "TPUB", "publisher" }, { "TPB", "publisher" }, { "TSRC", "ISRC" }, { "TRC", "ISRC" }, { "TBPM", "BPM" },
    { "TBP", "BPM" },
    { "TKEY", "key" }, { "TIT1", "grouping" }, { "TIT3", "subtitle" }, { "TLAN", "language" }, { "POPM", "rating" },
    { "USLT", "lyrics" }, { "ULT", "lyrics" }, { "SYLT", "lyrics" }, { "SLT", "lyrics" },
};

/* Frames that are kept if the decoder found them: names of ID3v2.3 and 2.4, then of 2.2. */
static const struct { const char *id, *key; } kept[] = {
    { "TIT2", "Title" }, { "TPE1", "Artist" }, { "TALB", "Album" }, { "TDRC", "Date" }, { "TYER", "Date" },
    { "TRCK", "Track" },
    { "TCON", "Genre" }, { "COMM", "Comment" }, { "TCOP", "Copyright" }, { "TT2", "Title" }, { "TP1", "Artist" },
    { "TAL", "Album" },
    { "TYE", "Date" }, { "TRK", "Track" }, { "TCO", "Genre" }, { "COM", "Comment" }, { "TCR", "Copyright" },
};

/* Returns the next byte of the tag, or -1 at its end or after an error. */
static int next_byte(struct cursor *c)
{
    for (;;) {
        int byte;

        if (c->failed || c->at >= c->end)
            return -1;
        if (c->at < c->from || c->at >= c->from + c->held) {
            c->from = c->at;
            c->held = gf_seekable_read(c->in, c->at, c->buffer, sizeof c->buffer, c->err);
            c->failed = c->held < 0;
            if (c->held <= 0)
                return -1;
        }
        byte = c->buffer[c->at++ - c->from];
        if (c->unsync && c->after_ff && byte == 0) {
            c->after_ff = false;
            continue;
        }
        c->after_ff = byte == 0xFF;
        return byte;
    }
}

static size_t read_bytes(struct cursor *c, unsigned char *to, size_t size)
{
    size_t n = 0;

    for (int byte; n < size && (byte = next_byte(c)) >= 0; n++)
        to[n] = (unsigned char)byte;
    return n;
}

static void skip_bytes(struct cursor *c, int64_t size)
{
    if (!c->unsync)
        c->at += size < c->end - c->at ? size : c->end - c->at;
    else
        while (size-- > 0 && next_byte(c) >= 0)
            continue;
}

/*
 * Copies the description of a TXXX or COMM frame, which starts `head` bytes into the frame. UTF-16
 * is reduced to one byte a character.
 */
static size_t copy_description(const unsigned char *b, size_t size, size_t head, char *to, size_t room)
{
    const bool wide = size > 0 && (b[0] == 1 || b[0] == 2);
    size_t n = 0;

    for (size_t at = head; at < size && n + 1 < room; at += wide ? 2 : 1) {
        const bool mark = wide && at + 1 < size && ((b[at] == 0xFF && b[at + 1] == 0xFE)
                                                    || (b[at] == 0xFE && b[at + 1] == 0xFF));
        const unsigned char letter = wide && b[at] == 0 && at + 1 < size ? b[at + 1] : b[at];

        if (mark)
            continue;
        if (letter == 0)
            break;
        to[n++] = (char)letter;
    }
    to[n] = '\0';
    return n;
}

/* Returns true if losing a frame does no harm: lengths, encoder names, padding. */
static bool is_technical(const char *id)
{
    static const char noise[] =
        " TSSE TENC TLEN TFLT TSIZ TDTG TDEN SEEK ASPI MLLT RBUF CTOC TSS TEN TLE TFT TSI BUF CRM ";
    char word[8];

    snprintf(word, sizeof word, " %s ", id);
    return strstr(noise, word) != NULL;
}

/*
 * Drops the comment that the decoder found if it is a frame of iTunes with the volume or the length of this file, such
 * as iTunNORM. They are Latin-1.
 */
static void drop_machine_comment(struct gf_meta *m, const char *description, const unsigned char *b, size_t size)
{
    const char *comment = gf_tags_value(m, "Comment");
    const size_t value = 4 + strlen(description) + 1;

    if (comment != NULL && strncmp(description, "iTun", 4) == 0 && b[0] == 0 && size > value
        && strncmp(comment, (const char *)b + value, size - value) == 0)
        gf_meta_drop_comment(m);
}

/*
 * Adds one frame. `b` has its first bytes. `seen` has a bit for each row of `kept` that appeared
 * before.
 */
static int add_frame(struct gf_meta *m, const char *id, const unsigned char *b, size_t size, unsigned *seen,
                     struct gf_error *err)
{
    char text[DESCRIPTION + 1];

    if (strcmp(id, "APIC") == 0 || strcmp(id, "PIC") == 0)
        return gf_audio_extras_add(m, "cover art", 0, err);
    if (strcmp(id, "CHAP") == 0)
        return gf_audio_extras_add(m, "chapters", 1, err);
    if ((strcmp(id, "TXXX") == 0 || strcmp(id, "TXX") == 0 || strcmp(id, "WXXX") == 0 || strcmp(id, "WXX") == 0)
        && copy_description(b, size, 1, text, sizeof text) > 0)
        return gf_audio_extras_add_tag(m, text, strlen(text), err);
    if ((strcmp(id, "COMM") == 0 || strcmp(id, "COM") == 0) && copy_description(b, size, 4, text, sizeof text) > 0) {
        drop_machine_comment(m, text, b, size);
        return gf_audio_extras_add_tag(m, text, strlen(text), err);
    }
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        const bool again = (*seen & 1u << i) != 0;

        if (strcmp(kept[i].id, id) != 0)
            continue;
        *seen |= 1u << i;
        if (!again && gf_tags_value(m, kept[i].key) != NULL)
            return 0;
        snprintf(text, sizeof text, "%s%s", again ? "second " : "", kept[i].key);
        return gf_audio_extras_add_tag(m, text, strlen(text), err);
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i].id, id) == 0)
            return gf_audio_extras_add_tag(m, names[i].name, strlen(names[i].name), err);
    return is_technical(id) ? 0 : gf_audio_extras_add_tag(m, id, strlen(id), err);
}

static int64_t synchsafe(const unsigned char *b)
{
    return (b[0] & 0x7F) << 21 | (b[1] & 0x7F) << 14 | (b[2] & 0x7F) << 7 | (b[3] & 0x7F);
}

/* Skips the optional extended header before the first frame. */
static void skip_extended(struct cursor *c, int version)
{
    unsigned char b[4];

    if (read_bytes(c, b, 4) == 4)
        skip_bytes(c, version == 4 ? synchsafe(b) - 4 : (int64_t)gf_get32(b, true));
}

int gf_audio_extras_id3(struct gf_meta *m, const struct gf_seekable *in, int64_t at, struct gf_error *err)
{
    struct cursor c = { .in = in, .at = at, .end = at + 10, .err = err };
    unsigned char b[DESCRIPTION];
    unsigned seen = 0;
    int letters, header, version;

    if (read_bytes(&c, b, 10) < 10 || memcmp(b, "ID3", 3) != 0 || b[3] < 2 || b[3] > 4)
        return c.failed ? -1 : 0;
    version = b[3];
    letters = version == 2 ? 3 : 4;
    header = version == 2 ? 6 : 10;
    c.end = c.at + synchsafe(b + 6);
    c.unsync = (b[5] & 0x80) != 0 && version < 4;
    if (version > 2 && (b[5] & 0x40) != 0)
        skip_extended(&c, version);
    for (int i = 0; i < MOST_FRAMES && read_bytes(&c, b, (size_t)header) == (size_t)header && b[0] != 0; i++) {
        char id[5] = { 0 };
        int64_t size;
        size_t got;

        memcpy(id, b, (size_t)letters);
        size = version == 2 ? b[3] << 16 | b[4] << 8 | b[5]
             : version == 3 ? (int64_t)gf_get32(b + 4, true) : synchsafe(b + 4);
        got = read_bytes(&c, b, size < DESCRIPTION ? (size_t)size : DESCRIPTION);
        skip_bytes(&c, size - (int64_t)got);
        if (add_frame(m, id, b, got, &seen, err) != 0)
            return -1;
    }
    return c.failed ? -1 : 0;
}
