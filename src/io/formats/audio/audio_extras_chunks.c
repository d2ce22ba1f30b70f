/*
 * Finds data of an audio file that would be lost: by its container, and in WAV, AIFF, 8SVX, W64 and CAF by its
 * chunks, which get names that people understand.
 */
#define _GNU_SOURCE
#include "io/bytes.h"
#include "io/format.h"
#include "io/formats/audio/audio_extras.h"
#include "io/formats/audio/tags.h"
#include "io/metadata/meta_text.h"
#include "io/metadata/riff_chunks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The place of the number of items in a chunk. FOUR_AFTER: after 4 other bytes. */
enum count_place { NOT_COUNTED, TWO_BYTES, FOUR_BYTES, FOUR_AFTER };

struct known {
    const char *id;
    const char *name;            /* NULL: losing the chunk does no harm */
    enum count_place count;
};

static const struct known riff[] = {
    { .id = "fmt " }, { .id = "fact" }, { .id = "data" }, { .id = "ds64" }, { .id = "JUNK" },
    { .id = "junk" }, { .id = "FLLR" }, { .id = "PAD " }, { .id = "filr" }, { .id = "PEAK" },
    { .id = "bext", .name = "broadcast data (bext)" },
    { .id = "cart", .name = "radio data (cart)" }, { .id = "smpl", .name = "sampler loops" },
    { .id = "inst", .name = "sampler data" }, { .id = "iXML", .name = "iXML" },
    { .id = "axml", .name = "ADM (axml)" }, { .id = "bxml", .name = "ADM (bxml)" },
    { .id = "chna", .name = "ADM (chna)" }, { .id = "_PMX", .name = "XMP" },
    { .id = "cue ", .name = "markers", .count = FOUR_BYTES },
    { .id = NULL },
};
static const struct known iff[] = {
    { .id = "COMM" }, { .id = "SSND" }, { .id = "FVER" }, { .id = "PEAK" }, { .id = "NAME" },
    { .id = "AUTH" }, { .id = "(c) " }, { .id = "ANNO" }, { .id = "APPL" }, { .id = "VHDR" },
    { .id = "BODY" }, { .id = "CHAN" }, { .id = "FLLR" }, { .id = "AESD" },
    { .id = "INST", .name = "sampler data" }, { .id = "MIDI", .name = "MIDI data" },
    { .id = "MARK", .name = "markers", .count = TWO_BYTES },
    { .id = NULL },
};
static const struct known w64[] = {
    { .id = "fmt " }, { .id = "fact" }, { .id = "data" }, { .id = "junk" }, { .id = "levl" },
    { .id = "bext", .name = "broadcast data (bext)" },
    { .id = "list", .name = "a list of tags or markers" },
    { .id = NULL },
};
static const struct known caf[] = {
    { .id = "desc" }, { .id = "data" }, { .id = "free" }, { .id = "kuki" }, { .id = "pakt" },
    { .id = "chan" }, { .id = "peak" }, { .id = "ovvw" }, { .id = "edct" },
    { .id = "inst", .name = "sampler data" }, { .id = "midi", .name = "MIDI data" },
    { .id = "umid", .name = "a UMID" },
    { .id = "mark", .name = "markers", .count = FOUR_AFTER },
    { .id = "regn", .name = "regions", .count = FOUR_AFTER },
    { .id = NULL },
};

static int item_count(enum count_place where, const unsigned char *head, size_t got, bool big)
{
    uint32_t count = 0;

    if (where == TWO_BYTES && got >= 2)
        count = gf_get16(head, big);
    else if (where == FOUR_BYTES && got >= 4)
        count = gf_get32(head, big);
    else if (where == FOUR_AFTER && got >= 8)
        count = gf_get32(head + 4, big);
    return count < 1000000 ? (int)count : 0;
}

