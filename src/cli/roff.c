/* Prints text as roff with man(7) macros: escapes, lines of at most 78 bytes, paragraphs. */
#include "cli/roff.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Prints one character of UTF-8 by its name in roff; returns its last byte. */
static const char *print_character(const char *text)
{
    static const unsigned char masks[] = { 0x1f, 0x0f, 0x07 };
    const int more = (*text & 0xe0) == 0xc0 ? 1 : (*text & 0xf0) == 0xe0 ? 2 : 3;
    unsigned int code = (unsigned char)*text & masks[more - 1];

    for (int i = 0; i < more && text[1] != '\0'; i++)
        code = code << 6 | ((unsigned char)*++text & 0x3f);
    printf("\\[u%04X]", code);
    return text;
}

static void print_text(const char *text, size_t bytes, bool start)
{
    for (const char *const end = text + bytes; text < end; text++) {
        if (start && (*text == '.' || *text == '\''))
            fputs("\\&", stdout);
        start = *text == '\n';
        if ((unsigned char)*text >= 0xc0) {
            text = print_character(text);
            continue;
        }
        switch (*text) {
        case '\\': fputs("\\e", stdout); break;
        case '-': fputs("\\-", stdout); break;
        case '\'': fputs("\\(aq", stdout); break;
        case '`': fputs("\\(ga", stdout); break;
        case '^': fputs("\\(ha", stdout); break;
        case '~': fputs("\\(ti", stdout); break;
        default: putchar(*text); break;
        }
    }
}

void gf_roff_text(const char *text, bool start)
{
    print_text(text, strlen(text), start);
}

/* Returns the bytes that gf_roff_text() prints for one byte of text. A character is printed at its first byte. */
static int escaped_bytes(char byte)
{
    const unsigned char u = (unsigned char)byte;

    if (u >= 0x80)
        return u >= 0xc0 ? 8 : 0;
    return strchr("'`^~", byte) != NULL ? 4 : strchr("\\-", byte) != NULL ? 2 : 1;
}

static void print_filled(const char *text, size_t text_bytes)
{
    const char *const end = text + text_bytes;
    int used = 0;
    bool sentence = false;

    for (text += strspn(text, " \n"); text < end; text += strspn(text, " \n")) {
        const size_t length = strcspn(text, " \n");
        int bytes = 0;

        for (size_t i = 0; i < length; i++)
            bytes += escaped_bytes(text[i]);
        if (used > 0 && (used + 1 + bytes > 78 || (sentence && isupper((unsigned char)*text))))
            used = 0, putchar('\n');
        else if (used > 0)
            used++, putchar(' ');
        print_text(text, length, used == 0);
        used += bytes;
        sentence = text[length - 1] == '.';
        text += length;
    }
    putchar('\n');
}

void gf_roff_filled(const char *text)
{
    print_filled(text, strlen(text));
}

/* Prints the lines of a paragraph that begins with blanks as they are, indented. */
static void print_lines(const char *text, size_t bytes)
{
    const char *const end = text + bytes;

    puts(".RS 4\n.nf");
    while (text < end) {
        const size_t length = strcspn(text, "\n"), blanks = strspn(text, " "), margin = blanks < 4 ? blanks : 4;

        print_text(text + margin, length - margin, true);
        putchar('\n');
        text += length + (text[length] == '\n');
    }
    puts(".fi\n.RE");
}

void gf_roff_paragraphs(const char *text)
{
    while (*text != '\0') {
        const char *gap = strstr(text, "\n\n");
        const size_t length = gap != NULL ? (size_t)(gap - text) : strlen(text);

        puts(".PP");
        if (*text == ' ')
            print_lines(text, length);
        else
            print_filled(text, length);
        text += length + strspn(text + length, "\n");
    }
}

void gf_roff_sentence(const char *text)
{
    char sentence[1024];

    snprintf(sentence, sizeof sentence, "%s.", text);
    gf_roff_filled(sentence);
}

void gf_roff_macro(const char *macro, const char *text)
{
    printf(".%s \"", macro);
    gf_roff_text(text, false);
    puts("\"");
}
