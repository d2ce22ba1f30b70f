/* Reads and writes numbers of up to eight bytes, big-endian or little-endian. */
#ifndef GF_IO_BYTES_H
#define GF_IO_BYTES_H

#include <stdbool.h>
#include <stdint.h>

/* `big` means big-endian. */
static inline uint32_t gf_get16(const unsigned char *b, bool big)
{
    return big ? (uint32_t)b[0] << 8 | b[1] : (uint32_t)b[1] << 8 | b[0];
}

static inline uint32_t gf_get32(const unsigned char *b, bool big)
{
    return big ? gf_get16(b, true) << 16 | gf_get16(b + 2, true) : gf_get16(b + 2, false) << 16 | gf_get16(b, false);
}

static inline uint64_t gf_get_number(const unsigned char *b, int bytes, bool big)
{
    uint64_t value = 0;

    for (int i = 0; i < bytes; i++)
        value = value << 8 | b[big ? i : bytes - 1 - i];
    return value;
}

/* Writes a number, and returns the position after it. */
static inline unsigned char *gf_put_number(unsigned char *b, uint64_t value, int bytes, bool big)
{
    for (int i = 0; i < bytes; i++)
        b[big ? bytes - 1 - i : i] = (unsigned char)(value >> 8 * i);
    return b + bytes;
}

/* Writes four bytes, big-endian. */
static inline unsigned char *gf_put32(unsigned char *b, uint32_t value)
{
    return gf_put_number(b, value, 4, true);
}

#endif