/* Adds a chunk by its name in the table `k`, or by its four letters if it is not in the table. */
static int add_chunk(struct gf_meta *m, const struct known *k, const char *id, const unsigned char *head, size_t got,
                     bool big, struct gf_error *err)
{
    char name[40] = "\"....\" data";

    for (; k->id != NULL; k++) {
        const int count = item_count(k->count, head, got, big);

        if (strcmp(k->id, id) == 0)
            return k->name == NULL || (k->count != NOT_COUNTED && count == 0)
                ? 0 : gf_audio_extras_add(m, k->name, count, err);
    }
    for (int i = 0; i < 4; i++)
        name[1 + i] = id[i] >= 0x20 && id[i] < 0x7F ? id[i] : '?';
    return strlen(id) == 4 ? gf_audio_extras_add(m, name, 0, err) : 0;
}

/*
 * Adds the content of a LIST chunk. INFO is read as tags; adtl only labels the markers of "cue ".
 */
static int add_list(struct gf_meta *m, const unsigned char *b, size_t size, bool big, bool all, struct gf_error *err)
{
    const struct gf_seekable in = { .bytes = b, .size = (int64_t)size };
    char list[5] = { 0 };

    if (size < 4)
        return 0;
    memcpy(list, b, 4);
    if (strcmp(list, "INFO") == 0)
        return all ? gf_audio_extras_unknown_info(m, &in, 4, (int64_t)size, big, err) : 0;
    return strcmp(list, "adtl") == 0 ? 0 : add_chunk(m, riff, list, b, 0, big, err);
}

/*
 * Returns true if a chunk may be copied to another WAV file. Unknown chunks may not: they could
 * refer to file offsets.
 */
static bool may_be_kept(const char *id, const unsigned char *b, size_t size)
{
    if (strcmp(id, "LIST") == 0)
        return size >= 4 && memcmp(b, "adtl", 4) == 0;
    if (strcasecmp(id, "id3 ") == 0)
        return true;
    for (const struct known *k = riff; k->id != NULL; k++)
        if (strcmp(k->id, id) == 0)
            return k->name != NULL;
    return false;
}

/* Appends a chunk to m->riff. Returns 1, 0 if there is no room, or -1 after an error. */
static int keep_chunk(struct gf_meta *m, const char *id, const unsigned char *b, size_t size, struct gf_error *err)
{
    const size_t bytes = 8 + size + (size & 1);
    unsigned char *more;

    if (m->riff_bytes + bytes > GF_TAGS_BYTES)
        return 0;
    if (gf_meta_count(m, bytes, err) != 0)
        return -1;
    more = realloc(m->riff, m->riff_bytes + bytes);
    if (more == NULL)
        return gf_fail_memory(err, NULL);
    m->riff = more;
    more += m->riff_bytes;
    memcpy(more, id, 4);
    for (int i = 0; i < 4; i++)
        more[4 + i] = (unsigned char)(size >> (8 * i));
    memcpy(more + 8, b, size);
    if ((size & 1) != 0)
        more[8 + size] = 0;
    m->riff_bytes += bytes;
    return 1;
}

int gf_audio_extras_riff_chunk(struct gf_meta *m, const char *id, const unsigned char *b, size_t size,
                               bool big, bool all, struct gf_error *err)
{
    const struct gf_seekable in = { .bytes = b, .size = (int64_t)size };
    const int before = m->extras;
    int result, kept;

    if (strcmp(id, "LIST") == 0)
        result = add_list(m, b, size, big, all, err);
    else if (strcasecmp(id, "id3 ") == 0)
        result = all ? gf_audio_extras_id3(m, &in, 0, err) : gf_audio_extras_add(m, "ID3 tags", 0, err);
    else
        result = add_chunk(m, riff, id, b, size, big, err);
    if (result != 0 || !all || big || !may_be_kept(id, b, size))
        return result;
    kept = keep_chunk(m, id, b, size, err);
    for (int i = before; kept > 0 && i < m->extras; i++) {
        m->extra[i].riff = true;
        m->extra[i].needs = gf_riff_chunks_needs(id);
    }
    return kept < 0 ? -1 : 0;
}

