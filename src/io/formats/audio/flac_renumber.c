/* Changes the number in the header of a FLAC frame (RFC 9639), and the two checksums. */
#include "io/formats/audio/flac_renumber.h"

#include <string.h>

#define FIXED 4                          /* bytes before the number; then come sizes and a checksum of the header */

static unsigned char crc_8(const unsigned char *bytes, size_t size)
{
    unsigned crc = 0;

    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int k = 0; k < 8; k++)
            crc = crc << 1 ^ ((crc & 0x80) != 0 ? 0x107 : 0);
    }
    return (unsigned char)crc;
}

static unsigned crc_16(const unsigned char *bytes, size_t size)
{
    unsigned crc = 0;

    for (size_t i = 0; i < size; i++) {
        crc ^= (unsigned)bytes[i] << 8;
        for (int k = 0; k < 8; k++)
            crc = crc << 1 ^ ((crc & 0x8000) != 0 ? 0x18005 : 0);
    }
    return crc;
}

/* Multiplies two polynomials modulo that of the checksum. */
static unsigned times(unsigned a, unsigned b)
{
    unsigned product = 0;

    for (int i = 15; i >= 0; i--) {
        product = product << 1 ^ ((product & 0x8000) != 0 ? 0x18005 : 0);
        product ^= (b >> i & 1) != 0 ? a : 0;
    }
    return product;
}

/* Returns the checksum of bytes with the checksum `crc` that `zeros` bytes of 0 follow. */
static unsigned crc_16_before(unsigned crc, size_t zeros)
{
    for (unsigned power = 0x100; zeros > 0; zeros >>= 1, power = times(power, power))
        crc = (zeros & 1) != 0 ? times(crc, power) : crc;
    return crc;
}

/* Returns the bytes of a number, coded as in UTF-8 but up to 36 bits; 0 if they are invalid. */
static size_t number_bytes(unsigned char first)
{
    size_t ones = 0;

    while (ones < 8 && (first << ones & 0x80) != 0)
        ones++;
    return ones == 0 ? 1 : ones == 1 || ones == 8 ? 0 : ones;
}

static size_t put_number(uint64_t number, unsigned char *to)
{
    size_t more = 0;

    if (number < 0x80) {
        to[0] = (unsigned char)number;
        return 1;
    }
    for (more = 1; more < 6 && number >> (6 * more + 6 - more) != 0; more++)
        continue;
    to[0] = (unsigned char)(0xFF00 >> (more + 1) | number >> 6 * more);
    for (size_t i = 1; i <= more; i++)
        to[i] = (unsigned char)(0x80 | (number >> 6 * (more - i) & 0x3F));
    return more + 1;
}

/* Returns the bytes of the sizes after the number: a block size and a sample rate that have no code. */
static size_t size_bytes(unsigned char codes)
{
    const int block = codes >> 4, rate = codes & 15;

    return (size_t)((block == 6 ? 1 : block == 7 ? 2 : 0) + (rate == 12 ? 1 : rate == 13 || rate == 14 ? 2 : 0));
}

size_t gf_flac_renumber(const unsigned char *frame, size_t size, uint64_t number, unsigned char *to)
{
    const size_t old = size > FIXED ? number_bytes(frame[FIXED]) : 0;
    size_t sizes, header, rest, at = FIXED;
    unsigned crc;

    sizes = old > 0 ? size_bytes(frame[2]) : 0;
    header = FIXED + old + sizes + 1;
    if (old == 0 || header + 2 > size)
        return 0;
    rest = size - header - 2;
    memcpy(to, frame, FIXED);
    at += put_number(number, to + at);
    memcpy(to + at, frame + FIXED + old, sizes);
    at += sizes;
    to[at] = crc_8(to, at);
    at++;
    memcpy(to + at, frame + header, rest);
    crc = (unsigned)frame[size - 2] << 8 | frame[size - 1];
    crc ^= crc_16_before(crc_16(frame, header) ^ crc_16(to, at), rest);
    to[at + rest] = (unsigned char)(crc >> 8);
    to[at + rest + 1] = (unsigned char)crc;
    return at + rest + 2;
}
