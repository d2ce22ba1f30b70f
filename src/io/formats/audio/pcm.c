/* Converts linear samples between the layout of a file and the packed layout of a signal. */
#include "io/formats/audio/pcm.h"

#include <string.h>

void gf_pcm_sound(const struct gf_pcm *p, struct gf_format *f)
{
    if (p->real)
        f->type = p->bytes == 4 ? GF_F32 : GF_F64;
    else
        f->type = p->bytes <= 2 ? GF_S16 : GF_S32;
    f->bits = p->bytes * 8;
    f->maxval = 0;
}

struct gf_pcm gf_pcm_of_sound(const struct gf_format *f)
{
    const bool real = gf_type_is_float(f->type);
    const int bytes = real ? (int)gf_type_bytes(f->type) : f->bits <= 8 ? 1 : f->type == GF_S32 && f->bits <= 24 ? 3
                      : (int)gf_type_bytes(f->type);

    return (struct gf_pcm) { .bytes = bytes, .offset = bytes == 1, .real = real };
}

bool gf_pcm_is_packed(const struct gf_pcm *p, enum gf_type type)
{
    return (size_t)p->bytes == gf_type_bytes(type) && (!p->big || p->bytes == 1) && !p->offset;
}

/*
 * Converts bytes to the high byte of 16 bits. Each block is copied first, because `to` may overlap
 * `from`.
 */
static void widen8(const unsigned char *from, uint16_t *to, size_t count, uint16_t flip)
{
    unsigned char chunk[2048];

    for (size_t at = 0; at < count; at += sizeof chunk) {
        const size_t n = count - at < sizeof chunk ? count - at : sizeof chunk;

        memcpy(chunk, from + at, n);
        for (size_t i = 0; i < n; i++)
            to[at + i] = (uint16_t)((unsigned)chunk[i] << 8 ^ flip);
    }
}

/* Converts 24-bit samples to the high bytes of 32 bits. */
static void widen24(const unsigned char *from, uint32_t *to, size_t count, bool big, uint32_t flip)
{
    enum { BLOCK = 1024 };
    const int low = big ? 2 : 0, high = big ? 0 : 2;
    unsigned char chunk[BLOCK * 3];

    for (size_t at = 0; at < count; at += BLOCK) {
        const size_t n = count - at < BLOCK ? count - at : BLOCK;

        memcpy(chunk, from + at * 3, n * 3);
        for (size_t i = 0; i < n; i++)
            to[at + i] = ((uint32_t)chunk[3 * i + (size_t)low] << 8 | (uint32_t)chunk[3 * i + 1] << 16
                          | (uint32_t)chunk[3 * i + (size_t)high] << 24) ^ flip;
    }
}

/*
 * Swaps bytes and flips the sign bit, for samples of equal size on both sides. `back` converts
 * packed samples to stored ones: then the bit to flip is in the byte that comes first. `to` may be
 * `from`.
 */
static void swap_and_flip(const struct gf_pcm *p, bool back, const unsigned char *from, unsigned char *to, size_t count)
{
    const bool first = back && p->big;
    const uint16_t flip16 = !p->offset ? 0 : first ? 0x0080 : 0x8000;
    const uint32_t flip32 = !p->offset ? 0 : first ? 0x80u : 0x80000000u;

    for (size_t i = 0; p->bytes == 2 && i < count; i++) {
        uint16_t v;

        memcpy(&v, from + 2 * i, 2);
        v = (uint16_t)((p->big ? __builtin_bswap16(v) : v) ^ flip16);
        memcpy(to + 2 * i, &v, 2);
    }
    for (size_t i = 0; p->bytes == 4 && i < count; i++) {
        uint32_t v;

        memcpy(&v, from + 4 * i, 4);
        v = (p->big ? __builtin_bswap32(v) : v) ^ flip32;
        memcpy(to + 4 * i, &v, 4);
    }
    for (size_t i = 0; p->bytes == 8 && i < count; i++) {
        uint64_t v;

        memcpy(&v, from + 8 * i, 8);
        v = p->big ? __builtin_bswap64(v) : v;
        memcpy(to + 8 * i, &v, 8);
    }
}

void gf_pcm_unpack(const struct gf_pcm *p, const void *stored, void *packed, size_t count)
{
    if (p->bytes == 1)
        widen8(stored, packed, count, p->offset ? 0x8000 : 0);
    else if (p->bytes == 3)
        widen24(stored, packed, count, p->big, p->offset ? 0x80000000u : 0);
    else if (p->big || p->offset)
        swap_and_flip(p, false, stored, packed, count);
    else if (stored != packed)
        memmove(packed, stored, count * (size_t)p->bytes);
}

void gf_pcm_pack(const struct gf_pcm *p, const void *packed, void *stored, size_t count)
{
    unsigned char *to = stored;

    if (p->bytes == 1) {
        const uint16_t *from = packed;

        for (size_t i = 0; i < count; i++)
            to[i] = (unsigned char)(from[i] >> 8 ^ (p->offset ? 0x80 : 0));
    } else if (p->bytes == 3) {
        const uint32_t *from = packed, flip = p->offset ? 0x80000000u : 0;
        const size_t low = p->big ? 2 : 0, high = p->big ? 0 : 2;

        for (size_t i = 0; i < count; i++) {
            const uint32_t v = from[i] ^ flip;

            to[3 * i + low] = (unsigned char)(v >> 8);
            to[3 * i + 1] = (unsigned char)(v >> 16);
            to[3 * i + high] = (unsigned char)(v >> 24);
        }
    } else {
        swap_and_flip(p, true, packed, to, count);
    }
}
