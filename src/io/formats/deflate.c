/* Deflate and its checksums, by ISA-L, zlib or stb, whichever the build found. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "io/formats/deflate.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_ISAL
#include <isa-l.h>
#endif
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

#include "base/clones.h"

/* ---- checksums ---- */

#if defined(HAVE_ISAL)
uint32_t gf_crc32(uint32_t crc, const void *bytes, size_t size)
{
    return crc32_gzip_refl(crc, bytes, size);
}
#elif defined(HAVE_ZLIB)
uint32_t gf_crc32(uint32_t crc, const void *bytes, size_t size)
{
    /* crc32_z() of no bytes would restart the sum */
    return size > 0 ? (uint32_t)crc32_z(crc, bytes, size) : crc;
}
#else
uint32_t gf_crc32(uint32_t crc, const void *bytes, size_t size)
{
    static const uint32_t nibbles[16] = {
        0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4, 0x4DB26158, 0x5005713C,
        0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C, 0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C,
    };
    const unsigned char *b = bytes;

    crc = ~crc;
    for (size_t i = 0; i < size; i++) {
        crc ^= b[i];
        crc = crc >> 4 ^ nibbles[crc & 15];
        crc = crc >> 4 ^ nibbles[crc & 15];
    }
    return ~crc;
}
#endif

#define ADLER 65521u
#define ADLER_BYTES 4096u                /* so few that their weighted sum fits into 32 bits */

GF_CLONES static void adler_sums(const unsigned char *b, uint32_t size, uint32_t *plain, uint32_t *weighted)
{
    uint32_t sum = 0, sums = 0;

    for (uint32_t i = 0; i < size; i++) {
        sum += b[i];
        sums += (size - i) * b[i];
    }
    *plain = sum;
    *weighted = sums;
}

uint32_t gf_adler32(uint32_t adler, const void *bytes, size_t size)
{
    uint32_t a = adler & 0xFFFF, b = adler >> 16;

    for (size_t at = 0; at < size; at += ADLER_BYTES) {
        const uint32_t n = size - at < ADLER_BYTES ? (uint32_t)(size - at) : ADLER_BYTES;
        uint32_t plain, weighted;

        adler_sums((const unsigned char *)bytes + at, n, &plain, &weighted);
        b = (b + n * a + weighted % ADLER) % ADLER;
        a = (a + plain) % ADLER;
    }
    return b << 16 | a;
}

uint32_t gf_adler32_join(uint32_t first, uint32_t second, size_t second_size)
{
    const uint64_t a1 = first & 0xFFFF, b1 = first >> 16, a2 = second & 0xFFFF, b2 = second >> 16;
    const uint64_t n = second_size % ADLER;

    return (uint32_t)((b1 + b2 + n * (a1 + ADLER - 1)) % ADLER << 16 | (a1 + a2 + ADLER - 1) % ADLER);
}

/* ---- compression ---- */

#define BLOCK_BYTES 65535u               /* that one stored block can have */

/* Writes a stored block. It ends on a whole byte, so that another piece can follow. */
static size_t put_block(unsigned char *to, const unsigned char *bytes, unsigned size, bool last)
{
    to[0] = last;
    to[1] = (unsigned char)size;
    to[2] = (unsigned char)(size >> 8);
    to[3] = (unsigned char)~to[1];
    to[4] = (unsigned char)~to[2];
    if (size > 0)
        memcpy(to + 5, bytes, size);
    return 5 + size;
}

static size_t store_blocks(const unsigned char *bytes, size_t size, bool last, unsigned char *to)
{
    size_t at = 0, done = 0;

    do {
        const unsigned n = size - done < BLOCK_BYTES ? (unsigned)(size - done) : BLOCK_BYTES;

        at += put_block(to + at, bytes + done, n, last && done + n == size);
        done += n;
    } while (done < size);
    return at;
}

static size_t stored_size(size_t size)
{
    return size + 5 * (size / BLOCK_BYTES + 1);
}

#define NO_MEMORY SIZE_MAX               /* instead of a number of bytes */

size_t gf_deflate_room(size_t size)
{
    return stored_size(size) + 64;
}

