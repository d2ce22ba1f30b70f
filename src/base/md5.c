/* MD5 (RFC 1321). */
#include "base/md5.h"

#include <string.h>

#define BLOCK 64

/* The whole parts of 2^32 |sin(i)|, for i from 1 on. */
static const uint32_t sines[64] = {
    0xD76AA478, 0xE8C7B756, 0x242070DB, 0xC1BDCEEE, 0xF57C0FAF, 0x4787C62A, 0xA8304613, 0xFD469501,
    0x698098D8, 0x8B44F7AF, 0xFFFF5BB1, 0x895CD7BE, 0x6B901122, 0xFD987193, 0xA679438E, 0x49B40821,
    0xF61E2562, 0xC040B340, 0x265E5A51, 0xE9B6C7AA, 0xD62F105D, 0x02441453, 0xD8A1E681, 0xE7D3FBC8,
    0x21E1CDE6, 0xC33707D6, 0xF4D50D87, 0x455A14ED, 0xA9E3E905, 0xFCEFA3F8, 0x676F02D9, 0x8D2A4C8A,
    0xFFFA3942, 0x8771F681, 0x6D9D6122, 0xFDE5380C, 0xA4BEEA44, 0x4BDECFA9, 0xF6BB4B60, 0xBEBFBC70,
    0x289B7EC6, 0xEAA127FA, 0xD4EF3085, 0x04881D05, 0xD9D4D039, 0xE6DB99E5, 0x1FA27CF8, 0xC4AC5665,
    0xF4292244, 0x432AFF97, 0xAB9423A7, 0xFC93A039, 0x655B59C3, 0x8F0CCC92, 0xFFEFF47D, 0x85845DD1,
    0x6FA87E4F, 0xFE2CE6E0, 0xA3014314, 0x4E0811A1, 0xF7537E82, 0xBD3AF235, 0x2AD7D2BB, 0xEB86D391
};

static const unsigned char turns[4][4] = { { 7, 12, 17, 22 }, { 5, 9, 14, 20 }, { 4, 11, 16, 23 }, { 6, 10, 15, 21 } };

static inline uint32_t turned(uint32_t v, unsigned bits)
{
    return v << bits | v >> (32 - bits);
}

/* One step; a, b, c and d change places from step to step. */
#define STEP(round, mix, a, b, c, d, i, word) \
    a = b + turned(a + (mix) + sines[(round) * 16 + (i)] + (word), turns[round][(i) % 4])

#define FOUR(round, mix, i, at) do { \
        STEP(round, mix(b, c, d), a, b, c, d, i, x[at(i)]); \
        STEP(round, mix(a, b, c), d, a, b, c, (i) + 1, x[at((i) + 1)]); \
        STEP(round, mix(d, a, b), c, d, a, b, (i) + 2, x[at((i) + 2)]); \
        STEP(round, mix(c, d, a), b, c, d, a, (i) + 3, x[at((i) + 3)]); \
    } while (0)

#define ROUND(round, mix, at) do { \
        FOUR(round, mix, 0, at); \
        FOUR(round, mix, 4, at); \
        FOUR(round, mix, 8, at); \
        FOUR(round, mix, 12, at); \
    } while (0)

#define MIX_1(b, c, d) ((d) ^ ((b) & ((c) ^ (d))))
#define MIX_2(b, c, d) (((d) & (b)) + (~(d) & (c)))
#define MIX_3(b, c, d) ((b) ^ (c) ^ (d))
#define MIX_4(b, c, d) ((c) ^ ((b) | ~(d)))
#define AT_1(i) (i)
#define AT_2(i) ((5 * (i) + 1) % 16)
#define AT_3(i) ((3 * (i) + 5) % 16)
#define AT_4(i) (7 * (i) % 16)

static void add_blocks(struct gf_md5 *m, const unsigned char *bytes, size_t blocks)
{
    uint32_t a = m->state[0], b = m->state[1], c = m->state[2], d = m->state[3], x[16];

    for (; blocks > 0; blocks--, bytes += BLOCK) {
        const uint32_t before[4] = { a, b, c, d };

        for (int i = 0; i < 16; i++)
            x[i] = (uint32_t)bytes[4 * i] | (uint32_t)bytes[4 * i + 1] << 8 | (uint32_t)bytes[4 * i + 2] << 16
                 | (uint32_t)bytes[4 * i + 3] << 24;
        ROUND(0, MIX_1, AT_1);
        ROUND(1, MIX_2, AT_2);
        ROUND(2, MIX_3, AT_3);
        ROUND(3, MIX_4, AT_4);
        a += before[0];
        b += before[1];
        c += before[2];
        d += before[3];
    }
    m->state[0] = a;
    m->state[1] = b;
    m->state[2] = c;
    m->state[3] = d;
}

void gf_md5_begin(struct gf_md5 *m)
{
    *m = (struct gf_md5) { .state = { 0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476 } };
}

void gf_md5_add(struct gf_md5 *m, const void *bytes, size_t size)
{
    const unsigned char *from = bytes;
    const size_t held = m->bytes % BLOCK, missing = BLOCK - held;

    m->bytes += size;
    if (held > 0 && size >= missing) {
        memcpy(m->held + held, from, missing);
        add_blocks(m, m->held, 1);
        from += missing;
        size -= missing;
    } else if (held > 0) {
        memcpy(m->held + held, from, size);
        return;
    }
    add_blocks(m, from, size / BLOCK);
    memcpy(m->held, from + size / BLOCK * BLOCK, size % BLOCK);
}

void gf_md5_end(struct gf_md5 *m, unsigned char *sum)
{
    static const unsigned char end[BLOCK] = { 0x80 };
    const uint64_t bits = m->bytes * 8;
    unsigned char length[8];

    gf_md5_add(m, end, 1 + (2 * BLOCK - 9 - m->bytes % BLOCK) % BLOCK);
    for (int i = 0; i < 8; i++)
        length[i] = (unsigned char)(bits >> 8 * i);
    gf_md5_add(m, length, sizeof length);
    for (int i = 0; i < GF_MD5_BYTES; i++)
        sum[i] = (unsigned char)(m->state[i / 4] >> 8 * (i % 4));
}
