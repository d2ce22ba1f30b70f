/* Finds the name of a color profile: its tag desc, whose form depends on the version of the profile. */
#include "io/metadata/icc_name.h"

#include "io/bytes.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define HEADER_BYTES 128
#define TAG_BYTES 12

/* Returns the data of the tag desc and its size, or NULL. */
static const unsigned char *find_description(const unsigned char *icc, size_t size, size_t *bytes)
{
    const size_t count = size >= HEADER_BYTES + 4 ? gf_get32(icc + HEADER_BYTES, true) : 0;

    for (size_t i = 0, at = HEADER_BYTES + 4; i < count && size - at >= TAG_BYTES; i++, at += TAG_BYTES) {
        const size_t offset = gf_get32(icc + at + 4, true), length = gf_get32(icc + at + 8, true);

        if (memcmp(icc + at, "desc", 4) == 0 && offset <= size && length <= size - offset && length >= 12) {
            *bytes = length;
            return icc + offset;
        }
    }
    return NULL;
}

/* Appends a character as UTF-8 if it fits. Returns false if not. */
static bool put_letter(char *name, size_t room, uint32_t letter)
{
    const size_t used = strlen(name), bytes = letter < 0x80 ? 1 : letter < 0x800 ? 2 : letter < 0x10000 ? 3 : 4;
    static const unsigned char marks[] = { 0, 0, 0xC0, 0xE0, 0xF0 };

    if (used + bytes >= room)
        return false;
    for (size_t i = bytes; i-- > 0; letter >>= 6)
        name[used + i] = (char)(i > 0 ? 0x80 | (letter & 0x3F) : bytes == 1 ? letter : marks[bytes] | letter);
    name[used + bytes] = '\0';
    return true;
}

/* Copies UTF-16, the first of the translations. */
static void copy_translation(const unsigned char *b, size_t bytes, char *name, size_t room)
{
    const size_t length = bytes >= 28 ? gf_get32(b + 20, true) : 0, offset = bytes >= 28 ? gf_get32(b + 24, true) : 0;

    if (offset > bytes || length > bytes - offset)
        return;
    for (size_t i = 0; i + 2 <= length; i += 2) {
        uint32_t letter = gf_get16(b + offset + i, true);

        if (letter >= 0xD800 && letter < 0xDC00 && i + 4 <= length) {
            i += 2;
            letter = 0x10000 + ((letter & 0x3FF) << 10 | (gf_get16(b + offset + i, true) & 0x3FF));
        }
        if (letter == 0 || !put_letter(name, room, letter))
            return;
    }
}

void gf_icc_name(const unsigned char *icc, size_t size, char *name, size_t room)
{
    size_t bytes = 0;
    const unsigned char *b = find_description(icc, size, &bytes);

    name[0] = '\0';
    if (b != NULL && memcmp(b, "mluc", 4) == 0)
        copy_translation(b, bytes, name, room);
    else if (b != NULL && memcmp(b, "desc", 4) == 0)
        for (size_t i = 12; i < bytes && b[i] != 0 && put_letter(name, room, b[i]); i++)
            ;
    if (name[0] == '\0')
        snprintf(name, room, "unnamed");
}