#ifdef HAVE_ISAL
/* Compresses the next `size` bytes up to a whole byte. Returns false if the output does not fit. */
static bool isal_compress(struct isal_zstream *z, const unsigned char *bytes, size_t size, int flush, bool last)
{
    z->flush = (uint16_t)flush;
    z->end_of_stream = last;
    z->next_in = (uint8_t *)(uintptr_t)bytes;
    z->avail_in = (uint32_t)size;
    return isal_deflate(z) == COMP_OK && z->avail_in == 0 && z->avail_out > 0;
}

/*
 * The fast loops of ISA-L 2.30 hash the third byte of a stream together with part of the address of
 * the stream's struct, so their output would differ between runs. They start only with more than 16
 * bytes of input. Compressing the first few bytes in a call of their own uses the slow loop, which
 * starts a stream correctly.
 */
#define FIRST_BYTES 8

struct gf_deflate {
    struct isal_zstream z;
    unsigned char buffer[];
};

#define QUICK(level) ((level) > 0 && (level) <= 3)

static uint32_t buffer_bytes(int level)
{
    return QUICK(level) ? ISAL_DEF_LVL1_DEFAULT : ISAL_DEF_LVL2_DEFAULT;
}

/* Returns 0 if the result does not fit into `room`, or NO_MEMORY. */
static size_t compress_with_isal(struct gf_deflate **kept, const unsigned char *bytes, size_t size, int level,
                                 bool last, unsigned char *to, size_t room)
{
    const size_t first = size > FIRST_BYTES ? FIRST_BYTES : 0;
    struct isal_zstream *z;

    if (*kept == NULL)
        *kept = malloc(sizeof **kept + buffer_bytes(level));
    if (*kept == NULL)
        return NO_MEMORY;
    if (size > UINT32_MAX / 2)
        return 0;
    z = &(*kept)->z;
    isal_deflate_init(z);
    z->level = QUICK(level) ? 1 : 2;
    z->level_buf = (*kept)->buffer;
    z->level_buf_size = buffer_bytes(level);
    z->next_out = to;
    z->avail_out = (uint32_t)room;
    return (first == 0 || isal_compress(z, bytes, first, SYNC_FLUSH, false))
           && isal_compress(z, bytes + first, size - first, FULL_FLUSH, last) ? room - z->avail_out : 0;
}
#endif

#ifdef HAVE_ZLIB
static size_t compress_with_zlib(const unsigned char *bytes, size_t size, int level, bool last,
                                 unsigned char *to, size_t room)
{
    z_stream z = { .next_in = (unsigned char *)(uintptr_t)bytes, .avail_in = (uInt)size, .next_out = to,
                   .avail_out = (uInt)room };
    int result;

    if (size > UINT_MAX / 2)
        return 0;
    if (deflateInit2(&z, level, Z_DEFLATED, -15, 9, Z_FILTERED) != Z_OK)
        return NO_MEMORY;
    result = deflate(&z, last ? Z_FINISH : Z_FULL_FLUSH);
    deflateEnd(&z);
    return (last ? result == Z_STREAM_END : result == Z_OK && z.avail_in == 0) && z.avail_out > 0
         ? room - z.avail_out : 0;
}
#endif

#if !defined(HAVE_ISAL) && !defined(HAVE_ZLIB)
/* The compressor of stb_image_write, about as fast as zlib, with a larger result. */
unsigned char *stbi_zlib_compress(unsigned char *data, int data_len, int *out_len, int quality);

static size_t compress_with_stb(const unsigned char *bytes, size_t size, int level, unsigned char *to, size_t room)
{
    int length = 0;
    unsigned char *from = (unsigned char *)(uintptr_t)bytes;
    unsigned char *made = size < INT_MAX / 2 ? stbi_zlib_compress(from, (int)size, &length, level) : NULL;
    const size_t raw = length > 6 ? (size_t)length - 6 : 0;          /* without header and checksum */

    if (raw > 0 && raw <= room)
        memcpy(to, made + 2, raw);
    free(made);
    return made == NULL ? NO_MEMORY : raw <= room ? raw : 0;
}
#endif

bool gf_deflate_in_pieces(void)
{
#if defined(HAVE_ISAL) || defined(HAVE_ZLIB)
    return true;
#else
    return false;
#endif
}

/*
 * With zlib, levels above 4 take several times as long on filtered rows and save only a few
 * percent.
 */
#if defined(HAVE_ZLIB) && !defined(HAVE_ISAL)
#define USUAL_LEVEL 4
#else
#define USUAL_LEVEL 6
#endif

