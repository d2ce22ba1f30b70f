/* Decodes UTF-8. File names may contain invalid bytes. */
#include "base/utf8.h"

#include <stdlib.h>

int gf_utf8_letter(const char *text, uint32_t *letter)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    const unsigned char first = (unsigned char)*text;
    const int bytes = first < 0x80 ? 1 : first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf8 ? 4 : 0;

    *letter = bytes < 2 ? first : first & (0x7fu >> bytes);
    for (int i = 1; i < bytes; i++) {
        const unsigned char next = (unsigned char)text[i];

        if ((next & 0xc0) != 0x80)
            return 0;
        *letter = *letter << 6 | (next & 0x3f);
    }
    return *letter < least[bytes] || *letter > 0x10ffff || (*letter >= 0xd800 && *letter < 0xe000) ? -bytes : bytes;
}

/* Returns true for characters that are visible and allowed in XML. */
static bool is_allowed(uint32_t letter)
{
    return letter >= 0x20 && letter != 0x7F && (letter < 0x80 || letter > 0x9F) && letter != 0xFFFE && letter != 0xFFFF;
}

uint32_t gf_utf8_next(const char **text)
{
    uint32_t letter;
    const int bytes = gf_utf8_letter(*text, &letter);

    *text += bytes != 0 ? abs(bytes) : 1;
    return bytes > 0 && (letter == 0 || is_allowed(letter)) ? letter : '?';
}

void gf_utf8_put(FILE *to, const char *text, bool xml)
{
    const char *at = text, *from = text;

    for (uint32_t letter = gf_utf8_next(&at); letter != 0; from = at, letter = gf_utf8_next(&at))
        if (letter == '?')
            fputc('?', to);
        else if (xml && (letter == '<' || letter == '>' || letter == '&'))
            fputs(letter == '<' ? "&lt;" : letter == '>' ? "&gt;" : "&amp;", to);
        else
            fwrite(from, 1, (size_t)(at - from), to);
}