/*
 * Reads the texts of a CAF "info" chunk: a count, then keys and values, each ending with a zero
 * byte.
 */
static int read_caf_info(struct gf_meta *m, const struct gf_chunks *c, struct gf_error *err)
{
    const int64_t there = gf_chunks_there(c);
    const size_t room = there < (int64_t)GF_TAGS_BYTES ? (size_t)there : GF_TAGS_BYTES;
    char *text = malloc(room + 2);
    const int64_t got = text != NULL ? gf_seekable_read(c->in, c->at, text, room, err)
                                  : gf_fail_memory(err, NULL);
    int result = got < 0 ? -1 : 0;
    size_t at = 4;

    while (result == 0 && at < (size_t)got) {
        const size_t key = strnlen(text + at, (size_t)got - at),
                     value = at + key + 1 < (size_t)got ? at + key + 1 : (size_t)got;
        const size_t length = strnlen(text + value, (size_t)got - value);
        const struct gf_tag *tag = gf_tags_by_word(text + at, key);

        if (tag == NULL)
            result = gf_audio_extras_add_tag(m, text + at, key, err);
        else if (gf_tags_value(m, tag->key) == NULL)
            result = gf_meta_text_add_bytes(m, tag->key, text + value, length, err);
        at = value + length + 1;
    }
    free(text);
    return result;
}

/*
 * Uses the first AIFF comment as the comment tag if there is none yet. The other comments are lost.
 */
static int read_comments(struct gf_meta *m, const struct gf_chunks *c, struct gf_error *err)
{
    const int64_t there = gf_chunks_there(c), room = there < (int64_t)GF_TAGS_BYTES ? there : (int64_t)GF_TAGS_BYTES;
    unsigned char *b = malloc((size_t)room + 1);
    const int64_t got = b != NULL ? gf_seekable_read(c->in, c->at, b, (size_t)room, err)
                                  : gf_fail_memory(err, NULL);
    const int count = got >= 2 ? (int)gf_get16(b, true) : 0;
    int result = got < 0 ? -1 : 0;
    int64_t at = 2;

    for (int i = 0; result == 0 && i < count && at + 8 <= got; i++) {
        const int64_t size = gf_get16(b + at + 6, true), left = got - at - 8, length = size < left ? size : left;

        if (gf_tags_value(m, "Comment") == NULL)
            result = gf_meta_text_add_bytes(m, "Comment", b + at + 8, (size_t)length, err);
        else
            result = gf_audio_extras_add(m, "further comments", 0, err);
        at += 8 + length + (length & 1);
    }
    free(b);
    return result;
}

int gf_audio_extras_unknown_info(struct gf_meta *m, const struct gf_seekable *in, int64_t at, int64_t end, bool big,
                                 struct gf_error *err)
{
    unsigned char b[8];

    for (int64_t got; at + 8 <= end; at += 8 + (int64_t)gf_get32(b + 4, big) + (b[big ? 7 : 4] & 1)) {
        got = gf_seekable_read(in, at, b, sizeof b, err);
        if (got < 8)
            return got < 0 ? -1 : 0;
        if (!gf_tags_knows_chunk(b) && gf_audio_extras_add_tag(m, b, 4, err) != 0)
            return -1;
        if (m->extras >= GF_MOST_EXTRAS)
            break;
    }
    return 0;
}

int gf_audio_extras_riff_info(struct gf_meta *m, const unsigned char *b, size_t size, bool big, struct gf_error *err)
{
    struct gf_meta found = { 0 };
    int result;

    if (size < 4 || memcmp(b, "INFO", 4) != 0)
        return gf_audio_extras_riff_chunk(m, "LIST", b, size, big, false, err);
    result = gf_tags_take_riff(&found, b, size, big, err);
    for (int i = 0; result == 0 && i < found.texts; i++)
        if (strcmp(found.text[i].key, "Software") != 0)
            result = gf_audio_extras_add_tag(m, found.text[i].key, strlen(found.text[i].key), err);
    gf_meta_release(&found);
    return result == 0 ? gf_audio_extras_riff_chunk(m, "LIST", b, size, big, true, err) : -1;
}

