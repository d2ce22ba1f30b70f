/* Structured mutation: whole chunks of PNG, RIFF and IFF, segments of JPEG; lengths and checksums stay right. */
#include "fuzz.h"

#include "io/formats/deflate.h"

#include <stdlib.h>
#include <string.h>

/* libFuzzer defines it. AFL++ does, too, but does not mutate through us. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most) __attribute__((weak));

#define MOST_CHUNKS 64
#define MOST_UNPACKED (1 << 16)

enum kind { PNG, RIFF, IFF, JPEG };

struct chunk {
    uint8_t tag[4];                      /* JPEG: FF and the marker; all zero for the bytes after the segments */
    uint8_t *data;
    size_t size;
};

struct layout {
    enum kind kind;
    uint8_t head[12];
    size_t head_bytes;
    int chunks;
    struct chunk chunk[MOST_CHUNKS];
};

static const char *const new_tags[][14] = {
    [PNG] = { "PLTE", "tRNS", "gAMA", "cHRM", "iCCP", "tEXt", "zTXt", "iTXt", "eXIf", "acTL", "fcTL", "fdAT",
              "pHYs", "IDAT" },
    [RIFF] = { "fmt ", "data", "fact", "LIST", "cue ", "smpl", "bext", "VP8X", "ANIM", "ANMF", "VP8L", "ICCP",
               "EXIF", "XMP " },
    [IFF] = { "COMM", "SSND", "MARK", "INST", "FVER", "NAME", "ANNO", "VHDR", "BODY", "CHAN", "APPL", "ID3 ",
              "AUTH", "COMT" },
    [JPEG] = { "\xff\xe0", "\xff\xe1", "\xff\xe2", "\xff\xed", "\xff\xee", "\xff\xfe", "\xff\xdb", "\xff\xc4",
               "\xff\xc0", "\xff\xc2", "\xff\xdd", "\xff\xda", "\xff\xdc", "\xff\xcc" },
};

bool gf_fuzz_is_libfuzzer(void)
{
#ifdef __AFL_COMPILER
    return false;
#else
    return LLVMFuzzerMutate != NULL;
#endif
}

size_t gf_fuzz_mutate_bytes(uint8_t *data, size_t size, size_t most)
{
    return gf_fuzz_is_libfuzzer() ? LLVMFuzzerMutate(data, size, most) : size;
}

