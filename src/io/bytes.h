/* Reads and writes numbers of two and four bytes, big-endian or little-endian. */
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

/* Writes four bytes, big-endian, and returns the position after them. */
static inline unsigned char *gf_put32(unsigned char *b, uint32_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        *b++ = (unsigned char)(value >> shift);
    return b;
}

#endif