void gf_deflate_free(struct gf_deflate *kept)
{
    free(kept);
}

size_t gf_deflate_next(struct gf_deflate **kept, const unsigned char *bytes, size_t size, int level, bool last,
                       unsigned char *to)
{
    const size_t room = stored_size(size);
    size_t made = 0;

    (void)kept;                          /* only ISA-L uses it */
    if (level < 0)
        level = USUAL_LEVEL;
#if defined(HAVE_ISAL)
#ifdef HAVE_ZLIB
    /* ISA-L has no such levels; zlib's 5 is about as good as ISA-L's best */
    if (level > 6)
        made = compress_with_zlib(bytes, size, level < 9 ? level - 2 : 9, last, to, room);
#endif
    if (level > 0 && made == 0)
        made = compress_with_isal(kept, bytes, size, level, last, to, room);
#elif defined(HAVE_ZLIB)
    if (level > 0 && made == 0)
        made = compress_with_zlib(bytes, size, level, last, to, room);
#else
    if (level > 0 && last)
        made = compress_with_stb(bytes, size, level, to, room);
#endif
    if (made == NO_MEMORY)
        return 0;
    return made > 0 ? made : store_blocks(bytes, size, last, to);
}

size_t gf_deflate_piece(const unsigned char *bytes, size_t size, int level, bool last, unsigned char *to)
{
    struct gf_deflate *kept = NULL;
    const size_t made = gf_deflate_next(&kept, bytes, size, level, last, to);

    gf_deflate_free(kept);
    return made;
}

/* ---- decompression ---- */

#if defined(HAVE_ISAL)
struct gf_inflate {
    struct inflate_state state;
};

void gf_inflate_reset(struct gf_inflate *z)
{
    isal_inflate_init(&z->state);
    z->state.crc_flag = ISAL_ZLIB;
}

int gf_inflate_some(struct gf_inflate *z, const unsigned char *from, size_t *in, unsigned char *to, size_t *out)
{
    struct inflate_state *s = &z->state;
    const uint32_t given = *in < UINT32_MAX ? (uint32_t)*in : UINT32_MAX;
    const uint32_t room = *out < UINT32_MAX ? (uint32_t)*out : UINT32_MAX;
    int result;

    s->next_in = (uint8_t *)(uintptr_t)from;
    s->avail_in = given;
    s->next_out = to;
    s->avail_out = room;
    result = isal_inflate(s);
    *in = given - s->avail_in;
    *out = room - s->avail_out;
    /* larger results mean, for example, that a dictionary is needed */
    if (result < 0 || result > ISAL_OUT_OVERFLOW)
        return -1;
    return s->block_state == ISAL_BLOCK_FINISH;
}

struct gf_inflate *gf_inflate_new(void)
{
    struct gf_inflate *z = calloc(1, sizeof *z);

    if (z != NULL)
        gf_inflate_reset(z);
    return z;
}

void gf_inflate_free(struct gf_inflate *z)
{
    free(z);
}
#elif defined(HAVE_ZLIB)
struct gf_inflate {
    z_stream stream;
};

void gf_inflate_reset(struct gf_inflate *z)
{
    inflateReset(&z->stream);
}

int gf_inflate_some(struct gf_inflate *z, const unsigned char *from, size_t *in, unsigned char *to, size_t *out)
{
    z_stream *s = &z->stream;
    const uInt given = *in < UINT_MAX ? (uInt)*in : UINT_MAX, room = *out < UINT_MAX ? (uInt)*out : UINT_MAX;
    int result;

    s->next_in = (unsigned char *)(uintptr_t)from;
    s->avail_in = given;
    s->next_out = to;
    s->avail_out = room;
    result = inflate(s, Z_NO_FLUSH);
    *in = given - s->avail_in;
    *out = room - s->avail_out;
    if (result == Z_STREAM_END)
        return 1;
    return result == Z_OK || result == Z_BUF_ERROR ? 0 : -1;
}

struct gf_inflate *gf_inflate_new(void)
{
    struct gf_inflate *z = calloc(1, sizeof *z);

    if (z != NULL && inflateInit(&z->stream) != Z_OK) {
        free(z);
        return NULL;
    }
    return z;
}

void gf_inflate_free(struct gf_inflate *z)
{
    if (z != NULL)
        inflateEnd(&z->stream);
    free(z);
}
#endif
