/* Decodes UTF-8. File names may contain invalid bytes. */
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

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

void gf_utf8_put_xml(FILE *to, const char *text)
{
    const char *at = text, *from = text;

    for (uint32_t letter = gf_utf8_next(&at); letter != 0; from = at, letter = gf_utf8_next(&at))
        if (letter == '?')
            fputc('?', to);
        else if (letter == '<' || letter == '>' || letter == '&')
            fputs(letter == '<' ? "&lt;" : letter == '>' ? "&gt;" : "&amp;", to);
        else
            fwrite(from, 1, (size_t)(at - from), to);
}

bool gf_utf8_is_control(uint32_t letter)
{
    return letter < 0x20 || (letter >= 0x7F && letter <= 0x9F) || letter == 0x61C || letter == 0x200E
        || letter == 0x200F || (letter >= 0x2028 && letter <= 0x202E) || (letter >= 0x2066 && letter <= 0x2069)
        || letter == 0xFEFF;
}

size_t gf_utf8_show(const char **text, bool lines, char *shown)
{
    uint32_t letter;
    const int bytes = gf_utf8_letter(*text, &letter);
    const char *from = *text;

    *text += bytes > 0 ? bytes : 1;
    if (bytes <= 0)
        return (size_t)snprintf(shown, GF_UTF8_SHOWN, "\\x%02x", (unsigned char)*from);
    if (!gf_utf8_is_control(letter) || (lines && (letter == '\n' || letter == '\t'))) {
        memcpy(shown, from, (size_t)bytes);
        return (size_t)bytes;
    }
    if (letter == '\n' || letter == '\r' || letter == '\t')
        return (size_t)snprintf(shown, GF_UTF8_SHOWN, "\\%c", letter == '\n' ? 'n' : letter == '\r' ? 'r' : 't');
    return (size_t)snprintf(shown, GF_UTF8_SHOWN, letter < 0x80 ? "\\x%02x" : "\\u%04x", (unsigned)letter);
}

void gf_utf8_print(FILE *to, const char *text, size_t size, bool lines)
{
    char shown[GF_UTF8_SHOWN];

    for (const char *at = text; at < text + size;) {
        const size_t bytes = gf_utf8_show(&at, lines, shown);

        fwrite(shown, 1, bytes, to);
    }
}