/*
 * Adds the current chunk of a RIFF file. It is read completely unless it is the audio or too large.
 */
static int add_riff_chunk(struct gf_meta *m, const struct gf_chunks *c, struct gf_error *err)
{
    const int64_t there = gf_chunks_there(c);
    const bool all = !gf_chunks_is_audio(c) && there == c->bytes && there <= (int64_t)GF_TAGS_BYTES;
    const size_t want = all ? (size_t)there : there < GF_EXTRA_HEAD ? (size_t)there : GF_EXTRA_HEAD;
    unsigned char *b = malloc(want + 1);
    const int64_t got = b != NULL ? gf_seekable_read(c->in, c->at, b, want, err)
                                  : gf_fail_memory(err, NULL);
    int result = got < 0 ? -1 : 0;

    if (result == 0 && all && strcmp(c->id, "LIST") == 0)
        result = gf_tags_take_riff(m, b, (size_t)got, c->big, err);
    if (result == 0)
        result = gf_audio_extras_riff_chunk(m, c->id, b, (size_t)got, c->big, all && got == there, err);
    free(b);
    return result;
}

static int add_further_chunks(struct gf_meta *m, struct gf_error *err)
{
    char name[60];

    snprintf(name, sizeof name, "chunks after the first %d", GF_MOST_CHUNKS);
    return gf_audio_extras_add(m, name, 0, err);
}

static int find_in_chunks(struct gf_meta *m, struct gf_chunks *c, struct gf_error *err)
{
    const struct known *known = c->container == GF_CONTAINER_IFF ? iff : c->container == GF_CONTAINER_W64 ? w64 : caf;
    unsigned char head[GF_EXTRA_HEAD];
    int more, result = 0;

    while (result == 0 && (more = gf_chunks_next(c, err)) == 1) {
        const int64_t there = gf_chunks_there(c);
        const int64_t got = gf_seekable_read(c->in, c->at, head, there < GF_EXTRA_HEAD ? (size_t)there : GF_EXTRA_HEAD,
                                             err);

        if (got < 0)
            return -1;
        if (c->container == GF_CONTAINER_RIFF)
            result = add_riff_chunk(m, c, err);
        else if (strcasecmp(c->id, "id3 ") == 0)
            result = gf_audio_extras_id3(m, c->in, c->at, err);
        else if (c->container == GF_CONTAINER_CAF && strcmp(c->id, "info") == 0)
            result = read_caf_info(m, c, err);
        else if (c->container == GF_CONTAINER_IFF && strcmp(c->id, "COMT") == 0)
            result = read_comments(m, c, err);
        else
            result = add_chunk(m, known, c->id, head, (size_t)got, c->big, err);
    }
    if (result == 0 && more == 0 && c->limited)
        result = add_further_chunks(m, err);
    return result != 0 || more < 0 ? -1 : 0;
}

int gf_audio_extras_find(struct gf_meta *m, const struct gf_seekable *in, struct gf_error *err)
{
    unsigned char b[10] = { 0 };
    struct gf_chunks chunks;
    int64_t at = 0;
    int found;

    if (gf_seekable_read(in, 0, b, sizeof b, err) < 0)
        return -1;
    if (memcmp(b, "ID3", 3) == 0) {
        if (gf_audio_extras_id3(m, in, 0, err) != 0)
            return -1;
        at = 10 + (b[6] << 21 | b[7] << 14 | b[8] << 7 | b[9]);
        if (gf_seekable_read(in, at, b, 4, err) < 0)
            return -1;
    }
    if (memcmp(b, "fLaC", 4) == 0)
        return gf_audio_extras_flac(m, in, at + 4, err);
    if (memcmp(b, "OggS", 4) == 0)
        return gf_audio_extras_ogg(m, in, err);
    found = gf_chunks_open(&chunks, in, err);
    return found == 1 ? find_in_chunks(m, &chunks, err) : found;
}