static uint32_t big(const uint8_t *b)
{
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static void put_big(uint8_t *b, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        b[i] = (uint8_t)(v >> (24 - 8 * i));
}

static uint32_t turned(uint32_t v)
{
    return v >> 24 | (v >> 8 & 0xff00) | (v << 8 & 0xff0000) | v << 24;
}

static void add(struct layout *l, const uint8_t *tag, size_t tag_bytes, uint8_t *data, size_t size)
{
    struct chunk *c = &l->chunk[l->chunks++];

    memset(c->tag, 0, sizeof c->tag);
    memcpy(c->tag, tag, tag_bytes);
    c->data = data;
    c->size = size;
}

/* Splits chunks with a tag of 4 bytes and a length of 4 bytes. A last one that is cut short is left out. */
static void split_chunks(struct layout *l, uint8_t *data, size_t size)
{
    for (size_t at = l->head_bytes; l->chunks < MOST_CHUNKS && at + 8 <= size;) {
        const uint8_t *tag = data + at + (l->kind == PNG ? 4 : 0);
        const uint32_t stated = big(data + at + (l->kind == PNG ? 0 : 4));
        const size_t length = l->kind == RIFF ? turned(stated) : stated;
        const size_t left = size - at - 8;

        add(l, tag, 4, data + at + 8, length < left ? length : left);
        if (length >= left)
            break;
        at += 8 + length + (l->kind == PNG ? 4 : length & 1);
    }
}

/* Splits segments until the scan, which is one chunk with all that follows it. */
static void split_segments(struct layout *l, uint8_t *data, size_t size)
{
    size_t at = 2;

    while (l->chunks < MOST_CHUNKS - 1 && at + 4 <= size && data[at] == 0xff && data[at + 1] != 0xd9) {
        const size_t length = (size_t)data[at + 2] << 8 | data[at + 3];

        if (length < 2 || length > size - at - 2)
            break;
        add(l, data + at, 2, data + at + 4, length - 2);
        at += 2 + length;
        if (data[at - 2 - length + 1] == 0xda)
            break;
    }
    add(l, (const uint8_t *)"", 0, data + at, size - at);
}

static bool split(struct layout *l, uint8_t *data, size_t size)
{
    static const uint8_t png[] = "\x89PNG\r\n\x1a\n";

    if (size > 20 && memcmp(data, png, 8) == 0)
        l->kind = PNG, l->head_bytes = 8;
    else if (size > 20 && (memcmp(data, "RIFF", 4) == 0 || memcmp(data, "RF64", 4) == 0))
        l->kind = RIFF, l->head_bytes = 12;
    else if (size > 20 && memcmp(data, "FORM", 4) == 0)
        l->kind = IFF, l->head_bytes = 12;
    else if (size > 20 && data[0] == 0xff && data[1] == 0xd8 && data[2] == 0xff)
        l->kind = JPEG, l->head_bytes = 2;
    else
        return false;
    memcpy(l->head, data, l->head_bytes);
    if (l->kind == JPEG)
        split_segments(l, data, size);
    else
        split_chunks(l, data, size);
    return l->chunks > 0;
}

/* Writes one chunk; returns its bytes, or 0 if there is no room. */
static size_t put_chunk(enum kind kind, const struct chunk *c, uint8_t *to, size_t room)
{
    const size_t head = kind != JPEG ? 8 : c->tag[0] == 0xff ? 4 : 0;
    const size_t end = kind == PNG ? 4 : kind == JPEG ? 0 : c->size & 1;

    if (head + c->size + end > room)
        return 0;
    if (c->size > 0)
        memcpy(to + head, c->data, c->size);
    if (head == 4) {
        memcpy(to, c->tag, 2);
        to[2] = (uint8_t)((c->size + 2) >> 8);
        to[3] = (uint8_t)(c->size + 2);
    } else if (head == 8) {
        memcpy(to + (kind == PNG ? 4 : 0), c->tag, 4);
        put_big(to + (kind == PNG ? 0 : 4), kind == RIFF ? turned((uint32_t)c->size) : (uint32_t)c->size);
    }
    if (kind == PNG)
        put_big(to + 8 + c->size, gf_crc32(0, to + 4, c->size + 4));
    else if (end == 1)
        to[8 + c->size] = 0;
    return head + c->size + end;
}

static size_t join(const struct layout *l, uint8_t *to, size_t room)
{
    size_t at = l->head_bytes;

    memcpy(to, l->head, at);
    for (int i = 0; i < l->chunks; i++)
        at += put_chunk(l->kind, &l->chunk[i], to + at, room - at);
    if (l->kind == RIFF || l->kind == IFF)
        put_big(to + 4, l->kind == RIFF ? turned((uint32_t)at - 8) : (uint32_t)at - 8);
    return at;
}

/* Unpacks the zlib stream at `at` in a chunk, changes its bytes, and packs it without compression. */
static void mutate_packed(struct chunk *c, size_t at, uint8_t *room)
{
    uint8_t *plain = malloc(MOST_UNPACKED);
    struct gf_inflate *z = gf_inflate_new();
    size_t in = at < c->size ? c->size - at : 0, out = MOST_UNPACKED;

    if (plain != NULL && z != NULL && in > 2 && gf_inflate_some(z, c->data + at, &in, plain, &out) >= 0 && out > 0) {
        const size_t size = gf_fuzz_mutate_bytes(plain, out, MOST_UNPACKED);
        const size_t packed = gf_deflate_piece(plain, size, 0, true, room + at + 2);

        memcpy(room, c->data, at);
        memcpy(room + at, "\x78\x01", 2);
        put_big(room + at + 2 + packed, gf_adler32(1, plain, size));
        c->data = room;
        c->size = at + packed + 6;
    }
    gf_inflate_free(z);
    free(plain);
}

/* Changes the bytes of a chunk; compressed ones before compression, most of the time. */
static void mutate_chunk(const struct layout *l, struct chunk *c, unsigned seed, uint8_t *room)
{
    const uint8_t *name = memchr(c->data, 0, c->size);

    if (l->kind == PNG && seed % 4 != 0 && memcmp(c->tag, "IDAT", 4) == 0) {
        mutate_packed(c, 0, room);
    } else if (l->kind == PNG && seed % 4 != 0 && name != NULL
               && (memcmp(c->tag, "iCCP", 4) == 0 || memcmp(c->tag, "zTXt", 4) == 0)) {
        mutate_packed(c, (size_t)(name - c->data) + 2, room);
    } else {
        const size_t size = c->size < MOST_UNPACKED ? c->size : MOST_UNPACKED;

        memcpy(room, c->data, size);
        c->data = room;
        c->size = gf_fuzz_mutate_bytes(room, size, MOST_UNPACKED);
        if (l->kind == JPEG && c->size > 65533)
            c->size = 65533;
    }
}

/* Repeats, removes, exchanges, adds or changes a chunk. */
static void change(struct layout *l, unsigned seed, uint8_t *room)
{
    const int at = (int)(seed / 16 % (unsigned)l->chunks), other = (int)(seed / 1024 % (unsigned)l->chunks);
    const struct chunk copy = l->chunk[at];
    const char *tag = new_tags[l->kind][seed / 65536 % 14];

    switch (seed % 16) {
    case 0:
    case 1:
        if (l->chunks < MOST_CHUNKS)
            l->chunk[l->chunks++] = l->chunk[other];
        /* fall through */
    case 2:
        l->chunk[at] = l->chunk[other];
        l->chunk[other] = copy;
        break;
    case 3:
        memmove(&l->chunk[at], &l->chunk[at + 1], sizeof copy * (size_t)(l->chunks - at - 1));
        l->chunks--;
        break;
    case 4:
        if (l->chunks == MOST_CHUNKS)
            break;
        memmove(&l->chunk[at + 1], &l->chunk[at], sizeof copy * (size_t)(l->chunks - at));
        l->chunks++;
        /* fall through */
    case 5:
        memcpy(l->chunk[at].tag, tag, l->kind == JPEG ? 2 : 4);
        break;
    default:
        mutate_chunk(l, &l->chunk[at], seed / 4096, room);
    }
}

static size_t mutate_chunks(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    struct layout l = { 0 };
    uint8_t *room, *result;
    size_t bytes = 0;

    if (!split(&l, data, size))
        return 0;
    room = malloc(gf_deflate_room(MOST_UNPACKED) + size + 16);
    result = malloc(most);
    if (room != NULL && result != NULL && most >= size) {
        change(&l, seed, room);
        bytes = join(&l, result, most);
        memcpy(data, result, bytes);
    }
    free(room);
    free(result);
    return bytes;
}

size_t gf_fuzz_mutate_file(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    const size_t changed = mutate_chunks(data, size, most, seed);

    return changed != 0 ? changed : gf_fuzz_mutate_tiff(data, size, most, seed);
}
